"""Check a certificate and its CSV.

python check_certificate.py [--json] MECHANISM.certificate.json [MECHANISM.csv].

It reads what docs/certificate.md describes, with the standard library of Python
3.11 or later alone, and shares nothing with the package that wrote the files.
It recomputes everything in exact arithmetic, prints what is proved, beginning
with "proved:", or one line on standard error that begins with "refused:", and
then ends with code 1. Code 3 says that the answer could not be printed. With
--json it prints one JSON object in one line in either case:

    {"verdict": "proved", "objective": "1/2", "bound": "1/2",
     "epsilon": "ln 3", "delta": "0", "told": [lines of text]}
    {"verdict": "refused", "reason": text}

Numbers are exact. The bound is null where none is proved. Epsilon and delta are
those of the first privacy; a delta that is sought is null.

There are two parts, which are read apart, then what is read and printed:

    words to numbers    a question as weights, comparisons and inequalities of
                        the entries of a matrix;
    numbers proved      that the matrix keeps them, and that no matrix that does
                        has a smaller objective.

To follow the example of docs/certificate.md read `check` first, then `Query`,
`Guarantee`, `Loss` and `Question` of the first part, and all of the second.
Pass over what its question does not ask for: structures, properties, limits,
rules of its author, and splits.

`need` states a rule that a claim rests on. `form` states a rule of the format
alone: of spelling, of what must be left out, of what is too much to compute;
without it a file would be read differently or slowly, and no claim were false.
`check_noise.py`, beside this file, checks noise with thresholds,
`check_laws.py` what is as private as a noise, and `check_levels.py` bounds for
modular noise by levels.
"""

import json
import os
import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, cached_property
from importlib.util import module_from_spec, spec_from_file_location
from itertools import groupby, pairwise, product
from math import ceil, exp, floor, isqrt, lcm, log1p, prod
from operator import gt, itemgetter, mul
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any, NamedTuple

# Limits, so that whatever a file says is refused quickly. They are part of the format.
CHARACTERS = 2**29  # of a file
DIGITS = 4_000  # of a number: of a decimal, or of either part of a ratio
LARGEST_NUMBER = 10**300  # truths, responses and costs are below it, as doubles can be
LARGEST_EXPONENT = 700  # epsilon, and epsilon times the largest weight
LARGEST_POWER = 2**1009  # the same of the number whose logarithm epsilon is: it is just below e^700
SMALLEST = Fraction(1, 10**300)  # epsilon, and delta, unless it is 0
EPSILON_BITS = 1_000  # of either part of an epsilon that is no logarithm
FACTOR_BITS = 2_000  # of either factor around e^epsilon, where that is no rational
ENCLOSED_BITS = 1_200  # of e^epsilon at the least, to know a delta of 10^-300
POWER_BITS = 200_000  # of either factor to the power of the largest weight
POWERS_BITS = 2**32  # of the powers at all weights together, for each response
PAIRS = 5_000_000  # truths times reach
TRUTHS = 20_000  # and responses
MODULI = 30
DEPTH = 300  # of splits within splits
FURTHER = 20  # privacies besides the first
SCALE_BITS = 27_000  # of a common denominator
EXACT_BITS, ROUNDED_BITS = 6_000, 256  # a longer bound is rounded down to so many bits
LONGEST_DELTA = 10**40  # of the denominator of a delta; a longer one is rounded up
WORK, WORK_OF_RAYS, WORK_OF_A_CHARACTER = 2**32, 2**35, 2**12  # at most, and more for each character
ENTRIES_OF_RAYS = 2**20  # of a matrix that is written as rays
ENTRIES_OF_TWO_NUMBERS = 4_000_000  # of the CSV of a matrix that is written as two numbers
STEP_BITS = 64  # a step down a ray is a factor over 2 to this power
PAIR_WORK, LIMIT_WORK, ORDER_WORK = 2**14, 2**12, 2**11  # of a pair; of an entry in a limit; in an order
LEAF_ENTRIES = 2**9  # a leaf by noise values takes as long as so many of them more
TOO_MUCH = "there must not be too much to compute"


class RefusedError(ValueError):
    """The certificate breaks a rule: nothing in it is proved."""


def need(holds: object, rule: str) -> None:
    """Refuse the certificate unless `holds`, on which what is claimed rests."""
    if not holds:
        raise RefusedError(rule)


def form(holds: object, rule: str) -> None:
    """Refuse the certificate unless `holds`, on which no claim rests."""
    if not holds:
        raise RefusedError(rule)


# ----------------------------------------------------------------------------------------------------- values


def read_json(text: str) -> Any:
    """Return JSON in which no object names a field twice, and no number is anything but an integer."""
    return json.loads(
        text, object_pairs_hook=_no_twins, parse_float=_no_float, parse_constant=_no_float, parse_int=_integer
    )


def _no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    need(len(dict(pairs)) == len(pairs), "an object must have each field once")
    return dict(pairs)


def _no_float(_: str) -> None:
    form(holds=False, rule="a number of JSON must be an integer; all others are text")


def _integer(text: str) -> int:
    form(len(text) <= DIGITS, f"a number must have at most {DIGITS} digits")
    return int(text)


def fields(part: object, *names: str) -> list[Any]:
    """Return the fields of an object, which are these and no others."""
    complete = isinstance(part, dict) and part.keys() == {*names}
    need(complete, f"an object must have the fields {', '.join(names)}")
    return [part[name] for name in names]


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


def place(part: object, *sizes: int) -> tuple[int, ...]:
    """Return positions, each an integer from 0 to below its size."""
    at = tuple(items(part))
    sound = len(at) == len(sizes) and all(type(x) is int and 0 <= x < n for x, n in zip(at, sizes))
    need(sound, "a place must have as many positions as it needs, each one of the question")
    return at


def whole(part: object) -> int:
    """Return a whole number from its only spelling: 0, 7, -12."""
    spelled_so = isinstance(part, str) and re.fullmatch("0|-?[1-9][0-9]*", part)
    need(spelled_so, "a whole number must be text such as 12")
    return _integer(part)


def ratio(part: object) -> Fraction:
    """Return a number from its spelling as a ratio in lowest terms: 0, -7, 3/4."""
    top, slash, bottom = text_of(part).partition("/")
    value = Fraction(whole(top), max(whole(bottom), 1) if slash else 1)
    form(str(value) == part, "a ratio must be in lowest terms, such as 3/4")
    return value


def number(part: object) -> Fraction:
    """Return a number from its shortest spelling: a decimal where there is one, else a ratio: 7, -0.125, 1/3."""
    if "." not in text_of(part):
        value = ratio(part)
        form(not has_decimals(value), "a number must be a decimal where there is one, such as 0.5")
        return value
    spelled_so = re.fullmatch(r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9]", part)
    need(spelled_so, "a decimal must be as short as can be, such as 0.5")
    form(len(part) <= DIGITS, f"a number must have at most {DIGITS} digits")
    return Fraction(part)


def has_decimals(value: Fraction) -> bool:
    """Whether a number is no whole number, and one of finitely many digits: its denominator divides a power of 10."""
    bottom = value.denominator
    return bottom > 1 and pow(10, bottom.bit_length(), bottom) == 0


def spelled(value: Fraction) -> str:
    """Return a number as it is spelled: a decimal where there is one, else a ratio."""
    if not has_decimals(value):
        return str(value)
    with localcontext(prec=value.numerator.bit_length() + value.denominator.bit_length()):
        return f"{(Decimal(value.numerator) / Decimal(value.denominator)).normalize():f}"


def runs(part: object, most: int) -> list[int]:
    """Return numbers written as runs, such as 5 0*3, each run as long as can be."""
    numbers, last = [], None
    known: dict[str, tuple[str, int, int]] = {}  # some runs stand in a text a hundred thousand times
    for run in text_of(part).split(" "):
        if run not in known:
            value, star, times = run.partition("*")
            need(not star or re.fullmatch("[1-9][0-9]{0,7}", times), "a run must be number*count")
            form(not star or times != "1", "a number alone must stand without a count")
            known[run] = value, whole(value), int(times or 1)
        value, one, length = known[run]
        form(value != last, "equal numbers in a row must be one run")
        need(length <= most - len(numbers), f"there must be at most {most} numbers")
        numbers += [one] * length
        last = value
    return numbers


def multipliers(part: object, size: int) -> list[int]:
    """Return so many numbers, written as runs; none at all is no text."""
    ys = runs(part, size) if size else []
    need(len(ys) == size and (size or part == ""), "there must be a number for each")
    return ys


def point(part: object) -> Fraction:
    """Return a number that stands for itself on a line: a truth, a response, an end of a category."""
    value = number(part)
    form(abs(value) < LARGEST_NUMBER, "truths and responses must be numbers below 10^300")
    return value


def double(part: object) -> Fraction:
    """Return a cost, 0 or more: the shortest decimal that a double reads back from."""
    value = number(part)
    need(value >= 0, "a cost must be 0 or more")
    form(value < LARGEST_NUMBER, "a cost must be below 10^300")
    form(Fraction(repr(float(value))) == value, "a cost must be the shortest decimal of a double")
    return value


