"""Shares, means and quantiles of a released table: their ends, how often they hold, and refusals."""

from __future__ import annotations

import functools
import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.cli import main
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.release.joint.joint_draws import draw_noise
from optmech.release.joint.joint_estimate import estimate_sums
from optmech.release.joint.joint_ratios import _ratio, estimate_quantiles, estimate_ratios
from optmech.release.joint.joint_sums import TableSums
from optmech.release.joint.release_joint import release_joint_table

AXES = {"age": ["5", "10", "15", "20"], "sex": ["f", "m"]}
TRUE = {("5", "f"): 40, ("10", "f"): 25, ("15", "f"): 60, ("20", "m"): 15, ("5", "m"): 31, ("10", "m"): 30}
LEVEL, DRAWS, LEAST = "0.8", 60, 42


@functools.cache
def certificate(name, **asked):
    del name
    return design_table(om.table(AXES, **asked)).certificate


def release(folder, name, **asked):
    """Release the counts, and return the path."""
    text = "".join(f"{age},{sex},{count}\n" for (age, sex), count in TRUE.items())
    (folder / "true.csv").write_text(f"age,sex,count\n{text}")
    (folder / f"{name}.json").write_text(table_text(certificate(name, **(asked or {"zcdp": "0.5"}))))
    out = folder / f"{name}.csv"
    release_joint_table(folder / f"{name}.json", folder / "true.csv", out, again=True)
    return out


def test_ends_of_a_ratio_are_those_of_all_its_parts():
    rng = np.random.default_rng(2)
    for _ in range(300):
        (low, high), (least, most) = (sorted(map(int, rng.integers(-6, 9, 2))) for _ in range(2))
        ends = _ratio((low, high), (least, most))
        for above in range(low, high + 1):
            for below in range(max(least, 1), most + 1):
                assert ends[0] <= Fraction(above, below) <= ends[1]
        if least > 0:
            found = [Fraction(above, below) for above in (low, high) for below in (least, most)]
            assert ends == (min(found), max(found))


@pytest.mark.slow
def test_shares_and_means_are_ratios_of_the_sums(tmp_path):
    people, again = release(tmp_path, "people"), release(tmp_path, "again")
    sums = {one.name: one for one in estimate_sums(people, sums=["", "sex=f", "sex=m"])}
    shares = estimate_ratios(people, group=["sex"])
    for one in shares:
        assert (one.numerator, one.denominator) == (sums[one.group].estimate, sums["all"].estimate)
        assert 0 <= one.low <= Fraction(one.numerator, one.denominator) <= one.high <= 1
        told = one.to_dict()
        assert Fraction(told["low"]) <= one.low
        assert Fraction(told["high"]) >= one.high
    means = estimate_ratios(people, per=again, group=["age"])
    assert [one.group for one in means] == [f"age={age}" for age in AXES["age"]]
    assert [one.denominator for one in means] == [one.estimate for one in estimate_sums(again, group=["age"])]


@pytest.mark.slow
def test_limits_of_shares_hold_together_and_those_of_quantiles_as_told(monkeypatch):
    counts = np.array([[TRUE.get((age, sex), 0) for sex in AXES["sex"]] for age in AXES["age"]])
    true = [Fraction(int(each), int(counts.sum())) for each in counts.sum(axis=0)]
    median = int(np.argmax(2 * np.cumsum(counts.sum(axis=1)) >= counts.sum()))
    noise, held = certificate("people", zcdp="0.5"), [0, 0]
    for _ in range(DRAWS):
        released = draw_noise(noise.noise).released(counts, noise.problem.totals)
        drawn = TableSums(certificate=noise, categories=AXES, released=released)
        monkeypatch.setattr(TableSums, "read", lambda *_, drawn=drawn: drawn)
        shares = estimate_ratios("people", group=["sex"], level=LEVEL)
        held[0] += all(one.low <= share <= one.high for one, share in zip(shares, true, strict=True))
        (one,) = estimate_quantiles("people", "0.5", of="age", level=LEVEL)
        held[1] += int(one.low) <= int(AXES["age"][median]) <= int(one.high)
    assert min(held) >= LEAST


def test_quantiles_grow_and_lie_within_their_limits(tmp_path):
    people = release(tmp_path, "people")
    known = AXES["age"]
    found = [estimate_quantiles(people, q, of="age", sums=["", "sex=m"]) for q in ("0.1", "0.5", "0.9")]
    for before, behind in pairwise(found):
        for one, other in zip(before, behind, strict=True):
            for name in ("low", "estimate", "high"):
                assert known.index(getattr(one, name)) <= known.index(getattr(other, name))
    for one in found[1]:
        assert known.index(one.low) <= known.index(one.estimate) <= known.index(one.high)
    (bare,) = estimate_quantiles(release(tmp_path, "noisy", epsilon="0.001"), "0.5", of="age")
    assert (bare.low, bare.high) == (known[0], known[-1])


@pytest.mark.slow
def test_ratios_of_no_counts_and_unknown_axes_are_refused(tmp_path, capsys):
    sums = release(tmp_path, "sums", epsilon=1, is_sum=True)
    people = release(tmp_path, "people")
    with pytest.raises(NotAcceptedError, match="must be of counts"):
        estimate_ratios(sums, group=["sex"])
    with pytest.raises(NotAcceptedError, match="must be of counts"):
        estimate_quantiles(sums, "0.5", of="age")
    for quantile, of, group in (("1", "age", ()), ("0.5", "ward", ()), ("0.5", "age", ("age",))):
        with pytest.raises(ProblemError):
            estimate_quantiles(people, quantile, of=of, group=group)
    assert [one.group for one in estimate_ratios(sums, per=people, group=["sex"])] == ["sex=f", "sex=m"]
    for words, text in {
        "--quantile 0.5": "`--of` must be given",
        "--shares --group sex": "ratios of sums without bias",
        "--quantile 0.5 --of age": "categories count up",
        f"--per {sums}": "ratio of all cells",
    }.items():
        code = main(["estimate", str(people), *words.split()])
        told = capsys.readouterr()
        assert text in " ".join((told.out + told.err).split())
        assert code == (2 if "must" in text else 0)
    assert main(["estimate", str(people), "--shares", "--group", "sex", "--json"]) == 0
    assert [*json.loads(capsys.readouterr().out)["ratios"][0]][:2] == ["name", "ratio"]
