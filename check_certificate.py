"""Check a certificate and its CSV: python check_certificate.py MECHANISM.certificate.json [MECHANISM.csv].

It reads what docs/certificate.md describes, with the standard library of Python 3.11 or later alone, and shares
nothing with the package that wrote the files. It recomputes everything in exact arithmetic, prints what is proved,
beginning with "proved:", or one line on standard error that begins with "refused:", and then ends with code 1.

The sections follow the page: exact JSON, numbers, the query, the question, the matrix, the proof of the bound,
the CSV, what is printed, as private as a noise, noise and thresholds. `need` states each rule; a certificate that
breaks one is refused, and proves nothing.
"""

import json
import os
import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from functools import cache, cmp_to_key
from hashlib import sha256
from itertools import accumulate, chain, groupby, islice, pairwise, product
from math import ceil, exp, floor, gcd, isqrt, lcm, log, pi, prod, sqrt
from operator import itemgetter, le, mul
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

# Limits, so that whatever a file says is refused quickly. They are part of the format.
CHARACTERS, NOISE_CHARACTERS = 2**29, 2**27  # of a file; of one with noise
DIGITS = 4_000  # of a number: of a decimal, or of either part of a ratio
LARGEST_NUMBER = 10**300  # truths, responses and costs are below it, as doubles can be
LARGEST_EXPONENT = 700  # epsilon, and epsilon times the largest weight
SMALLEST = Fraction(1, 10**300)  # epsilon, and delta, unless it is 0
FACTOR_BITS = 2_000  # of either factor around e^epsilon, where that is no rational
POWER_BITS = 200_000  # of either factor to the power of the largest weight
POWERS_BITS = 2**32  # of the powers at all weights together, for each response
PAIRS = 5_000_000  # truths times reach
TRUTHS = 20_000  # and responses
MODULI = 30
DEPTH = 300  # of splits within splits
FURTHER = 20  # privacies besides the first
SCALE_BITS = 27_000  # of a common denominator
IN_A_MATRIX, MATRIX_BITS = 2_000, 2**30  # truths whose losses are a matrix; the bits of all its entries
EXACT_BITS, ROUNDED_BITS = 6_000, 256  # a longer bound is rounded down to so many bits
LONGEST_DELTA = 10**40  # of the denominator of a delta; a longer one is rounded up
PLACES, NOISE_BITS = 2**20, 2**15  # of noise
PLACES_BITS, PLACES_PRIVACIES = 2**28, 2**21  # of all places together; places times privacies
COUNTED, LISTED, REPEATED = 1_000_001, 4_000_000, 20_000_000  # truths; truths x responses; losses x truths
ONE_BITS = 192  # of the fixed point in which the bound of thresholds is computed, at least
MORE_BITS = 128  # at least so many more than e^epsilon and 1/delta have together
BOUNDS, BOUNDS_HELD = 2**6, 2**17  # places whose bounds are held at once, and for how many truths in all
AGAIN = 8  # what a step costs less whose bounds are held
WORK, WORK_OF_A_NUMBER, MOST_WORK = 2**29, 2**21, 2**30  # bits of the truths that thresholds look at
MORE_WORK, WORK_OF_A_WRITTEN_BIT = (
    2**11,
    2**8,
)  # of each number that is written out, and of a bit of runs, besides
SPARE_BITS = 24  # of sums in tails, beyond those of the noise, so that rounding decides nothing
SUMS_WORK, WORK_OF_A_RUN, WORK_OF_A_RUNS_BIT, WORK_OF_A_WEIGHT = (
    2**33,
    2**11,
    2**8,
    3 * 2**15,
)  # of these sums
WORK_OF_A_TRUTH, LISTED_BITS = 2**12, 2**29  # bits of a list of them
SMOOTHING = 2**10  # bits by which weights are finer for prices
DOUBLE_BITS = 1_400  # of shares whose nearest doubles are looked for, the least of which is 2^-1074
TABLE_WORK, WORK_OF_AN_ENTRY, WORK_OF_A_BIT = 2**32, 2**14, 2**6  # of losses that are none by distance
MATRIX_WORK, WORK_OF_A_CHARACTER = (
    2**32,
    2**12,
)  # of a certificate with a matrix: at most, and more for each character
PAIR_WORK, LIMIT_WORK = 2**14, 2**12  # to list a pair of neighbours; to hold an entry to a limit
TOO_MUCH = "there must not be too much to compute"


class RefusedError(ValueError):
    """The certificate breaks a rule: nothing in it is proved."""


def need(holds: object, rule: str) -> None:
    """Refuse the certificate unless `holds`."""
    if not holds:
        raise RefusedError(rule)


# ------------------------------------------------------------------------------------------------ exact JSON


def read_json(text: str) -> Any:
    """Return JSON in which no object names a field twice, and no number is anything but an integer."""
    return json.loads(
        text, object_pairs_hook=_no_twins, parse_float=_no_float, parse_constant=_no_float, parse_int=_integer
    )


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need(len(dict(pairs)) == len(pairs), "an object must have each field once")
    return dict(pairs)


def _no_float(_: str) -> None:
    need(holds=False, rule="a number of JSON must be an integer; all others are text")


def _integer(text: str) -> int:
    need(len(text) <= DIGITS, f"a number must have at most {DIGITS} digits")
    return int(text)


def fields(part: object, *names: str) -> list[Any]:
    """Return the fields of an object, which are these and no others."""
    need(
        isinstance(part, dict) and part.keys() == {*names},
        f"an object must have the fields {', '.join(names)}",
    )
    return [part[name] for name in names]


def further(part: object, name: str) -> tuple[object, list[Any]]:
    """Return an object without a list that only some have, and the list; an empty one must be left out."""
    if not isinstance(part, dict) or name not in part:
        return part, []
    listed = items(part[name])
    need(listed, f"{name} must be left out where there are none")
    return {key: value for key, value in part.items() if key != name}, listed


def items(part: object) -> list[Any]:
    """Return a list."""
    need(isinstance(part, list), "what is listed must be a list")
    return part


def text_of(part: object) -> str:
    """Return a text, which UTF-8 can write: it has no lone surrogate."""
    need(isinstance(part, str) and not re.search("[\ud800-\udfff]", part), "a text must be one of Unicode")
    return part


def integer(part: object) -> int:
    """Return a JSON integer; true and false are none."""
    need(type(part) is int, "this must be a JSON integer")
    return part


def boolean(part: object) -> bool:
    """Return true or false."""
    need(type(part) is bool, "this must be true or false")
    return part


def place(part: object, *sizes: int) -> tuple[int, ...]:
    """Return positions, each an integer from 0 to below its size."""
    at = tuple(items(part))
    need(len(at) == len(sizes), "a place must have as many positions as it needs")
    need(
        all(type(x) is int and 0 <= x < n for x, n in zip(at, sizes)),
        "a position must be one of the question",
    )
    return at


# --------------------------------------------------------------------------------------------------- numbers


def whole(part: object) -> int:
    """Return a whole number from its only spelling: 0, 7, -12."""
    need(
        isinstance(part, str) and re.fullmatch("0|-?[1-9][0-9]*", part),
        "a whole number must be text such as 12",
    )
    need(len(part) <= DIGITS, f"a number must have at most {DIGITS} digits")
    return int(part)


def wholes(part: object) -> list[int]:
    """Return a list of whole numbers."""
    return [whole(x) for x in items(part)]


def ratio(part: object) -> Fraction:
    """Return a number from its spelling as a ratio in lowest terms: 0, -7, 3/4."""
    need(isinstance(part, str), "a number must be text")
    top, slash, bottom = part.partition("/")
    value = Fraction(whole(top), max(whole(bottom), 1) if slash else 1)
    need(str(value) == part, "a ratio must be in lowest terms, such as 3/4")
    return value


def number(part: object) -> Fraction:
    """Return a number from its shortest spelling: a decimal where there is one, else a ratio: 7, -0.125, 1/3."""
    need(isinstance(part, str), "a number must be text")
    if "." not in part:
        value = ratio(part)
        need(
            value.denominator == 1 or not is_decimal(value),
            "a number must be a decimal where there is one, such as 0.5",
        )
        return value
    need(
        re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9]", part),
        "a decimal must be as short as can be, such as 0.5",
    )
    need(len(part) <= DIGITS, f"a number must have at most {DIGITS} digits")
    return Fraction(part)


def is_decimal(value: Fraction) -> bool:
    """Whether a number is one of finitely many digits."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def point(part: object) -> Fraction:
    """Return a number that stands for itself on a line: a truth, a response, an end of a category."""
    value = number(part)
    need(abs(value) < LARGEST_NUMBER, "truths and responses must be numbers below 10^300")
    return value


def over_one_scale(values: list[Fraction]) -> tuple[list[int], int]:
    """Return the values as whole numbers over their least common denominator, and that."""
    scale = 1
    for value in values:
        scale = lcm(scale, value.denominator)
        need(scale.bit_length() <= SCALE_BITS, "numbers must have a common denominator that is not too long")
    return [value.numerator * (scale // value.denominator) for value in values], scale


def short_bound(value: Fraction) -> Fraction:
    """Return a bound as it is, or where it is too long to be written the next lower multiple of a power of two."""
    top, bottom = abs(value.numerator).bit_length(), value.denominator.bit_length()
    if max(top, bottom) <= EXACT_BITS:
        return value
    places = ROUNDED_BITS - (top - bottom)  # a multiple of 2^-places
    whole_part = (value.numerator << max(places, 0)) // (value.denominator << max(-places, 0))
    return Fraction(whole_part << max(-places, 0), 1 << max(places, 0))


def short_delta(value: Fraction) -> Fraction:
    """Return a delta as it is, or where it is long the next higher decimal of some thirty digits."""
    if value.denominator <= LONGEST_DELTA:
        return value
    zeros = max(value.denominator.bit_length() - value.numerator.bit_length(), 0) * 30103 // 100_000
    scale = 10 ** (30 + zeros)
    return Fraction(-(-value.numerator * scale // value.denominator), scale)


def work_of(bits: int, others: int, *, is_kept: bool = True) -> int:
    """Return what it costs to compute with a number of so many bits and one of so many others, kept or not."""
    return 512 + (8 * (bits + others) if is_kept else (bits + others) // 2) + bits * others // 256


def size_of_proof(proof: object) -> tuple[int, int, int]:
    """Return how many leaves and how many texts a proof has, and how many characters the longest has."""
    leaves = texts = longest = 0
    rest = [proof]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            texts, longest = texts + 1, max(longest, len(part))
        elif isinstance(part, dict):
            leaves += "total" in part
            rest += part.values()
        elif isinstance(part, list):
            rest += part
    return leaves, texts, longest


class Epsilon:
    """Epsilon as the question gives it: a number, or the natural logarithm of a ratio."""

    def __init__(self, part: object) -> None:
        """Read 0.5, 1/3 or ln 3/2."""
        self.text = text_of(part)
        self.is_logarithm = self.text.startswith("ln ")
        self.value = ratio(self.text[3:]) if self.is_logarithm else number(self.text)
        beyond = (
            self.value - self.is_logarithm
        )  # e^epsilon is 1 or more, and about 1 + epsilon where that is little
        none = not self.is_logarithm and beyond == 0
        need(none or beyond >= SMALLEST, "epsilon must be 0, or positive and at least 10^-300")
        if self.is_logarithm:
            low, _ = exponential(Fraction(LARGEST_EXPONENT), bits=200)
            need(self.value <= low, f"epsilon must be at most {LARGEST_EXPONENT}")
        need(
            self.is_logarithm or self.value <= LARGEST_EXPONENT, f"epsilon must be at most {LARGEST_EXPONENT}"
        )

    def __float__(self) -> float:
        """Return a double near it: what is printed, and what weights are multiplied with."""
        if not self.is_logarithm:
            return float(self.value)
        beyond = self.value - 1
        zeros = max(beyond.denominator.bit_length() - beyond.numerator.bit_length(), 0) * 30103 // 100_000
        with localcontext(prec=40 + zeros):  # so many digits of a ratio near 1 say nothing of its logarithm
            return float((Decimal(self.value.numerator) / Decimal(self.value.denominator)).ln())

    def lies_between(self, lower: Fraction, upper: Fraction, most: int = FACTOR_BITS) -> bool:
        """Whether lower <= e^epsilon <= upper, of factors of at most so many bits."""
        if self.is_logarithm:
            return lower <= self.value <= upper
        bits = length(lower, upper)
        need(bits <= most, "a factor around e^epsilon must not be too long")
        low, high = exponential(self.value, bits=2 * bits)
        return lower <= low and high <= upper


def length(*values: Fraction) -> int:
    """Return the bits of the longest numerator or denominator."""
    return max(part.bit_length() for value in values for part in value.as_integer_ratio())


def exponential(x: Fraction, *, bits: int) -> tuple[Fraction, Fraction]:
    """Return numbers around e^x, to about so many bits: the sum of y^n / n! at y = x / 2^k, squared k times."""
    if x < 0:
        low, high = exponential(-x, bits=bits)
        return 1 / high, 1 / low
    k = isqrt(bits) + int(x).bit_length()
    inner = bits + 2 * k + 40
    one = 1 << inner
    down = int(x * one) >> k
    up = down + 1 if x else 0
    low = high = below = above = one
    n = 0
    while above > 1:
        n += 1
        below, above = (below * down >> inner) // n, -((-above * up >> inner) // n)
        low, high = low + below, high + above
    high += above  # y is below 1/2, so that what is left is less than the last term
    for _ in range(k):
        low, high = low * low >> inner, -(-high * high >> inner)
    return Fraction(low, one), Fraction(high, one)


# ------------------------------------------------------------------------------------------------- the query


class Neighbours:
    """Ordered pairs (f, g) of truths, by position: what is likely under f must be about as likely under g."""

    def __init__(self, size: int, reach: object, pairs: object, weights: object) -> None:
        """Read a reach, or pairs and how many times epsilon lie between the two; either has one spelling."""
        self.size, self.reach = size, integer(reach)
        listed = [place(pair, size, size) for pair in items(pairs)]
        times = [integer(weight) for weight in items(weights)]
        need(
            0 <= self.reach < size and size * self.reach <= PAIRS,
            "a reach must be below the number of truths",
        )
        need(bool(self.reach) != bool(listed), "neighbours must be all within a reach, or pairs")
        need(all(f != g for f, g in listed), "neighbours must be two truths")
        need(all(a < b for a, b in pairwise(listed)), "pairs must be sorted, each once")
        need(not times or len(times) == len(listed), "each pair must have a weight, or none")
        need(
            not times or (min(times) > 0 and max(times) > 1),
            "weights must be 1 or more, and not 1 throughout",
        )
        self.is_weighted = bool(times)
        self.weights = dict(zip(listed, times or [1] * len(listed)))
        far = max((abs(f - g) for f, g in listed), default=0)
        within = len(listed) == far * (2 * size - far - 1) and not times
        need(not listed or not within, "all pairs within a reach must be written as a reach")
        self._of = defaultdict(list)
        for (f, g), weight in self.weights.items():
            self._of[f].append((g, weight))

    def weight(self, f: int, g: int) -> int:
        """Return how many times epsilon lie between neighbours, 0 if they are none."""
        return int(0 < abs(f - g) <= self.reach) or self.weights.get((f, g), 0)

    def of(self, f: int) -> list[tuple[int, int]]:
        """Return the neighbours of a truth, and their weights."""
        if not self.reach:
            return self._of[f]
        return [(g, 1) for g in range(max(0, f - self.reach), min(self.size, f + self.reach + 1)) if g != f]

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs."""
        return ((f, g) for f in range(self.size) for g, _ in self.of(f))

    def number(self) -> int:
        """Return how many pairs there are."""
        return len(self.weights) or self.reach * (2 * self.size - self.reach - 1)

    def different_weights(self) -> list[int]:
        """Return the weights that occur, from the least on."""
        return sorted({*self.weights.values()}) or [1]

    def are_mutual(self) -> bool:
        """Whether each pair is listed both ways, with one weight."""
        return all(self.weights.get((g, f)) == weight for (f, g), weight in self.weights.items())

    def are(self, expected: set[tuple[int, int]]) -> bool:
        """Whether they are these pairs, once epsilon apart."""
        return len(expected) == self.number() and all(self.weight(f, g) == 1 for f, g in expected)

    def without_any(self) -> int:
        """Return how many truths have no neighbour, in neither direction."""
        return 0 if self.reach else self.size - len({end for pair in self.weights for end in pair})

    def parts(self) -> int:
        """Return into how many parts truths fall, between which there are no neighbours; 1: they hang together."""
        if self.reach:
            return 1
        leader = [*range(self.size)]

        def first(f: int) -> int:
            while leader[f] != f:
                leader[f] = f = leader[leader[f]]
            return f

        for f, g in self.weights:
            leader[first(f)] = first(g)
        return len({first(f) for f in range(self.size)})


def home_of(ends: list[list[Fraction]], truth: Fraction) -> int:
    """Return the response that holds a truth: the last with lower <= truth < upper, or a point there.

    The last category of all holds its upper end as well. The number of responses says that none does.
    """
    r = bisect_right(ends, truth, key=itemgetter(0)) - 1  # the last that begins there or below
    low, high = ends[max(r, 0)]
    holds = low <= truth < high or low == truth == high
    return r if holds else len(ends) - (truth == ends[-1][1])


def check_words(kind: str, scope: object, name: str) -> None:
    """Refuse a scope or a name that such a kind of query has not."""
    need(scope in ("every table", "given table"), "scope must be every table or given table")
    need(scope == "every table" or kind == "custom", "only a custom query is of a given table")
    need(name == "" or kind in ("custom", "graph"), "only a custom query or a graph has a name")


