"""The choices of a question as options: how each is typed. The key of a choice in a table explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.wording import join_words
from optmech.cli.typed_values import (
    named_or_numbers,
    number_lists,
    prior_of,
    text_lists,
    texts,
    whole_numbers,
)
from optmech.question.keys import EPSILON
from optmech.question.limits import LIMIT_EXAMPLES
from optmech.question.loss import NOISE_COSTS
from optmech.question.privacy.noise_laws import TYPED_LAWS
from optmech.question.problems.named import QUERIES
from optmech.question.problems.question import DEFINITIONS
from optmech.question.properties import PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedChoice:
    """The form in which a choice is typed.

    Attributes
    ----------
    metavar : str or None
        Stands for its value in the help; ``None`` of a switch.
    read : callable, optional
        Makes the value of the text; the text itself where there is none.
    key : str
        The key of a question's table that it gives, where it is called otherwise.
    about : str
        Its help, where no key says it.
    how, example : str
        The form of its value, and an example, where the words of the key do not give them.
    default : str
        The value that is meant where it is left out, if the key has none.
    value : bool, optional
        The value that a switch gives.
    is_repeated : bool
        Whether it may be typed several times.
    """

    metavar: str | None = None
    read: Callable[[str], Any] | None = None
    key: str = ""
    about: str = ""
    how: str = ""
    example: str = ""
    default: str = ""
    value: bool | None = None
    is_repeated: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of its option, but for the help."""
        if self.value is not None:
            return {"action": "store_const", "const": self.value}
        settings: dict[str, Any] = {"metavar": self.metavar}
        if self.read is not None:
            settings["type"] = self.read
        if self.is_repeated:
            settings["action"] = "append"
        return settings


PROPERTY_NAMES = ", ".join(PROPERTIES)
"""Names of properties, for help."""
SEVERAL = "with commas, or repeated"
"""The help text on typing several properties."""
CHOICES: dict[str, TypedChoice] = {
    "query": TypedChoice(metavar="KIND", about=f"{', '.join(QUERIES)}; extremum is max, min and median"),
    "range": TypedChoice(metavar="LOW:HIGH"),
    "responses": TypedChoice(
        metavar="LOW:HIGH",
        about="the smallest and largest number that can be released, such as -5:15",
        default="the true answers",
    ),
    "records": TypedChoice(metavar="N", read=int),
    "records_per_person": TypedChoice(metavar="K", read=int),
    "adjacency": TypedChoice(metavar="HOW"),
    "modulus": TypedChoice(metavar="N", read=int),
    "moduli": TypedChoice(metavar="LIST", read=whole_numbers, example="5,5"),
    "distances": TypedChoice(metavar="LIST", read=number_lists, example="1,2,3"),
    "changes": TypedChoice(
        metavar="HOW",
        about="what distances are: vectors, or a set for each coordinate, which move together or apart",
        default="vectors",
    ),
    "symmetric": TypedChoice(
        value=False,
        about="protect one direction only, as printed in the paper: not differential privacy",
    ),
    "of": TypedChoice(metavar="LIST", read=texts, key="labels", example="red,green,blue"),
    "distance": TypedChoice(metavar="MATRIX", read=text_lists, example="0,1,4;1,0,4;4,4,0"),
    "edges": TypedChoice(
        metavar="LIST",
        read=text_lists,
        about="the edges of a graph, with weights or without",
        example="home,shop,1;shop,work,2",
    ),
    "unit": TypedChoice(metavar="U", about="the weight or distance that epsilon is for", default="1"),
    "shortest_paths": TypedChoice(
        value=True, about="compare all nodes with a path between them, not those of an edge alone"
    ),
    "epsilon": TypedChoice(metavar="EPS", how=EPSILON.words),
    "exp_epsilon": TypedChoice(metavar="E", about="e^epsilon, such as 2, in place of --epsilon"),
    "delta": TypedChoice(metavar="DELTA", default="0"),
    "definition": TypedChoice(
        metavar="KIND", about=f"what delta means: {join_words(DEFINITIONS, 'or')}", default=DEFINITIONS[0]
    ),
    "privacy": TypedChoice(
        metavar="PAIRS", about="several epsilon and delta at once, in place of one: '0.5,1e-3; 1,1e-6'"
    ),
    "as_private_as": TypedChoice(
        metavar="NOISE", key="noise", how=f"{join_words(TYPED_LAWS, 'or')}; in place of --epsilon"
    ),
    "reading": TypedChoice(metavar="READING"),
    "rows": TypedChoice(metavar="ROWS"),
    "structure": TypedChoice(metavar="KIND"),
    "half_width": TypedChoice(metavar="D", read=int),
    "accuracy": TypedChoice(metavar="ETA"),
    "properties": TypedChoice(
        metavar="NAME",
        is_repeated=True,
        about=f"what else must hold: {PROPERTY_NAMES}, or limits such as {LIMIT_EXAMPLES}; {SEVERAL}",
    ),
    "loss": TypedChoice(metavar="LOSS", read=named_or_numbers),
    "prior": TypedChoice(
        metavar="PRIOR",
        read=prior_of,
        how="uniform, sum, or probabilities with commas, or a file with a line for each",
        default="uniform",
    ),
    "worst_case": TypedChoice(value=True),
    "least": TypedChoice(metavar="WHAT"),
    "bounds": TypedChoice(
        metavar="TEXT",
        is_repeated=True,
        how="'mean absolute <= 1.5' or 'worst beyond 2 <= 0.05'; may be repeated",
    ),
    "within": TypedChoice(metavar="D", read=int, about="the largest distance of a published count"),
    "variance": TypedChoice(
        metavar="V", about="the largest variance of a count's noise, of its mean square where that is biased"
    ),
    "without": TypedChoice(
        metavar="LIST", read=whole_numbers, about="counts that are never published, such as 1,2"
    ),
    "zero_stays_zero": TypedChoice(value=True, about="0 is published where the count is 0"),
    "positive_stays_positive": TypedChoice(
        value=True, about="0 is published nowhere else; with --zero-stays-zero delta is 1 then"
    ),
    "unbiased": TypedChoice(value=True, about="the mean of the noise is zero"),
    "same_noise_from": TypedChoice(
        metavar="N",
        read=int,
        about="the count whose noise all larger ones have; left out: D plus the largest of --without plus 1",
    ),
    "at_most": TypedChoice(metavar="COST", about="minimise delta, with at most this expected cost"),
    "cost": TypedChoice(
        metavar="COST",
        read=named_or_numbers,
        about=f"{join_words(NOISE_COSTS, 'or')}, or one number for each noise",
        default=NOISE_COSTS[0],
    ),
    "variant": TypedChoice(
        metavar="1|2", read=int, about="2 adds monotonicity, symmetry, fairness", default="1"
    ),
    "counts": TypedChoice(metavar="LOW:HIGH", about="smallest and largest true count"),
}
"""Each choice of `named_problem`."""
