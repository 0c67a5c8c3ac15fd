"""Verdicts on claims that are made up, and on those of the libraries that are installed."""

from __future__ import annotations

import importlib.metadata
import math
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import arb, ctx

from benchmarks.audit.library import libraries as audited
from benchmarks.audit.library.case import LawSource, LibraryCase
from benchmarks.audit.library.law import BITS, FiniteLaw, all_pairs, exact
from benchmarks.audit.library.libraries import LIBRARIES, audit, libraries
from benchmarks.audit.library.verdict import ClaimVerdict, row_of
from optmech.base.errors import ProblemError
from optmech.base.logarithm import Logarithm
from tests.each import each


def case_of(epsilon, delta=0.0, mass=Fraction(1, 4)):
    """Return randomised response that keeps the truth with probability 1 - mass."""
    with ctx.workprec(BITS):
        keep, other = arb(exact(1 - mass)), arb(exact(mass))
        law = FiniteLaw(
            distributions={"a": {"a": keep, "b": other}, "b": {"a": other, "b": keep}},
            pairs=all_pairs("ab"),
        )
    return LibraryCase(
        mechanism="response", inputs="two", source=LawSource.RECOMPUTED, law=law, epsilon=epsilon, delta=delta
    )


LN2_COVERS = math.log(2) >= Logarithm(Fraction(2))
UP = math.nextafter(math.log(3), 2)


@each(
    ("case", "verdict"),
    [
        (case_of(UP), ClaimVerdict.KEEPS),
        (
            case_of(math.log(2), mass=Fraction(1, 3)),
            ClaimVerdict.KEEPS if LN2_COVERS else ClaimVerdict.ROUNDS,
        ),
        (case_of(2.0), ClaimVerdict.SPENDS_LESS),
        (case_of(1.09), ClaimVerdict.BREAKS),
        (case_of(UP * (1 - 1e-6)), ClaimVerdict.ROUNDS),
        (case_of(1.0, mass=Fraction(0)), ClaimVerdict.BREAKS),
        (case_of(1.0, mass=Fraction(1, 2**60)), ClaimVerdict.BREAKS),
        (case_of(0.0, 0.5), ClaimVerdict.KEEPS),
        (case_of(0.0, 0.6), ClaimVerdict.SPENDS_LESS),
        (case_of(0.0, 0.49), ClaimVerdict.BREAKS),
        (case_of(0.0, 0.4999999), ClaimVerdict.ROUNDS),
    ],
)
def test_a_verdict_says_whether_a_claim_covers_the_exact_loss(case, verdict):
    with ctx.workprec(BITS):
        assert row_of("none", "1", case).verdict == verdict.name


def test_draws_that_were_not_followed_leave_a_verdict_open_unless_it_is_exceeded():
    with ctx.workprec(BITS):
        for claim, verdict in ((2.0, "UNKNOWN"), (1.0, "BREAKS")):
            case = case_of(claim)
            law = replace(case.law, unlisted=arb(exact(Fraction(1, 10**6))))
            row = row_of("none", "1", replace(case, law=law))
            assert (row.verdict, row.is_least) == (verdict, True)
            assert row.epsilon < math.log(3)


def rows(name):
    pytest.importorskip(LIBRARIES[name].module.split(".", maxsplit=1)[0])
    return {row.mechanism: row for row in audit(LIBRARIES[name])}


def test_opendp_keeps_what_its_maps_promise():
    found = rows("opendp")
    assert {row.verdict for row in found.values()} == {"KEEPS", "SPENDS_LESS"}
    for row in found.values():
        assert row.law == "RECOMPUTED"
        assert row.epsilon is None or row.epsilon <= row.claimed_epsilon
        assert row.delta <= row.claimed_delta or row.delta < 1e-90
    assert found["make_geometric(scale=1.0, bounds=(0, 20))"].epsilon == 1
    assert found["make_randomized_response_bitvec(f=0.5)"].epsilon == pytest.approx(4 * math.log(3))