class Query:
    """The possible true answers, what may be released, and who is whose neighbour."""

    def __init__(self, part: object, most_work: int) -> None:
        """Read a query; refuse a kind, directions or homes that the numbers contradict."""
        (self.kind, self.parameters, self.scope, self.directions, name, truths, responses, categories, home,
         row_ends, reach, pairs, weights, labels) = fields(
            part, "kind", "parameters", "scope", "directions", "name", "truths", "responses", "categories", "home",
            "row_ends", "reach", "pairs", "weights", "labels")  # fmt: skip
        self.name, self.labels = text_of(name), [text_of(label) for label in items(labels)]
        self.truths = [point(truth) for truth in items(truths)]
        self.responses = [point(response) for response in items(responses)]
        self.ends = [[point(end) for end in items(ends)] for ends in items(categories)]
        self.wide, self.tall = len(self.truths), len(self.responses)
        need(self.wide and self.tall, "there must be truths and responses")
        need(max(self.wide, self.tall) <= TRUTHS, f"there must be at most {TRUTHS} truths, and responses")
        self.points, self.unit = over_one_scale([*self.truths, *self.responses])  # the same as whole numbers
        for values in (self.truths, self.responses):
            need(all(a < b for a, b in pairwise(values)), "truths and responses must increase")
        self._check_categories()
        self.home = [home_of(self.ends, truth) for truth in self.truths]
        self.has_homes = self.tall not in self.home
        need([*map(integer, items(home))] == self.home, "homes must be the responses that hold the truths")
        self.stated_row_ends = row_ends  # `Question` reads them: empty unless row-monotone is asked
        self.neighbours = Neighbours(self.wide, reach, pairs, weights)
        need(self.neighbours.number() * PAIR_WORK <= most_work, TOO_MUCH)
        self._check_labels()
        directions = "both" if self.neighbours.are_mutual() else "one"
        need(self.directions == directions, f"directions must be what the pairs say: {directions}")
        check_words(self.kind, self.scope, self.name)
        self._check_kind()

    def _check_categories(self) -> None:
        """Each response is the midpoint of its category; categories do not overlap."""
        need(
            len(self.ends) == self.tall and all(len(ends) == 2 for ends in self.ends),
            "each category has two ends",
        )
        for (low, high), middle in zip(self.ends, self.responses):
            need(low <= high and low + high == 2 * middle, "a response must be the midpoint of its category")
        need(all(a[1] <= b[0] for a, b in pairwise(self.ends)), "categories must not overlap")

    def row_ends_of(self, r: int) -> list[int]:
        """Return the last truth in a response or below it, and the first in it or above."""
        low, high = self.ends[r]
        last, first = bisect_left(self.truths, high) - 1, bisect_left(self.truths, low)
        at_end = last + 1 < self.wide and self.truths[last + 1] == high
        last += at_end and not r < self.home[last + 1] < self.tall
        return [max(last, 0), min(first, self.wide - 1)]

    def _check_labels(self) -> None:
        """Labels call truths that are no numbers; the responses are then the truths."""
        if self.labels:
            sound = all(label and label.isprintable() for label in self.labels)
            need(
                sound and len({*self.labels}) == len(self.labels) == self.wide,
                "labels must be different lines",
            )
            points = [[truth, truth] for truth in self.truths]
            need(self.ends == points, "with labels the responses must be the truths")

    def _check_kind(self) -> None:
        """Refuse a kind that truths, neighbours, labels or weights contradict."""
        kind, near, size = self.kind, self.neighbours, self.wide
        need(kind in KINDS, f"a kind must be one of {', '.join(KINDS)}")
        need(
            not self.labels or kind in ("vector", "categories", "graph", "custom"), "this kind has no labels"
        )
        need(not near.is_weighted or kind in ("categories", "graph", "custom"), "this kind has no weights")
        wrong = f"the numbers must be those of the kind {kind}"
        p = dict(zip(KINDS[kind], fields(self.parameters, *KINDS[kind])))
        if kind in ("count", "mean", "extremum"):
            low, high = integer(p["smallest"]), integer(p["largest"])
            records = integer(p.get("records", 1))
            group = integer(p.get("records_per_person", 1))
            need(low < high and records >= 1 and group >= 1, wrong)
            need(kind != "count" or low >= 0, wrong)
            need(kind != "mean" or group <= records, wrong)
            need(size == records * (high - low) + 1, wrong)
            need(self.truths == [low + Fraction(f, records) for f in range(size)], wrong)
            steps = {"count": group, "mean": group * (high - low), "extremum": size - 1}[kind]
            need(near.reach == min(steps, size - 1), wrong)
        elif kind == "total":
            need(self.truths == total_truths(p, wrong) and near.reach == min(total_reach(p), size - 1), wrong)
        elif kind in ("residues", "vector"):
            moduli = [integer(m) for m in ([p["modulus"]] if kind == "residues" else items(p["moduli"]))]
            steps = [[d] if kind == "residues" else items(d) for d in items(p["distances"])]
            need(moduli and min(moduli) >= 2 and size == prod(moduli), wrong)
            need(
                steps and size * len(steps) <= near.number() and all(a < b for a, b in pairwise(steps)), wrong
            )
            need(all(any(place(step, *moduli)) for step in steps), wrong)
            need(self.truths == [*range(size)], wrong)
            vectors = [*product(*map(range, moduli))]
            position = {vector: f for f, vector in enumerate(vectors)}
            moved = {
                (f, position[tuple((x - d) % m for x, d, m in zip(vector, step, moduli))])
                for f, vector in enumerate(vectors)
                for step in steps
            }
            back = {(g, f) for f, g in moved} if self.directions == "both" else set()
            need(near.are(moved | back), wrong)
            need(kind == "residues" or self.labels == [f"({','.join(map(str, v))})" for v in vectors], wrong)
        elif kind == "categories":
            need(self.labels and self.truths == [*range(size)] and self.directions == "both", wrong)
            need(near.number() == size * (size - 1), wrong)


def total_truths(p: dict[str, Any], wrong: str) -> list[int]:
    """Return the true answers of a total."""
    low, high, records, group = (
        integer(p[name]) for name in ("smallest", "largest", "records", "records_per_person")
    )
    need(low < high and 1 <= group <= records and p["adjacency"] in ("change", "add-remove"), wrong)
    first, last = records * low, records * high
    if p["adjacency"] == "add-remove":  # without any record the total is 0
        first, last = min(0, first), max(0, last)
    need(last - first < TRUTHS, wrong)
    return [*range(first, last + 1)]


def total_reach(p: dict[str, Any]) -> int:
    """Return how far one person moves a total."""
    low, high = p["smallest"], p["largest"]
    return p["records_per_person"] * (high - low if p["adjacency"] == "change" else max(abs(low), abs(high)))


KINDS = {
    "count": ("smallest", "largest", "records_per_person"),
    "mean": ("records", "smallest", "largest", "records_per_person"),
    "total": ("records", "smallest", "largest", "records_per_person", "adjacency"),
    "extremum": ("smallest", "largest"),
    "residues": ("modulus", "distances"),
    "vector": ("moduli", "distances"),
    "categories": (),
    "graph": (),
    "custom": (),
}


# ---------------------------------------------------------------------------------------------- the question


