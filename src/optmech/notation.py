"""The letters of the papers, tied to the words of this project.

Letters stand in ``formulations/*.mod``, in the docstrings of builders that declare them, and here. Some of
them mean different things in different papers, so an entry names its paper.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["NOTATION", "Entry"]


class Entry(NamedTuple):
    """One letter: as the algebra writes it, whose it is, and the word for it here."""

    letter: str
    paper: str
    word: str


NOTATION = (
    Entry("E", "all", "e^epsilon, the factor that a probability may grow by between neighbours"),
    Entry("delta", "all", "delta: of one outcome in Sadeghi, of leaking outcomes together in Kadam"),
    Entry("M", "Croft", "mechanism matrix [response, truth]; columns sum to one"),
    Entry("R", "Croft", "responses, as positions from 0"),
    Entry("F", "Croft", "truths, as positions from 0"),
    Entry("A", "Croft", "neighbours, as ordered pairs of truths"),
    Entry("l", "Croft", "loss of a response at a truth"),
    Entry("p", "Croft", "weight of a truth; the paper's is one"),
    Entry("home", "Croft", "response that holds a truth, the paper's i_j"),
    Entry("value", "Croft", "truth as a number, the paper's F_j"),
    Entry("lower", "Croft", "lower end of a response category"),
    Entry("upper", "Croft", "upper end of a response category"),
    Entry("N", "Sadeghi", "largest count"),
    Entry("first", "Sadeghi", "smallest count"),
    Entry("Counts", "Sadeghi", "truths: the counts that can occur"),
    Entry("Neighbours", "Sadeghi", "neighbours: counts one apart, both directions"),
    Entry("D", "Sadeghi", "half-width of the noise"),
    Entry("A", "Sadeghi", "how far the noise of a count may fall below it"),
    Entry("eta", "Sadeghi", "accuracy: probability of releasing the truth"),
    Entry("eta_bar", "Sadeghi", "probability of not releasing the truth"),
    Entry("alpha", "Sadeghi", "mixture weight of a zero-bias distribution"),
    Entry("p", "Sadeghi", "zero-bias distribution with two values besides zero"),
    Entry("n", "Kadam", "largest answer; the modulus is n + 1"),
    Entry("Mu", "Kadam", "distances between neighbouring answers, the paper's script M"),
    Entry("f", "Kadam", "noise distribution"),
    Entry("u", "Kadam", "indicator: the ratio is violated"),
    Entry("y", "Kadam", "mass of a violated outcome"),
    Entry("rho", "Kadam", "cost of a noise value"),
    Entry("at_most", "Kadam", "bound on the expected cost, the paper's rho-bar"),
)
