"""The reference values, as problems with their optima.

`croft.json`, `kadam.json` and `sadeghi.json` hold optima that were computed apart from this project: closed
forms in exact rational arithmetic, and programs solved and polished with many digits.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import optmech as om

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """A problem, its optimum, and how close a solver in doubles must come, absolutely."""

    name: str
    ask: object
    optimum: float
    tolerance: float
    size: int

    def __str__(self) -> str:
        return self.name


def load(name):
    return json.loads((FOLDER / f"{name}.json").read_text())


def croft_cases():
    values = load("croft")
    listed = [
        ("count", row["n"], row["eps"], variant, "absolute", row["objective"])
        for table, variant in (("count_V1", 1), ("count_V2", 2))
        for row in values[table]
    ]
    for row in values["max"]:
        listed += [
            ("extremum", row["k"], row["eps"], 1, "absolute", row["V1"]),
            ("extremum", row["k"], row["eps"], 2, "absolute", row["V2"]),
            ("extremum", row["k"], row["eps"], 1, "squared", row["V1_sq_loss"]),
        ]
    for key, table in values["mean_V1_20digit"].items():
        records = int(key[1:].split("k")[0])
        times = 4 * records + 1 if "perF" in key else 1
        listed += [("mean", records, float(e), 1, "absolute", float(v) * times) for e, v in table.items()]
    for key, table in values["mean_V2_perF"].items():
        if key.startswith("D"):
            records = int(key[1:])
            listed += [
                ("mean", records, float(e), 2, "absolute", v * (4 * records + 1)) for e, v in table.items()
            ]
    return [_croft_case(*row) for row in listed]


def _croft_case(kind, size, epsilon, variant, loss, optimum):
    queries = {
        "count": lambda: om.count(size),
        "extremum": lambda: om.extremum(0, size),
        "mean": lambda: om.mean(size, 4),
    }
    # Beyond n * epsilon = 10 entries fall below what a solver resolves: its answer is not private there.
    steep = kind == "count" and size * epsilon > 10
    return Case(
        name=f"{kind}-{size}-eps{epsilon}-variant{variant}-{loss}",
        ask=lambda: om.croft(queries[kind](), epsilon, variant=variant, loss=loss),
        optimum=optimum,
        tolerance=(1e-5 if steep else 1e-7) * optimum,
        size=size if kind != "mean" else 4 * size,
    )


def sadeghi_cases():
    values = load("sadeghi")
    cases = []
    for row in values["symmetric"]:
        epsilon, accuracy, width = row["eps"], row["eta"], row["D"]
        cases += [
            Case(
                name=f"symmetric-eps{epsilon}-eta{accuracy}-D{width}-{rows}",
                ask=lambda e=epsilon, a=accuracy, w=width, r=rows: om.sadeghi_symmetric(e, a, w, rows=r),
                optimum=float(row[key]),
                tolerance=1e-8,
                size=width,
            )
            for rows, key in (("all", "delta_sym_full"), ("paper", "delta_paper"))
            # Deltas of 1e-548 and below are for closed forms; no program in doubles speaks of them.
            if float(row[key]) >= sys.float_info.min
        ]
    for row in values["general_lp"]:
        if row["objective"] == "singular":
            epsilon, accuracy, width, counts = row["eps"], row["eta"], row["D"], (row["n0"], row["N"])
            cases.append(
                Case(
                    name=f"general-eps{epsilon}-eta{accuracy}-D{width}-counts{counts[0]}..{counts[1]}",
                    ask=lambda e=epsilon, a=accuracy, w=width, c=counts: om.sadeghi(e, a, w, counts=c),
                    optimum=float(row["delta"]),
                    tolerance=1e-8,
                    size=counts[1],
                )
            )
    return cases


def kadam_cases():
    values = load("kadam")
    cases = []

    def add(table, n, distances, epsilon, delta, error_rate, **settings):
        if delta is not None and delta >= 1:
            return  # the end of the papers' axes, where nothing is private: it cannot be asked
        cases.append(_kadam_case(table, n, distances, epsilon, delta, error_rate, **settings))

    for row in values["thm2_spots"]:
        n, distance = row["n"], [row["mu"]]
        add("theorem-2", n, distance, row["eps"], row["delta"], 1 - row["f0"])
        add("theorem-2", n, distance, row["eps"], row["delta"], 1 - row["f0_symmetric"], symmetric=True)
    for row in values["thm3_corrected_literal"]:
        n, bounded = row["n"], range(1, row["mu"] + 1)
        add("theorem-3", n, bounded, row["eps"], row["delta"], 1 - row["f0_literal"], reading="printed")
        if row.get("true_per_mu_f0") is not None:
            add("theorem-3", n, bounded, row["eps"], row["delta"], 1 - row["true_per_mu_f0"])
    for row in values["fig11_n9_BD_one_sided"]:
        bounded = range(1, row["mu"] + 1)
        add("figure-11", 9, bounded, row["eps"], row["delta"], row["error_rate_true_per_mu"])
        literal = row["error_rate_literal_shared"]
        add("figure-11", 9, bounded, row["eps"], row["delta"], literal, reading="printed")
    figure = values["fig12_n9"]
    for series, distances, settings in (
        ("SD_mu3", [3], {}),
        ("SD_mu3_symmetric", [3], {"symmetric": True}),
        ("BD_mu3_true", [1, 2, 3], {}),
        ("BD_mu3_literal_shared", [1, 2, 3], {"reading": "printed"}),
    ):
        for epsilon, rates in figure[series].items():
            for delta, rate in zip(figure["delta"], rates, strict=True):
                add("figure-12", 9, distances, float(epsilon), delta, rate, **settings)
    for row in values["delta0_cayley"]:
        add("delta-0", row["n"], row["M"], row["eps"], 0, 1 - row["f0"])
    for key, row in values["fig14_delta0"].items():
        n, _, epsilon, _ = key.split("|")
        add("figure-14", int(n[1:]), row["M"], float(epsilon[3:]), 0, 1 - row["f0"])
    for delta, row in values["table1_fig10_n8_mu3_eps1.5"]["true_per_mu_optimum_f0"].items():
        add("table-1", 8, [1, 2, 3], 1.5, float(delta), 1 - row["f0"])
        add("table-1", 8, [1, 2, 3], 1.5, float(delta), 1 - row["literal_shared_f0"], reading="printed")
    for row in values["fig5a_fig7a_style_n8"]["rows"]:
        for side, symmetric in (("M1", False), ("Mpm1", True)):
            for short, cost in (("mse", "squared"), ("cmse", "circular")):
                settings = {"symmetric": symmetric, "cost": cost}
                add("figure-5a", 8, [1], row["eps"], 0.3, row[f"{side}_{short}_delta0.3"], **settings)
                least = row[f"{side}_{short}_mindelta_MSE0.6101"]
                add("figure-7a", 8, [1], row["eps"], None, least, at_most=0.6101, **settings)
    rows = values["fig7b_style_n7_ER0.3_min_delta"]
    for side, symmetric in (("SD_one_sided", False), ("SD_symmetric", True)):
        for epsilon, least in zip(rows["eps"], rows[side], strict=True):
            add("figure-7b", 7, [1], epsilon, None, least, at_most=0.3, symmetric=symmetric)
    for row in values["counterexamples"]["solver_spurious"]:
        add("spurious", row["n"], [row["mu"]], row["eps"], row["delta"], 1 - row["true_f0"])
    return cases


def _kadam_case(
    table,
    n,
    distances,
    epsilon,
    delta,
    optimum,
    *,
    symmetric=False,
    at_most=None,
    cost="error-rate",
    reading="definition",
):
    distances = list(distances)

    def ask():
        query = om.residues(n + 1, distances, symmetric=symmetric)
        if at_most is None:
            return om.kadam(query, epsilon, delta, cost=cost, reading=reading)
        return om.kadam_least_delta(query, epsilon, at_most=at_most, cost=cost, reading=reading)

    limit = f"delta{delta}" if at_most is None else f"at-most-{at_most}"
    side = "symmetric" if symmetric else "one-sided"
    listed = "+".join(map(str, distances))
    return Case(
        name=f"{table}-n{n}-mu{listed}-{side}-eps{epsilon}-{limit}-{cost}-{reading}",
        ask=ask,
        optimum=optimum,
        tolerance=1e-6,
        size=n,
    )
