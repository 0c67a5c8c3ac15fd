"""Two numbers that differ are told apart in a few words, however long and however near they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from optmech.base.logarithm import Logarithm
from optmech.cli.told_apart import told_apart
from tests.each import each

LONG = Fraction(10**3999 + 7, 10**3999)
NUMBERS = [
    *(Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 3), Fraction(1, 2**60), Fraction(1, 2**13_000)),
    *(Fraction(3, 2**13_000), Fraction(10**3999), Fraction(10**3999 - 1), LONG, LONG + Fraction(1, 10**3000)),
    Fraction(10**7999 + 1, 10**3999),
    *(Fraction(1, 10**3999), Fraction(-1, 3**800), Fraction(123_456_789), Fraction(123_456_788), None),
]
LOGARITHMS = [Logarithm(number) for number in NUMBERS if number is not None and number > 0]


def test_the_words_are_few_and_differ():
    for its, own in permutations([*NUMBERS, *LOGARITHMS], 2):
        if its == own:
            continue
        words = told_apart(its, own)
        assert len(words) < 100, words
        first, beside, second = words.partition(", that of the certificate ")
        assert (first != second) if beside else (" than that of the certificate, " in words), words


@each(
    ("its", "own", "words"),
    [
        (Fraction(485, 332), Fraction(3, 4), "485/332, that of the certificate 0.75"),
        (LONG, Fraction(3, 4), "about 1, that of the certificate about 0.75"),
        (None, LONG, "none, that of the certificate about 1"),
        (Fraction(2), Logarithm(LONG), "2, that of the certificate ln(about 1)"),
        (Fraction(10**300), Fraction(10**300 + 1), "1 less than that of the certificate, about 1e+300"),
        (
            Logarithm(LONG),
            Logarithm(LONG - Fraction(1, 10**50)),
            "ln x, x being 1e-50 more than that of the certificate, about 1",
        ),
    ],
)
def test_the_words_are_exact_or_alike(its, own, words):
    assert told_apart(its, own) == words