@pytest.mark.slow
def test_opendp_draws_by_the_closed_forms():
    """2,000 draws of each: a rule that changed is seen, and one in 10**7 of right ones fails."""
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    from benchmarks.audit.library import closed_forms, opendp_cases  # noqa: PLC0415

    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    counts = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    drawn = {
        "max": (dp.m.make_noisy_max(*scores, dp.max_divergence(), scale=2.0), [0, 1, 2]),
        "geometric": (dp.m.make_geometric(*counts, scale=1.0, bounds=(0, 20)), 3),
    }
    with ctx.workprec(BITS):
        laws = {
            "max": {out[0]: mass for out, mass in closed_forms.permute_and_flip((0, 1, 2), 2).items()},
            "geometric": opendp_cases.geometric(dp).law.distributions[3],
        }
    for name, (measurement, value) in drawn.items():
        seen = Counter(measurement(value) for _ in range(2_000))
        for out, mass in laws[name].items():
            expected = 2_000 * float(mass)
            assert abs(seen[out] - expected) < 5.5 * math.sqrt(expected) + 5, (name, out)


@pytest.mark.slow
def test_diffprivlib_is_run_on_every_draw():
    found = rows("diffprivlib")
    assert {row.verdict for row in found.values()} <= {"KEEPS", "SPENDS_LESS", "ROUNDS"}
    assert found["Binary(epsilon=1)"].epsilon == pytest.approx(1, abs=1e-12)
    wide = next(row for row in found.values() if row.inputs == "counts 0..50")
    assert wide.law == "ENUMERATED"
    assert math.isinf(wide.epsilon)
    assert 0 < wide.delta < 1e-14
    # The closed form of the exponential mechanism, which its code meets to the last digits.
    assert found["Exponential(epsilon=1)"].epsilon == pytest.approx(0.76338251539014, abs=1e-12)
    assert found["ExponentialCategorical(epsilon=1)"].epsilon == pytest.approx(0.5)


@pytest.mark.slow
def test_an_accountant_that_forgets_uses_breaks_its_promise():
    """Where ten uses at once count as ten one by one, the row keeps its promise."""
    found = rows("dp-accounting")
    one_by_one = found["PLDAccountant, 10 times compose(event), randomized response(0.5, 3)"]
    at_once = found["PLDAccountant, compose(event, 10), randomized response(0.5, 3)"]
    assert one_by_one.verdict == "SPENDS_LESS"
    counts_all = at_once.claimed_epsilon == pytest.approx(one_by_one.claimed_epsilon, rel=1e-6)
    assert at_once.verdict == ("SPENDS_LESS" if counts_all else "BREAKS")
    assert bool(at_once.remark) is not counts_all
    noise = found["PLDAccountant, compose(event, 10), discrete Laplace(1)"]
    assert 0.9e-6 < noise.delta <= 1e-6
    assert {row.verdict for row in found.values() if row is not at_once} <= {"KEEPS", "SPENDS_LESS"}


def test_a_library_that_does_not_load_is_a_row_that_says_so(monkeypatch):
    broken = audited.Library(name="opendp", module="no.such.module", cases="", read_at="1", needs="luck<2")
    (row,) = audit(broken)
    assert (row.verdict, row.mechanism) == ("UNKNOWN", "does not load")
    assert row.remark.startswith("No module named")
    assert row.remark.endswith("; it may need luck<2")
    monkeypatch.setattr(audited, "load_module", lambda _: random)
    monkeypatch.setattr(random, "CASES", (lambda module: module.nothing,), raising=False)
    (row,) = audit(audited.Library(name="x", module="random", cases="random", read_at="1"))
    assert row.verdict == "UNKNOWN"
    assert "nothing" in row.remark


def test_names_are_held_to_what_can_be_audited(monkeypatch):
    with pytest.raises(ProblemError, match="one of diffprivlib, dp-accounting, opendp; got 'numpy'"):
        libraries(["numpy"])

    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ProblemError, match="pip install diffprivlib dp-accounting opendp"):
        libraries()
    with pytest.raises(ProblemError, match="opendp is not"):
        libraries(["opendp", "opendp"])