class Loss:
    """What each response costs at each truth: sum costs[r][f] M[r][f] / unit, or the largest of the sums over r."""

    def __init__(self, part: list[Any], query: Query, structure: "Structure", most_work: int) -> None:
        """Read a loss in words, and refuse costs that are not those of the words."""
        worst, at_most, unit, costs, self.loss, self.weights = part
        self.worst, self.most = boolean(worst), None if at_most is None else number(at_most)
        weights, weight_unit = self._weights(query.wide)
        self.bits, self.most_work = weight_unit.bit_length(), most_work
        losses, loss_unit = self._losses(query, structure)
        self.unit = loss_unit * weight_unit
        self.costs = [[loss * weight for loss, weight in zip(row, weights)] for row in losses]
        lines = [" ".join(map(str, row)) for row in self.costs]
        need(
            whole(unit) == self.unit and items(costs) == lines,
            "costs and unit must be those of loss and weights",
        )

    def _losses(self, query: Query, structure: "Structure") -> tuple[list[list[int]], int]:
        """Return the loss of each response at each truth over the least common denominator."""
        if self.is_custom():
            return self._custom_losses(query, structure)
        self._take(query, query.unit.bit_length() * {"absolute": 1, "squared": 2}.get(self.loss, 0))
        if self.loss is None:
            return [[0] * query.wide for _ in range(query.tall)], 1
        name = text_of(self.loss)
        if name == "zero-one":
            return [[int(r != home) for home in query.home] for r in range(query.tall)], 1
        need(not query.labels, "answers that are no numbers must have the loss zero-one, or one of their own")
        truths, responses, scale = query.points[: query.wide], query.points[query.wide :], query.unit
        if name.startswith("beyond "):
            limit = number(name.removeprefix("beyond "))
            need(limit >= 0, "a loss must be beyond 0 or more")
            most = floor(limit * scale)
            return [[int(abs(x - t) > most) for t in truths] for x in responses], 1
        need(
            name in ("absolute", "squared"),
            "a loss must be absolute, squared, zero-one, beyond K, or a matrix",
        )
        # Of all distances the greatest common divisor is that of one of them and of the steps on both sides.
        steps = (b - a for points in (truths, responses) for a, b in pairwise(points))
        common = gcd(scale, responses[0] - truths[0], *steps) ** (2 if name == "squared" else 1)
        apart = [[abs(x - t) for t in truths] for x in responses]
        if name == "squared":
            apart, scale = [[x * x for x in row] for row in apart], scale * scale
        return [[x // common for x in row] for row in apart], scale // common

    def _take(self, query: Query, bits: int) -> None:
        """Note how many bits a unit of the losses has; refuse so many for each entry that there is too much to do."""
        self.bits += bits
        need(query.wide * query.tall * work_of(self.bits, self.bits) <= self.most_work, TOO_MUCH)

    def is_custom(self) -> bool:
        """Whether the loss is one of the user's own, entry by entry."""
        return isinstance(self.loss, dict)

    def _custom_losses(self, query: Query, structure: "Structure") -> tuple[list[list[int]], int]:
        """Read {"matrix": rows}, or {"noise": costs} where modular noise has a matrix that wraps around with it."""
        if [*self.loss] == ["noise"]:
            need(structure.kind == "modular", "only modular noise has costs of noise")
            (noise,) = fields(self.loss, "noise")
            values = [double(x) for x in items(noise)]
            need(len(values) == query.wide, "noise must have a cost for each of its values")
            rows = [[values[structure.noise(r, f)] for f in range(query.wide)] for r in range(query.tall)]
            given = values
        else:
            (matrix,) = fields(self.loss, "matrix")
            rows = [[double(x) for x in items(row)] for row in items(matrix)]
            sizes = [len(row) for row in rows]
            need(
                sizes == [query.wide] * query.tall,
                "a loss must have a row for each response, a cost for each truth",
            )
            wraps = structure.kind == "modular" and all(
                rows[r][f] == rows[structure.noise(r, f)][0]
                for r, f in product(range(query.tall), range(query.wide))
            )
            need(not wraps, "costs that wrap around must be written as costs of noise")
            given = [x for row in rows for x in row]
        self._take(query, over_one_scale(given)[1].bit_length())
        flat, unit = over_one_scale([x for row in rows for x in row])
        return [flat[r * query.wide : (r + 1) * query.wide] for r in range(query.tall)], unit

    def _weights(self, wide: int) -> tuple[list[int], int]:
        """Return what each truth counts, over the least common denominator."""
        if self.weights is None:
            need(self.worst or self.loss is None, "a sum of losses must have weights")
            return [1] * wide, 1
        need(not self.worst and self.loss is not None, "a worst loss has no weights")
        if self.weights == "sum":
            return [1] * wide, 1
        if self.weights == "uniform":
            return [1] * wide, wide
        given = [number(x) for x in items(self.weights)]
        near_one = min(given, default=-1) >= 0 and abs(sum(given) - 1) <= Fraction(1, 10**9)
        need(len(given) == wide and near_one, "weights must be a probability for each truth")
        return over_one_scale(given)

    def of(self, matrix: list[list[int]], denominator: int) -> Fraction:
        """Return the loss of a matrix of whole numbers over a denominator."""
        each = [sum(x * m for x, m in zip(xs, ms)) for xs, ms in zip(zip(*self.costs), zip(*matrix))]
        return Fraction(max(each) if self.worst else sum(each), denominator * self.unit)


def double(part: object) -> Fraction:
    """Return a cost, 0 or more: the shortest decimal that a double reads back from."""
    value = number(part)
    need(0 <= value < LARGEST_NUMBER, "a cost must be 0 or more, and below 10^300")
    need(Fraction(repr(float(value))) == value, "a cost must be the shortest decimal of a double")
    return value


class Structure:
    """Which matrices are allowed."""

    def __init__(self, part: object, query: Query) -> None:
        """Read a structure, and refuse one that does not fit the query."""
        self.kind, width, accuracy, moduli = fields(part, "kind", "half_width", "accuracy", "moduli")
        self.width, self.accuracy = integer(width), number(accuracy)
        self.moduli = [integer(m) for m in items(moduli)]
        need(self.kind in ("free", "modular", "symmetric", "zero-bias"), "a structure must be a known one")
        self.is_bounded = self.kind in ("symmetric", "zero-bias")
        need(
            self.is_bounded or self.width == self.accuracy == 0,
            "only bounded noise has a width and an accuracy",
        )
        need(self.kind == "modular" or not self.moduli, "only modular noise has moduli")
        need(len(self.moduli) <= MODULI, f"there must be at most {MODULI} moduli")
        self.is_vector = bool(self.moduli)
        if self.kind == "modular":
            self._check_modular(query)
        elif self.is_bounded:
            self._check_bounded(query)

    def noise(self, r: int, f: int) -> int:
        """Return which noise turns truth f into response r: their difference, each coordinate by its modulus."""
        if not self.is_vector:
            return (r - f) % self.moduli[0]
        return sum((r // step - f // step) % modulus * step for step, modulus in zip(self.steps, self.moduli))

    def _check_modular(self, query: Query) -> None:
        """Refuse noise without a response for each truth, or with neighbours that differ from truth to truth."""
        size = query.wide
        self.moduli = self.moduli or [size]
        need(
            min(self.moduli) >= 1 and prod(self.moduli) == size, "moduli must make one vector for each truth"
        )
        need(query.home == [*range(query.tall)], "modular noise needs a response for each truth")
        self.steps = [prod(self.moduli[i + 1 :]) for i in range(len(self.moduli))]
        turns = Counter(
            (self.noise(f, g), query.neighbours.weight(f, g)) for f, g in query.neighbours.pairs()
        )
        need({*turns.values()} == {size}, "modular noise needs the same neighbours for each truth")

    def _check_bounded(self, query: Query) -> None:
        """Refuse truths that are not counts one apart, or other responses than noise makes of them."""
        wrong = "bounded noise needs counts one apart, and all responses that it makes of them"
        need(self.width >= 1 and 0 < self.accuracy < 1, "bounded noise needs a width and an accuracy")
        first, last = query.truths[0], query.truths[-1]
        need(first.denominator == 1 and first >= (self.width if self.kind == "symmetric" else 1), wrong)
        need(query.truths == [first + f for f in range(query.wide)], wrong)
        least = max(first - self.width, 0)
        need(query.tall == last + self.width - least + 1, wrong)
        need(query.ends == [[least + r, least + r] for r in range(query.tall)], wrong)
        steps = {(f, g) for f in range(query.wide) for g in (f - 1, f + 1) if 0 <= g < query.wide}
        need({*query.neighbours.pairs()} == steps, wrong)
        need(self.kind == "zero-bias" or not query.neighbours.is_weighted, wrong)


PRINTED = (
    "printed must be false: what is proved is the program of the definition, not one that a paper prints"
)


class Guarantee:
    """What must hold between neighbours: a definition of privacy with its epsilon and delta, E and F around e^epsilon."""

    def __init__(
        self,
        part: object,
        lower: Fraction,
        upper: Fraction,
        structure: Structure,
        tall: int,
        *,
        of_noise: bool = False,
        factor_bits: int = FACTOR_BITS,
    ) -> None:
        """Read which privacy is meant: its kind, epsilon, and delta, which is None where it is sought.

        What follows from a whole curve may be delta 1, which says nothing.
        """
        self.kind, epsilon, delta, printed = fields(part, "kind", "epsilon", "delta", "printed")
        self.lower, self.upper = lower, upper
        need(self.kind in DEFINITIONS, f"privacy must be one of {', '.join(DEFINITIONS)}")
        need(not boolean(printed), PRINTED)
        self.epsilon = Epsilon(epsilon)
        need(self.lower >= 1, "the factor must be 1 or more")
        within = self.epsilon.lies_between(self.lower, self.upper, factor_bits)
        need(within, "e^epsilon must lie from `lower` to `upper`")
        zero_allowed = self.kind in ("approximate", "per-outcome")
        need(self.epsilon.value > 0 or zero_allowed, "epsilon must be positive for this privacy")
        self.delta = None if delta is None else number(delta)
        need(
            self.delta is None or 0 <= self.delta < 1 or (of_noise and self.delta == 1),
            "delta must be 0 or more and below 1",
        )
        need(not self.delta or self.delta >= SMALLEST, "delta must be 0, or at least 10^-300")
        spends = self.delta is None or self.delta > 0
        allowed = {"pure": not spends, "approximate": spends, "probabilistic": spends, "per-outcome": True}
        need(allowed[self.kind], "pure privacy has delta 0; of others only per-outcome privacy may")
        # A pair of neighbours may spend delta on several responses together.
        self.has_budgets = self.kind in ("approximate", "probabilistic")
        # Of symmetric noise, truth 0 against truth 1 in the first 2D + 1 responses stands for all.
        self.is_reduced = self.kind == "per-outcome" and structure.kind == "symmetric"
        self.compared = 2 * structure.width + 1 if self.is_reduced else tall


class LinearRule:
    """A weighted sum of entries that is at most a number, or exactly it: what an author asks for by no name."""

    def __init__(self, part: object, tall: int, wide: int) -> None:
        """Read a rule: coefficients of different entries, sorted by their places, none of them zero."""
        name, sense, right, entries = fields(part, "name", "sense", "right", "entries")
        self.name, self.is_equal, self.right = text_of(name), sense == "=", number(right)
        need(sense in ("<=", "="), "a rule must be <= or =")
        rows = [items(row) for row in items(entries)]
        places = [place(row[:-1], tall, wide) for row in rows]
        need(
            places and all(a < b for a, b in pairwise(places)), "entries of a rule must be sorted, each once"
        )
        self.coefficients = dict(zip(places, [number(row[-1]) for row in rows]))
        need(all(self.coefficients.values()), "a coefficient must not be zero")

    def scale(self, unit: int) -> None:
        """Take coefficients and right-hand side as whole numbers over a common denominator."""
        self.whole = {at: c.numerator * (unit // c.denominator) for at, c in self.coefficients.items()}
        self.whole_right = self.right.numerator * (unit // self.right.denominator)

    def excess(self, matrix: list[list[int]], total: int) -> int:
        """Return by how much the sum exceeds its right-hand side, over `total` and the common denominator."""
        return sum(c * matrix[r][f] for (r, f), c in self.whole.items()) - self.whole_right * total


OF_ORDER = ("column-monotone", "row-monotone", "symmetric", "unbiased", "zero-stays-zero")
OF_HOMES = ("column-monotone", "fair", "column-honest", "row-honest", "weakly-honest")
PROPERTIES = {*OF_ORDER, *OF_HOMES}
ZERO_FIRST = "zero stays zero only where truths and responses begin with 0"


class Question:
    """What was asked: query, structure, privacy, properties, limits, and losses."""

    def __init__(self, part: object, lower: Fraction, upper: Fraction, most_work: int) -> None:
        """Read a question, E = `lower` and F = `upper` being around e^epsilon."""
        self.most_work = most_work
        part, rules = further(part, "rules")
        part, also = further(part, "further_privacy")
        query, structure, privacy, properties, limits, objective, bounds = fields(
            part, "query", "structure", "privacy", "properties", "limits", "objective", "bounds"
        )
        self.query = Query(query, most_work)
        self.tall, self.wide, self.neighbours = self.query.tall, self.query.wide, self.query.neighbours
        self.structure = Structure(structure, self.query)
        self.main = Guarantee(privacy, lower, upper, self.structure, self.tall)
        need(len(also) <= FURTHER, f"there must be at most {FURTHER} further privacies")
        self.guarantees = [self.main, *map(self._further_privacy, also)]
        self.delta = self.main.delta
        self._read_properties(properties)
        self.limits = [text_of(limit) for limit in items(limits)]
        self._read_losses(objective, bounds)
        self.rules = [LinearRule(rule, self.tall, self.wide) for rule in rules]
        _, self.rule_unit = over_one_scale(
            [c for rule in self.rules for c in (rule.right, *rule.coefficients.values())]
        )
        for rule in self.rules:
            rule.scale(self.rule_unit)
        self._check_powers()
        self.has_means = self.structure.is_bounded or "unbiased" in self.properties
        self.names = self._names()
        self.ends = self._ends()

    def _further_privacy(self, part: object) -> Guarantee:
        """Read one more privacy that must hold, with factors of its own; its delta is given."""
        kind, epsilon, delta, lower, upper = fields(part, "kind", "epsilon", "delta", "lower", "upper")
        need(
            kind != "probabilistic" and delta is not None,
            "a further privacy must have a delta and no choices",
        )
        stated = {"kind": kind, "epsilon": epsilon, "delta": delta, "printed": False}
        return Guarantee(stated, ratio(lower), ratio(upper), self.structure, self.tall)

    def _read_properties(self, part: object) -> None:
        """Read the properties; refuse those that speak of an order or of homes where there are none."""
        listed = [text_of(name) for name in items(part)]
        self.properties = {*listed}
        need(
            listed == sorted(self.properties) and self.properties <= PROPERTIES,
            "properties must be known, sorted",
        )
        need(self.query.has_homes or not self.properties & {*OF_HOMES}, "some truth is in no response")
        needs_order = self.properties & {*OF_ORDER} or self.structure.is_bounded
        need(not self.query.labels or not needs_order, "answers that are no numbers have no order")
        turns = self.tall if "row-monotone" in self.properties else 0
        self.row_ends = [self.query.row_ends_of(r) for r in range(turns)]
        stated = [[*place(at, self.wide, self.wide)] for at in items(self.query.stated_row_ends)]
        need(stated == self.row_ends, "row_ends must be where rows turn, if row-monotone is asked")

    def _read_losses(self, objective: object, bounds: object) -> None:
        """Read what is to be least, and which losses must keep to a bound."""
        words = "worst", "at_most", "unit", "costs", "loss", "weights"
        least, *part = fields(objective, "least", *words)
        need(
            least == ("loss" if self.delta is not None else "delta"),
            "delta must be given, or be what is least",
        )
        given = self.query, self.structure, self.most_work
        self.loss = Loss(part, *given)
        self.further = [Loss(fields(bound, *words), *given) for bound in items(bounds)]
        need(self.delta is None or self.loss.loss is not None, "a loss must be least, or delta")
        need(self.delta is None or self.loss.most is None, "only beside the least delta has the loss a bound")
        need(
            self.delta is not None or not self.loss.worst,
            "beside the least delta a worst loss is one of bounds",
        )
        need(self.loss.most is None or self.loss.loss is not None, "a bound must be one of a loss")
        need(
            all(x.most is not None and x.loss is not None for x in self.further),
            "each of bounds must have its bound",
        )
        self.bounded = [self.loss, *self.further] if self.loss.most is not None else self.further

    def _check_powers(self) -> None:
        """Refuse powers of the factors that are too large to be computed."""
        largest = self.neighbours.different_weights()[-1]
        for own in self.guarantees:
            bits = length(own.lower, own.upper)
            need(
                largest * float(own.epsilon) <= LARGEST_EXPONENT, "epsilon times a weight must be at most 700"
            )
            need(
                largest * bits <= POWER_BITS,
                "the factor, or its power between neighbours, must not be too long",
            )
            together = sum(self.neighbours.weights.values()) * self.tall * bits
            need(largest == 1 or together <= POWERS_BITS, "all weights together must not be too large")

    def check_work(self, total: int, proof: object) -> None:
        """Refuse a question, a matrix over `total` and a proof with which there is too much to do.

        All is counted before it is made: what is computed for each entry, pair, privacy, loss, rule and leaf, by the
        bits of the numbers that it is computed with.
        """
        near, entries = self.neighbours, self.wide * self.tall
        weights = near.different_weights()
        factors = [weights[-1] * length(own.lower, own.upper) for own in self.guarantees]
        losses = [self.loss.bits, *(part.bits for part in self.further)]
        work = near.number() * PAIR_WORK + entries * (1 + len(self.structure.moduli)) * work_of(0, 0)
        for own, bits in zip(self.guarantees, factors):
            by_rows = own.kind == "pure" and near.reach == self.wide - 1
            work += len(weights) * entries * work_of(total.bit_length(), bits)
            work += (
                0 if by_rows else self.tall * near.number() * work_of(total.bit_length(), bits, is_kept=False)
            )
        work += (
            sum(entries * work_of(bits, bits) for bits in losses) + entries * len(self.limits) * LIMIT_WORK
        )
        leaves, numbers, digits = size_of_proof(proof)
        coefficients = sum(len(rule.coefficients) for rule in self.rules)
        scale = sum(losses) + sum(factors) + self.rule_unit.bit_length() + self.query.unit.bit_length()
        times = leaves * entries * (4 + len(losses)) + numbers + (leaves + 1) * coefficients
        work += times * work_of(scale, 4 * digits)
        work += leaves * len(weights) * sum(work_of(scale, bits) for bits in factors)
        need(work <= self.most_work, TOO_MUCH)

    def _names(self) -> list[list[int]]:
        """Return for each entry a number that entries share which are equal in every mechanism asked for."""
        tall, wide, home, structure = self.tall, self.wide, self.query.home, self.structure
        leader = [*range(tall * wide)]
        if structure.kind == "free" and not self.properties & {"fair", "symmetric"}:
            return [leader[r * wide : (r + 1) * wide] for r in range(tall)]

        def first(x: int) -> int:
            while leader[x] != x:
                leader[x] = x = leader[leader[x]]
            return x

        classes: dict[object, int] = {}
        for r, f in product(range(tall), range(wide)):
            alike = []
            if structure.kind == "modular":
                alike.append(("noise", structure.noise(r, f)))
            if structure.kind == "symmetric":
                alike.append(("size", abs(r - home[f])))
            if r == home[f] and (structure.is_bounded or "fair" in self.properties):
                alike.append("truth")
            if "symmetric" in self.properties:
                alike.append(("turned", *sorted([r * wide + f, tall * wide - 1 - r * wide - f])))
            for one in alike:
                leader[first(r * wide + f)] = first(classes.setdefault(one, r * wide + f))
        return [[first(r * wide + f) for f in range(wide)] for r in range(tall)]

    def _ends(self) -> dict[int, tuple[int, int]]:
        """Return by name the least and the most that entries may be, where that is not 0 and 1.

        Both are positions in `levels`, a list of increasing numbers.
        """
        at_truth, zero = [], "zero-stays-zero" in self.properties

        if self.structure.is_bounded:
            at_truth.append((self.structure.accuracy, self.structure.accuracy))
        if "weakly-honest" in self.properties:
            at_truth.append((Fraction(1, self.tall), Fraction(1)))
        need(not zero or (self.query.truths[0] == 0 and self.query.ends[0] == [0, 0]), ZERO_FIRST)
        distances, never = [], []
        need(all(a < b for a, b in pairwise(self.limits)), "limits must be sorted, each once")
        for words in self.limits:
            kind, *rest = words.split(" ")
            if kind == "accuracy":
                need(self.query.has_homes and len(rest) == 2 and rest[0] in (">=", "="), "no such accuracy")
                share = number(rest[1])
                need(0 <= share <= 1, "an accuracy must be a probability")
                at_truth.append((share, share if rest[0] == "=" else Fraction(1)))
            elif kind == "within":
                need(len(rest) == 1 and number(rest[0]) >= 0 and not self.query.labels, "no such distance")
                distances.append(number(rest[0]))
            else:
                values = [number(x) for x in rest]
                need(
                    kind == "without" and values and all(a < b for a, b in pairwise(values)), "no such limit"
                )
                need({*values} <= {*self.query.responses}, "`without` must name responses")
                never += values
        distances += [Fraction(self.structure.width)] if self.structure.is_bounded else []
        least, most = (
            max((a for a, _ in at_truth), default=Fraction(0)),
            min((b for _, b in at_truth), default=Fraction(1)),
        )
        self.levels = sorted({Fraction(0), least, most, Fraction(1)})
        one, at_home = len(self.levels) - 1, (self.levels.index(least), self.levels.index(most))
        farthest = floor(min(distances) * self.query.unit) if distances else None
        found: dict[int, tuple[int, int]] = {}

        def limit(name: int, low: int, high: int) -> None:
            a, b = found.get(name, (0, one))
            found[name] = max(a, low), min(b, high)

        for r in range(self.tall) if zero else ():
            limit(self.names[r][0], one if r == 0 else 0, one if r == 0 else 0)
        truths, responses = self.query.points[: self.wide], self.query.points[self.wide :]
        excluded, homes = {*never}, self.query.home
        for r, x in enumerate(responses) if at_truth or distances or never else ():
            is_never = self.query.responses[r] in excluded
            for f, (name, t) in enumerate(zip(self.names[r], truths)):
                if at_truth and homes[f] == r:
                    limit(name, *at_home)
                if is_never or (farthest is not None and abs(x - t) > farthest):
                    limit(name, 0, 0)
        return found

    def is_order(self, r: int, f: int, s: int, g: int) -> bool:
        """Whether a property says that entry (r, f) is at most entry (s, g)."""
        home, properties = self.query.home, self.properties
        if f == g and r != s:
            towards_home = r < s <= home[f] or r > s >= home[f]
            return ("column-monotone" in properties and towards_home) or (
                "column-honest" in properties and s == home[f]
            )
        if r == s and f != g:
            last, first = self.row_ends[r] if "row-monotone" in properties else (0, self.wide)
            along = f < g <= last or f > g >= first
            return along or ("row-honest" in properties and r == home[g] != home[f])
        return r == s and f == g and "column-honest" in properties and s == home[f]


# ------------------------------------------------------------------------------------------------ the matrix


def check_matrix(q: Question, matrix: list[list[int]], total: int) -> None:
    """Refuse numerators over `total` that are no mechanism of the question, privacy aside."""
    need(
        total > 0 and [sum(column) for column in zip(*matrix)] == [total] * q.wide,
        "each column must sum to one",
    )
    need(min(map(min, matrix)) >= 0, "an entry must be zero or more")
    values: dict[int, int] = {}
    for names, row in zip(q.names, matrix):
        for name, m in zip(names, row):
            need(values.setdefault(name, m) == m, "entries that are equal by the question must be equal")
    levels = [x * total for x in q.levels]
    lowest, highest = [*map(ceil, levels)], [*map(floor, levels)]
    for name, (low, high) in q.ends.items():
        need(lowest[low] <= values[name] <= highest[high], "entries must be within their limits")
    check_order(q, matrix)
    truths, responses = q.query.points[: q.wide], q.query.points[q.wide :]
    for f in range(q.wide) if q.has_means else ():
        mean = sum(x * row[f] for x, row in zip(responses, matrix))
        need(mean == truths[f] * total, "the mean of each column must be its truth")
    for part in q.bounded:
        need(part.of(matrix, total) <= part.most, "a loss must keep to its bound")
    for rule in q.rules:
        over = rule.excess(matrix, total)
        need(over == 0 or (over < 0 and not rule.is_equal), "a rule of its author must be kept")


def check_order(q: Question, matrix: list[list[int]]) -> None:
    """Refuse a matrix that is not monotone or honest as asked."""
    home, wrong = q.query.home, "entries must be in the order that the properties ask for"
    for f, column in enumerate(zip(*matrix)):
        if "column-monotone" in q.properties:
            need(all(a <= b for a, b in pairwise(column[: home[f] + 1])), wrong)
            need(all(a >= b for a, b in pairwise(column[home[f] :])), wrong)
        if "column-honest" in q.properties:
            need(max(column) == column[home[f]], wrong)
    for r, row in enumerate(matrix):
        if "row-monotone" in q.properties:
            last, first = q.row_ends[r]
            need(all(a <= b for a, b in pairwise(row[: last + 1])), wrong)
            need(all(a >= b for a, b in pairwise(row[first:])), wrong)
        if "row-honest" in q.properties:
            inside = [m for m, h in zip(row, home) if h == r]
            outside = [m for m, h in zip(row, home) if h != r]
            need(not inside or not outside or max(outside) <= min(inside), wrong)


def spent_delta(q: Question, own: Guarantee, matrix: list[list[int]], total: int) -> Fraction:
    """Return what a matrix spends of privacy: the least delta with which it keeps a definition.

    With M[r,f] = m / total, and E = lower between neighbours, E^w where their weight is w:

    pure           M[r,f] <= E M[r,g] everywhere, or the certificate is refused; delta is 0.
    per-outcome    the largest M[r,f] - E M[r,g].
    approximate    the largest sum over r of max(0, M[r,f] - E M[r,g]), of one pair (f, g).
    probabilistic  the largest sum of M[r,f] over r with M[r,f] > E M[r,g], of one pair (f, g).
    """
    powers = {w: (own.lower.numerator**w, own.lower.denominator**w) for w in q.neighbours.different_weights()}
    top, bottom = powers[min(powers)]
    neighbours = {0: [(1, 1)]} if own.is_reduced else {f: q.neighbours.of(f) for f in range(q.wide)}
    # The largest of each weight: of masses over `total`, or of excesses over `total` times the denominator of its power.
    worst = dict.fromkeys(powers, 0)
    sums: defaultdict[tuple[int, int, int], int] = defaultdict(int)
    for row in matrix[: own.compared]:
        if max(row) * bottom <= top * min(row) and not own.is_reduced:
            continue  # no ratio of this row exceeds E
        # m > E m' if and only if m > floor(E m')
        caps = {w: [m * a // b for m in row] for w, (a, b) in powers.items()}
        for f, others in neighbours.items():
            m = row[f]
            for g, w in others:
                if m <= caps[w][g]:
                    continue
                need(own.kind != "pure", "each ratio must keep to the factor")
                if own.kind == "probabilistic":
                    sums[f, g, w] += m
                elif own.kind == "approximate":
                    sums[f, g, w] += m * powers[w][1] - powers[w][0] * row[g]
                else:
                    worst[w] = max(worst[w], m * powers[w][1] - powers[w][0] * row[g])
    for (_, _, w), spent in sums.items():
        worst[w] = max(worst[w], spent)
    units = {w: 1 if own.kind == "probabilistic" else b for w, (_, b) in powers.items()}
    return max(Fraction(spent, units[w] * total) for w, spent in worst.items())


# ----------------------------------------------------------------------------------- the proof of the bound


def bound(
    q: Question, node: object, unit: int, fate: dict[tuple[int, ...], bool], depth: int = 0
) -> Fraction:
    """Return a number that no mechanism of the question goes below, proved by multipliers over `unit`.

    Law: a rule a <= b on entries with a multiplier y >= 0 adds y (a - b) to the objective, which raises no
    mechanism that keeps the rule. What is the least possible then, is a bound.

    `fate` says which comparisons (r, f, g) are decided to be kept or violated; each mechanism is in one part of a
    split, so that the least of both parts' bounds holds.
    """
    if not isinstance(node, dict) or "split" not in node:
        return leaf_bound(q, node, unit, fate)
    split, kept, violated = fields(node, "split", "kept", "violated")
    need(depth < DEPTH, f"a tree must be at most {DEPTH} splits deep")
    need(q.main.kind == "probabilistic", "only probabilistic privacy has splits")
    decided = place(split, q.tall, q.wide, q.wide)
    need(q.neighbours.weight(*decided[1:]), "a split must decide a comparison of neighbours")
    return min(
        bound(q, kept, unit, {**fate, decided: True}, depth + 1),
        bound(q, violated, unit, {**fate, decided: False}, depth + 1),
    )


def leaf_bound(q: Question, leaf: object, unit: int, fate: dict[tuple[int, ...], bool]) -> Fraction:
    """Return the bound of a leaf: reduced costs D, each taken at the least that its entry may contribute.

    All are whole numbers: a multiplier y stands for y / unit, and is y * scale in the table D.
    """
    leaf, custom = further(leaf, "rules")
    leaf, others = further(leaf, "further")
    privacy, order, budget, cost, worst, bounds, total, mean = fields(
        leaf, "privacy", "order", "budget", "cost", "worst", "bounds", "total", "mean"
    )
    used = [
        q.main,
        *(own for own, part in zip(q.guarantees[1:], others) if fields(part, "privacy", "budget")[0]),
    ]
    scale, table, given = charged_costs(q, unit, (cost, worst, bounds), used)

    given += charge_privacy(q, q.main, (privacy, budget), unit, scale, table, fate)
    need(len(others) in (0, len(q.guarantees) - 1), "each further privacy must have its multipliers")
    rows = [row for part in others for listed in fields(part, "privacy", "budget") for row in items(listed)]
    need(rows or not others, "multipliers of further privacies must be left out where there are none")
    for own, part in zip(q.guarantees[1:], others):
        given += charge_privacy(q, own, tuple(fields(part, "privacy", "budget")), unit, scale, table, {})

    for row in map(items, items(order)):
        (r, f, s, g), y = place(row[:-1], q.tall, q.wide, q.tall, q.wide), whole(row[-1])
        need(q.is_order(r, f, s, g) and y >= 0, "an order must be one of the question")
        table[r][f] += y * scale
        table[s][g] -= y * scale

    ys = wholes(custom)
    need(len(ys) in (0, len(q.rules)), "each rule of its author must have its multiplier")
    need(any(ys) or not ys, "multipliers of rules must be left out where all are zero")
    for rule, y in zip(q.rules, ys):
        need(y >= 0 or rule.is_equal, "a multiplier of a rule that is no equation must be zero or more")
        given += y * rule.right
        for (r, f), c in rule.whole.items():
            table[r][f] += c * (scale // q.rule_unit) * y

    totals, means = wholes(total), wholes(mean)
    need(len(totals) == len(means) == q.wide, "each column must have a multiplier of its sum and of its mean")
    need(q.has_means or not any(means), "only where means are the truths they have multipliers")
    left: defaultdict[int, int] = defaultdict(int)  # the reduced costs of each name
    taken = [y * scale for y in totals]
    if any(means):  # the mean error, over the unit of truths and responses
        truths, slopes = q.query.points[: q.wide], [y * (scale // q.query.unit) for y in means]
        taken = [mine - slope * t for mine, slope, t in zip(taken, slopes, truths)]
        for x, row in zip(q.query.points[q.wide :], table):
            row[:] = [d - slope * x for d, slope in zip(row, slopes)]
    for names, row in zip(q.names, table):
        for name, d, mine in zip(names, row, taken):
            left[name] += d - mine
    least, at_level, ends = sum(totals) * scale, [0] * len(q.levels), q.ends
    for name, d in left.items():
        if name in ends:
            at_level[ends[name][d < 0]] += d
        elif d < 0:
            least += d
    # All over one denominator, reduced once.
    parts = [level * d for level, d in zip(q.levels, at_level)] + [least - given * scale]
    below = prod(part.denominator for part in parts)
    return Fraction(sum(part.numerator * (below // part.denominator) for part in parts), below * scale * unit)


def charge_privacy(
    q: Question,
    own: Guarantee,
    multipliers: tuple[object, object],
    unit: int,
    scale: int,
    table: list[list[int]],
    fate: dict[tuple[int, ...], bool],
) -> Fraction | int:
    """Charge the table for the multipliers of a privacy; return delta times those that are laid on it."""
    privacy, budget = multipliers
    budgets = {place(row[:-1], q.wide, q.wide): whole(row[-1]) for row in map(items, items(budget))}
    need(len(budgets) == len(budget), "each pair must have one budget")
    for (f, g), y in budgets.items():
        need(
            own.has_budgets and q.neighbours.weight(f, g) and y >= 0,
            "a budget must be one of neighbours, zero or more",
        )

    weights, end = q.neighbours.different_weights() if items(privacy) else (), own.upper
    up = {w: scale // end.denominator**w * end.numerator**w for w in weights}
    used: Counter[tuple[int, ...]] = Counter()
    for row in map(items, items(privacy)):
        (r, f, g), y = place(row[:-1], q.tall, q.wide, q.wide), whole(row[-1])
        weight = q.neighbours.weight(f, g)
        compared = not own.is_reduced or (f, g) == (0, 1)
        need(weight and compared and r < own.compared, "a privacy row must be one of the question")
        need(y >= 0, "a multiplier of privacy must be zero or more")
        need(y == 0 or fate.get((r, f, g), True), "a violated comparison has no multiplier")
        table[r][g] -= y * up[weight]  # M[r,f] <= e^(w epsilon) M[r,g] <= F^w M[r,g]
        table[r][f] += y * scale
        used[r, f, g] += 0 if (r, f, g) in fate else y

    # delta is laid on budgets, or of each outcome on its own ratio; where it is sought it costs one in all.
    paid = sum((budgets if own.has_budgets else used).values())
    if own.has_budgets:
        need(
            all(y <= budgets.get(case[1:], 0) for case, y in used.items()), "a ratio must keep to its budget"
        )
    need(own.delta is not None or paid <= unit, "multipliers of delta must be at most one together")
    for (r, f, g), kept in fate.items():
        table[r][f] += (
            0 if kept else budgets.get((f, g), 0) * scale
        )  # the mass of a violation is at most delta
    return paid * (own.delta or 0)


def charged_costs(
    q: Question, unit: int, charges: tuple[object, object, object], used: list[Guarantee]
) -> tuple[int, list[list[int]], Fraction]:
    """Return the scale, the table of costs that a leaf charges, and the bounds of losses times their multipliers.

    The scale is a multiple of the units of truths, responses, losses and rules, and of the denominators of the powers
    of the factors that are `used`.

    The expected loss counts once. Of a worst loss each truth counts by a weight, which sum to one: the largest loss
    is no less than a mean of them. What a bounded loss exceeds its bound by, nothing, counts as often as is said.
    """
    cost, worst, bounds = charges
    multipliers, prior = [wholes(part) for part in items(bounds)], wholes(worst)
    if q.loss.most is None:
        need(whole(cost) == 0, "a cost must be that of a bounded loss")
    else:
        multipliers.insert(0, [whole(cost)])
    need(len(prior) == q.wide * q.loss.worst, "only a worst loss has weights of truths, one for each")
    need(not prior or (min(prior) >= 0 and sum(prior) == unit), "weights of truths must sum to one")
    need(len(multipliers) == len(q.bounded), "each bounded loss must have its multipliers")
    charged = [(q.loss, prior or [unit] * q.wide)] if q.delta is not None else []
    given = Fraction(0)
    for part, ys in zip(q.bounded, multipliers):
        need(len(ys) == (q.wide if part.worst else 1) and min(ys) >= 0, "multipliers must be zero or more")
        charged.append((part, ys if part.worst else ys * q.wide))
        given += part.most * sum(ys)
    ends = lcm(*(own.upper.denominator for own in used))
    ends **= q.neighbours.different_weights()[-1]
    scale = (
        ends * lcm(*(part.unit for part, _ in charged)) * q.rule_unit * (q.query.unit if q.has_means else 1)
    )
    table = [[0] * q.wide for _ in range(q.tall)]
    for part, ys in charged:
        factors = [y * (scale // part.unit) for y in ys]
        for row, costs in zip(table, part.costs):
            for f, (x, factor) in enumerate(zip(costs, factors)):
                row[f] += x * factor
    return scale, table, given


# --------------------------------------------------------------------------------------------------- the CSV


def check_csv(
    text: str, q: Question, truths: list[str], responses: list[str], table: list[list[float]]
) -> None:
    """Refuse a CSV that holds anything but the doubles nearest to the matrix, each in its shortest decimal.

    Lines end with a line feed, the last may do without; lines that begin with # are comments, but for those that
    begin with "# labels,", which are the labels of the question.
    """
    lines = text.removesuffix("\n").split("\n")
    rows = [line for line in lines if not line.startswith("#")]
    expected = [["response", *truths], *([name, *map(repr, row)] for name, row in zip(responses, table))]
    need(
        rows == [",".join(cells) for cells in expected], "the CSV must hold the doubles nearest to the matrix"
    )
    quoted = ['"{}"'.format(x.replace('"', '""')) if {*',"'} & {*x} else x for x in q.query.labels]
    labels = [line for line in lines if line.startswith("# labels,")]
    need(
        all(quoted and line == ",".join(["# labels", *quoted]) for line in labels),
        "the CSV must have the labels",
    )


# ------------------------------------------------------------------------------------------- what is printed

DEFINITIONS = {
    "pure": "pure differential privacy",
    "approximate": "approximate (epsilon, delta)-differential privacy",
    "per-outcome": "per-outcome privacy",
    "probabilistic": "probabilistic differential privacy",
}


LONGEST = 20  # longer numbers are printed as decimals of six digits


def visible(text: str, most: int = 200) -> str:
    """Return a text of the file in quotation marks: what is no plain character, and quotation marks, escaped."""
    shown = "".join(x if x.isprintable() and x not in '"\\' else _escape(x) for x in text[:most])
    return f'"{shown}"' + (", cut" if len(text) > most else "")


def _escape(character: str) -> str:
    code = ord(character)
    if character in '"\\':
        return f"\\{character}"
    return f"\\x{code:02x}" if code < 2**8 else f"\\u{code:04x}" if code < 2**16 else f"\\U{code:08x}"


def about(value: Fraction) -> str:
    """Return a number as it is, where that is short, and as a decimal of six digits where that is another text."""
    with localcontext(prec=6, Emax=99_999, Emin=-99_999):
        decimal = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
        plain = f"{decimal:f}" if -6 <= decimal.adjusted() < 6 else f"{decimal:e}"
    exact = str(value)
    if len(exact) > LONGEST:
        return f"about {plain}"
    return plain if Fraction(plain) == value else f"{exact}, about {plain}"


def first_line(q: Question, delta: Fraction, objective: Fraction) -> str:
    """Return what is proved: definition, epsilon, delta, objective, and what they allow where that is much."""
    reasons, own = [], q.main
    if own.kind == "per-outcome":
        reasons.append("each outcome is bounded by itself, not sets of outcomes")
    if q.query.scope == "given table":
        reasons.append("only tables near one given table are protected, from each other")
    if q.query.directions == "one":
        reasons.append("some pairs are protected in one direction only")
    definition, heaviest = DEFINITIONS[own.kind], q.neighbours.different_weights()[-1]
    if isinstance(q, Row) and q.curve:
        definition = f"as private as {q.curve.words}, for every set of answers, and so {definition}"
    if heaviest > 1:
        definition = f"metric privacy, up to {heaviest} times epsilon between neighbours: {definition}"
    if reasons:
        short_name = definition.replace("differential privacy", "privacy")
        definition = (
            f"NOT differential privacy ({'; '.join(reasons)}); {short_name} between the listed true answers"
        )
    epsilon = own.epsilon.text if len(own.epsilon.text) <= LONGEST else f"about {float(own.epsilon):.6g}"
    said = [
        f"proved: {definition}",
        f"epsilon = {epsilon}, delta = {about(delta)}",
        f"objective {about(objective)}",
    ]
    if q.neighbours.without_any():
        alone = f"{q.neighbours.without_any()} of {q.neighbours.size} true answers"
        said.insert(1, f"between neighbours alone: {alone} have none, and nothing protects them")
    most = max(delta, own.delta or Fraction(0))
    if most > Fraction(1, 1000):
        said.append(f"with probability up to {about(most)} anything may be released, even the true answer")
    power = float(own.epsilon) * heaviest  # between the neighbours that are furthest apart
    if power > 10:
        said.append(f"odds may change by a factor of e^{power:.6g}, about {exp(power):.3g}")
    return "; ".join(said)


def who_is_protected(q: Question) -> list[str]:
    """Return who is protected, told from the pairs."""
    query, near = q.query, q.neighbours
    kind, p = query.kind, query.parameters
    number = "1 ordered pair" if near.number() == 1 else f"{near.number()} ordered pairs"
    told = {
        "count": f"true answers at most {p.get('records_per_person')} apart",
        "mean": f"true answers at most {near.reach} steps of 1/{p.get('records')} apart",
        "total": f"true answers at most {near.reach} apart",
        "extremum": "every two true answers",
        "residues": f"true answers that differ by one of {p.get('distances')} on the circle",
        "vector": f"true answers that differ by one of {p.get('distances')}, each coordinate on its circle",
        "categories": "every two true answers",
    }.get(kind, f"{number} of {near.size} true answers, as listed")
    named = {
        "count": f"count {p.get('smallest')}..{p.get('largest')}",
        "mean": f"mean of {p.get('records')} records {p.get('smallest')}..{p.get('largest')}",
        "total": f"total of {p.get('records')} records {p.get('smallest')}..{p.get('largest')}, {p.get('adjacency')}",
        "extremum": f"maximum, minimum or median {p.get('smallest')}..{p.get('largest')}",
        "residues": f"residues modulo {p.get('modulus')}",
        "vector": f"vectors modulo {p.get('moduli')}",
        "categories": f"{near.size} categories",
    }.get(kind, f"{kind} query {visible(query.name)}")
    lines = [f"query: {named}; neighbours: {told}"]
    if near.is_weighted:
        weights = near.different_weights()
        lines.append(f"weights: from {weights[0]} to {weights[-1]} times epsilon lie between neighbours")
    if near.without_any():
        lines.append(
            f"WARNING: {near.without_any()} of {near.size} true answers have no neighbour: nothing protects them"
        )
    if near.parts() > 1:
        lines.append(
            f"WARNING: the neighbours fall apart into {near.parts()} groups: nothing hides in which the truth is"
        )
    return lines


def loss_words(loss: Loss) -> str:
    """Return a loss in words."""
    name = "custom loss" if loss.is_custom() else f"{loss.loss} loss"
    if loss.worst:
        return f"expected {name} at the worst truth"
    told = {"sum": "summed over truths", "uniform": "mean over a uniform prior"}
    return f"expected {name}, " + (
        "mean over a given prior" if isinstance(loss.weights, list) else told[loss.weights]
    )


def all_lines(q: Question, delta: Fraction, objective: Fraction, least: Fraction | None) -> list[str]:
    """Return everything that is proved, in words."""
    scope = {"every table": "every table", "given table": "one given table, and what is near it"}[
        q.query.scope
    ]
    ways = {"both": "both", "one": "one, so that some pair is not protected the other way round"}[
        q.query.directions
    ]
    aim = "least delta" if q.delta is None else f"least {loss_words(q.loss)}"
    structure = {
        "free": "any matrix",
        "modular": f"one noise, added modulo {' x '.join(map(str, q.structure.moduli))}",
        "symmetric": f"one symmetric noise within {q.structure.width}",
        "zero-bias": f"noise of mean zero within {q.structure.width}",
    }[q.structure.kind]
    if q.structure.is_bounded:
        structure += f", the truth with probability {about(q.structure.accuracy)}"
    lines = [first_line(q, delta, objective), *who_is_protected(q), f"scope: {scope}; directions: {ways}"]
    asked = [structure, *sorted(q.properties), *map(cut, q.limits)]
    lines += [f"mechanism: {'; '.join(asked)}"]
    lines += [f"objective: {aim}, {about(objective)}"]
    lines += [f"also: {loss_words(part)}, at most {about(part.most)}" for part in q.bounded]
    for own in q.guarantees[1:]:
        held = f"epsilon = {cut(own.epsilon.text)}, delta = {about(own.delta)}"
        lines.append(f"also: {DEFINITIONS[own.kind]}, {held}")
    for name in sorted({rule.name for rule in q.rules}):
        number_of = sum(rule.name == name for rule in q.rules)
        rows = "1 row" if number_of == 1 else f"{number_of} rows"
        lines.append(f"also: custom rule {visible(name)}, {rows}; only what the certificate lists is proved")
    if least is None:
        return [*lines, "bound: none is proved"]
    gap = "it is attained" if objective == least else f"the gap is {about(objective - least)}"
    return [*lines, f"bound: no mechanism of this question has less than {about(least)}; {gap}"]


def cut(text: str) -> str:
    """Return a long text of numbers cut."""
    return text if len(text) <= 60 else f"{text[:60]}..."


# ------------------------------------------------------------------------------------ as private as a noise

LAWS = {  # each with what its number is called, the least and the most of it
    "discrete-gaussian": ("discrete Gaussian noise of sigma {}", "sigma", Fraction(1, 20), 5_000),
    "skellam": ("Skellam noise of rate {}", "rate", Fraction(1, 10**6), 10**7),
    "binomial": ("binomial noise of {} fair coins", "trials", 1, 10_000),
    "gaussian": ("Gaussian noise of sigma {}", "sigma", Fraction(1, 10), 1_000),
}
VALUES = 10_000  # of noise with listed weights
CURVE_BITS, WIDE_BITS = 2**13, 3 * 2**19  # of noise beside a law; times the standard deviation of that
TINY_BITS = 1_100  # to know a delta below 2^-128, down to 10^-300
WIDE_WORK = 2**29  # the squared bits of noise times that standard deviation
GAUSSIAN_WORK = 2**25  # different values of F times the squared bits of noise, besides what is written out
PLACE_BITS = 96  # of where tangents touch


def curve_of(part: dict[str, Any], noise: "Noise", least: int = ONE_BITS) -> "Lattice | Gaussian":
    """Return the curve y <= K(x) of a law: what tells neighbouring truths apart, x = P_(f+1)(S) and y = P_f(S).

    It is known to 64 bits more than the noise has, or the least number of bits.
    """
    law = part.get("law")
    if law == "weights":
        _, listed = in_order(part, "law", "weights")
        weights = [whole(x) for x in text_of(listed).split(",")]
        need(2 <= len(weights) <= VALUES and min(weights) > 0, "weights must be positive, two or more")
        need(
            all(b * b >= a * c for a, b, c in zip(weights, weights[1:], weights[2:])),
            "weights must be log-concave",
        )
        return Lattice(f"noise of {len(weights)} values with weights {cut(listed)}", sums(weights))
    need(law in LAWS, f"a law must be weights, {', '.join(LAWS)}")
    words, name, smallest, largest = LAWS[law]
    value = number(in_order(part, "law", name)[1])
    words = words.format(cut(spelled(value)))
    need(smallest <= value <= largest, f"{name} must be from {smallest} to {largest}")
    if law == "binomial":
        need(value.denominator == 1, "trials must be a whole number")
        row = [1]
        for k in range(int(value)):
            row.append(row[-1] * (int(value) - k) // (k + 1))
        return Lattice(words, sums(row))
    variance = 2 * value if law == "skellam" else value * value
    fits = noise.bits <= CURVE_BITS and noise.bits**2 * variance <= WIDE_BITS**2
    known = max(noise.bits, least if least > ONE_BITS else 0)
    fits &= law == "gaussian" or known**4 * variance <= WIDE_WORK**2
    need(fits, "the noise must not have too many bits beside so wide a law")
    bits = max(noise.bits, least) + 64
    if law == "gaussian":
        work = len({*noise.listed}) * noise.bits**2
        need(
            work <= GAUSSIAN_WORK + 8 * noise.bits * noise.digits,
            "the noise must not have too many different shares",
        )
        return Gaussian(words, value, bits)
    return Lattice(words, enclosed(law, value, bits), 1 << bits)


def ratios(law: str, number: Fraction, count: int, bits: int) -> list[tuple[int, int]]:
    """Return numbers around P(z) / P(z-1), z = 1 to `count`, in units of 2^-bits; they only fall.

    Discrete Gaussian: e^(-(2z-1) / (2 sigma^2)). Skellam: P(z-1) = P(z+1) + (z / rate) P(z), so that each ratio is
    1 / (z / rate + the next one), and the one beyond all is something from 0 to 1.
    """
    one, listed = 1 << bits, []
    if law == "discrete-gaussian":
        low, high = exponential(-1 / (2 * number * number), bits=bits)
        low, high = int(low * one), int(high * one) + 1
        down, up = low * low >> bits, -(-high * high >> bits)
        for _ in range(count):
            listed.append((low, high))
            low, high = low * down >> bits, -(-high * up >> bits)
        return listed
    low, high, (top, bottom) = 0, one, number.as_integer_ratio()
    for z in range(count, 0, -1):
        share = (z * bottom << bits) // top
        low, high = (one << bits) // (share + 1 + high), min(-(-(one << bits) // (share + low)), one)
        listed.append((low, high))
    return listed[::-1]


def enclosed(law: str, number: Fraction, bits: int) -> list[int]:
    """Return [2^bits F(i)] of a symmetric law, from the last place where that is 0 to the first where it is 2^bits - 1.

    With so many bits more as it takes to know what is rounded down.
    """
    more, count = 64, 64
    while True:
        inner = bits + more
        one, masses = 1 << inner, []
        low = high = one
        for down, up in ratios(law, number, count, inner):
            low, high = low * down >> inner, -(-high * up >> inner)
            masses.append((low, high))
            if low == 0 and up < one:
                break
        else:
            count *= 2
            continue
        # What lies beyond is at most r / (1 - r) of the last mass, r its ratio to the one before.
        low, high, far = 0, high * up // (one - up) + 1, []
        for down, up in reversed(masses):
            low, high = low + down, high + up
            far.append((low, high))
        least, most = one + 2 * low, one + 2 * high
        left = [((a << bits) // most, -(-(b << bits) // least)) for a, b in far]
        if all(above - below == 1 for below, above in left):
            below = [x for x, _ in left]
            below = below[below.count(0) - 1 :]
            return below + [(1 << bits) - 1 - x for x in reversed(below)]
        more *= 2


def follows(curve: "Lattice | Gaussian", own: Guarantee) -> bool:
    """Whether delta is what the law spends at epsilon, a billionth more and rounded up to six digits."""
    said = []
    for delta in curve.delta(own.lower, own.upper):
        value = max(delta * (1 + Fraction(1, 10**9)), SMALLEST)
        with localcontext(prec=6, rounding=ROUND_CEILING):
            said.append(min(Fraction(Decimal(value.numerator) / Decimal(value.denominator)), Fraction(1)))
    return said == [own.delta, own.delta]


class Lattice:
    """The curve of noise on whole numbers: the polygon through (F(i-1), F(i)), with F between `low` and `high`."""

    def __init__(self, words: str, low: list[int], unit: int = 0) -> None:
        """Take [unit F], or of finitely many values F itself, over their sum."""
        self.words, self.low, self.unit = words, low, unit or low[-1]
        self.high = [x + 1 for x in low] if unit else low
        # What lies below the polygon through these corners is below K.
        self.xs = [0, *self.high[:-1], self.unit]
        self.ys = [0 if unit else low[0], *low[1:], self.unit]

    def delta(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return numbers around the most that F(i) - e^epsilon F(i-1) is, or the same of 1 - F the other way round."""
        low, high, unit, found = self.low, self.high, self.unit, []
        least = zip([high[0] if high != low else 0, *high], [*low, unit])
        most = zip([0, *low], [*high, unit])
        for pairs, (top, bottom) in ((least, upper.as_integer_ratio()), (most, lower.as_integer_ratio())):
            spent = max(max(bottom * y - top * x, bottom * (unit - x) - top * (unit - y)) for x, y in pairs)
            found.append(Fraction(max(spent, 0), bottom * unit))
        return found[0], found[1]

    def holds(self, x: int, y: int, unit: int) -> bool:
        """Whether y / unit is at most K(x / unit), for certain."""
        at = min(bisect_right(self.xs, x * self.unit // unit), len(self.xs) - 1) - 1
        (a, c), (b, d) = self.xs[at : at + 2], self.ys[at : at + 2]
        return (y * self.unit - b * unit) * (c - a) <= (d - b) * (x * self.unit - a * unit)

    def lines(self, _: "Noise") -> set[tuple[int, int]]:
        """Return lines y <= (s x + o) / 2^192 on or above K: one of slope 1, and one for each edge that is wide enough."""
        low, slopes = self.low, {1 << ONE_BITS}
        for before, here, after in zip([0, *low], low, low[1:]):
            run, rise = here - before, after - here
            if min(run, rise) > 0 and max(run, rise) > self.unit >> ONE_BITS + 8:
                slopes.add(max(1, (rise << ONE_BITS) // run))
        corners: list[tuple[int, int]] = []  # of the polygon around all that may be corners of K
        for x, y in zip([0, *low], [*self.high, self.unit]):
            while len(corners) > 1:
                (a, b), (c, d) = corners[-2:]
                if (d - b) * (x - a) > (y - b) * (c - a):
                    break
                corners.pop()
            corners.append((x, y))
        lines, at = set(), 0
        for s in sorted(
            slopes, reverse=True
        ):  # the flatter, the farther to the right is the corner that is touched
            above = [(y << ONE_BITS) - s * x for x, y in corners[at : at + 2]]
            while len(above) > 1 and above[1] >= above[0]:
                at += 1
                above = [(y << ONE_BITS) - s * x for x, y in corners[at : at + 2]]
            lines.add((s, -(-above[0] // self.unit)))
        return lines


class Gaussian:
    """The curve of continuous Gaussian noise: y = P(v), x = P(v - 1/sigma), P the normal distribution."""

    def __init__(self, words: str, sigma: Fraction, bits: int) -> None:
        """Take sigma, and how many bits are enough for probabilities."""
        self.words, self.sigma, self.bits = words, sigma, bits + 128
        self.tables: dict[int, Normals] = {}

    def _normals(self, bits: int) -> "Normals":
        """Return the normal distribution to so many bits, with what is known of it."""
        return self.tables.setdefault(bits, Normals(bits))

    def delta(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, Fraction]:
        """Return numbers around the most that P(v) - e^epsilon P(v - 1/sigma) is: where the curve has that slope."""
        bits = 1200 + (upper.numerator // upper.denominator).bit_length()
        with localcontext(prec=200):
            near = Fraction((Decimal(lower.numerator) / Decimal(lower.denominator)).ln())
        v = Fraction(floor((1 / (2 * self.sigma) - near * self.sigma) * 2**400) + 2, 2**400)
        flat, steep = self.slope(v, bits)
        need(steep <= lower, "the factors around e^epsilon must be narrow")
        (low, high), (below, above) = normal(v, bits), normal(v - 1 / self.sigma, bits)
        # All of the curve is below the tangent at v, which is no steeper than e^epsilon.
        return (low - upper * above) / 2**bits, (high - flat * below) / 2**bits

    def slope(self, v: Fraction, bits: int) -> tuple[Fraction, Fraction]:
        """Return numbers around the slope of K at x = P(v - 1/sigma)."""
        return exponential((1 / (2 * self.sigma) - v) / self.sigma, bits=bits)

    def holds(self, x: int, y: int, unit: int) -> bool:
        """Whether y / unit is at most K(x / unit), for certain: both are beside P(v) and P(v - 1/sigma) of some v."""
        if y == 0 or x == unit:
            return True
        if x == 0 or y == unit:
            return False
        for times in (1, 2, 4):
            bits, places = times * self.bits, 110 * times
            normals = self._normals(bits)
            v = quantile(y, unit, normals, places)
            for side in (v + Fraction(1, 2**places), v - Fraction(1, 2**places)):
                (low, high), (below, above) = normals.at(side), normals.at(side - 1 / self.sigma)
                if low * unit >= y << bits and above * unit <= x << bits:
                    return True
                if high * unit <= y << bits and below * unit > x << bits:
                    return False
        return False

    def lines(self, noise: "Noise") -> set[tuple[int, int]]:
        """Return tangents y <= (s x + o) / 2^192 beside all values of F, but those next to 0 and 1."""
        narrow, one = noise.one >> ONE_BITS + 8, 1 << ONE_BITS
        shares = {x for x in noise.listed if narrow < x < noise.one - narrow} or {noise.one >> 1}
        lines = set()
        for v in sorted({self._place(share, noise.one) for share in sorted(shares)}):
            # Rounded up, once there are bits enough to know how.
            for bits in (self.bits, 2 * self.bits, 4 * self.bits):
                normals = self._normals(bits)
                (low, high), (below, above) = normals.at(v), normals.at(v - 1 / self.sigma)
                flat, steep = self.slope(v, bits)
                s, o = ceil(flat * one), ceil((low - steep * above) * one / 2**bits)
                if (s, o) == (ceil(steep * one), ceil((high - flat * below) * one / 2**bits)):
                    break
            else:
                need(holds=False, rule="a tangent must be one that can be rounded")
            lines.add((s, o))
        return lines

    def _place(self, share: int, one: int) -> Fraction:
        """Return the multiple of 2^-96 at which P is the share, or next below it."""
        if 2 * share == one:
            return Fraction(0)
        normals = self._normals(self.bits)
        near = floor(quantile(share, one, normals, PLACE_BITS) * 2**PLACE_BITS)
        for m in (near, near - 1, near + 1):
            v, beyond = Fraction(m, 2**PLACE_BITS), Fraction(m + 1, 2**PLACE_BITS)
            if normals.at(v)[1] * one <= share << self.bits < normals.at(beyond)[0] * one:
                return v
        need(holds=False, rule="a tangent must be one that can be placed")
        return near


class Normals:
    """The normal distribution to so many bits, at many places.

    Beside a place where they are known P and its density p follow from

    p(v + h) = p(v) sum d_k,   P(v + h) = P(v) + p(v) h sum d_k / (k + 1),   d_0 = 1, d_1 = -v h,
    (k + 1) d_(k+1) = -v h d_k - h^2 d_(k-1),   for |h| <= 1 and |v h| <= 1, so that no d_k is above 1.
    """

    def __init__(self, bits: int) -> None:
        """Know nothing yet."""
        self.bits, self.inner = bits, bits + SPARE_BITS
        self.known: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)

    def at(self, v: Fraction) -> tuple[int, int]:
        """Return numbers around 2^bits P(v)."""
        low, high, *_ = self._around((v.numerator << self.inner) // v.denominator)
        return low >> SPARE_BITS, -(-high >> SPARE_BITS)

    def with_density(self, m: int, places: int) -> tuple[int, int]:
        """Return a number below 2^bits P(v), and about 2^bits p(v), v = m / 2^places."""
        low, _, _, above = self._around(m << self.inner >> places)
        return low >> SPARE_BITS, above >> SPARE_BITS

    def _around(self, place: int) -> tuple[int, ...]:
        """Return numbers around P(v), and around p(v), in units of 2^-inner, v from a place to before the next."""
        one = 1 << self.inner
        # A place of |v| is less than a unit from it, and so are P and p there from what they are at |v|.
        low, high, below, above = self._known_at(abs(place))
        low, high, below, above = low - 1, high + 1, below - 1, above + 1
        return (low, high, below, above) if place >= 0 else (one - high, one - low, below, above)

    def _known_at(self, place: int) -> tuple[int, ...]:
        """Return the same at a place, from one that is known and near, if any."""
        cell, one = place >> self.inner - 3, 1 << self.inner
        near = [
            x
            for c in (cell, cell - 1, cell + 1)
            for x in self.known[c]
            if x[0] * abs(place - x[0]) <= one * one
        ]
        if near:
            found = self._beside(place, min(near, key=lambda x: abs(place - x[0])))
        else:
            v = Fraction(place, one)
            found = (*normal(v, self.inner), *density(v, self.inner))
        self.known[cell] = [*self.known[cell][-1:], (place, *found)]
        return found

    def _beside(self, place: int, near: tuple[int, ...]) -> tuple[int, ...]:
        """Return the same at a place from a known one.

        Of each d_k the error is at most 8 units: (e_k + e_(k-1) + 2) / (k + 1) + 2 is no more. Beyond two of them of
        9 units in a row, k being 4 or more, all together are at most 36 units, for each two fall to half of the last.
        """
        start, low, high, below, above = near
        inner, h = self.inner, place - start
        vh, hh = start * h >> inner, h * h >> inner
        before, d, k = 0, 1 << inner, 0
        grown = lifted = 0  # the sums of d_k, and of d_k / (k + 1)
        while k < 4 or abs(d) > 1 or abs(before) > 1:
            k += 1
            grown, lifted = grown + d, lifted + d // k
            before, d = d, -(vh * d + hh * before >> inner) // k
        wrong = 9 * k + 40
        lift = h * lifted >> inner
        ends = [p * x >> inner for p in (below, above) for x in (lift - wrong, lift + wrong)]
        return (
            low + min(ends), high + max(ends) + 1,
            below * (grown - wrong) >> inner, (above * (grown + wrong) >> inner) + 1,
        )  # fmt: skip


def normal(v: Fraction, bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits P(v): of v >= 0 it is 1/2 + p(v) (v + v^3 / 3 + v^5 / (3 5) + ...), p the density."""
    if v < 0:
        low, high = normal(-v, bits)
        return (1 << bits) - high, (1 << bits) - low
    if v * v > 2 * bits:
        return (1 << bits) - 1, 1 << bits  # beyond v lies less than e^(-v^2 / 2)
    inner = bits + int(v * v) + 40  # the sum is at most e^(v^2 / 2) or so
    down = int(v * 2**inner)
    squared, long = int(v * v * 2**inner), 2 * int(v * v) + 2
    low = high = 0
    up, k = down + 1, 1
    while up > 1 or k < long:
        low, high, k = low + down, high + up, k + 2
        down = (down * squared >> inner) // k
        up = -((-up * (squared + 1) >> inner) // k)
    below, above = density(v, inner)
    half, less = 1 << bits - 1, 2 * inner - bits
    # What is left falls by half each time.
    return half + (low * below >> less), half - (-(high + 2) * above >> less)


def density(v: Fraction, bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits p(v), p(v) = e^(-v^2 / 2) / sqrt(2 pi)."""
    (low, high), (below, above) = exponential(-v * v / 2, bits=bits), root_of_two_pi(bits)
    return int(low * 4**bits) // above, int(high * 4**bits) // below + 1


@cache
def root_of_two_pi(bits: int) -> tuple[int, int]:
    """Return numbers around 2^bits sqrt(2 pi), by pi / 4 = 4 arctan(1/5) - arctan(1/239) (Machin)."""
    inner = bits + 32

    def arctan(n: int) -> int:
        total, power, k = 0, (1 << inner) // n, 1
        while power:
            total, power, k = total + power // k, -power // (n * n), k + 2
        return total

    around, wrong = (
        16 * arctan(5) - 4 * arctan(239),
        40 * inner,
    )  # two units for each term, of which there are fewer
    return isqrt(2 * (around - wrong) << inner) >> 32, (isqrt(2 * (around + wrong) << inner) >> 32) + 1


def quantile(share: int, unit: int, normals: Normals, places: int) -> Fraction:
    """Return about where P is share / unit, by Newton's method from a double; how near it is, is not told."""
    if 2 * share > unit:
        return -quantile(unit - share, unit, normals, places)
    small = log(share) - log(unit)
    if small > -600:
        start = NormalDist().inv_cdf(exp(small))
    else:
        t = sqrt(-2 * small)
        for _ in range(20):
            odds = t  # p(t) / P(-t) as a continued fraction
            for k in range(99, 0, -1):
                odds = t + k / odds
            t += (-t * t / 2 - log(2 * pi) / 2 - log(odds) - small) / odds
        start = -t
    more, wanted, right = places + 20, (share << normals.bits) // unit, 40
    m = floor(Fraction(start) * 2**more)
    while right < more:
        low, rise = normals.with_density(m, more)
        m, right = m + (wanted - low << more) // max(rise, 1), 2 * right
    return Fraction(m, 2**more)


# ------------------------------------------------------------------------------------- noise and thresholds


def runs(part: object, most: int) -> list[int]:
    """Return numbers written as runs, such as 5 0*3, each run as long as can be."""
    numbers, last = [], None
    for run in text_of(part).split(" "):
        value, star, times = run.partition("*")
        need(value != last, "equal numbers in a row must be one run")
        need(not star or re.fullmatch("[1-9][0-9]{0,7}", times), "a run must be number*count")
        length = int(times or 1)
        need(length > bool(star) and length <= most - len(numbers), f"there must be at most {most} numbers")
        numbers += [whole(value)] * length
        last = value
    return numbers


def sums(steps: list[int]) -> list[int]:
    """Return the sums of the first numbers: one number, two, and so on."""
    return [*accumulate(steps)]


class Noise:
    """Noise on whole numbers: F(l) = P(Z <= l), in units of 2^-bits."""

    def __init__(self, part: object, privacies: int) -> None:
        """Read noise; refuse what is no distribution."""
        period, first, bits, tail, cumulative = in_order(
            part, "period", "first", "bits", "tail", "cumulative"
        )
        self.period, self.first, self.bits = integer(period), integer(first), integer(bits)
        self.tail, self.listed = whole(tail), runs(cumulative, PLACES)
        self.written = cumulative.count(" ") + 1  # runs
        self.digits = sum(x.bit_length() for x, _ in groupby(self.listed))  # bits of their numbers
        size, wrong = len(self.listed), "the noise must be a distribution"
        need(0 < self.bits <= NOISE_BITS and abs(self.first) <= PLACES, "noise must not be too long")
        need(size * self.bits <= PLACES_BITS, "noise must not be too long")
        need(size * privacies <= PLACES_PRIVACIES, "noise must not be too long for so many privacies")
        need(min(self.listed[1:], default=0) >= 0 and self.listed[0] >= 0, wrong)
        self.listed, self.one = sums(self.listed), 1 << self.bits
        self.last = self.first + size - 1
        need(0 < self.period < size and 0 <= self.tail < self.one and self.listed[-1] <= self.one, wrong)
        need(self.tail or (self.listed[0], self.listed[-1]) == (0, self.one), wrong)
        self.moved = Counter(zip(islice(self._rises(), self.period, None), self._rises()))
        need(min(min(pair) for pair in self.moved) >= 0, wrong)

    def _rises(self) -> Iterator[int]:
        """Yield the probabilities of all places, and of one period more at both ends, in units of 2^(-2 bits)."""
        far = [self.one - x for x in self.listed[-self.period :]]
        before = (self.tail * x for x in self.listed[: self.period])
        after = ((self.one << self.bits) - self.tail * x for x in far)
        places = chain(before, (x << self.bits for x in self.listed), after)
        return (b - a for a, b in pairwise(places))

    def spends(self, factor: Fraction) -> Fraction:
        """Return the largest P(S) - E P(S one truth further), or the other way round, over all sets S of places."""
        top, bottom = factor.as_integer_ratio()
        # Farther out each place has `tail` times what the place a truth nearer has.
        lost = max(0, bottom * self.one - top * self.tail)
        there, back = lost * self.listed[0], lost * (self.one - self.listed[-1])
        for (p, q), times in self.moved.items():
            there += times * max(0, bottom * p - top * q)
            back += times * max(0, bottom * q - top * p)
        return Fraction(max(there, back), bottom << 2 * self.bits)

    def worst_sets(self) -> Iterator[tuple[int, int, int]]:
        """Yield P_(f+1)(S), P_f(S), and 1, of each set of all places whose P_f / P_(f+1) is above some number."""
        steps = [(times * q, times * p) for (p, q), times in self.moved.items()]
        left, right = self.listed[0], self.one - self.listed[-1]
        steps += [(self.tail * left, left << self.bits), (right << self.bits, self.tail * right)]
        by_ratio = cmp_to_key(lambda one, other: one[0] * other[1] - other[0] * one[1])
        x = y = 0
        for _, alike in groupby(sorted(filter(any, steps), key=by_ratio), key=by_ratio):
            for a, b in alike:
                x, y = x + a, y + b
            yield x, y, 1 << 2 * self.bits


class Row:
    """A question on truths in a row: query, privacies, loss and weights, in whole numbers."""

    factor_bits = FACTOR_BITS

    def __init__(self, part: object) -> None:
        """Read a question."""
        query, privacy, properties, self.told_loss, self.told_weights = in_order(
            part, "query", "privacy", "properties", "loss", "weights"
        )
        need(properties in ([], ["zero-stays-zero"]), "of noise and thresholds only zero-stays-zero is known")
        self.properties = properties
        self.kind, self.parameters, self.scope, name, truths, responses = in_order(
            query, "kind", "parameters", "scope", "name", "truths", "responses"
        )
        self.name, self.labels, self.directions, self.query = text_of(name), [], "both", self
        self.structure, self.step = SimpleNamespace(kind="free", width=0, moduli=(), is_bounded=False), None
        if isinstance(truths, dict):
            self._count_out(truths)
            need(responses is None, "truths that are counted out are the responses")
        else:
            self._list(items(truths), items(responses))
        begins = self.first if self.step is not None else self.halves[0]
        need(not properties or self.first == begins == 0, ZERO_FIRST)
        self.neighbours = Neighbours(self.wide, 1, [], [])
        self._check_kind()
        self._read_privacy(items(privacy))
        self._read_loss()

    def _count_out(self, part: dict[str, object]) -> None:
        """Read evenly spaced truths, which are the responses."""
        first, step, size = in_order(part, "first", "step", "number")
        start, self.step, self.wide = point(first), number(step), integer(size)
        most = COUNTED if self.kind == "count" else TRUTHS
        need(2 <= self.wide <= most and self.step > 0, f"there must be 2 to {most} truths, increasing")
        need(start + (self.wide - 1) * self.step < LARGEST_NUMBER, "truths must be below 10^300")
        need(length(start, self.step) <= SCALE_BITS, "numbers must not be too long")
        if self.kind != "count":
            matrix_bits = min(self.wide, IN_A_MATRIX) ** 2 * length(start, self.step)
            need(matrix_bits <= MATRIX_BITS, "numbers that count truths out must not be too long for so many")
        self.first, self.tall = start, self.wide

    def points(self) -> tuple[list[Fraction], list[Fraction]]:
        """Return truths, and the midpoints of responses."""
        if self.step is None:
            return self.listed, self.halves
        counted = [self.first + f * self.step for f in range(self.wide)]
        return counted, counted

    def _list(self, truths: list[object], responses: list[object]) -> None:
        """Read truths and responses one by one; evenly spaced ones that are the same must be counted out."""
        self.wide, self.tall = len(truths), len(responses)
        need(min(self.wide, self.tall) >= 2, "there must be two truths, and responses, or more")
        need(max(self.wide, self.tall) <= TRUTHS, f"there must be at most {TRUTHS} truths, and responses")
        need(self.wide * self.tall <= LISTED, "truths times responses must not be too many")
        self.listed = [point(truth) for truth in truths]
        self.first = self.listed[0]
        ends = [[point(end) for end in items(pair)] for pair in responses]
        need(all(len(pair) == 2 and pair[0] <= pair[1] for pair in ends), "a response must have two ends")
        need(all(a[1] <= b[0] and sum(a) < sum(b) for a, b in pairwise(ends)), "responses must be in order")
        self.halves = [sum(pair) / 2 for pair in ends]
        steps = {b - a for a, b in pairwise(self.listed)}
        need(min(steps) > 0, "truths must increase")
        same = ends == [[truth, truth] for truth in self.listed]
        need(not same or len(steps) > 1, "evenly spaced truths that are the responses must be counted out")
        over_one_scale([*self.listed, *(end for pair in ends for end in pair)])
        self.homes = [home_of(ends, truth) for truth in self.listed]

    def _check_kind(self) -> None:
        """Refuse a kind that the truths contradict, all of whose neighbours are two in a row."""
        need(self.kind in ROW_KINDS, f"a kind must be one of {', '.join(ROW_KINDS)}")
        check_words(self.kind, self.scope, self.name)
        p = dict(zip(KINDS[self.kind], in_order(self.parameters, *KINDS[self.kind])))
        wrong = f"the numbers must be those of the kind {self.kind}"
        if self.kind in ("count", "mean", "extremum"):
            low, high = integer(p["smallest"]), integer(p["largest"])
            records, group = integer(p.get("records", 1)), integer(p.get("records_per_person", 1))
            need(low < high and records >= 1 and group >= 1 and (self.kind != "count" or low >= 0), wrong)
            need(self.kind != "mean" or (high - low == 1 and group == 1), wrong)
            need(self.wide == 2 or (group == 1 and self.kind != "extremum"), wrong)
            need(self.wide == records * (high - low) + 1, wrong)
            apart = Fraction(1, records)
            if self.step is None:
                need(self.listed == [low + f * apart for f in range(self.wide)], wrong)
            need(self.first == low and self.step in (None, apart), wrong)
        elif self.kind == "total":
            need(self.points()[0] == total_truths(p, wrong), wrong)
            need(self.wide == 2 or total_reach(p) == 1, wrong)
        elif self.kind == "residues":
            need((integer(p["modulus"]), [integer(x) for x in items(p["distances"])]) == (2, [1]), wrong)
            need(self.points()[0] == [0, 1], wrong)

    def _read_privacy(self, listed: list[object]) -> None:
        """Read what must hold; all of it, with factors around each e^epsilon."""
        need(1 <= len(listed) <= FURTHER + 1, f"there must be 1 to {FURTHER + 1} privacies")
        self.guarantees, self.weights = [], None
        for part in listed:
            names, curve = ["epsilon", "delta", "lower", "upper"], isinstance(part, dict) and "noise" in part
            if curve:
                need(len(listed) == 1, "the privacy of a noise must stand alone")
                names.append("noise")
            epsilon, delta, lower, upper, *self.told_curve = in_order(part, *names)
            kind = "pure" if delta == "0" and not curve else "approximate"
            need(delta is not None, "delta must be given")
            stated = {"kind": kind, "epsilon": epsilon, "delta": delta, "printed": False}
            self.guarantees.append(
                Guarantee(
                    stated,
                    ratio(lower),
                    ratio(upper),
                    self.structure,
                    self.tall,
                    of_noise=curve,
                    factor_bits=self.factor_bits,
                )
            )
        self.main, self.delta, self.curve = self.guarantees[0], self.guarantees[0].delta, None
        self.limits, self.bounded, self.rules = [], [], []
        named, weights = self.told_loss, self.told_weights
        self.loss = SimpleNamespace(
            loss=named, weights=weights, worst=False, is_custom=lambda: not isinstance(named, str)
        )

    def _read_loss(self) -> None:
        """Read loss and weights; refuse a loss that breaks the condition on signs."""
        if isinstance(self.told_weights, list):
            wrong, told = "weights must be a probability for each truth", self.told_weights
            need(len(told) == self.wide and all(isinstance(x, str) for x in told), wrong)
            once = {x: number(x) for x in {*told}}
            weights, unit = over_one_scale([once[x] for x in told])
            need(min(weights) >= 0 and abs(sum(weights) - unit) * 10**9 <= unit, wrong)
        else:
            need(self.told_weights in ("sum", "uniform"), "weights must be sum, uniform, or listed")
            weights, unit = [1] * self.wide, self.wide if self.told_weights == "uniform" else 1
        if self.step is not None and not isinstance(self.told_loss, dict):
            self._read_distances(weights, unit)
        else:
            self._read_table(weights, unit)

    def _by_distance(self) -> tuple[Any, int]:
        """Return the loss at each distance, from 0 to as many positions as there are truths, and its unit."""
        far, told, loss_unit = range(self.wide + 1), self.told_loss, 1
        if isinstance(told, list):
            losses = [double(x) for x in told]
            need(1 <= len(losses) <= self.wide, "a listed loss must have one entry for a distance, or more")
            need(len(losses) * self.wide <= REPEATED, "a listed loss must not be too long")
            need(len(losses) == 1 or losses[-1] != losses[-2], "a listed loss must end where it stays")
            at, loss_unit = over_one_scale(losses)
            at += at[-1:] * (self.wide + 1 - len(at))
        elif told in ("absolute", "squared"):
            top, loss_unit = (self.step if told == "absolute" else self.step * self.step).as_integer_ratio()
            at = range(0, top * self.wide + 1, top) if told == "absolute" else [top * d * d for d in far]
        else:
            within = min(floor(self._limit(told) / self.step), self.wide)
            at = [0] * (within + 1) + [int(within < self.wide - 1)] * (self.wide - within)
        need(all(map(le, at, islice(at, 1, None))), "the loss must not fall with the distance")
        need(at[-1] < LARGEST_NUMBER * loss_unit, "losses must be below 10^300")
        return at, loss_unit

    def _read_distances(self, ws: list[int], weight_unit: int) -> None:
        """Read a loss by distance, and how it changes from each response to the next."""
        at, loss_unit = self._by_distance()
        self.unit, self.turns = loss_unit * weight_unit, range(1, self.wide)
        need(self.unit.bit_length() <= SCALE_BITS, "numbers must have a denominator that is not too long")
        self.const = at[0] * sum(ws)
        self.variation = sum(w * (a + b) for w, a, b in zip(ws, at, at[-2::-1])) - 2 * self.const
        rises = [b - a for a, b in pairwise(at)]
        # c_f(j), by j - f
        change = [*(-x for x in reversed(rises)), *rises]
        middle = self.wide

        def column(j: int, start: int, stop: int) -> list[int]:
            first = middle + j - start
            return [*map(mul, ws[start:stop], change[first : first - (stop - start) : -1])]

        self.column, self.largest = column, max(ws) * max(rises)
        self.weights, self.at, self.is_squared = ws, at, at == [at[1] * d * d for d in range(len(at))]
        self.bends = [] if self.is_squared else [
            (t, b - a) for t, (a, b) in enumerate(pairwise([0, *rises])) if b != a]  # fmt: skip
        self.is_even, self.written = len({*ws}) == 1, len(ws) if isinstance(self.told_weights, list) else 0
        self.total = lambda j, start, stop: (
            abs(ws[0] * (at[abs(j + 1 - start)] - at[abs(j + 1 - stop)])) if self.is_even and start < stop
            else abs(sum(column(j, start, stop))))  # fmt: skip

    def _limit(self, told: object) -> Fraction:
        """Return beyond which distance a loss is 1."""
        name = text_of(told)
        need(name == "zero-one" or name.startswith("beyond "), "a loss must be a known one, or listed")
        limit = Fraction(0) if name == "zero-one" else number(name.removeprefix("beyond "))
        need(limit >= 0, "a loss must be beyond 0 or more")
        return limit

    def _check_table(self, bits: int, allowed: int) -> None:
        """Refuse too many entries for denominators of so many bits; so much is allowed for each that is written out."""
        entries = self.wide * self.tall
        work = entries * (WORK_OF_AN_ENTRY + WORK_OF_A_BIT * bits)
        need(work <= TABLE_WORK + entries * allowed, "truths times responses must not be too many")

    def _read_table(self, weights: list[int], unit: int) -> None:
        """Read a loss response by response; count how the weighted loss changes from each to the next."""
        need(self.wide * self.tall <= LISTED, "truths times responses must not be too many")
        told, (truths, middles) = self.told_loss, self.points()
        if not isinstance(told, dict):
            times = {"absolute": 1, "squared": 2}.get(told, 0) if isinstance(told, str) else 0
            self._check_table(
                times * over_one_scale([*truths, *middles])[1].bit_length() + unit.bit_length(), 0
            )
        if isinstance(told, dict):
            (matrix,) = in_order(told, "matrix")
            rows = [[double(x) for x in items(row)] for row in items(matrix)]
            bits = over_one_scale([x for row in rows for x in row])[1].bit_length() + unit.bit_length()
            self._check_table(bits, 4 * WORK_OF_AN_ENTRY)
            sizes = [len(row) for row in rows]
            need(sizes == [self.wide] * self.tall, "a loss must have a number for each response and truth")
            line = rows[0]
            alike = self.step is not None and all(
                x == line[abs(r - f)] for r, row in enumerate(rows) for f, x in enumerate(row)
            )
            need(not alike, "a loss of the distance alone must be a list")
        elif told in ("absolute", "squared"):
            power = 1 if told == "absolute" else 2
            rows = [[abs(x - t) ** power for t in truths] for x in middles]
        elif told == "zero-one":
            rows = [[Fraction(home != r) for home in self.homes] for r in range(self.tall)]
        else:
            limit = self._limit(told)
            rows = [[Fraction(abs(x - t) > limit) for t in truths] for x in middles]
        charged = [[x * w / unit for x, w in zip(row, weights)] for row in rows]
        flat, self.unit = over_one_scale([x for row in charged for x in row])
        cut = [flat[r * self.wide : (r + 1) * self.wide] for r in range(self.tall)]
        table = [[b - a for a, b in zip(low, high)] for low, high in pairwise(cut)]
        self.turns = [max((f + 1 for f, x in enumerate(row) if x > 0), default=0) for row in table]
        need(
            all(min(row[:turn], default=0) >= 0 for row, turn in zip(table, self.turns)),
            "of two responses the higher one must not be better for a truth and worse for a higher one",
        )
        self.const = sum(cut[0]) + sum(sum(row[turn:]) for row, turn in zip(table, self.turns))
        self.variation = sum(sum(map(abs, row)) for row in table)
        self.largest = max(max(map(abs, row)) for row in table)
        self.is_even, self.written = False, self.wide * self.tall
        self.column = lambda j, start, stop: table[j][start:stop]
        self.total = lambda j, start, stop: abs(sum(table[j][start:stop]))


ROW_KINDS = ("count", "mean", "total", "extremum", "residues", "graph", "custom")


class Thresholds:
    """Noise, then thresholds: what it loses, and what no private mechanism gets below."""

    def __init__(self, part: object, noise: Noise, q: Row) -> None:
        """Read thresholds, from the place that nothing is below to the one that everything is."""
        self.noise, self.q = noise, q
        steps = runs(part, q.tall - 1)
        need(len(steps) == q.tall - 1, "there must be a threshold for each response but the last")
        need(min(steps[1:], default=0) >= 0, "thresholds must not decrease")
        self.places = sums(steps)
        self.never, self.always = noise.first - 1, noise.last + noise.period * (q.wide - 1) + 1
        need(self.never <= self.places[0] and self.places[-1] <= self.always, "a threshold must be a place")
        certain = self.always if noise.tail else noise.last  # from there on F(T) is 1 at the first truth
        need(not q.properties or self.places[0] >= certain, "at 0 the response 0 must be certain")
        written = noise.written + part.count(" ") + 1 + q.written
        bits = noise.digits + sum(x.bit_length() for x, _ in groupby(steps))
        self.most_work = min(WORK + WORK_OF_A_NUMBER * written, MOST_WORK)
        self.most_work += MORE_WORK * written + WORK_OF_A_WRITTEN_BIT * bits
        self.most_held = max(2, min(BOUNDS, BOUNDS_HELD // (len(noise.listed) // noise.period + 1)))
        # A rounding error grows by up to 1 / delta on its way to certainty, and losses are as small as e^-epsilon.
        room = int(max(own.upper for own in q.guarantees)).bit_length()
        room += max(int(1 / (own.delta or 1)).bit_length() for own in q.guarantees)
        self.one_bits = ONE_BITS if q.told_curve else max(ONE_BITS, MORE_BITS + room)
        self.steps = [] if self.is_all_tails() else [*self._steps()]

    def _steps(self) -> Iterator[tuple[int, ...]]:
        """Yield for each step which it is, how many look the same, T, k_j, the truths where F is listed, and those that count.

        Where all truths count the same, steps in a row look the same if each is a truth further than the one before.
        """
        noise, q, work, j = self.noise, self.q, 0, 0
        m, c = len(noise.listed) // noise.period + 1, q.largest.bit_length()
        size = self.one_bits + noise.bits
        bounding = 512 + noise.bits + c + (self.one_bits - ONE_BITS) * (size + c) // 2048
        held: dict[int, None] = {}
        while j < len(self.places):
            place, turn, same = self.places[j], q.turns[j], 1
            start, stop = self._listed(place)
            is_end = place in (self.never, self.always)
            low, high = (turn - m, turn + m) if is_end else (start, stop)
            low, high = max(min(low, turn - 1), 0), min(max(high, turn + 1), q.wide)
            looks = high - low if q.is_even else max(high, stop, turn) - min(low, start, turn)
            cost, seen = (looks + 8) * bounding, place - noise.period * turn
            work += cost // AGAIN if seen in held and not q.is_even else cost
            work += (looks + 8) * (c * (4 * size + c) // 2048)
            held.pop(seen, None)
            held[seen] = None
            if len(held) > self.most_held // 2:
                del held[next(iter(held))]
            need(work <= self.most_work, "thresholds must not look at too many truths")
            if q.is_even and low > 0 and not is_end:
                most = min(q.wide - high + 1, len(self.places) - j)
                while same < most and self.places[j + same] - self.places[j + same - 1] == noise.period:
                    same += 1
            yield j, same, place, turn, start, stop, low, high
            j += same

    def _listed(self, place: int) -> tuple[int, int]:
        """Return the first truth, and the one after the last, at which F(place - period f) is listed."""
        noise, wide = self.noise, self.q.wide
        if place in (self.never, self.always):
            return (0, 0) if place == self.never else (wide, wide)
        start = min(max(-((noise.last - place) // noise.period), 0), wide)
        return start, min(max((place - noise.first) // noise.period + 1, start), wide)

    def matrix(self) -> list[list[float]]:
        """Return the doubles nearest to the matrix, where it is small."""
        noise, wide, rows = self.noise, self.q.wide, []
        need(wide * self.q.tall <= LISTED, "so large a mechanism has no CSV")
        steps = wide + 1 if noise.tail else 1
        powers, known = [1 << DOUBLE_BITS], {}
        for _ in range(steps):
            powers.append(powers[-1] * noise.tail >> noise.bits)

        def share(listed: int, away: int) -> int:
            """Return what is left of a share so far from the list, in units of 2^-1400; less by up to `steps` and 1."""
            return listed * powers[min(max(-(-away // noise.period), 0), steps)] >> noise.bits

        def below(place: int | None) -> int:
            away = 0 if place is None else noise.first - place
            at = 0 if place is None else -away + noise.period * max(-(-away // noise.period), 0)
            return 0 if place is None else share(noise.listed[at], away)

        def beyond(place: int | None) -> int:
            away = 0 if place is None else place - noise.last
            at = 0 if place is None else -1 - (-away + noise.period * max(-(-away // noise.period), 0))
            return 0 if place is None else share(noise.one - noise.listed[at], away)

        def nearest(low: int | None, high: int | None) -> float:
            if high is not None and high <= noise.last:
                value = below(high) - below(low)
            elif low is not None and low >= noise.first:
                value = beyond(low) - beyond(high)
            else:
                value = (1 << DOUBLE_BITS) - below(low) - beyond(high)
            ends = [(max(value + error, 0)) / (1 << DOUBLE_BITS) for error in (-2 * steps - 4, 2 * steps + 4)]
            need(ends[0] == ends[1], "the CSV must be one of numbers that are apart from ties of doubles")
            return ends[0]

        for low, high in pairwise([self.never, *self.places, self.always]):
            row = [0.0] * wide
            for f in range(wide) if low < high else ():
                start = None if low == self.never else low - noise.period * f
                end = None if high == self.always else high - noise.period * f
                if (start, end) not in known:
                    known[start, end] = nearest(start, end)
                row[f] = known[start, end]
            rows.append(row)
        return rows

    def is_all_tails(self) -> bool:
        """Whether two places are listed, a truth apart, and losses by distance and one pure privacy are asked for."""
        noise, q = self.noise, self.q
        alone = len(q.guarantees) == 1 and q.delta == 0 and not q.told_curve and not q.properties
        return alone and noise.tail > 0 == len(noise.listed) - 2 and q.weights is not None

    def loss(self) -> Fraction:
        """Return the loss, or where tails are used, a little more."""
        q, noise, total, has_tails = self.q, self.noise, 0, False
        for j, same, place, turn, start, stop, *_ in self.steps:
            has_tails |= self.never < place < self.always and (start > 0 or stop < q.wide)
            top = place - noise.period * start - noise.first
            bottom = top - noise.period * (stop - start - 1)
            below = noise.listed[bottom : top + 1 : noise.period][::-1] if start < stop else []
            column = q.column(
                j, start, stop
            )  # of no number below 0 before `turn`, of none above 0 from there on
            part = sum(column[: max(turn - start, 0)]) * noise.one - sum(map(mul, column, below))
            # Of truths before `start` all is below the threshold, of those from `stop` on nothing.
            sure = q.total(j, turn, start) if turn < start else 0
            sure += q.total(j, stop, turn) if stop < turn else 0
            total += same * (part + (sure << noise.bits))
        if has_tails and noise.tail:
            total += max(noise.listed[0], noise.one - noise.listed[-1]) * q.variation
        return Fraction(q.const, q.unit) + Fraction(total, q.unit << noise.bits)

    def bound(self) -> Fraction:
        """Return what no private mechanism gets below, by two lines of the privacy for each threshold."""
        self.lines, self.chosen, self.bounds = self._lines(), {}, {}
        q, total = self.q, 0
        for j, same, place, turn, *_, start, stop in self.steps:
            if turn == q.wide or (turn == 0 and not q.properties):
                continue
            costs, least = q.column(j, start, stop), 0
            if q.properties and start == 0 and place <= self.noise.last:
                least = self._least_after_one(place, turn)
                costs = [*costs] if turn == 0 else [0, *costs[1:]]  # truth 0 is certain to be below
            lines = (
                self._minorant(place - self.noise.period * turn + side, costs, turn - start)
                for side in (0, 1)
            )
            total += same * max(0, least_of(*lines, least, self.one_bits))
        return Fraction(q.const, q.unit) + Fraction(total, q.unit << self.one_bits)

    def _lines(self) -> list[tuple[int, int]]:
        """Return lines a_f <= (s a_(f+1) + o) / one, the steepest first, each the lowest of all at some a_(f+1)."""
        one, lines = 1 << self.one_bits, self.q.curve.lines(self.noise) if self.q.curve else set()
        for own in self.q.guarantees if not self.q.curve else ():
            d, factor = -(-own.delta * one // 1), own.upper
            flat = one // factor
            lines |= {(-(-factor * one // 1), d), (flat, one - (flat * (one - d) >> self.one_bits))}
        lowest: list[tuple[int, int]] = []
        for s, o in sorted(lines, reverse=True):
            while lowest and lowest[-1][0] == s:
                lowest.pop()  # of one slope the lowest comes last
            while len(lowest) > 1:
                (a, b), (c, d) = lowest[-2:]
                if (d - b) * (a - s) < (o - b) * (a - c):
                    break
                lowest.pop()  # where the lines before and after it cross it is not below them
            lowest.append((s, o))
        return lowest

    def _line(self, place: int) -> tuple[Any, Any]:
        """Return the lowest line halfway from the place before to a place, to move weights up, and across; None if none."""
        noise, lines = self.noise, self.lines
        place = min(max(place, noise.first + 1), noise.last + noise.period)
        if place not in self.chosen:
            x = self._rounded(place - noise.period - 1) + self._rounded(place - noise.period)

            def height(k: int) -> int:
                return lines[k][0] * x + (lines[k][1] << noise.bits + 1)

            at = bisect_left(range(len(lines) - 1), 1, key=lambda k: height(k + 1) >= height(k))
            line, up = lines[at], None if height(at) >= 1 << self.one_bits + noise.bits + 1 else lines[at]
            self.chosen[place] = up, line if x else None
        return self.chosen[place]

    def _rounded(self, place: int) -> int:
        """Return F at a place up to the last, or a period before the first at the earliest, rounded down."""
        noise, at = self.noise, place - self.noise.first
        if at >= 0:
            return noise.listed[at]
        return max(0, noise.listed[at + noise.period] * (noise.tail - 1) >> noise.bits)

    def _least_after_one(self, place: int, turn: int) -> int:
        """Return what a is at least at truth `turn`, where truth 0 is certain to be below."""
        a = 1 << self.one_bits
        for f in range(turn):
            _, line = self._line(place - self.noise.period * f)
            a = max((a - line[1] << self.one_bits) // line[0], 0) if line else 0
        return a

    def _minorant(self, place: int, costs: list[int], turn: int) -> tuple[int, int]:
        """Return A and B: what the step adds is at least A + B x, x the probability below at truth `turn`, at a place."""
        bits, period = self.one_bits, self.noise.period
        one, least = 1 << bits, -1 << bits + self.noise.bits
        held = self.bounds.pop(place, None) or (Pairs(self.q, bits), Pairs(self.q, bits))
        self.bounds[place] = held  # the last one that was asked for
        if len(self.bounds) > self.most_held:
            del self.bounds[next(iter(self.bounds))]
        # How much u is at least so many truths before: (a + b u) / one; and a so many truths behind, (a + b x) / one.
        before, behind = held
        while len(before.listed) < turn:
            line, _ = self._line(place + period * (len(before.listed) + 1))
            a, b = before.last
            a = one - line[1] - line[0] + (line[0] * a >> bits) if line else least
            before.add((a, line[0] * b >> bits) if a > least else (0, 0))
        if not behind.listed:
            behind.add((0, one))
        while len(behind.listed) < len(costs) - turn:
            _, line = self._line(place - period * (len(behind.listed) - 1))
            a, b = behind.last
            a = (a - line[1] << bits) // line[0] if line else least
            behind.add((a, (b << bits) // line[0]) if a > least else (0, 0))
        constant, share = before.weighed(costs[:turn][::-1])
        taken, further = behind.weighed(costs[turn:])
        return constant + share - taken, -share - further


class Pairs:
    """Pairs of whole numbers, each pair as one number, so that weights are multiplied once with both."""

    def __init__(self, q: Row, bits: int) -> None:
        """Begin with none; the next one follows from the last, in units of 2^-bits."""
        self.last, self.listed, self.bits = (0, 1 << bits), [], 2 * bits + q.largest.bit_length()
        self.spare = q.largest.bit_length() + 22  # for sums of 2^20 products, and a sign

    def add(self, pair: tuple[int, int]) -> None:
        """List a pair."""
        self.last, needed = pair, pair[0].bit_length() + self.spare
        if needed > self.bits:
            pairs = [*map(self._apart, self.listed)]
            self.bits = 2 * needed
            self.listed = [a + (b << self.bits) for a, b in pairs]
        self.listed.append(pair[0] + (pair[1] << self.bits))

    def weighed(self, costs: list[int]) -> tuple[int, int]:
        """Return both sums, each pair weighed by its cost."""
        return self._apart(sum(map(mul, costs, self.listed)))

    def _apart(self, both: int) -> tuple[int, int]:
        half = 1 << self.bits - 1
        one = (both + half & (half << 1) - 1) - half
        return one, both - one >> self.bits


class Walk:
    """Noise that is all tails, then thresholds: sums over truths on either side of each threshold, each from a few others."""

    def __init__(self, mechanism: Thresholds, *prices: object) -> None:
        """See how much may be summed; read prices, if any."""
        self.mechanism, self.q, self.noise = mechanism, mechanism.q, mechanism.noise
        self.last, self.work, self.smoothing = self.q.wide - 2, 0, 0
        places = mechanism.places
        self.most_work = SUMS_WORK + WORK_OF_A_WEIGHT * sum(map(bool, self.q.weights[: self.q.written]))
        self.allow([self.noise.listed[0], self.noise.listed[1] - self.noise.listed[0]])
        self.allow([places[0], *(b - a for a, b in pairwise(places))])
        for part in prices:
            self.read_prices(part)
        self.spend(WORK_OF_A_TRUTH * self.q.wide)

    def allow(self, numbers: list[int]) -> None:
        """Allow more work for numbers that are written as runs."""
        for x, _ in groupby(numbers):
            self.most_work += WORK_OF_A_RUN + WORK_OF_A_RUNS_BIT * x.bit_length()

    def spend(self, work: int) -> None:
        """Refuse sums if all together are too many."""
        self.work += work
        need(self.work <= self.most_work, "there must not be too much to sum up")

    def spend_steps(self, steps: int) -> None:
        """Refuse sums of so many steps if all together are too many."""
        each = 8 if self.q.is_even else 11
        self.spend(steps * (40 + each * len(self.q.bends)) * work_bits(self.size()))

    def size(self) -> int:
        """Return the bits of the numbers that are multiplied."""
        noise, q = self.noise, self.q
        reach = min(q.wide, noise.one // (noise.one - noise.tail) + 1)
        return noise.bits + q.largest.bit_length() + 2 * reach.bit_length() + self.smoothing

    def sides(self, decay: int, weights: list[int] | None = None) -> "tuple[Decayed, Decayed]":
        """Return sums from the first truth on, and from the last one back."""
        weights = weights or self.q.weights
        left = Decayed(self.q, weights, decay, self.noise.bits)
        need(self.size() * left.rest <= LISTED_BITS, "noise must not be too long for so many truths")
        right = left if weights == weights[::-1] else Decayed(self.q, weights[::-1], decay, self.noise.bits)
        self.spend(len({left, right}) * left.rest * 8 * work_bits(self.size()))
        for side in {left, right}:
            side.sum_up()
        return left, right

    def steps(self, left: "Decayed", right: "Decayed", *, even: bool) -> list[tuple[int, int, int]]:
        """Return steps, up to which truth all is likely below the threshold of each, and how many look like it.

        Steps look the same where weights and all sums do. Where all is its own mirror image, and both ways are
        treated alike, the other half does.
        """
        places, last = [place - self.noise.last for place in self.mechanism.places], self.last
        is_mirror = even and left is right and all(a + b == last for a, b in zip(places, reversed(places)))
        j = 0
        half = (last + 2) // 2 if is_mirror else last + 1
        far = max(left.rest, right.rest, left.resting, right.resting)
        far += max([0, *(t for t, _ in left.bends)])
        found = []
        while j < half:
            same, place = 1, places[j]
            if self.q.is_even and far <= min(j, place):
                end = min(half, j + last - far - max(j, place) + 1)
                while j + same < end and places[j + same] - place == same:
                    same += 1
            others = min(same, last + 1 - half - j) if is_mirror and j < last + 1 - half else 0
            found.append((j, place, same + others))
            j += same
        self.spend_steps(len(found))
        return found

    def between(self, j: int, place: int) -> int:
        """Return the sum of c_f(j), f from after a place to j, or less that of f from after j to the place."""
        q = self.q
        if q.is_even:
            return q.weights[0] * (q.at[abs(j - place)] - q.at[0])
        return self.whole.of(j, j) - self.whole.of(j, place)

    def loss(self) -> Fraction:
        """Return the loss, or a little more."""
        q, noise, last = self.q, self.noise, self.last
        left, right = self.sides(noise.tail)
        self.whole = Decayed(q, q.weights, 1, 0)
        if not q.is_even:
            self.whole.sum_up()
        whole = sums = 0
        for j, place, same in self.steps(left, right, even=noise.listed[0] == noise.one - noise.listed[1]):
            whole += same * self.between(j, min(max(place, -1), last + 1))
            if self.mechanism.never < place + noise.last < self.mechanism.always:
                below = left.of(j, place) + left.error
                beyond = right.of(last - j, last - place) + right.error
                sums += same * ((noise.one - noise.listed[1]) * below + noise.listed[0] * beyond)
        return Fraction(q.const + whole, q.unit) + Fraction(sums, q.unit << left.bits + noise.bits)

    def bound(self) -> Fraction:
        """Return what no private mechanism gets below: for each threshold two lines, of the truths beside it."""
        q, last, bits = self.q, self.last, self.noise.bits
        decay = (1 << bits) * q.main.upper.denominator // q.main.upper.numerator
        const = Fraction(q.const, q.unit)
        if decay == 0:
            return const
        left, right = self.sides(decay)
        heavy = [f for f, w in enumerate(q.weights) if w]
        first = min(heavy[0], last)
        most, summed = max(first, heavy[-1] - 1), 0
        for j, place, same in self.steps(left, right, even=True):
            g = min(max(place, first), most)
            lines = []
            for h in (g, g + 1):
                own, other = left.of(j, h), right.of(last - j, last - h)
                more, less = own + left.error, own - left.error
                across = -(-(other + right.error) * decay >> bits), (other - right.error) * decay >> bits
                whole = self.between(j, h) << left.bits
                # In terms of a at truth j + 1, or u there, as much as the tails make of it at h.
                near = (whole + less, across[1] - more) if g <= j else (whole + across[1], less - across[0])
                further = h == (g if g <= j else g + 1)
                lines.append((near[0], (near[1] << bits) // decay if further else near[1]))
            summed += same * max(0, least_from_zero(*lines, ends=g in (j, j + 1)))
        return const + Fraction(summed, q.unit << left.bits)

    def read_prices(self, part: object) -> None:
        """Read prices of truths."""
        wide, shift = self.q.wide, self.noise.bits
        places, smoothing, told = in_order(part, "bits", "smoothing", "extras")
        extras = runs(told, wide)
        need(len(extras) == wide and min(extras) >= 0, "there must be a price, zero or more, for each truth")
        need(0 <= integer(places) <= shift, "prices must be no finer than the noise")
        need(smoothing is None or 0 <= integer(smoothing) <= SMOOTHING, f"smoothing must be 0 to {SMOOTHING}")
        self.allow(extras)
        self.prices = places, smoothing, extras

    def bound_of_prices(self) -> Fraction:
        """Return what prices of truths prove, by the answers to draws that thresholds give."""
        q, wide, shift = self.q, self.q.wide, self.noise.bits
        places, smoothing, extras = self.prices
        decay = (1 << shift) * q.main.upper.denominator // q.main.upper.numerator
        need(decay > 0, "the noise must have more bits")
        fine = 0 if smoothing is None else smoothing
        weights = [(w << fine) + (smoothing is not None) for w in q.weights]
        unit, at = q.unit << fine, q.at
        self.smoothing = fine
        left, right = self.sides(decay, weights)
        self.spend_steps(2 * wide)
        draws = [place - self.noise.last for place in self.mechanism.places]
        answers = [bisect_left(draws, j) for j in range(wide)]
        extras = [x << left.bits - places for x in extras]
        one = left.margins(answers, extras)
        other_answers = [wide - 1 - i for i in reversed(answers)]
        same = left is right and (answers, extras) == (other_answers, extras[::-1])
        other = one if same else right.margins(other_answers, extras[::-1])

        def step(s: int) -> int:
            return s * decay >> shift if s >= 0 else (s << shift) // decay

        lacking = 0
        for before, after, below, above in zip(*one, *map(reversed, other)):
            if after < 0 or below < 0:
                lacking += max(0, -max(after + step(below), step(before) + above))
        costs = sum(w * at[abs(i - j)] for j, (i, w) in enumerate(zip(answers, weights)))
        excess = Fraction(wide * at[wide - 1], unit) if smoothing is not None else 0
        return Fraction((costs << left.bits) + sum(extras) - lacking, unit << left.bits) - excess


class Decayed:
    """Sums over truths f up to h of a^(h-f) c_f(j), a a whole number over 2^shift, in whole numbers over 2^bits."""

    def __init__(self, q: Row, weights: list[int], numerator: int, shift: int) -> None:
        """See how many bits are enough; nothing is summed yet."""
        self.q, self.weights, self.numerator, self.shift = q, weights, numerator, shift
        self.bends = q.bends
        is_one = numerator == 1 << shift
        reach = q.wide if is_one else min(q.wide, (1 << shift) // ((1 << shift) - numerator) + 1)
        # Sums and powers, rounded down, lose less than `reach` each, and a product of both what either has too little.
        loses = max(weights) * reach * reach + reach + 2
        terms = q.at[1] * (8 * q.wide + 12) if q.is_squared else 3 * sum(abs(bend) for _, bend in q.bends)
        self.error, self.bits = (0, 0) if is_one else (loses * terms, shift + SPARE_BITS)
        # At this truth, at the latest, sums of equal weights no longer change: until roundings show the change falls by
        # the decay, and one of d then stays for at most 1 / d of the truths that count.
        halvings = shift + SPARE_BITS + max(weights).bit_length() + 4 * reach.bit_length() + 8
        self.rest = min(q.wide, reach * halvings * 3 // 4) if q.is_even and not is_one else q.wide

    def sum_up(self) -> None:
        """List the sums of a^(h-f) w_f, powers of a, and the sums of a^(h-f) w_f (h-f), while something changes."""
        a, shift, one = self.numerator, self.shift, 1 << self.bits
        self.masses, self.arms, self.powers = [], [], []
        mass = arm = 0
        for w in self.weights:
            arm, mass = (mass + arm) * a >> shift if self.q.is_squared else 0, (mass * a >> shift) + w * one
            if self.q.is_even and self.masses and (mass, arm) == (self.masses[-1], self.arms[-1]):
                break
            self.masses.append(mass)
            self.arms.append(arm)
        self.resting = len(self.masses)
        self.masses += self.masses[-1:] * (self.q.wide - self.resting)
        self.arms += self.arms[-1:] * (self.q.wide - self.resting)
        power = one
        while power and len(self.powers) < self.q.wide and not self.q.is_squared:
            self.powers.append(power)
            power = power * a >> shift

    def of(self, j: int, h: int) -> int:
        """Return the sum, which is as much as `error` more or less."""
        if h < 0:
            return 0
        if self.q.is_squared:
            return self.q.at[1] * ((2 * (j - h) + 1) * self.masses[h] + 2 * self.arms[h])
        masses, powers, far = self.masses, self.powers, h - j
        most = len(powers) - 1
        total, all_up_to_h, last, first = 0, 0, min(j, most - far), far - most
        # A bend at t weighs the truths up to j - t, and less those up to j + t; of both only truths up to h.
        for t, bend in self.bends:
            if t <= -far:
                all_up_to_h += bend
            elif t <= last:
                total += bend * powers[far + t] * masses[j - t]
            elif t >= far:
                break  # at no further bend is anything left
            if t < far:
                all_up_to_h -= bend
                if t >= first:
                    total += bend * powers[far - t] * masses[j + t]
        return all_up_to_h * masses[h] + (total >> self.bits)

    def margins(self, answers: list[int], extras: list[int]) -> tuple[list[int], list[int]]:
        """Return for each response i at most L_i before its first draw and at its last one, after checks 1 and 2.

        Of a response without a draw both are L_i at the last draw of those below it, 0 where there is none.
        """
        a, shift, bits, at, weights = self.numerator, self.shift, self.bits, self.q.at, self.weights
        last = len(answers) - 1
        before, after = [0] * (last + 1), [0] * (last + 1)
        total, i = 0, answers[0]
        rule = "the prices must leave something over for each draw"
        draws = [*answers, last + 1]  # past the last draw come the responses above its answer
        for j, answer in enumerate(draws):
            while i < answer and i < last:
                total += self.of(i, j - 1) - self.error
                i += 1
                before[i] = after[i] = total
                if i < answer and i < j - 1:  # check 2: b L_i(h - 1) = L_i(h) - (c[i,h] - u_h), h = j - 1
                    over = weights[j - 1] * (at[j - 1 - i] - at[abs(answers[j - 1] - j + 1)]) << bits
                    need(total >= over - extras[j - 1], rule)
            if j <= last:
                need(total >= 0, rule)  # check 1: L_i(j - 1) at i = rho(j)
                total = (total * a >> shift) - extras[j]
                after[answer] = total
        return before, after


def work_bits(bits: int) -> int:
    """Return the work of a product of whole numbers of so many bits."""
    return 512 + bits + bits * bits // 2048


def least_from_zero(one: tuple[int, int], other: tuple[int, int], *, ends: bool) -> int:
    """Return the least of the larger of A + B x and A' + B' x, x from 0 on, up to 1 if it ends there.

    If it does not, and both fall, any number is too much but 0.
    """
    (a, b), (c, d) = sorted([one, other], key=itemgetter(1))
    if d >= 0 and (b >= 0 or a <= c):
        return max(a, c)
    if ends and (d < 0 or a + b >= c + d):
        return max(a + b, c + d)
    return (a * d - c * b) // (d - b) if d >= 0 else 0


def least_of(one: tuple[int, int], other: tuple[int, int], least: int, bits: int) -> int:
    """Return the least of the larger of A + B x and A' + B' x, x from a least one to 1, all in units of 2^-bits."""
    (a, b), (c, d) = one, other
    if b * d < 0:
        # They cross at x = (a - c) / (d - b).
        over, under = (a - c, d - b) if d > b else (c - a, b - d)
        if least * under <= over << bits <= under << bits:
            return (a * d - c * b) // (d - b)
    return min(max(a + (b * x >> bits), c + (d * x >> bits)) for x in (least, 1 << bits))


def in_order(part: object, *names: str) -> list[Any]:
    """Return the fields of an object, which are these, in this order."""
    values = fields(part, *names)
    need([*part] == [*names], f"fields must stand in the order {', '.join(names)}")
    return values


def check_bytes(text: str, content: dict[str, Any]) -> None:
    """Refuse a file that is not a line for each field, with the spaces and escapes of `json.dumps`."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    need(text == "{\n" + ",\n".join(lines) + "\n}\n", "the file must be written as described, byte for byte")


def check_noise(text: str, content: dict[str, Any], matrix_csv: str | None) -> str:
    """Return what a certificate of noise and thresholds proves."""
    prices = ["prices"] if "prices" in content else []
    form, version, question, noise, thresholds, *told_prices, delta, objective, least, gap = in_order(
        content, "format", "version", "question", "noise", "thresholds", *prices, "delta", "objective",
        "bound", "gap")  # fmt: skip
    need(
        (form, type(version), version) == ("optmech certificate", int, 1),
        "this must be an optmech certificate 1",
    )
    check_bytes(text, content)
    q = Row(question)
    law = Noise(noise, len(q.guarantees))
    mechanism = Thresholds(thresholds, law, q)
    for own in q.guarantees:
        need(law.spends(own.lower) <= own.delta, "one shift of the noise must be as private as it says")
    for part in q.told_curve:
        q.curve = curve_of(part, law)
        sharp = q.curve if q.delta > 2**-128 else curve_of(part, law, TINY_BITS)  # beyond a delta of 10^-300
        need(follows(sharp, q.main), "delta must be what the noise asked for spends, to six digits")
        need(
            all(q.curve.holds(*at) for at in law.worst_sets()),
            "one shift of the noise must be as private as it says",
        )
    spent = law.spends(q.main.lower)
    need(ratio(delta) == spent, "delta must be what one shift of the noise spends")
    if mechanism.is_all_tails():
        walk, value, proved = Walk(mechanism, *told_prices), ratio(objective), ratio(least)
        need(value >= walk.loss(), "the objective must be no less than the loss of noise and thresholds")
        most = walk.bound_of_prices() if told_prices else walk.bound()
        need(0 <= proved <= max(most, 0), "the bound must be no more than the lines of the privacy prove")
    else:
        need(not told_prices, "prices must stand beside noise that is all tails")
        value, proved = mechanism.loss(), mechanism.bound()
        need(ratio(objective) == value, "the objective must be that of noise and thresholds")
        need(ratio(least) == proved, "the bound must be what the lines of the privacy prove")
    need(ratio(gap) == value - proved >= 0, "the gap must be the objective less the bound")
    if matrix_csv is not None:
        names = [[spelled(x) for x in listed] for listed in q.points()]
        check_csv(matrix_csv, q, *names, mechanism.matrix())
    return "\n".join(all_lines(q, spent, value, proved))


def spelled(value: Fraction) -> str:
    """Return a number as it is spelled: a decimal where there is one, else a ratio."""
    places = (
        next((n for n in range(4 * DIGITS) if 10**n % value.denominator == 0), 0) if is_decimal(value) else 0
    )
    if not places:
        return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


# ------------------------------------------------------------------------------------------------------ main


def check(certificate: str, matrix_csv: str | None = None) -> str:
    """Return what the texts of a certificate and of its CSV, if any, prove; raise if they break a rule."""
    too_long = "the file must not be too long"
    need(len(certificate) <= CHARACTERS, too_long)
    content = read_json(certificate)
    if isinstance(content, dict) and "noise" in content:
        need(len(certificate) <= NOISE_CHARACTERS, too_long)
        return check_noise(certificate, content, matrix_csv)
    (form, version, question, factor, matrix, digest, delta, objective, least, gap, proof, *reported) = fields(
        content, "format", "version", "question", "factor", "matrix", "sha256", "delta", "objective",
        "bound", "gap", "proof", "claimed_bounds", "repair", "raw", "made_by")  # fmt: skip
    need(
        (form, type(version), version) == ("optmech certificate", int, 1),
        "this must be an optmech certificate 1",
    )
    for part in reported:  # no arithmetic confirms these: their shape is all that is read
        need(isinstance(part, dict), "what is reported must be an object of texts")
        need(all(text_of(x) is x for pair in part.items() for x in pair), "what is reported must be texts")

    most_work = MATRIX_WORK + WORK_OF_A_CHARACTER * len(certificate)
    check_shapes(question, matrix)
    denominator, lines = fields(matrix, "denominator", "rows")
    total, rows = whole(denominator), [[whole(m) for m in text_of(line).split(" ")] for line in items(lines)]
    text = "\n".join([denominator, *lines]).encode("ascii")
    need(sha256(text).hexdigest() == digest, "the matrix must have its SHA-256")

    q = Question(question, *map(ratio, fields(factor, "lower", "upper")), most_work)
    q.check_work(total, proof)
    check_matrix(q, rows, total)
    for own in q.guarantees[1:]:
        need(spent_delta(q, own, rows, total) <= own.delta, "each further privacy must hold")
    spent = spent_delta(q, q.main, rows, total)
    need(spent < 1 if q.delta is None else spent <= q.delta, "it must be as private as it says")
    spent = short_delta(spent) if q.delta is None else min(short_delta(spent), q.delta)
    need(spent < 1, "delta must be below 1")
    need(ratio(delta) == spent, "delta must be what the matrix spends")
    value = spent if q.delta is None else q.loss.of(rows, total)
    need(ratio(objective) == value, "the objective must be that of the matrix")

    proved = None
    if (least, gap, proof) != (None, None, None):
        unit, tree = fields(proof, "denominator", "tree")
        need(whole(unit) > 0, "multipliers must have a positive denominator")
        proved = short_bound(bound(q, tree, whole(unit), {}))
        need(ratio(least) == proved, "the bound must be what the multipliers prove")
        need(ratio(gap) == value - proved >= 0, "the gap must be the objective less the bound")
    if matrix_csv is not None:
        part = question["query"]
        check_csv(
            matrix_csv, q, part["truths"], part["responses"], [[m / total for m in row] for row in rows]
        )
    return "\n".join(all_lines(q, spent, value, proved))


def check_shapes(question: object, matrix: object) -> None:
    """Refuse tables without a number for each entry, before anything is made that has one."""
    need(isinstance(question, dict) and isinstance(matrix, dict), "an object must have all its fields")
    query, losses = question.get("query"), [question.get("objective"), *items(question.get("bounds"))]
    need(all(isinstance(part, dict) for part in (query, *losses)), "an object must have all its fields")
    wide, tall = len(items(query.get("truths"))), len(items(query.get("responses")))
    for lines in (matrix.get("rows"), *(loss.get("costs") for loss in losses)):
        widths = [text_of(line).count(" ") + 1 for line in items(lines)]
        need(widths == [wide] * tall, "the matrix, and costs, must have a number for each entry")


USAGE = "python check_certificate.py MECHANISM.certificate.json [MECHANISM.csv]"


def main(paths: list[str]) -> int:
    """Print what is proved, or why the files are refused; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    if paths in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    try:
        need(1 <= len(paths) <= 2, f"give a certificate, and its CSV if there is one: {USAGE}")
        lines = check(*(Path(path).read_bytes().decode("utf-8") for path in paths))
    except RefusedError as trouble:
        reason = str(trouble)
    except json.JSONDecodeError as trouble:
        reason = f"the certificate must be JSON: {trouble}"
    except OSError as trouble:
        reason = f"{visible(str(trouble.filename))} must be a file that can be read: {trouble.strerror}"
    except UnicodeDecodeError:
        reason = "the file must be text in UTF-8"
    except RecursionError:
        reason = "the JSON must not be nested without end"
    except Exception as trouble:
        reason = f"all must be as docs/certificate.md describes ({type(trouble).__name__})"
    else:
        with suppress(BrokenPipeError):  # who reads no further has seen the first line
            print(lines, flush=True)
            return 0
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    print(f"refused: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