def over_one_scale(values: list[Fraction]) -> tuple[list[int], int]:
    """Return the values as whole numbers over their least common denominator, and that."""
    scale = 1
    for value in values:
        scale = lcm(scale, value.denominator)
        form(scale.bit_length() <= SCALE_BITS, "numbers must have a common denominator that is not too long")
    return [value.numerator * (scale // value.denominator) for value in values], scale


def length(*values: Fraction) -> int:
    """Return the bits of the longest numerator or denominator."""
    return max(part.bit_length() for value in values for part in value.as_integer_ratio())


def rising(listed: list[Any]) -> bool:
    """Whether each of what is listed is above the one before it."""
    return all(a < b for a, b in pairwise(listed))


# ============================================================================================ words to numbers


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


DEFINITIONS = {
    "pure": "pure differential privacy",
    "approximate": "approximate (epsilon, delta)-differential privacy",
    "per-outcome": "per-outcome privacy",
    "probabilistic": "probabilistic differential privacy",
}
HAVE_BUDGETS = ("approximate", "probabilistic")  # a pair may spend delta on several responses
MAY_SPEND_NOTHING = ("pure", "per-outcome")  # others have a delta, or are pure
MAY_BE_OF_EPSILON_0 = ("approximate", "per-outcome")


class Guarantee:
    """One privacy: E <= e^epsilon <= F, and what may exceed E between neighbours, delta, None where it is sought.

    pure           nothing: M[r,f] <= E M[r,g] of each response r and neighbours (f, g);
    per-outcome    delta at each response: M[r,f] - E M[r,g] <= delta;
    approximate    delta in all: the sum over r of max(0, M[r,f] - E M[r,g]), which no set of responses exceeds;
    probabilistic  the mass of delta: the sum of M[r,f] over r with M[r,f] > E M[r,g].

    Epsilon is a number, 0.5 or 1/3, or the natural logarithm of a ratio, ln 3/2.
    """

    def __init__(
        self,
        kind: str,
        part: list[Any],
        heaviest: int = 1,
        *,
        of_noise: bool = False,
        bits: int = FACTOR_BITS,
    ) -> None:
        """Read a kind, epsilon, delta and both factors; a whole curve may say nothing at an epsilon, by delta 1."""
        epsilon, delta, lower, upper = part
        need(kind in DEFINITIONS, f"privacy must be one of {', '.join(DEFINITIONS)}")
        self.kind, self.lower, self.upper = kind, ratio(lower), ratio(upper)
        self._read_epsilon(text_of(epsilon), heaviest, bits)
        self.delta = None if delta is None else number(delta)
        sound = self.delta is None or 0 <= self.delta < 1 or (of_noise and self.delta == 1)
        need(sound, "delta must be 0 or more and below 1")
        form(not self.delta or self.delta >= SMALLEST, "delta must be 0, or at least 10^-300")
        need(self.delta == 0 or kind != "pure", "pure privacy has delta 0")
        has_delta = self.delta != 0 or kind in MAY_SPEND_NOTHING
        form(has_delta, "of others than pure, only per-outcome privacy may have delta 0")
        self.has_budgets = kind in HAVE_BUDGETS

    def _read_epsilon(self, text: str, heaviest: int, most_bits: int) -> None:
        """Read epsilon, up to `heaviest` times which lie between neighbours, and hold the factors to it."""
        is_logarithm = text.startswith("ln ")
        value = ratio(text[3:]) if is_logarithm else number(text)
        beyond = value - is_logarithm  # e^epsilon is 1 or more, about 1 + epsilon where that is little
        need(beyond >= 0 and (beyond > 0 or not is_logarithm), "epsilon must be 0, or positive")
        form(beyond == 0 or beyond >= SMALLEST, "epsilon must be 0, or at least 10^-300")
        form(beyond > 0 or self.kind in MAY_BE_OF_EPSILON_0, "epsilon must be positive for this privacy")
        bits, own = length(self.lower, self.upper), length(value)
        short = is_logarithm or (own <= EPSILON_BITS and bits <= most_bits)
        form(short, "epsilon, and a factor around e^epsilon, must not be too long")
        raised = heaviest * (max(bits, own) if is_logarithm else bits)
        form(raised <= POWER_BITS, "the power of a factor between neighbours must not be too long")
        little = heaviest * value <= LARGEST_EXPONENT
        if is_logarithm:
            little = value.numerator**heaviest <= LARGEST_POWER * value.denominator**heaviest
        form(
            little,
            f"epsilon, and epsilon times a weight, must be at most {LARGEST_EXPONENT}, of a logarithm that of 2^1009",
        )
        # Numbers of so many bits come no nearer to e^epsilon than twice the bits of both say.
        bits = max(2 * (own + bits) + 64, ENCLOSED_BITS)
        self.enclosed = (value, value) if is_logarithm else exponential(value, bits=bits)
        low, high = self.enclosed
        need(1 <= self.lower <= low and high <= self.upper, "e^epsilon must lie from `lower` to `upper`")
        self.text, self.printed = text, log1p(beyond) if is_logarithm else float(value)


class Neighbours:
    """Ordered pairs (f, g) of truths, by position: what is likely under f must be about as likely under g."""

    def __init__(self, size: int, reach: object, pairs: object, weights: object, most: int = PAIRS) -> None:
        """Read a reach, or pairs and how many times epsilon lie between the two; either has one spelling."""
        self.size, self.reach = size, integer(reach)
        listed = [place(pair, size, size) for pair in items(pairs)]
        times = [integer(weight) for weight in items(weights)]
        need(0 <= self.reach < size, "a reach must be below the number of truths")
        form(size * self.reach <= most, "a reach must not make too many pairs")
        need(bool(self.reach) != bool(listed), "neighbours must be all within a reach, or pairs")
        need(all(f != g for f, g in listed), "neighbours must be two truths")
        need(rising(listed), "pairs must be sorted, each once")
        need(not times or len(times) == len(listed), "each pair must have a weight, or none")
        need(not times or min(times) > 0, "weights must be 1 or more")
        form(not times or max(times) > 1, "weights must not be 1 throughout")
        self.is_weighted, self.weights = bool(times), dict(zip(listed, times or [1] * len(listed)))
        far = max((abs(f - g) for f, g in listed), default=0)
        within = len(listed) == far * (2 * size - far - 1) and not times
        form(not listed or not within, "all pairs within a reach must be written as a reach")
        self.number = len(listed) or self.reach * (2 * size - self.reach - 1)
        self.different_weights = sorted({*self.weights.values()}) or [1]
        self.heaviest = self.different_weights[-1]
        self.are_mutual = all(self.weights.get((g, f)) == weight for (f, g), weight in self.weights.items())

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Yield the pairs in order, each with its weight."""
        if not self.reach:
            return ((f, g, weight) for (f, g), weight in self.weights.items())
        ends = ((f, max(0, f - self.reach), min(self.size, f + self.reach + 1)) for f in range(self.size))
        return ((f, g, 1) for f, first, stop in ends for g in range(first, stop) if g != f)

    def weight(self, f: int, g: int) -> int:
        """Return how many times epsilon lie between neighbours, 0 if they are none."""
        return int(0 < abs(f - g) <= self.reach) or self.weights.get((f, g), 0)

    def without_any(self) -> int:
        """Return how many truths have no neighbour, in neither direction."""
        return 0 if self.reach else self.size - len({end for pair in self.weights for end in pair})

    def parts(self) -> int:
        """Return into how many parts truths fall, between which there are no neighbours; 1: they hang together."""
        return 1 if self.reach else len({*_leaders(self.size, self.weights)})


def _leaders(size: int, pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Return for each number below `size` one that all have which pairs link to it."""
    leader = [*range(size)]

    def first(x: int) -> int:
        while leader[x] != x:
            leader[x] = x = leader[leader[x]]
        return x

    for a, b in pairs:
        leader[first(a)] = first(b)
    return [first(x) for x in range(size)]


# Parameters of each kind of query.
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
RANGES = ("count", "mean", "total", "extremum")


def check_words(kind: str, parameters: object, scope: object, name: str) -> None:
    """Refuse parameters, a scope or a name that such a kind of query has not."""
    need(kind in KINDS, f"a kind must be one of {', '.join(KINDS)}")
    fields(parameters, *KINDS[kind])
    need(scope in ("every table", "given table"), "scope must be every table or given table")
    need(scope == "every table" or kind == "custom", "only a custom query is of a given table")
    form(name == "" or kind in ("custom", "graph"), "only a custom query or a graph has a name")


def answers_of(kind: str, p: dict[str, Any], size: int) -> tuple[range | list[Fraction], int]:
    """Return so many true answers of a count, mean, total or extremum, and how many positions one person moves them."""
    wrong = f"the numbers must be those of the kind {kind}"
    low, high = integer(p["smallest"]), integer(p["largest"])
    records, group = integer(p.get("records", 1)), integer(p.get("records_per_person", 1))
    need(low < high and records >= 1 and group >= 1, wrong)
    need((kind != "count" or low >= 0) and (kind not in ("mean", "total") or group <= records), wrong)
    first, last, reach = records * low, records * high, group * (high - low)
    if kind == "total":
        need(p["adjacency"] in ("change", "add-remove"), wrong)
        if p["adjacency"] == "add-remove":  # without any record the total is 0
            first, last, reach = min(0, first), max(0, last), group * max(abs(low), abs(high))
    need(last - first + 1 == size, wrong)
    truths = range(first, last + 1)
    reach = {"count": group, "extremum": size}.get(kind, reach)
    return [Fraction(t, records) for t in truths] if kind == "mean" else truths, min(reach, size - 1)


def difference(a: int, b: int, moduli: list[int]) -> int:
    """Return a - b of two vectors, each named by its place in order: each coordinate modulo its own modulus."""
    place, step = 0, 1
    for modulus in reversed(moduli):  # the last coordinate is the fastest
        place += (a // step - b // step) % modulus * step
        step *= modulus
    return place


def moved_by(
    kind: str, p: dict[str, Any], size: int, most_pairs: int
) -> tuple[list[int], set[tuple[int, int]]]:
    """Return the moduli of residues or vectors, and the pairs (f, g) of which g is f less one of the distances."""
    wrong, one = f"the numbers must be those of the kind {kind}", kind == "residues"
    moduli = [integer(m) for m in ([p["modulus"]] if one else items(p["moduli"]))]
    steps = [place([d] if one else d, *moduli) for d in items(p["distances"])]
    need(moduli and min(moduli) >= 2 and size == prod(moduli), wrong)
    form(size * len(steps) <= most_pairs, wrong)
    form(rising(steps), wrong)
    position = {vector: f for f, vector in enumerate(product(*map(range, moduli)))}
    return moduli, {(f, difference(f, position[d], moduli)) for f in range(size) for d in steps}


def answers_listed(truths: object, responses: object) -> tuple[list[Fraction], list[Any], list[Fraction]]:
    """Read truths and responses, which increase: return truths, both ends of each response, and what is between them."""
    listed = [point(truth) for truth in items(truths)]
    points = ends = [[truth, truth] for truth in listed]
    if responses is not None:
        ends = [[point(end) for end in items(pair)] for pair in items(responses)]
        form(ends != points, "responses that are the truths must be null")
    need(listed and ends, "there must be truths and responses")
    most = max(len(listed), len(ends))
    form(most <= TRUTHS, f"there must be at most {TRUTHS} truths, and responses")
    need(all(len(pair) == 2 and pair[0] <= pair[1] for pair in ends), "a response must have two ends")
    need(all(a[1] <= b[0] for a, b in pairwise(ends)), "responses must not overlap")
    middles = [(low + high) / 2 for low, high in ends]
    need(rising(listed) and rising(middles), "truths and responses must increase")
    return listed, ends, middles


def home_of(ends: list[list[Fraction]], truth: Fraction) -> int:
    """Return the response that holds a truth: the last with lower <= truth < upper, or a point there.

    The last category of all holds its upper end as well. The number of responses says that none does.
    """
    r = bisect_right(ends, truth, key=itemgetter(0)) - 1  # the last that begins there or below
    low, high = ends[max(r, 0)]
    holds = low <= truth < high or low == truth == high
    return r if holds else len(ends) - (truth == ends[-1][1])


class Query:
    """The possible true answers, what may be released, and who is whose neighbour."""

    def __init__(self, part: object, most_work: int, *, in_two_numbers: bool) -> None:
        """Read a query; refuse a kind that the numbers contradict."""
        self.kind, self.parameters, self.scope, name, truths, responses, reach, pairs, weights, labels = fields(
            part, "kind", "parameters", "scope", "name", "truths", "responses", "reach", "pairs", "weights", "labels")  # fmt: skip
        form(self.kind == "categories" or not in_two_numbers, "two numbers must be a matrix of categories")
        self.in_two_numbers = in_two_numbers
        self.name, self.labels = text_of(name), [text_of(label) for label in items(labels)]
        self.truths, self.ends, self.responses = answers_listed(truths, responses)
        self.wide, self.tall = len(self.truths), len(self.responses)
        self.points, self.unit = over_one_scale([*self.truths, *self.responses])  # the same as whole numbers
        self.home = [home_of(self.ends, truth) for truth in self.truths]
        self.has_homes = self.tall not in self.home
        self.neighbours = Neighbours(self.wide, reach, pairs, weights, TRUTHS**2 if in_two_numbers else PAIRS)
        form(in_two_numbers or self.neighbours.number * PAIR_WORK <= most_work, TOO_MUCH)
        sound = all(label and label.isprintable() for label in self.labels)
        alone = len({*self.labels}) == len(self.labels) == self.wide and responses is None
        alone |= not self.labels
        need(sound and alone, "labels must be different lines, one for each truth, which is the response")
        check_words(self.kind, self.parameters, self.scope, self.name)
        self._check_kind()

    def _check_kind(self) -> None:
        """Refuse a kind that truths, neighbours, labels or weights contradict."""
        kind, near, size = self.kind, self.neighbours, self.wide
        wrong = f"the numbers must be those of the kind {kind}"
        listed = kind in ("categories", "graph", "custom")
        form(not self.labels or listed or kind == "vector", "this kind has no labels")
        need(not near.is_weighted or listed, "this kind has no weights")
        if kind in RANGES:
            truths, reach = answers_of(kind, self.parameters, size)
            need(self.truths == [*truths] and near.reach == reach, wrong)
        elif kind in ("residues", "vector"):
            moduli, pairs = moved_by(kind, self.parameters, size, near.number)
            pairs |= {(g, f) for f, g in pairs} if near.are_mutual else set()
            need(self.truths == [*range(size)] and len(pairs) == near.number, wrong)
            need(all(near.weight(f, g) for f, g in pairs), wrong)
            named = [f"({','.join(map(str, vector))})" for vector in product(*map(range, moduli))]
            need(kind == "residues" or self.labels == named, wrong)
        elif kind == "categories":
            need(self.labels and self.truths == [*range(size)] and near.are_mutual, wrong)
            need(near.number == size * (size - 1), wrong)

    def row_ends(self, r: int) -> tuple[int, int]:
        """Return the last truth in a response or below it, and the first in it or above."""
        low, high = self.ends[r]
        last, first = bisect_left(self.truths, high) - 1, bisect_left(self.truths, low)
        at_end = last + 1 < self.wide and self.truths[last + 1] == high
        last += at_end and not r < self.home[last + 1] < self.tall
        return max(last, 0), min(first, self.wide - 1)


STRUCTURES = {
    "free": "any matrix",
    "modular": "one noise, added modulo {moduli}",
    "symmetric": "one symmetric noise within {width}, the truth with probability {accuracy}",
    "zero-bias": "noise of mean zero within {width}, the truth with probability {accuracy}",
}


class Structure:
    """The matrices that are allowed."""

    def __init__(self, part: object, query: Query) -> None:
        """Read a structure, and refuse one that does not fit the query."""
        self.kind, width, accuracy, moduli = fields(part, "kind", "half_width", "accuracy", "moduli")
        self.width, self.accuracy = integer(width), number(accuracy)
        self.moduli = [integer(m) for m in items(moduli)]
        need(self.kind in [*STRUCTURES], f"a structure must be one of {', '.join(STRUCTURES)}")
        self.is_bounded = self.kind in ("symmetric", "zero-bias")
        alone = self.is_bounded or self.width == self.accuracy == 0
        form(alone, "only bounded noise has a width and an accuracy")
        form(self.kind == "modular" or not self.moduli, "only modular noise has moduli")
        form(len(self.moduli) <= MODULI, f"there must be at most {MODULI} moduli")
        if self.kind == "modular":
            self._check_modular(query)
        elif self.is_bounded:
            self._check_bounded(query)

    def noise(self, r: int, f: int) -> int:
        """Return which noise turns truth f into response r."""
        return difference(r, f, self.moduli)

    def _check_modular(self, query: Query) -> None:
        """Refuse noise without a response for each truth, or with neighbours that differ from truth to truth."""
        size = query.wide
        self.moduli = self.moduli or [size]
        sound = min(self.moduli) >= 1 and prod(self.moduli) == size
        need(sound, "moduli must make one vector for each truth")
        need(query.home == [*range(query.tall)], "modular noise needs a response for each truth")
        turns = Counter((self.noise(f, g), weight) for f, g, weight in query.neighbours)
        need({*turns.values()} == {size}, "modular noise needs the same neighbours for each truth")

    def _check_bounded(self, query: Query) -> None:
        """Refuse truths that are not counts one apart, or other responses than noise makes of them."""
        wrong = "bounded noise needs counts one apart, and all responses that it makes of them"
        need(self.width >= 1 and 0 < self.accuracy < 1, "bounded noise needs a width and an accuracy")
        near, first, last = query.neighbours, query.truths[0], query.truths[-1]
        need(first.denominator == 1 and first >= (self.width if self.kind == "symmetric" else 1), wrong)
        need(query.truths == [first + f for f in range(query.wide)], wrong)
        least = max(first - self.width, 0)
        need(query.tall == last + self.width - least + 1, wrong)
        need(query.ends == [[least + r, least + r] for r in range(query.tall)], wrong)
        need(near.number == 2 * (query.wide - 1) and all(abs(f - g) == 1 for f, g, _ in near), wrong)
        need(self.kind == "zero-bias" or not near.is_weighted, wrong)


class Rule(NamedTuple):
    """An inequality: the sum of value times entry is at most `right` or equal to it, `<=` or `=`, all over `unit`."""

    sense: str
    right: Fraction | int
    entries: Iterable[int]
    values: list[int]
    unit: int = 1


def weights_of(told: object, wide: int) -> tuple[list[int], int]:
    """Return what each truth counts, over the least common denominator; nothing where each counts one."""
    if told in ("sum", "uniform"):
        return [], wide if told == "uniform" else 1
    listed, wrong = items(told), "weights must be a probability for each truth"
    need(len(listed) == wide and all(isinstance(x, str) for x in listed), wrong)
    known = {x: number(x) for x in {*listed}}  # some stand in a list a hundred thousand times
    weights, unit = over_one_scale([known[x] for x in listed])
    need(min(weights) >= 0 and abs(sum(weights) - unit) * 10**9 <= unit, wrong)
    return weights, unit


class Loss:
    """The cost of each response at each truth: sum costs[e] M[e] / unit, or the largest of the sums of one truth."""

    def __init__(self, part: list[Any], query: Query, structure: Structure) -> None:
        """Read a loss in words."""
        worst, at_most, self.name, self.weights = part
        need(type(worst) is bool, "this must be true or false")
        self.worst, self.most = worst, None if at_most is None else number(at_most)
        self.wide, self.is_custom = query.wide, isinstance(self.name, dict)
        is_sum = not self.worst and self.name is not None
        form(is_sum or self.weights is None, "only a sum of losses has weights")
        self.weighed, self.weight_unit = weights_of(self.weights if is_sum else "sum", self.wide)
        if self.is_custom:
            self.given = _own_losses(self.name, query, structure)
            bits = over_one_scale([*{*self.given}])[1].bit_length()
        else:
            bits = query.unit.bit_length() * {"absolute": 1, "squared": 2}.get(self.name, 0)
        self.bits = bits + self.weight_unit.bit_length()

    def compile(self, query: Query, structure: Structure) -> None:
        """Say each cost in numbers: after it is known how much that is."""
        if self.is_custom:
            at = product(range(query.tall), range(query.wide)) if "noise" in self.name else ()
            given = [self.given[structure.noise(r, f)] for r, f in at] or self.given
            losses, unit = over_one_scale(given)
        elif self.name is None:
            losses, unit = [0] * (query.wide * query.tall), 1
        else:
            known = self.name == "zero-one" or not query.labels
            need(known, "answers that are no numbers must have the loss zero-one, or one of their own")
            losses, unit = named_losses(self.name, query.points, query.unit, query.home)
        self.unit, self.costs = unit * self.weight_unit, losses
        if self.weighed:
            self.costs = [*map(mul, losses, self.weighed * query.tall)]

    def rules(self) -> list[Rule]:
        """Return that it is at most its bound: a rule, or for a worst loss one for each truth."""
        step, right, at = self.wide if self.worst else 1, self.most * self.unit, range(len(self.costs))
        return [Rule("<=", right, at[f::step], self.costs[f::step], self.unit) for f in range(step)]

    def of(self, matrix: list[int], total: int) -> Fraction:
        """Return the loss of a matrix of whole numbers over a denominator."""
        spent = [*map(mul, self.costs, matrix)]
        each = (sum(spent[f :: self.wide]) for f in range(self.wide))
        return Fraction(max(each) if self.worst else sum(spent), total * self.unit)


def named_losses(name: object, points: list[int], unit: int, home: list[int]) -> tuple[list[int], int]:
    """Return the loss of each response at each truth over a unit; points are first the truths, then the responses."""
    truths, responses = points[: len(home)], points[len(home) :]
    if text_of(name) == "zero-one":
        return [int(r != at) for r in range(len(responses)) for at in home], 1
    apart = [abs(x - t) for x in responses for t in truths]
    if name.startswith("beyond "):
        limit = number(name.removeprefix("beyond "))
        form(limit >= 0, "a loss must be beyond 0 or more")
        most = floor(limit * unit)
        return [int(x > most) for x in apart], 1
    need(name in ("absolute", "squared"), "a loss must be absolute, squared, zero-one, beyond K, or a matrix")
    return (apart, unit) if name == "absolute" else ([x * x for x in apart], unit * unit)


def _own_losses(told: dict[str, Any], query: Query, structure: Structure) -> list[Fraction]:
    """Read {"matrix": rows}, row by row, {"elsewhere": cost} of two numbers, or {"noise": costs}, where modular noise has a matrix that wraps around with it."""
    if [*told] == ["noise"]:
        need(structure.kind == "modular", "only modular noise has costs of noise")
        values = [double(x) for x in items(told["noise"])]
        need(len(values) == query.wide, "noise must have a cost for each of its values")
        return values
    if query.in_two_numbers:
        cost = double(*fields(told, "elsewhere"))
        form(cost > 0, "the cost of an error must be positive")
        return [cost]
    matrix, shape = [items(row) for row in items(fields(told, "matrix")[0])], [query.wide] * query.tall
    need([*map(len, matrix)] == shape, "a loss must have a row for each response, a cost for each truth")
    rows, at = [[double(x) for x in row] for row in matrix], product(range(query.tall), range(query.wide))
    wraps = structure.kind == "modular" and all(rows[r][f] == rows[structure.noise(r, f)][0] for r, f in at)
    form(not wraps, "costs that wrap around must be written as costs of noise")
    return [x for row in rows for x in row]


def own_rule(part: object, tall: int, wide: int) -> tuple[str, str, list[int], list[Fraction]]:
    """Read a rule of the author's: its entries, sorted by their places; its right side, and coefficients, none zero."""
    name, sense, right, entries = fields(part, "name", "sense", "right", "entries")
    need(sense in ("<=", "="), "a rule must be <= or =")
    rows = [items(row) for row in items(entries)]
    places = [place(row[:-1], tall, wide) for row in rows]
    need(places and rising(places), "entries of a rule must be sorted, each once")
    values = [number(row[-1]) for row in rows]
    form(all(values), "a coefficient must not be zero")
    return text_of(name), sense, [r * wide + f for r, f in places], [number(right), *values]


OF_ORDER = ("column-monotone", "row-monotone", "symmetric", "unbiased", "zero-stays-zero")
OF_HOMES = ("column-monotone", "fair", "column-honest", "row-honest", "weakly-honest")
PROPERTIES = {*OF_ORDER, *OF_HOMES}
ZERO_FIRST = "zero stays zero only where truths and responses begin with 0"


class Question:
    """A question in words, and what it is in numbers. Entry (r, f) of the matrix is number `r wide + f`.

    guarantees   what holds between which pairs, with which weight of epsilon: `pairs_of`
    names        which entries are one quantity, None where each is its own
    limits       the least and the most of a quantity, where that is not 0 and 1
    orders()     entries that are at most others
    sums         weighted sums of entries that are at most a number, or equal to it
    loss         what is to be least, unless delta is
    """

    curve = None  # of a law that all is as private as, which only noise with thresholds is

    def __init__(self, part: object, most_work: int, *, in_two_numbers: bool = False) -> None:
        """Read a question."""
        query, structure, privacy, properties, limits, objective, bounds, rules = fields(
            part, "query", "structure", "privacy", "properties", "limits", "objective", "bounds", "rules")  # fmt: skip
        self.most_work, self.query = most_work, Query(query, most_work, in_two_numbers=in_two_numbers)
        self.tall, self.wide, self.neighbours = self.query.tall, self.query.wide, self.query.neighbours
        self.structure = Structure(structure, self.query)
        self._read_privacy(items(privacy))
        self._read_properties(properties)
        self.stated_limits = [text_of(limit) for limit in items(limits)]
        form(rising(self.stated_limits), "limits must be sorted, each once")
        self._read_losses(objective, items(bounds))
        listed = [own_rule(rule, self.tall, self.wide) for rule in items(rules)]
        numbers, unit = over_one_scale([c for *_, values in listed for c in values])
        self.rule_names, self.rule_unit, rest, self.own = (
            [name for name, *_ in listed],
            unit,
            iter(numbers),
            [],
        )
        for _, sense, entries, _ in listed:
            self.own.append(Rule(sense, next(rest), entries, [next(rest) for _ in entries], unit))

    def _read_privacy(self, listed: list[object]) -> None:
        """Read what must hold together; all but the first have a delta, and no choices."""
        need(listed, "there must be a privacy")
        form(len(listed) <= FURTHER + 1, f"there must be at most {FURTHER} further privacies")
        near, words = self.neighbours, ("kind", "epsilon", "delta", "lower", "upper")
        parts = [fields(part, *words) for part in listed]
        self.guarantees = [Guarantee(kind, part, near.heaviest) for kind, *part in parts]
        self.main, self.delta = self.guarantees[0], self.guarantees[0].delta
        also = all(own.kind != "probabilistic" and own.delta is not None for own in self.guarantees[1:])
        need(also, "a further privacy must have a delta and no choices")
        longest = max(length(own.lower, own.upper) for own in self.guarantees)
        together = sum(near.weights.values()) * self.tall * longest
        form(near.heaviest == 1 or together <= POWERS_BITS, "all weights together must not be too large")

    def _read_properties(self, part: object) -> None:
        """Read the properties; refuse those that speak of an order or of homes where there are none."""
        listed = [text_of(name) for name in items(part)]
        self.properties = {*listed}
        need(self.properties <= PROPERTIES, "properties must be known")
        form(rising(listed), "properties must be sorted, each once")
        need(self.query.has_homes or not self.properties & {*OF_HOMES}, "some truth is in no response")
        needs_order = self.properties & {*OF_ORDER} or self.structure.is_bounded
        need(not self.query.labels or not needs_order, "answers that are no numbers have no order")
        zero = self.query.truths[0] == 0 and self.query.ends[0] == [0, 0]
        need(zero or "zero-stays-zero" not in self.properties, ZERO_FIRST)

    def _read_losses(self, objective: object, bounds: list[object]) -> None:
        """Read what is to be least, and which losses must keep to a bound."""
        words, given = ("worst", "at_most", "loss", "weights"), (self.query, self.structure)
        least, *part = fields(objective, "least", *words)
        self.loss, further = Loss(part, *given), [Loss(fields(bound, *words), *given) for bound in bounds]
        self.losses = [self.loss, *further]
        self.bounded = [loss for loss in self.losses if loss.most is not None]
        if self.delta is None:
            need(least == "delta", "delta must be given, or be what is least")
            form(not self.loss.worst, "beside the least delta a worst loss is one of bounds")
            need(self.loss.most is None or self.loss.name is not None, "a bound must be one of a loss")
        else:
            need(least == "loss" and self.loss.name is not None, "a loss must be least, or delta")
            form(self.loss.most is None, "only beside the least delta has the loss a bound")
        sound = all(loss.most is not None and loss.name is not None for loss in further)
        need(sound, "each of bounds must have its bound")

    def check_work(
        self, total: int, proof: object, rays: int | None = None, *, by_column: bool = False
    ) -> None:
        """Refuse a question, a matrix over `total`, made of so many rays, and a proof with which there is too much to do.

        All is counted before it is made: what is computed for each entry, pair, privacy, loss, rule and leaf, by the
        bits of the numbers that it is computed with.
        """
        near, entries, bits = self.neighbours, self.wide * self.tall, total.bit_length()
        factors = [near.heaviest * length(own.lower, own.upper) for own in self.guarantees]
        scale = sum(loss.bits for loss in self.losses) + sum(factors)
        scale += self.rule_unit.bit_length() + self.query.unit.bit_length()
        orders = entries * len(self.properties & {"column-monotone", "row-monotone", "column-honest"})
        orders += self.wide**2 * ("row-honest" in self.properties)
        coefficients = sum(len(rule.values) for rule in self.own)
        leaves, chained, numbers, digits = size_of_proof(proof)
        whole_leaves = min(leaves, max(chained, 1)) if self.is_by_noise else leaves
        of_leaves = whole_leaves * entries + (leaves - whole_leaves) * min(entries, self.wide + LEAF_ENTRIES)
        work = near.number * PAIR_WORK + entries * (1 + len(self.structure.moduli)) * work_of(0, 0)
        work += entries * len(self.stated_limits) * LIMIT_WORK + orders * ORDER_WORK
        if isinstance(proof, dict) and "levels" in proof:
            part = proof["levels"], self.wide, near.number // self.wide, digits
            work += beside("check_levels").work_of_levels(*part)
        work += sum(entries * work_of(loss.bits, loss.bits) for loss in self.losses)
        for own, factor in zip(self.guarantees, factors):
            pairs = 0 if own.kind == "pure" and near.reach == self.wide - 1 else near.number
            each = entries * work_of(bits, factor) + leaves * work_of(scale, factor)
            work += len(near.different_weights) * each
            work += self.tall * pairs * work_of(bits, factor, is_kept=False)
        work += 0 if rays is None else (2 + rays) * self.wide * work_of(bits, bits)
        work += by_column * entries * (1 + len(self.structure.moduli)) * work_of(0, 0)
        times = of_leaves * (4 + len(self.losses)) + leaves * orders + numbers + (leaves + 1) * coefficients
        times += chained * entries
        form(work + times * work_of(scale, 4 * digits) <= self.most_work, TOO_MUCH)

    @property
    def is_by_noise(self) -> bool:
        """Whether a leaf needs no more than one reduced cost for each noise value, unless it has chains."""
        sums = not any(loss.worst for loss in self.losses) and "unbiased" not in self.properties
        return self.structure.kind == "modular" and sums

    def compile(self) -> None:
        """Say in numbers what words ask for: after it is known how much that is."""
        query, wide = self.query, self.wide
        for loss in self.losses:
            loss.compile(query, self.structure)
        self.names, self.limits = self._names(), {}
        for e, low, high in self._stated():
            name = e if self.names is None else self.names[e]
            a, b = self.limits.get(name, (0, 1))
            self.limits[name] = max(a, low), min(b, high)
        has_means, responses = self.structure.is_bounded or "unbiased" in self.properties, query.points[wide:]
        self.sums = {
            "mean": [
                Rule("=", 0, range(f, wide * self.tall, wide), [x - t for x in responses], query.unit)
                for f, t in enumerate(query.points[:wide] if has_means else ())
            ],
            "bounds": [rule for loss in self.bounded for rule in loss.rules()],
            "own": self.own,
        }
        self.costs_of_names: defaultdict[int, int] = defaultdict(int)  # where a leaf is by noise values
        self.times: dict[int, int] = {}  # of each name in a column: the same in all
        self.sums_of_names = self.sums
        if self.is_by_noise and self.names is not None:
            self.times = Counter(self.names[::wide])
            bounds = [self._by_name(rule, self.names) for rule in self.sums["bounds"]]
            self.sums_of_names = {**self.sums, "bounds": bounds}
            for name, cost in zip(self.names, self.loss.costs):
                self.costs_of_names[name] += cost

    def _by_name(self, rule: Rule, names: list[int]) -> Rule:
        """Return a rule that says the same of fewer entries: names are entries that stand for all of their name."""
        values: defaultdict[int, int] = defaultdict(int)
        for e, value in zip(rule.entries, rule.values):
            values[names[e]] += value
        return rule._replace(entries=[*values], values=[*values.values()])

    @cached_property
    def one(self) -> int:
        """Return a whole number over which all costs, coefficients and powers of factors are whole numbers."""
        units = {rule.unit for rules in self.sums.values() for rule in rules}
        factors = lcm(*(own.upper.denominator for own in self.guarantees))
        return lcm(self.loss.unit, *units, factors**self.neighbours.heaviest)

    def pairs_of(self, own: Guarantee) -> tuple[Iterable[tuple[int, int, int]], int, int]:
        """Return the pairs of truths that a privacy is about, each with its weight, how many, and of how many responses.

        For symmetric noise of which each outcome is bounded, truth 0 against truth 1 stands for all, where the noise
        of 0 is.
        """
        if own.kind == "per-outcome" and self.structure.kind == "symmetric":
            return [(0, 1, 1)], 1, 2 * self.structure.width + 1
        return self.neighbours, self.neighbours.number, self.tall

    def orders(self) -> dict[str, Iterator[tuple[int, int]]]:
        """Return entries of which the first is at most the second, by the half of a property that says so.

        A monotone column or row is an honest one, which then says nothing more.
        """
        wide, home, asked = self.wide, self.query.home, self.properties
        rows, columns = range(0, wide * self.tall, wide), range(wide)
        best = [r * wide + f for f, r in enumerate(home)]  # in each column the entry at home
        found: dict[str, Iterator[tuple[int, int]]] = {}
        if "column-monotone" in asked:
            steps = rows[:-1]
            found["column-rising"] = (
                (e + f, e + f + wide) for e in steps for f in columns if e + f < best[f]
            )
            found["column-falling"] = (
                (e + f + wide, e + f) for e in steps for f in columns if e + f >= best[f]
            )
        elif "column-honest" in asked:
            found["column-honest"] = ((e + f, best[f]) for e in rows for f in columns if e + f != best[f])
        if "row-monotone" in asked:
            ends = [(e, *self.query.row_ends(r)) for r, e in enumerate(rows)]
            found["row-rising"] = ((e + f, e + f + 1) for e, last, _ in ends for f in range(last))
            found["row-falling"] = (
                (e + f + 1, e + f) for e, _, first in ends for f in range(first, wide - 1)
            )
        elif "row-honest" in asked:
            others = ((f, g) for f in columns for g in columns if home[f] != home[g])
            found["row-honest"] = ((home[g] * wide + f, best[g]) for f, g in others)
        return found

    def _names(self) -> list[int] | None:
        """Return for each entry a number that entries share which are equal in every mechanism asked for."""
        wide, size, home, structure = self.wide, self.tall * self.wide, self.query.home, self.structure
        if structure.kind == "free" and not self.properties & {"fair", "symmetric"}:
            return None
        links: list[tuple[int, int]] = []
        first: dict[object, int] = {}
        for e, (r, f) in enumerate(product(range(self.tall), range(wide))):
            if structure.kind == "modular":
                links.append((e, first.setdefault(("noise", structure.noise(r, f)), e)))
            if structure.kind == "symmetric":
                links.append((e, first.setdefault(("size", abs(r - home[f])), e)))
            if r == home[f] and (structure.is_bounded or "fair" in self.properties):
                links.append((e, first.setdefault("truth", e)))
            if "symmetric" in self.properties:
                links.append((e, size - 1 - e))
        return _leaders(size, links)

    def _stated(self) -> Iterator[tuple[int, Fraction | int, Fraction | int]]:
        """Yield entries that limits are about, each with the least and the most that it may be."""
        query, wide, entries = self.query, self.wide, range(self.wide * self.tall)
        said = [*self.stated_limits]
        if self.structure.is_bounded:
            said += [f"accuracy = {spelled(self.structure.accuracy)}", f"within {self.structure.width}"]
        if "weakly-honest" in self.properties:
            said.append(f"accuracy >= {spelled(Fraction(1, self.tall))}")
        if "zero-stays-zero" in self.properties:
            yield from ((e, int(e == 0), int(e == 0)) for e in entries[::wide])
        for kind, *rest in (words.split(" ") for words in said):
            if kind == "accuracy":
                need(query.has_homes and len(rest) == 2 and rest[0] in (">=", "="), "no such accuracy")
                share = number(rest[1])
                need(0 <= share <= 1, "an accuracy must be a probability")
                most = share if rest[0] == "=" else 1
                yield from ((home * wide + f, share, most) for f, home in enumerate(query.home))
            elif kind == "within":
                need(len(rest) == 1 and number(rest[0]) >= 0 and not query.labels, "no such distance")
                far, truths = floor(number(rest[0]) * query.unit), query.points[:wide]
                apart = (abs(x - t) for x in query.points[wide:] for t in truths)
                yield from ((e, 0, 0) for e, distance in enumerate(apart) if distance > far)
            else:
                values = [number(x) for x in rest]
                known = kind == "without" and values and {*values} <= {*query.responses}
                need(known, "`without` must name responses")
                form(rising(values), "responses must increase")
                at = {*values}
                rows = [r for r, x in enumerate(query.responses) if x in at]
                yield from ((e, 0, 0) for r in rows for e in entries[r * wide : (r + 1) * wide])


def work_of(bits: int, others: int, *, is_kept: bool = True) -> int:
    """Return what it costs to compute with a number of so many bits and one of so many others, kept or not."""
    return 512 + (8 * (bits + others) if is_kept else (bits + others) // 2) + bits * others // 256


def size_of_proof(proof: object) -> tuple[int, int, int, int]:
    """Return how many leaves, leaves with chains, and numbers a proof has, and how many characters the longest has."""
    leaves = chained = numbers = longest = 0
    rest = [proof]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            listed = part.split(" ")
            numbers, longest = numbers + len(listed), max(longest, *map(len, listed))
        elif isinstance(part, dict):
            leaves += "totals" in part
            chained += "chains" in part
            rest += part.values()
        elif isinstance(part, list):
            rest += part
    return leaves, chained, numbers, longest


class Rays:
    """A matrix in few numbers: each row is a sum of rays, a weight that falls by `step / 2^64` for each step down.

    A ray is weight, steps of truth 0, and gaps: so many truths further there is one step less, or with a minus one
    more. Response `rest` has besides what columns lack of the denominator.
    """

    def __init__(self, mechanism: object) -> None:
        """Read the fields, but no ray yet."""
        total, step, rest, rays = fields(mechanism, "denominator", "step", "rest", "rays")
        self.total, self.step, self.rest = whole(total), whole(step), integer(rest)
        self.texts = [items(texts) for texts in items(rays)]
        self.number = sum(map(len, self.texts))
        need(self.total > 0, "a matrix must have a positive denominator")
        need(0 <= self.step <= 1 << STEP_BITS, "a step down must be from 0 to 1")
        need(0 <= self.rest < len(self.texts), "what columns lack must be of a response")

    def rows(self, wide: int) -> list[list[int]]:
        """Return the matrix, row by row."""
        powers, rows = [self.total], []
        for texts in self.texts:
            row = [0] * wide
            for text in texts:
                weight, *steps = self._steps(text, wide)
                while len(powers) <= max(steps):
                    powers.append(powers[-1] * self.step >> STEP_BITS)
                shares = [weight * power // self.total for power in powers[: max(steps) + 1]]
                row = [m + shares[n] for m, n in zip(row, steps)]
            rows.append(row)
        lacks = [self.total - sum(column) for column in zip(*rows)]
        rows[self.rest] = [m + lack for m, lack in zip(rows[self.rest], lacks)]
        return rows

    def _steps(self, text: object, wide: int) -> list[int]:
        """Read a ray: its weight, and the steps of each truth."""
        numbers = runs(text, wide + 2)
        need(len(numbers) > 1, "a ray must have a weight and steps")
        weight, first, *gaps = numbers
        need(
            weight >= 0 and 0 <= first <= wide,
            "a ray must have a weight, and as many steps as truths at most",
        )
        steps, n = [], first
        for gap in gaps:
            need(gap and len(steps) + abs(gap) < wide, "the steps of a ray must change at its truths")
            steps += [n] * abs(gap)
            n -= 1 if gap > 0 else -1
            need(n >= 0, "the steps of a ray must be zero or more")
        steps += [n] * (wide - len(steps))
        return [weight, *steps]


# ============================================================================================== numbers proved


def check_matrix(q: Question, matrix: list[int], total: int) -> None:
    """Refuse numerators over `total` that are no mechanism of the question, privacy aside."""
    sums = [sum(matrix[f :: q.wide]) for f in range(q.wide)]
    need(total > 0 and sums == [total] * q.wide, "each column must sum to one")
    need(min(matrix) >= 0, "an entry must be zero or more")
    values = dict(enumerate(matrix)) if q.names is None else dict(zip(q.names, matrix))
    alike = q.names is None or [values[name] for name in q.names] == matrix
    need(alike, "entries that are equal by the question must be equal")
    ends = {(low, high): (low * total, high * total) for low, high in {*q.limits.values()}}
    for name, pair in q.limits.items():
        need(ends[pair][0] <= values[name] <= ends[pair][1], "entries must be within their limits")
    for pairs in q.orders().values():
        need(all(matrix[a] <= matrix[b] for a, b in pairs), "entries must be in the order that is asked for")
    for name, rules in q.sums.items():
        for rule in rules:
            over = sum(c * matrix[e] for e, c in zip(rule.entries, rule.values)) - rule.right * total
            need(over == 0 or (over < 0 and rule.sense == "<="), KEPT[name])


KEPT = {
    "mean": "the mean of each column must be its truth",
    "bounds": "a loss must keep to its bound",
    "own": "a rule of its author must be kept",
}


def spent_delta(q: Question, own: Guarantee, matrix: list[int], total: int) -> Fraction:
    """Return the least delta with which a matrix keeps a privacy, with E^w between neighbours of weight w."""
    wide, weights, (pairs, _, rows_of) = q.wide, q.neighbours.different_weights, q.pairs_of(own)
    powers = {w: (own.lower.numerator**w, own.lower.denominator**w) for w in weights}
    top, bottom = powers[weights[0]]
    rows = [matrix[e : e + wide] for e in range(0, wide * rows_of, wide)]
    rows = [row for row in rows if max(row) * bottom > top * min(row)]  # in others no ratio exceeds E
    columns = [*zip(*rows)] or [()] * wide
    worst: defaultdict[int, int] = defaultdict(int)  # of each weight the largest, over `total` times its unit
    for f, group in groupby(pairs, itemgetter(0)):
        least = {}  # of each weight, what must be released of a neighbour: m > E m' if and only if ceil(m / E) > m'
        for _, g, w in group:
            a, b = powers[w]
            if w not in least:
                least[w] = [-(-m * b // a) for m in columns[f]]
            if not any(map(gt, least[w], columns[g])):
                continue
            over = [(m, x) for m, x, low in zip(columns[f], columns[g], least[w]) if low > x]
            excess = [m if own.kind == "probabilistic" else m * b - x * a for m, x in over]
            worst[w] = max(worst[w], max(excess) if own.kind == "per-outcome" else sum(excess))
    units = {w: 1 if own.kind == "probabilistic" else b for w, (_, b) in powers.items()}
    return max((Fraction(spent, units[w] * total) for w, spent in worst.items()), default=Fraction(0))


# Whether comparisons (r, f, g) are decided to be kept, or violated.
Decided = dict[tuple[int, ...], bool]


def bound(q: Question, node: object, unit: int, path: Decided) -> Fraction:
    """Return a number that no mechanism of the question goes below, proved by multipliers over `unit`.

    Law: an inequality a <= b on entries with a multiplier y >= 0 adds y (a - b) to the objective, which raises no
    mechanism that keeps it. The least value that remains is a bound for any multipliers.

    `path` says which comparisons (r, f, g) are decided to be kept or violated; each mechanism is in one part of a
    split, so that the least of both parts' bounds holds.
    """
    if not isinstance(node, dict) or "split" not in node:
        return leaf_bound(q, node, unit, path)
    split, kept, violated = fields(node, "split", "kept", "violated")
    form(len(path) < DEPTH, f"a tree must be at most {DEPTH} splits deep")
    need(q.main.kind == "probabilistic", "only probabilistic privacy has splits")
    decided = place(split, q.tall, q.wide, q.wide)
    need(q.neighbours.weight(*decided[1:]), "a split must decide a comparison of neighbours")
    form(decided not in path, "a comparison must be decided once")
    least = bound(q, kept, unit, {**path, decided: True})
    return min(least, bound(q, violated, unit, {**path, decided: False}))


def leaf_bound(q: Question, leaf: object, unit: int, path: Decided) -> Fraction:
    """Return the bound of a leaf: reduced costs D of entries, each quantity as little as its costs may come to.

    A multiplier y stands for y / unit, and is y one in D. D has one number for each value of modular noise, the sum
    over its entries: only chains and worst losses tell these apart. `at` says where in D an entry stands.
    """
    also = ["chains"] if isinstance(leaf, dict) and "chains" in leaf else []
    prior, totals, privacy, rules, *chains = fields(leaf, "prior", "totals", "privacy", "rules", *also)
    need(isinstance(rules, dict), "multipliers of rules must have names")
    texts = [items(part) for part in items(privacy)]
    need(len(texts) == len(q.guarantees), "each privacy must have its multipliers")

    # The loss: of a worst one, that of each truth by a weight, for the largest of some numbers is at least a mean.
    weights = [unit] * q.wide
    if q.loss.worst:
        weights = multipliers(prior, q.wide)
        sound = min(weights) >= 0 and sum(weights) == unit
        need(sound, "weights of truths must be zero or more, and sum to one")
    form(q.loss.worst or prior == "", "only a worst loss has weights of truths")
    at: Sequence[int] = range(len(q.loss.costs))
    table: list[int] | dict[int, int]
    sums = q.sums
    if q.is_by_noise and q.names is not None and not chains:
        at, sums, each = q.names, q.sums_of_names, 0 if q.delta is None else unit * (q.one // q.loss.unit)
        table = {name: cost * each for name, cost in q.costs_of_names.items()}
    elif q.delta is not None:
        table = [*map(mul, q.loss.costs, [w * (q.one // q.loss.unit) for w in weights] * q.tall)]
    else:
        table = [0] * len(at)

    given: Fraction | int = 0  # y right, of all
    for own, part in zip(q.guarantees, texts):
        given += charge_privacy(q, own, part, unit, (table, at), path if own is q.main else {})
    for name, text in rules.items():
        order = q.orders().get(name)
        if order is None:
            need(name in sums, "a multiplier must be one of a rule of the question")
            ys = multipliers(text, len(sums[name]))
            for y, rule in zip(ys, sums[name]):
                need(y >= 0 or rule.sense == "=", "a multiplier must be zero or more, but of an equation")
                given += y * rule.right / Fraction(rule.unit)
                for e, c in zip(rule.entries, rule.values) if y else ():
                    table[at[e]] += c * y * (q.one // rule.unit)
        else:
            ys = multipliers(text, sum(1 for _ in order))
            need(min(ys, default=0) >= 0, "a multiplier must be zero or more, but of an equation")
            for y, (a, b) in zip(ys, q.orders()[name]):
                if y:
                    table[at[a]] += y * q.one
                    table[at[b]] -= y * q.one
        form(any(ys), "multipliers that are all zero must be left out")

    # Each column sums to one.
    ts = multipliers(totals, q.wide)
    if isinstance(table, dict):
        paid = sum(ts) * q.one
        costs = {name: d - paid * q.times[name] for name, d in table.items()}
    else:
        table = [*map(int.__sub__, table, [t * q.one for t in ts] * q.tall)]
        if chains:
            hand_on(q, items(*chains), table)
        costs = dict(enumerate(table)) if q.names is None else defaultdict[int, int](int)
        for name, d in zip(q.names or (), table):
            costs[name] += d
    least: defaultdict[Fraction | int, int] = defaultdict(int)  # by how much quantities are
    for name, d in costs.items():
        low, high = q.limits.get(name, (0, 1))
        least[low if d > 0 else high] += d
    left = sum(share * d for share, d in least.items()) + sum(ts) * q.one
    return left / Fraction(unit * q.one) - Fraction(given) / unit


def charge_privacy(
    q: Question,
    own: Guarantee,
    texts: list[object],
    unit: int,
    reduced: tuple[list[int] | dict[int, int], Sequence[int]],
    path: Decided,
) -> Fraction | int:
    """Charge D, and where in it entries stand, for the multipliers of a privacy; return delta times those laid on it.

    For each pair they are laid on comparisons of one response, `M[r,f] <= F^w M[r,g]`, and stand as r and u, r, u, ...
    Where a pair may spend delta on several, none is above the budget of the pair, which stands first: it is laid on
    the sum of what exceeds, or for probabilistic privacy on the mass of what is violated. A comparison that is decided
    to be kept may have more than that, and of one that is decided to be violated the mass counts.
    """
    budgets, paid, (pairs, most, rows), (table, at) = {}, 0, q.pairs_of(own), reduced
    raised = {w: int(q.one * own.upper**w) for w in q.neighbours.different_weights}
    need(len(texts) <= most, "multipliers of privacy must be those of pairs of neighbours")
    form(not texts or texts[-1] != "", "pairs behind the last one with multipliers must be left out")
    for (f, g, w), text in zip(pairs, texts):
        if text == "":
            continue
        numbers = [whole(x) for x in text_of(text).split(" ")]
        budgets[f, g] = budget = numbers.pop(0) if own.has_budgets else 0
        rs, us = numbers[::2], numbers[1::2]
        need(len(rs) == len(us) and min(us, default=1) > 0, "a multiplier must be positive, of a response")
        need(not rs or (rs[0] >= 0 and rs[-1] < rows), "a response must be one of the question")
        need(rising(rs), "responses must increase")
        need(budget >= 0, "a budget must be zero or more")
        form(us or budget, "a pair without multipliers must have an empty text")
        for r, u in zip(rs, us):
            kept = path.get((r, f, g))
            need(kept is not False, "a violated comparison has no multiplier")
            need(kept or not own.has_budgets or u <= budget, "a multiplier must keep to its budget")
            table[at[r * q.wide + f]] += u * q.one
            table[at[r * q.wide + g]] -= u * raised[w]
        paid += budget if own.has_budgets else sum(us)
    need(own.delta is not None or paid <= unit, "multipliers of delta must be at most one together")
    for (r, f, g), kept in path.items():
        table[at[r * q.wide + f]] += 0 if kept else budgets.get((f, g), 0) * q.one
    return paid * (own.delta or 0)


def hand_on(q: Question, texts: list[object], table: list[int]) -> None:
    """Change D by the multipliers of chains: in each row truths before the first of two ends, and behind the last.

    Each gives what it has above zero, in order, to the truth that is as far nearer to the ends as neighbours reach:
    `M[r,g] <= F M[r,f]` has the multiplier `[D[r,f] / F]`, over the unit of all multipliers.
    """
    reach, one = q.neighbours.reach, q.one
    need(q.main.kind == "pure" and reach, "only pure privacy of neighbours within a reach has chains")
    need(len(texts) == 2, "chains must have two ends")
    raised = int(one * q.main.upper)
    for r, (first, last) in enumerate(zip(*(multipliers(text, q.tall) for text in texts))):
        within = 0 <= first <= min(last, q.wide - reach) and max(first, reach - 1) <= last < q.wide
        need(within, "the ends of chains must be truths, the first one at the other or before it")
        at = r * q.wide
        givers = [(at + f, reach) for f in range(first)]
        givers += [(at + f, -reach) for f in range(q.wide - 1, last, -1)]
        for e, way in givers:
            if table[e] >= raised:
                given, table[e] = divmod(table[e], raised)
                table[e + way] += given * one


def short_bound(value: Fraction) -> Fraction:
    """Return a bound as it is, or where it is too long to be written the next lower multiple of a power of two."""
    top, bottom = abs(value.numerator).bit_length(), value.denominator.bit_length()
    if max(top, bottom) <= EXACT_BITS:
        return value
    scale = Fraction(2) ** (ROUNDED_BITS - (top - bottom))
    return floor(value * scale) / scale


def short_delta(value: Fraction) -> Fraction:
    """Return a delta as it is, or where it is long the next higher decimal of some thirty digits."""
    if value.denominator <= LONGEST_DELTA:
        return value
    zeros = max(value.denominator.bit_length() - value.numerator.bit_length(), 0) * 30103 // 100_000
    scale = 10 ** (30 + zeros)
    return Fraction(ceil(value * scale), scale)


def proved_numbers(
    q: Question, matrix: list[int], total: int, proof: object
) -> tuple[Fraction, Fraction, Fraction | None]:
    """Return what is proved: delta and objective of a matrix of the question, and the bound, None without a proof."""
    check_matrix(q, matrix, total)
    exact = [spent_delta(q, own, matrix, total) for own in q.guarantees]
    kept = all(own.delta is None or spent <= own.delta for own, spent in zip(q.guarantees, exact))
    need(kept, "it must be as private as it says")
    spent = short_delta(exact[0]) if q.delta is None else min(short_delta(exact[0]), q.delta)
    need(spent < 1, "delta must be below 1")
    value = spent if q.delta is None else q.loss.of(matrix, total)
    if proof is None:
        return spent, value, None
    if isinstance(proof, dict) and "levels" in proof:
        return spent, value, short_bound(beside("check_levels").bound(q, *fields(proof, "levels")))
    unit, tree = fields(proof, "denominator", "tree")
    need(whole(unit) > 0, "multipliers must have a positive denominator")
    return spent, value, short_bound(bound(q, tree, whole(unit), {}))


def two_numbers(q: Question, mechanism: object, proof: object) -> tuple[int, Fraction, Fraction | None]:
    """Return delta, objective and bound of a matrix of one number on the diagonal and one elsewhere, over their sum.

    Every two of n truths are neighbours, each truth is its own response, and each error costs c. A multiplier y of
    each `M[f,f] <= F M[f,g]` and t of each column leave D of `(n - 1) y - t` on the diagonal and `w c - F y - t`
    elsewhere, w the weight of a truth, over a unit. Of a worst loss that of the mean is a bound.
    """
    own, loss, n = q.main, q.loss, q.wide
    demands = q.guarantees[1:] or q.properties or q.stated_limits or q.bounded or q.own
    need(own.kind == "pure", "two numbers must be of pure privacy")
    need(
        not demands and q.structure.kind == "free", "two numbers must be of a question that asks for no more"
    )
    need(q.neighbours.reach, "two numbers must be of categories that are as near as any two others")
    need(
        loss.is_custom or loss.name == "zero-one",
        "two numbers must be of a loss that is the same of each error",
    )
    need(not isinstance(loss.weights, list), "two numbers must be of truths that weigh the same")
    total, home, other = (whole(part) for part in fields(mechanism, "denominator", "diagonal", "elsewhere"))
    need(total > 0 and home + (n - 1) * other == total, "each column must sum to one")
    least, most = sorted((home, other))  # were the least one negative, the other would be it, too
    need(most <= own.lower * least, "it must be as private as it says")
    cost = Fraction(*loss.given if loss.is_custom else [1]) / (1 if loss.weights == "sum" else n)
    value = n * cost * (total - home) / total
    if proof is None:
        return 0, value, None
    unit, y, t = (whole(part) for part in fields(proof, "denominator", "privacy", "total"))
    need(unit > 0, "multipliers must have a positive denominator")
    need(y >= 0, "a multiplier must be zero or more, but of an equation")
    left = min((n - 1) * y - t, 0) + (n - 1) * min(cost * unit - own.upper * y - t, 0)
    return 0, value, short_bound(n * (t + left) / Fraction(unit))


# ============================================================================================ read and printed


def check(certificate: str, matrix_csv: str | None = None) -> str:
    """Return what the texts of a certificate and of its CSV, if any, prove in words; raise if they break a rule."""
    return "\n".join(prove(certificate, matrix_csv).told)


class Proved(NamedTuple):
    """Everything that is proved: exact numbers, epsilon and delta of the first privacy, and all of it in words."""

    objective: Fraction
    bound: Fraction | None
    epsilon: str
    delta: Fraction | None
    told: list[str]


def prove(certificate: str, matrix_csv: str | None = None) -> Proved:
    """Return what the texts of a certificate and of its CSV, if any, prove; raise if they break a rule."""
    form(len(certificate) <= CHARACTERS, "the file must not be too long")
    content = read_json(certificate)
    kind, version, question, mechanism, delta, objective, least, gap, proof, reported = fields(
        content, "format", "version", "question", "mechanism", "delta", "objective", "bound", "gap", "proof", "reported")  # fmt: skip
    known = (kind, type(version), version) == ("optmech certificate", int, 2)
    form(known, "this must be an optmech certificate 2")
    check_reported(reported)
    if isinstance(mechanism, dict) and "noise" in mechanism:
        claims = [ratio(part) for part in (delta, objective, least, gap)]
        return beside("check_noise").check_noise(certificate, content, claims, matrix_csv)
    rays = Rays(mechanism) if isinstance(mechanism, dict) and "rays" in mechanism else None
    is_column = isinstance(mechanism, dict) and "column" in mechanism
    has_two = isinstance(mechanism, dict) and "elsewhere" in mechanism
    on_levels = isinstance(proof, dict) and "levels" in proof
    most = WORK_OF_RAYS if (rays or is_column) and not on_levels else WORK
    q = Question(question, most + WORK_OF_A_CHARACTER * len(certificate), in_two_numbers=has_two)
    if rays or is_column:
        form(q.wide * q.tall <= ENTRIES_OF_RAYS, "a matrix in few numbers must not have too many entries")
    total, rows = 0, list[list[int]]()
    if is_column:
        denominator, column = fields(mechanism, "denominator", "column")
        total, noise = whole(denominator), [whole(m) for m in text_of(column).split(" ")]
        need(q.structure.kind == "modular", "one column is a matrix of modular noise alone")
        need(len(noise) == q.tall, "a column must have a number for each response")
        q.check_work(total, proof, by_column=True)
        rows = [[noise[q.structure.noise(r, f)] for f in range(q.wide)] for r in range(q.tall)]
    elif rays:
        need(len(rays.texts) == q.tall, "the matrix must have rays of each response")
        q.check_work(rays.total, proof, rays.number)
        total, rows = rays.total, rays.rows(q.wide)
    elif not has_two:
        denominator, lines = fields(mechanism, "denominator", "rows")
        total, rows = (
            whole(denominator),
            [[whole(m) for m in text_of(line).split(" ")] for line in items(lines)],
        )
        need([len(row) for row in rows] == [q.wide] * q.tall, "the matrix must have a number for each entry")
        q.check_work(total, proof)
    if has_two:
        spent, value, proved = two_numbers(q, mechanism, proof)
    else:
        q.compile()
        spent, value, proved = proved_numbers(q, [m for row in rows for m in row], total, proof)
    need(ratio(delta) == spent, "delta must be what the matrix spends")
    need(ratio(objective) == value, "the objective must be that of the matrix")
    if proved is None:
        need((least, gap) == (None, None), "without a proof there is no bound")
    else:
        need(ratio(least) == proved, "the bound must be what the multipliers prove")
        need(ratio(gap) == value - proved >= 0, "the gap must be the objective less the bound")
    if matrix_csv is not None:
        if has_two:
            form(q.wide**2 <= ENTRIES_OF_TWO_NUMBERS, "a matrix of so many entries has no CSV")
            total, home, other = (whole(mechanism[name]) for name in ("denominator", "diagonal", "elsewhere"))
            rows = [[home if r == f else other for f in range(q.wide)] for r in range(q.wide)]
        names = [[spelled(x) for x in listed] for listed in (q.query.truths, q.query.responses)]
        check_csv(matrix_csv, q.query.labels, *names, [[m / total for m in row] for row in rows])
    return all_proved(q, spent, value, proved)


REPORTED = ("claimed_bounds", "repair", "raw", "made_by")


def check_reported(part: object) -> None:
    """Refuse what is reported if it is not texts, none of which any arithmetic confirms; what is empty is left out."""
    known = isinstance(part, dict) and part.keys() <= {*REPORTED}
    form(known, f"what is reported must be {', '.join(REPORTED)}")
    for told in part.values():
        form(isinstance(told, dict) and told, "what is reported must be an object of texts, or left out")
        form(all(text_of(x) is x for pair in told.items() for x in pair), "what is reported must be texts")


@cache
def beside(name: str) -> ModuleType:
    """Return the part of this program that stands in a file beside this one, wherever Python looks for others."""
    own = ModuleType("check_certificate")
    own.__dict__.update(globals())
    sys.modules["check_certificate"] = own
    path = Path(__file__).with_name(f"{name}.py")
    form(path.exists(), f"{path.name} must stand beside this file to check this")
    spec = spec_from_file_location(name, path)
    part = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(part)
    return part


def check_csv(
    text: str, labels: list[str], truths: list[str], responses: list[str], table: list[list[float]]
) -> None:
    """Refuse a CSV that holds anything but the doubles nearest to the matrix, each in its shortest decimal.

    Lines end with a line feed, the last may do without; lines that begin with # are comments, but for those that
    begin with "# labels,", which are the labels of the question.
    """
    lines = text.removesuffix("\n").split("\n")
    rows = [line for line in lines if not line.startswith("#")]
    cells = [["response", *truths], *([name, *map(repr, row)] for name, row in zip(responses, table))]
    need(rows == [",".join(row) for row in cells], "the CSV must hold the doubles nearest to the matrix")
    quoted = ['"{}"'.format(x.replace('"', '""')) if {*',"'} & {*x} else x for x in labels]
    told = {line for line in lines if line.startswith("# labels,")}
    need(told <= {",".join(["# labels", *quoted])} and (labels or not told), "the CSV must have the labels")


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


def cut(text: str) -> str:
    """Return a long text of numbers cut."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def first_line(q: Question, delta: Fraction, objective: Fraction) -> str:
    """Return what is proved: definition, epsilon, delta, objective, and what they allow where that is much."""
    own, near, definition, reasons = q.main, q.neighbours, DEFINITIONS[q.main.kind], []
    if own.kind == "per-outcome":
        reasons.append("each outcome is bounded by itself, not sets of outcomes")
    if q.query.scope == "given table":
        reasons.append("only tables near one given table are protected, from each other")
    if not near.are_mutual:
        reasons.append("some pairs are protected in one direction only")
    if q.curve:
        definition = f"as private as {q.curve.words}, for every set of answers, and so {definition}"
    if near.heaviest > 1:
        definition = f"metric privacy, up to {near.heaviest} times epsilon between neighbours: {definition}"
    if reasons:
        short = definition.replace("differential privacy", "privacy")
        why = "; ".join(reasons)
        definition = f"NOT differential privacy ({why}); {short} between the listed true answers"
    said = [f"proved: {definition}"]
    if near.without_any():
        alone = f"{near.without_any()} of {near.size} true answers"
        said.append(f"between neighbours alone: {alone} have none, and nothing protects them")
    epsilon = own.text if len(own.text) <= LONGEST else f"about {own.printed:.6g}"
    said += [f"epsilon = {epsilon}, delta = {about(delta)}", f"objective {about(objective)}"]
    most = max(delta, own.delta or Fraction(0))
    if most > Fraction(1, 1000):
        said.append(f"with probability up to {about(most)} anything may be released, even the true answer")
    power = own.printed * near.heaviest  # between the neighbours that are furthest apart
    if power > 10:
        said.append(f"odds may change by a factor of e^{power:.6g}, about {exp(power):.3g}")
    return "; ".join(said)


LISTED = "{pairs} of {size} true answers, as listed"
WORDS = {  # of each kind of query, and of who is whose neighbour there
    "count": "count {smallest}..{largest}; neighbours: true answers at most {records_per_person} apart",
    "mean": "mean of {records} records {smallest}..{largest}; neighbours: true answers at most {reach} steps of 1/{records} apart",
    "total": "total of {records} records {smallest}..{largest}, {adjacency}; neighbours: true answers at most {reach} apart",
    "extremum": "maximum, minimum or median {smallest}..{largest}; neighbours: every two true answers",
    "residues": "residues modulo {modulus}; neighbours: true answers that differ by one of {distances} on the circle",
    "vector": "vectors modulo {moduli}; neighbours: true answers that differ by one of {distances}, each coordinate on its circle",
    "categories": "{size} categories; neighbours: every two true answers",
    "graph": f"graph query {{name}}; neighbours: {LISTED}",
    "custom": f"custom query {{name}}; neighbours: {LISTED}",
}


def who_is_protected(q: Question) -> list[str]:
    """Return who is protected, told from the pairs."""
    near, alone = q.neighbours, q.neighbours.without_any()
    pairs = "1 ordered pair" if near.number == 1 else f"{near.number} ordered pairs"
    known = {"size": near.size, "reach": near.reach, "pairs": pairs, "name": visible(q.query.name)}
    lines = [f"query: {WORDS[q.query.kind].format(**known, **q.query.parameters)}"]
    if near.is_weighted:
        lightest = near.different_weights[0]
        lines.append(f"weights: from {lightest} to {near.heaviest} times epsilon lie between neighbours")
    if alone:
        lines.append(f"WARNING: {alone} of {near.size} true answers have no neighbour: nothing protects them")
    if near.parts() > 1:
        apart = f"the neighbours fall apart into {near.parts()} groups"
        lines.append(f"WARNING: {apart}: nothing hides in which the truth is")
    return lines


def loss_words(loss: Loss) -> str:
    """Return a loss in words."""
    told = {"sum": "summed over truths", "uniform": "mean over a uniform prior"}
    given = "mean over a given prior" if isinstance(loss.weights, list) else told.get(loss.weights)
    name = "custom loss" if loss.is_custom else f"{loss.name} loss"
    return f"expected {name} at the worst truth" if loss.worst else f"expected {name}, {given}"


def all_lines(q: Question, delta: Fraction, objective: Fraction, least: Fraction | None) -> list[str]:
    """Return everything that is proved, in words."""
    scope = "every table" if q.query.scope == "every table" else "one given table, and what is near it"
    one_way = "one, so that some pair is not protected the other way round"
    aim = "least delta" if q.delta is None else f"least {loss_words(q.loss)}"
    own, moduli = q.structure, " x ".join(map(str, q.structure.moduli))
    structure = STRUCTURES[own.kind].format(moduli=moduli, width=own.width, accuracy=about(own.accuracy))
    lines = [first_line(q, delta, objective), *who_is_protected(q)]
    lines.append(f"scope: {scope}; directions: {'both' if q.neighbours.are_mutual else one_way}")
    lines.append(f"mechanism: {'; '.join([structure, *sorted(q.properties), *map(cut, q.stated_limits)])}")
    lines.append(f"objective: {aim}, {about(objective)}")
    lines += [f"also: {loss_words(part)}, at most {about(part.most)}" for part in q.bounded]
    for also in q.guarantees[1:]:
        kept = f"epsilon = {cut(also.text)}, delta = {about(also.delta)}"
        lines.append(f"also: {DEFINITIONS[also.kind]}, {kept}")
    for name, times in sorted(Counter(q.rule_names).items()):
        rows = "1 row" if times == 1 else f"{times} rows"
        lines.append(f"also: custom rule {visible(name)}, {rows}; only what the certificate lists is proved")
    if least is None:
        return [*lines, "bound: none is proved"]
    gap = "it is attained" if objective == least else f"the gap is {about(objective - least)}"
    return [*lines, f"bound: no mechanism of this question has less than {about(least)}; {gap}"]


def all_proved(q: Question, delta: Fraction, objective: Fraction, least: Fraction | None) -> Proved:
    """Return everything that is proved, the delta of the question in place of what is spent."""
    told = all_lines(q, delta, objective, least)
    return Proved(objective, least, q.main.text, q.main.delta, told)


def json_line(answer: Proved | str) -> str:
    """Return what is proved, or why the files are refused, as JSON in one line."""
    if isinstance(answer, str):
        return json.dumps({"verdict": "refused", "reason": answer})
    numbers = {
        "objective": str(answer.objective),
        "bound": None if answer.bound is None else str(answer.bound),
        "epsilon": answer.epsilon,
        "delta": None if answer.delta is None else spelled(answer.delta),
    }
    return json.dumps({"verdict": "proved", **numbers, "told": answer.told})


def wrapped(line: str) -> str:
    """Return a line as lines of 80 columns; a word that is longer stands alone."""
    return fill(line, 80, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


USAGE = "python check_certificate.py [--json] MECHANISM.certificate.json [MECHANISM.csv]"


def main(words: list[str]) -> int:
    """Print what is proved, or why the files are refused; return the exit code."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a stream that is closed, as by `>&-`, is None
        stream.reconfigure(errors="backslashreplace")
    if words in (["-h"], ["--help"]):
        return printed(str(__doc__).rstrip(), 0)
    as_json, paths = "--json" in words, [word for word in words if word != "--json"]
    answer: Proved | str
    try:
        files = 1 <= len(paths) <= 2 and not any(path.startswith("-") for path in paths)
        need(files, f"give a certificate, and its CSV if there is one: {USAGE}")
        answer = prove(*(Path(path).read_bytes().decode("utf-8") for path in paths))
    except RefusedError as trouble:
        answer = str(trouble)
    except json.JSONDecodeError as trouble:
        answer = f"the certificate must be JSON: {trouble}"
    except OSError as trouble:
        answer = f"{visible(str(trouble.filename))} must be a file that can be read: {trouble.strerror}"
    except UnicodeDecodeError:
        answer = "the file must be text in UTF-8"
    except RecursionError:
        answer = "the JSON must not be nested without end"
    except Exception as trouble:
        answer = f"all must be as the page on certificates describes ({type(trouble).__name__})"
    if as_json:
        return printed(json_line(answer), 1 if isinstance(answer, str) else 0)
    if not isinstance(answer, str):
        return printed("\n".join(map(wrapped, answer.told)), 0)
    print(f"refused: {answer}", file=sys.stderr)
    return 1


def printed(text: str, code: int) -> int:
    """Print a text, and return the exit code: 3, which is no verdict, if it cannot be printed."""
    if sys.stdout is None:
        print("cannot print: standard output is closed", file=sys.stderr)
        return 3
    try:
        print(text, flush=True)
    except BrokenPipeError:
        pass  # who reads no further has seen the first line
    except OSError as trouble:
        print(f"cannot print: {trouble.strerror}", file=sys.stderr)
        code = 3
    else:
        return code
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
