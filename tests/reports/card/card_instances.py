"""Mechanisms of every kind of question: the instances of `formulations/`, and some of other kinds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import optmech as om
from optmech.question.problems.instances import read_instances

_MODELS = sorted((Path(__file__).parents[3] / "formulations").glob("*.toml"))
# Programs as papers print them have no certificates.
_FILES = [path for path in _MODELS if not path.stem.endswith(("_printed", "_paper"))]
INSTANCES = {f"{path.stem}/{instance.name}": instance for path in _FILES for instance in read_instances(path)}
FIRST = [next(name for name in INSTANCES if name.startswith(f"{path.stem}/")) for path in _FILES]
FURTHER = {
    "categories": lambda: om.question(om.categories(["red", "green", "blue"]), 1, loss="zero-one"),
    "metric": lambda: om.question(
        om.categories(["cold", "flu", "cancer"], [[0, 1, 4], [1, 0, 4], [4, 4, 0]]), "0.5", loss="zero-one"
    ),
    "coarse": lambda: om.question(om.Query([0, 1, 2, 3, 4], [(0, 2), (2, 4)], 1, name="halves"), 1),
    "records": lambda: om.question(om.count(6, records_per_person=2), "ln 2"),
    "near-data": lambda: om.question(
        om.Query.from_data([3, 1, 3], max, change="replace", domain=[0, 1, 2, 3, 4]), 1
    ),
    "domain": lambda: om.question(
        om.Query.on_domain(lambda table: sorted(table)[1], domain=range(3), sizes=3), 1
    ),
}


@cache
def certificate_of(name):
    """Return the certificate of an instance."""
    if name in FURTHER:
        return om.design(FURTHER[name]()).certificate
    return om.design(INSTANCES[name].problem()).certificate
