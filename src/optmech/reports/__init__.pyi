# The public names of this room, and where each is.
from .card import Card as Card
from .card import card_json as card_json
from .card import card_markdown as card_markdown
