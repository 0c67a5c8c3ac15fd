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
    Entry(
        "h", "Dwork", "excess of a probability over e^epsilon times its neighbour's; delta bounds their sum"
    ),
    Entry("d", "Chatzikokolakis", "distance of two truths, in steps of epsilon"),
    Entry("worst", "this project", "largest expected loss of a truth"),
    Entry("Mean", "this project", "bounds on averaged losses"),
    Entry("Worst", "this project", "bounds on losses at every truth"),
    Entry("k", "this project", "loss of a bound"),
    Entry("b", "this project", "the most a bounded loss may be"),
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
    Entry("mid", "Cormode", "response as a number, the midpoint of a category"),
    Entry("CH", "Cormode", "column honest: no response is likelier than the truth"),
    Entry("RH", "Cormode", "row honest: no response is likelier under another truth than under its own"),
    Entry("WH", "Cormode", "weakly honest: the truth is as likely as by an even guess"),
    Entry("UB", "Sadeghi", "unbiased: the mean response is the truth, P3"),
    Entry("eta_most", "Sadeghi", "largest probability of releasing the truth, P2"),
    Entry("reach", "Sadeghi", "largest error, P1"),
    Entry("Never", "Sadeghi", "responses that are not released"),
    Entry("least", "Sadeghi", "least value of an entry, from P1, P2 and weak honesty"),
    Entry("most", "Sadeghi", "largest value of an entry, from P1, P2 and weak honesty"),
    Entry("N", "Sadeghi", "largest count"),
    Entry("Outcomes", "Sadeghi", "what the noise of a count can make of it, for each neighbour"),
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
