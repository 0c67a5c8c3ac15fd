# The public names of this room, and where each is.
from .card import Card as Card
from .card import card_json as card_json
from .card import card_markdown as card_markdown
from .charts.curve import privacy_chart as privacy_chart
from .charts.errors import error_chart as error_chart
from .charts.frontier import frontier_chart as frontier_chart
from .charts.matrix_view import matrix_chart as matrix_chart
from .charts.response_distribution import released_chart as released_chart
