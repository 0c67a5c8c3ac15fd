"""An account never falls when a log is added, whatever kind of release it tells of, in any order."""

from __future__ import annotations

import json
import math
from itertools import count
from random import Random

import pytest

import optmech as om
from tests.release.tables.test_keyed import DISTRICTS, counted, designed, released

DELTAS = ("0.3", "0.6")


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Return the texts of one log of each kind, of the same data, and all certificates."""
    folder = tmp_path_factory.mktemp("kinds")
    pure = om.design(om.croft(om.count(5), "0.5")).certificate
    loose = om.design(om.question(om.count(5), "0.1", delta="0.2")).certificate
    for name, groups, most in (("two", None, 2), ("one", None, 1), ("places", DISTRICTS, 1)):
        counted(folder, name=f"{name}.csv", at_most=most, **({} if groups is None else {"groups": groups}))
    (folder / "t.csv").write_text("town,count\nAller,3\nBeck,0\n")
    number = count()

    def fresh(certificate, **options):
        options = {"column": "count", "data": "census", **options}
        return om.release_table(certificate, folder / "t.csv", folder / f"f{next(number)}.csv", **options)

    done = {
        "pure": fresh(pure),
        "pure once more": fresh(pure),
        "loose": fresh(loose),
        "a part": fresh(pure, part="north"),
        "another part": fresh(loose, part="south"),
        "keys, at most 2": released(folder, "two.csv", "k2.csv"),
        "the same again": released(folder, "two.csv", "k2again.csv"),
        "keys, at most 1": released(folder, "one.csv", "k1.csv"),
        "keys, another table": released(folder, "places.csv", "k3.csv"),
        "a matrix": fresh(om.MatrixMechanism.certified(pure)),
    }
    (folder / "cells.csv").write_text("town,count\nAller,3\nBeck,0\n")
    axes = {"town": ["Aller", "Beck"]}
    for name, budget in (("0.1", {"zcdp": "0.1"}), ("0.02", {"zcdp": "0.02", "delta": "0.001"})):
        certificate = om.design(om.table(axes, **budget)).certificate
        for turn in ("once", "twice"):
            done[f"a whole table at {name}, {turn}"] = om.release_joint_table(
                certificate, folder / "cells.csv", folder / f"whole {name} {turn}.csv", data="census"
            )
    texts = {name: one.log_path.read_text() for name, one in done.items()}
    texts["a copy"] = texts["pure"]
    person = {"at_most": 3, "at_most_per_group": 2, "steps": 3, "epsilon": "1.5", "delta": "0"}
    texts["of a person"] = json.dumps({**json.loads(texts["pure once more"]), "id": "x", "person": person})
    old = json.loads(texts["keys, at most 1"])
    del old["cell_keys"]["table"]
    texts["keys, of before"] = json.dumps({**old, "id": "y"})
    texts["changed"] = json.dumps({**json.loads(texts["pure"]), "mechanisms": 3})
    texts["no data"] = json.dumps({**json.loads(texts["pure"]), "data": ""})
    texts["no log"] = "{}"
    return texts, [pure, loose, designed()]


@pytest.mark.slow
def test_an_account_never_falls(logs, tmp_path):
    texts, certificates = logs
    for number in range(40):
        names = Random(number).sample(sorted(texts), 4)  # noqa: S311 - which logs come in which order
        folder, before = tmp_path / str(number), None
        folder.mkdir()
        for name in names:
            (folder / f"{names.index(name)}.release.json").write_text(texts[name])
            try:
                spent = spending(folder, certificates)
            except om.FileFormatError:  # nothing can be read so far
                continue
            if before is not None:
                assert all(now >= was for was, now in zip(before, spent, strict=True)), (names, before, spent)
            before = spent


def spending(folder, certificates):
    """Return epsilon at each delta, the sums, and whether some budgets are exceeded."""
    at = [om.ledger(folder, certificates=certificates, delta=delta)[0] for delta in (*DELTAS, None)]
    unread = [bool(account.unread) for account in at]
    epsilons = [account.epsilon for account in at[:-1]]
    exceeded = [not account.within(limit) for account in at for limit in ("0.2", "0.5", "0.7", "1.1", "1.7")]
    summed = at[-1]
    delta = math.inf if summed.unknown else summed.delta
    return [*epsilons, delta, summed.epsilon, summed.simple, *unread, *exceeded]
