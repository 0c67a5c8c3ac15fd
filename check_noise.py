"""Check a certificate of noise with thresholds: a part of `check_certificate.py`, which runs it.

The sections follow docs/certificate.md, "Noise and thresholds": noise and the question on truths in a row, the bound
by two lines of the privacy for each threshold, and the sums that stand for both where noise is all tails.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, chain, groupby, islice, pairwise
from math import floor
from operator import itemgetter, le, mul
from types import SimpleNamespace
from typing import Any

from check_certificate import (
    FACTOR_BITS,
    FURTHER,
    KINDS,
    LARGEST_NUMBER,
    SCALE_BITS,
    TRUTHS,
    ZERO_FIRST,
    Guarantee,
    Neighbours,
    Proved,
    all_proved,
    answers_listed,
    answers_of,
    beside,
    check_csv,
    check_words,
    double,
    fields,
    form,
    home_of,
    integer,
    items,
    length,
    named_losses,
    need,
    number,
    over_one_scale,
    point,
    runs,
    spelled,
    text_of,
    weights_of,
    whole,
)

NOISE_CHARACTERS = 2**27  # of a file
IN_A_MATRIX, MATRIX_BITS = 2_000, 2**30  # truths whose losses are a matrix; the bits of all its entries
PLACES, NOISE_BITS = 2**20, 2**15  # of noise
PLACES_BITS, PLACES_PRIVACIES = 2**28, 2**21  # of all places together; places times privacies
COUNTED, LISTED, REPEATED = 1_000_001, 4_000_000, 20_000_000  # truths; truths x responses; losses x truths
TAIL_WORK = 2**36  # squared bits of a period in a tail
SPENT_WORK, SPENT_WORK_OF_A_BIT = 2**37, 2**12  # bits of places times those of factors; and of a bit of runs
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
        form(0 < self.bits <= NOISE_BITS and abs(self.first) <= PLACES, "noise must not be too long")
        form(size * self.bits <= PLACES_BITS, "noise must not be too long")
        form(size * privacies <= PLACES_PRIVACIES, "noise must not be too long for so many privacies")
        self.listed, self.one = sums(self.listed), 1 << self.bits
        self.last = self.first + size - 1
        need(0 < self.period < size and 0 <= self.tail < self.one and self.listed[-1] <= self.one, wrong)
        form(not self.tail or self.period * self.bits**2 <= TAIL_WORK, "noise must not be too long for tails")
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


FIELDS = (
    "format",
    "version",
    "question",
    "mechanism",
    "delta",
    "objective",
    "bound",
    "gap",
    "proof",
    "reported",
)
# Any matrix, no limits, bounds and rules; each truth the neighbour of the next, both ways; and the least mean loss.
PLAIN = json.dumps(
    [
        {"kind": "free", "half_width": 0, "accuracy": "0", "moduli": []},
        [],
        [],
        [],
        1,
        [],
        [],
        [],
        "loss",
        None,
        False,
    ]
)


class Row:
    """A question on truths in a row: query, privacies, loss and weights, in whole numbers."""

    factor_bits = FACTOR_BITS

    def __init__(self, part: object) -> None:
        """Read a question."""
        query, structure, privacy, properties, limits, objective, bounds, rules = in_order(
            part, "query", "structure", "privacy", "properties", "limits", "objective", "bounds", "rules")  # fmt: skip
        self.kind, self.parameters, self.scope, name, truths, responses, reach, pairs, weights, labels = in_order(
            query, "kind", "parameters", "scope", "name", "truths", "responses", "reach", "pairs", "weights", "labels")  # fmt: skip
        least, at_most, worst, self.told_loss, self.told_weights = in_order(
            objective, "least", "at_most", "worst", "loss", "weights")  # fmt: skip
        plain = [structure, limits, bounds, rules, reach, pairs, weights, labels, least, at_most, worst]
        need(
            json.dumps(plain) == PLAIN, "noise and thresholds are for neighbours in a row and the least loss"
        )
        need(properties in ([], ["zero-stays-zero"]), "of noise and thresholds only zero-stays-zero is known")
        self.properties = properties
        self.name, self.labels, self.query = text_of(name), [], self
        self.structure, self.step = (
            SimpleNamespace(kind="free", width=0, accuracy=Fraction(0), moduli=()),
            None,
        )
        if isinstance(truths, dict):
            self._count_out(truths)
            need(responses is None, "truths that are counted out are the responses")
        else:
            self._list(truths, responses)
        need(not properties or self.first == 0 == self.begins[0] == self.begins[1], ZERO_FIRST)
        self.neighbours = Neighbours(self.wide, 1, [], [])
        self._check_kind()
        self._read_privacy(items(privacy))
        self._read_loss()

    def _count_out(self, part: dict[str, object]) -> None:
        """Read evenly spaced truths, which are the responses."""
        first, step, size = in_order(part, "first", "step", "number")
        start, self.step, self.wide = point(first), number(step), integer(size)
        most = COUNTED if self.kind == "count" else TRUTHS
        need(self.wide >= 2 and self.step > 0, "there must be two truths or more, increasing")
        form(self.wide <= most, f"there must be at most {most} truths")
        form(start + (self.wide - 1) * self.step < LARGEST_NUMBER, "truths must be below 10^300")
        if self.kind != "count":
            matrix_bits = min(self.wide, IN_A_MATRIX) ** 2 * length(start, self.step)
            form(matrix_bits <= MATRIX_BITS, "numbers that count truths out must not be too long for so many")
        self.first, self.tall, self.begins = start, self.wide, [start, start]

    def points(self) -> tuple[list[Fraction], list[Fraction]]:
        """Return truths, and the midpoints of responses."""
        if self.step is None:
            return self.listed, self.halves
        counted = [self.first + f * self.step for f in range(self.wide)]
        return counted, counted

    def _list(self, truths: object, responses: object) -> None:
        """Read truths and responses one by one; evenly spaced ones that are the same must be counted out."""
        self.listed, ends, self.halves = answers_listed(truths, responses)
        self.first, self.wide, self.tall, self.begins = self.listed[0], len(self.listed), len(ends), ends[0]
        need(min(self.wide, self.tall) >= 2, "there must be two truths, and responses, or more")
        form(self.wide * self.tall <= LISTED, "truths times responses must not be too many")
        steps = {b - a for a, b in pairwise(self.listed)}
        counted = responses is None and len(steps) == 1
        form(not counted, "evenly spaced truths that are the responses must be counted out")
        over_one_scale([*self.listed, *(end for pair in ends for end in pair)])
        self.homes = [home_of(ends, truth) for truth in self.listed]

    def _check_kind(self) -> None:
        """Refuse a kind that the truths contradict, all of whose neighbours are two in a row."""
        need(self.kind in ROW_KINDS, f"a kind must be one of {', '.join(ROW_KINDS)}")
        check_words(self.kind, self.parameters, self.scope, self.name)
        in_order(self.parameters, *KINDS[self.kind])
        p = self.parameters
        wrong = f"the numbers must be those of the kind {self.kind}"
        if self.kind == "residues":
            need((integer(p["modulus"]), [integer(x) for x in items(p["distances"])]) == (2, [1]), wrong)
            need(self.points()[0] == [0, 1], wrong)
        elif self.kind in ("count", "mean", "total", "extremum"):
            truths, reach = answers_of(self.kind, p, self.wide)
            need(reach == 1, wrong)
            if self.step is None or self.kind != "count":
                need(self.points()[0] == [*truths], wrong)
            need(self.first == truths[0] and self.step in (None, truths[1] - truths[0]), wrong)

    def _read_privacy(self, listed: list[object]) -> None:
        """Read what must hold; all of it, with factors around each e^epsilon."""
        need(listed, "there must be a privacy")
        form(len(listed) <= FURTHER + 1, f"there must be at most {FURTHER} further privacies")
        self.guarantees, self.weights = [], None
        for part in listed:
            names = ["kind", "epsilon", "delta", "lower", "upper"]
            curve = isinstance(part, dict) and "noise" in part
            if curve:
                need(len(listed) == 1, "the privacy of a noise must stand alone")
                names.append("noise")
            kind, epsilon, delta, lower, upper, *self.told_curve = in_order(part, *names)
            told, known = (
                [epsilon, delta, lower, upper],
                ("as-private-as",) if curve else ("pure", "approximate"),
            )
            need(
                kind in known,
                "noise and thresholds keep pure or approximate privacy, or are as private as a noise",
            )
            need(delta is not None, "delta must be given")
            kind = "approximate" if curve else kind
            self.guarantees.append(Guarantee(kind, told, of_noise=curve, bits=self.factor_bits))
        self.main, self.delta, self.curve = self.guarantees[0], self.guarantees[0].delta, None
        self.stated_limits, self.bounded, self.rule_names = [], [], []
        named, weights = self.told_loss, self.told_weights
        is_custom = not isinstance(named, str)
        self.loss = SimpleNamespace(name=named, weights=weights, worst=False, is_custom=is_custom)

    def _read_loss(self) -> None:
        """Read loss and weights; refuse a loss that breaks the condition on signs."""
        listed, unit = weights_of(self.told_weights, self.wide)
        weights = listed or [1] * self.wide
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
            form(len(losses) * self.wide <= REPEATED, "a listed loss must not be too long")
            form(len(losses) == 1 or losses[-1] != losses[-2], "a listed loss must end where it stays")
            at, loss_unit = over_one_scale(losses)
            at += at[-1:] * (self.wide + 1 - len(at))
        elif told in ("absolute", "squared"):
            top, loss_unit = (self.step if told == "absolute" else self.step * self.step).as_integer_ratio()
            at = range(0, top * self.wide + 1, top) if told == "absolute" else [top * d * d for d in far]
        else:
            name = text_of(told)
            need(name == "zero-one" or name.startswith("beyond "), "a loss must be a known one, or listed")
            limit = Fraction(0) if name == "zero-one" else number(name.removeprefix("beyond "))
            need(limit >= 0, "a loss must be beyond 0 or more")
            within = min(floor(limit / self.step), self.wide)
            at = [0] * (within + 1) + [int(within < self.wide - 1)] * (self.wide - within)
        need(all(map(le, at, islice(at, 1, None))), "the loss must not fall with the distance")
        form(at[-1] < LARGEST_NUMBER * loss_unit, "losses must be below 10^300")
        return at, loss_unit

    def _read_distances(self, ws: list[int], weight_unit: int) -> None:
        """Read a loss by distance, and how it changes from each response to the next."""
        at, loss_unit = self._by_distance()
        self.unit, self.turns = loss_unit * weight_unit, range(1, self.wide)
        form(self.unit.bit_length() <= SCALE_BITS, "numbers must have a denominator that is not too long")
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

    def _check_table(self, bits: int, allowed: int) -> None:
        """Refuse too many entries for denominators of so many bits; so much is allowed for each that is written out."""
        entries = self.wide * self.tall
        work = entries * (WORK_OF_AN_ENTRY + WORK_OF_A_BIT * bits)
        form(work <= TABLE_WORK + entries * allowed, "truths times responses must not be too many")

    def _read_table(self, weights: list[int], unit: int) -> None:
        """Read a loss response by response; count how the weighted loss changes from each to the next."""
        form(self.wide * self.tall <= LISTED, "truths times responses must not be too many")
        told = self.told_loss
        if isinstance(told, dict):
            (matrix,) = in_order(told, "matrix")
            rows = [[double(x) for x in items(row)] for row in items(matrix)]
            losses, loss_unit = over_one_scale([x for row in rows for x in row])
            self._check_table(loss_unit.bit_length() + unit.bit_length(), 4 * WORK_OF_AN_ENTRY)
            sizes = [len(row) for row in rows]
            need(sizes == [self.wide] * self.tall, "a loss must have a number for each response and truth")
            line = rows[0]
            alike = self.step is not None and all(
                x == line[abs(r - f)] for r, row in enumerate(rows) for f, x in enumerate(row)
            )
            form(not alike, "a loss of the distance alone must be a list")
        else:
            points, scale = over_one_scale([*self.listed, *self.halves])
            times = {"absolute": 1, "squared": 2}.get(told, 0) if isinstance(told, str) else 0
            self._check_table(times * scale.bit_length() + unit.bit_length(), 0)
            losses, loss_unit = named_losses(told, points, scale, self.homes)
        charged = [Fraction(x * w, loss_unit * unit) for x, w in zip(losses, weights * self.tall)]
        flat, self.unit = over_one_scale(charged)
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
            seen = place - noise.period * turn
            is_held = seen in held and not q.is_even
            work += (looks + 8) * bounding // AGAIN if is_held else (looks + 32) * bounding
            work += (looks + 8) * (c * (4 * size + c) // 2048)
            held.pop(seen, None)
            held[seen] = None
            if len(held) > self.most_held // 2:
                del held[next(iter(held))]
            form(work <= self.most_work, "thresholds must not look at too many truths")
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
        form(wide * self.q.tall <= LISTED, "so large a mechanism has no CSV")
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
            listed = all(at is None or noise.first <= at <= noise.last for at in (low, high))
            wrong = 0 if noise.bits <= DOUBLE_BITS and (listed or not noise.tail) else 2 * steps + 4
            ends = [(max(value + error, 0)) / (1 << DOUBLE_BITS) for error in (-wrong, wrong)]
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
            # For truths before `start` all is below the threshold, for those from `stop` on nothing.
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
        # Lower bounds of u so many truths before: (a + b u) / one; and a so many truths behind, (a + b x) / one.
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
        form(self.work <= self.most_work, "there must not be too much to sum up")

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
        form(self.size() * left.rest <= LISTED_BITS, "noise must not be too long for so many truths")
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
        half = (last + 2) // 2 if is_mirror else last + 1
        far = max(left.rest, right.rest, left.resting, right.resting)
        far += max([0, *(t for t, _ in left.bends)])
        ahead, is_even = [place - j for j, place in enumerate(places[:half])], self.q.is_even
        begins = [
            j
            for j, (here, before) in enumerate(zip(ahead, [None, *ahead]))
            if here != before or not is_even or min(j, places[j]) <= far or max(j, places[j]) > last - far
        ]
        self.spend_steps(len(begins))
        twice = last + 1 - half
        return [(j, places[j], end - j + max(0, min(end, twice) - j)) for j, end in pairwise([*begins, half])]

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
        form(0 <= integer(places) <= shift, "prices must be no finer than the noise")
        form(smoothing is None or 0 <= integer(smoothing) <= SMOOTHING, f"smoothing must be 0 to {SMOOTHING}")
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

        For a response without a draw both are L_i at the last draw of those below it, 0 where there is none.
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
    form([*part] == [*names], f"fields must stand in the order {', '.join(names)}")
    return values


def check_bytes(text: str, content: dict[str, Any]) -> None:
    """Refuse a file that is not a line for each field, with the spaces and escapes of `json.dumps`."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    form(text == "{\n" + ",\n".join(lines) + "\n}\n", "the file must be written as described, byte for byte")


def check_noise(text: str, content: dict[str, Any], claims: list[Fraction], matrix_csv: str | None) -> Proved:
    """Return what a certificate of noise and thresholds proves, whose claims are delta, objective, bound and gap."""
    form(len(text) <= NOISE_CHARACTERS, "the file must not be too long")
    in_order(content, *FIELDS)
    check_bytes(text, content)
    form(content["reported"] == {}, "nothing is reported of noise and thresholds")
    noise, thresholds = in_order(content["mechanism"], "noise", "thresholds")
    (prices,) = in_order(content["proof"], "prices")
    told_prices, (delta, value, proved, gap) = [prices] if prices is not None else [], claims
    q = Row(content["question"])
    law = Noise(noise, len(q.guarantees))
    mechanism = Thresholds(thresholds, law, q)
    work = (
        len(law.listed)
        * law.bits
        * (2 if law.tail else 1)
        * sum(64 + length(own.lower) for own in q.guarantees)
    )
    most = SPENT_WORK + SPENT_WORK_OF_A_BIT * law.digits
    form(work <= most, "noise and factors around e^epsilon must not be too long for so many places")
    for own in q.guarantees:
        need(law.spends(own.lower) <= own.delta, "one shift of the noise must be as private as it says")
    laws = beside("check_laws") if q.told_curve else None
    for part in q.told_curve:
        q.curve = laws.curve_of(part, law)
        sharp = (
            q.curve if q.delta > 2**-128 else laws.curve_of(part, law, laws.TINY_BITS)
        )  # beyond a delta of 10^-300
        need(laws.follows(sharp, q.main), "delta must be what the noise asked for spends, to six digits")
        need(
            all(q.curve.holds(*at) for at in law.worst_sets()),
            "one shift of the noise must be as private as it says",
        )
    spent = law.spends(q.main.lower)
    need(delta == spent, "delta must be what one shift of the noise spends")
    if mechanism.is_all_tails():
        walk = Walk(mechanism, *told_prices)
        need(value >= walk.loss(), "the objective must be no less than the loss of noise and thresholds")
        most = walk.bound_of_prices() if told_prices else walk.bound()
        need(0 <= proved <= max(most, 0), "the bound must be no more than the lines of the privacy prove")
    else:
        need(not told_prices, "prices must stand beside noise that is all tails")
        need(value == mechanism.loss(), "the objective must be that of noise and thresholds")
        need(proved == mechanism.bound(), "the bound must be what the lines of the privacy prove")
    need(gap == value - proved >= 0, "the gap must be the objective less the bound")
    if matrix_csv is not None:
        names = [[spelled(x) for x in listed] for listed in q.points()]
        check_csv(matrix_csv, [], *names, mechanism.matrix())
    return all_proved(q, spent, value, proved)
