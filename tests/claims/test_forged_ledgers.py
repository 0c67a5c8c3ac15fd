"""Forged logs, ledgers, bounds and lists of groups: none lets a budget be exceeded, or understates a person.

The writer of a log may lie in whole sentences: that the data were others, the mechanism a better one, or no
bound of a person known. A file forged in any other way is refused, or counts at least as much as before.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import random
import shutil
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

import pytest

import optmech as om
from optmech.cli import main

if TYPE_CHECKING:
    from pathlib import Path

DATA = "Visits 2026"
STRANGE = [
    *(None, True, False, 0, -1, 1, 2, 2.5, 10**30, -(10**30), 1e300, [], {}, ["0.5"], {"epsilon": "0"}),
    *("", " ", "0", "-1", "-0.5", "1e-300", "1e999999999", "1e400", "0.1x", "1/0", "nan", "inf", "\u0663"),
    *("x" * 5000, "\ud800", "\x00", "..", "/"),
    *("ln 1", "ln 0", "ln 1/2", "ln 1e300", "log2 3", "0.001", "99999999"),
]
TEXTS = [
    "NaN",
    "Infinity",
    "1e999",
    "1" * 5000,
    "[" * 3000,
    '"0.5", "epsilon": "0"',
    '"x", "draws": 1',
    "}",
    "",
]
# Keys that are counted, or say what is counted: forged more often than the rest.
COUNTED = {
    *("epsilon", "delta", "draws", "earlier", "rows", "id", "data", "part", "person", "steps", "mechanisms"),
    *(
        "certificate_sha256",
        "randomness",
        "num_groups",
        "column",
        "sha256",
        "file",
        "version",
        "largest_weight",
    ),
}
# Keys that may be left out or be smaller, as another sentence.
LIES = ("person", "at_most", "at_most_per_group", "text")
# Epsilons are added as doubles here.
ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Honest:
    """Three releases of the same data: two into one file, one with several rows of a person in a group."""

    folder: Path
    certificates: list
    epsilon: float
    delta: Fraction
    exceeded: float
    persons: dict


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    rows = "".join(f"{person},{ward}\n" for person in "abcd" for ward in "xyxz")
    (folder / "visits.csv").write_text(f"patient,ward\n{rows}")
    for name, in_group in (("one", 1), ("many", 2)):
        bounds = {"at_most": 3, "at_most_per_group": in_group, "groups": ["x", "y", "z"]}
        om.tabulate(
            folder / "visits.csv", person="patient", group="ward", out=folder / f"{name}.csv", **bounds
        )
    (folder / "ledger").mkdir()
    certificates, persons = [], {}
    for number, (epsilon, delta) in enumerate([("ln 2", 0), ("0.5", 0), ("0.5", "0.001")]):
        certificates.append(om.design(om.question(om.count(2), epsilon, delta=delta)).certificate)
        om.write_certificate(certificates[-1], folder / f"{number}.certificate.json")
        name = "many" if delta else "one"
        options = {"log": folder / "ledger" / f"{name}.release.json", "again": True, "data": DATA}
        done = released(
            folder / f"{number}.certificate.json", folder, name, out=f"out{number}.csv", **options
        )
        persons[name] = done.log["person"]
    (account,) = om.ledger(folder / "ledger", certificates=certificates)
    return Honest(
        folder=folder,
        certificates=certificates,
        epsilon=account.simple,
        delta=account.delta,
        exceeded=0.9 * account.epsilon,
        persons=persons,
    )


def released(mechanism, folder, name, *, out="out.csv", **options):
    table = folder / f"{name}.csv"
    return om.release_table(mechanism, table, folder / out, column="count", clamp=True, **options)


def places_in(content, path=()):
    """Yield where something stands in JSON."""
    members = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in members:
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places_in(value, (*path, key))


def holder_of(content, path):
    for key in path[:-1]:
        content = content[key]
    return content, path[-1]


def forged_content(content, chance):
    """Change, remove, repeat or move something in JSON, and say where."""
    content = copy.deepcopy(content)
    places = list(places_in(content))
    weights = [8 if place[-1] in COUNTED else 1 for place in places]
    (place,) = chance.choices(places, weights)
    holder, key = holder_of(content, place)
    match chance.choice(["remove", "repeat", "move", "write", "strange", "strange"]):
        case "remove":
            del holder[key]
        case "repeat" if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        case "move":
            source, other = holder_of(content, chance.choice(places))
            holder[key] = copy.deepcopy(source[other])
        case "write" if isinstance(holder[key], str):
            holder[key] = chance.choice([str.upper, str.lower, " {} ".format, "{}\u200b".format])(holder[key])
        case _:
            holder[key] = chance.choice(STRANGE)
    return content, place


def forged_text(text, chance):
    """Cut, repeat or replace a piece of text."""
    start = chance.randrange(len(text))
    end = min(len(text), start + chance.randrange(40))
    return text[:start] + chance.choice([*TEXTS, text[start:end] * 2, "\x00", "\ufeff"]) + text[end:]


def forge(path, chance):
    """Forge a JSON file, and return the last name of the field that is another, if one is."""
    text = path.read_text()
    if chance.random() < 0.2:
        path.write_bytes(forged_text(text, chance).encode(chance.choice(["utf-8", "utf-8", "utf-16"])))
        return None
    content, place = forged_content(json.loads(text), chance)
    path.write_text(json.dumps(content))
    return place


WAYS = [str.upper, str.lower, " {} ".format, "{}\u200b".format, lambda name: name.replace(" ", "\t ")]


def forge_with_aim(ledger, chance):
    """Forge what would make an account smaller, and say how."""
    logs = {path: json.loads(path.read_text()) for path in sorted(ledger.iterdir())}
    log = chance.choice(list(logs.values()))
    draw = chance.choice([log, *log["earlier"]])
    others = [other for one in logs.values() for other in (one, *one["earlier"]) if other is not draw]
    aim = chance.choice(
        ["rows", "earlier", "steps", "person", "in group", "id", "no id", "data", "part", "chance"]
    )
    match aim:
        case "rows":
            draw["output"]["rows"] = chance.choice([0, False, 0.0, -1, "0"])
        case "earlier":
            log["earlier"] = chance.choice([[], log["earlier"][:-1], None, {}, [{}]])
        case "steps":
            draw["person"]["steps"] = chance.choice([1, 2, 0, -1, 1.5, 2.9, True, "1", 10**30])
        case "person":
            draw["person"][chance.choice(["epsilon", "delta"])] = chance.choice(
                ["0", "0.1", -1, "-3", 0.0, "ln 1"]
            )
        case "in group":
            draw["person"]["at_most_per_group"] = chance.choice([1, 2, 0, True, "1", 1.0])
        case "id":
            draw["id"] = chance.choice(others)["id"]
        case "no id":
            for other in (draw, *others):
                other["id"] = chance.choice([None, "", "x"])
        case "data":
            draw["data"] = chance.choice(WAYS)(DATA)
        case "part":
            for other in (draw, *others):
                other["part"] = chance.choice(WAYS)("north side")
        case "chance":
            draw["randomness"] = chance.choice(["", None, 0, "a seed: not private", "NOT  PRIVATE"])
    for path, content in logs.items():
        path.write_text(json.dumps(content))
    return (aim,)


def alike(name):
    return "".join(name.replace("\u200b", "").split()).casefold()


def hold(honest, ledger, certificates, how):
    """Hold the accounts of a forged ledger to the honest one: their sums, and a budget that was exceeded."""
    try:
        accounts = om.ledger(ledger, certificates=certificates)
    except om.OptmechError:
        return
    if any(account.unknown or account.unread for account in accounts):
        assert not any(account.within(10**6) for account in accounts if account.unknown or account.unread)
        return
    names = [alike(account.data) for account in accounts]
    assert len(set(names)) == len(names), how
    if all(draw.is_for_person for account in accounts for draw in account.draws):
        assert sum(account.simple for account in accounts) >= honest.epsilon - ROUNDING, how
        assert sum(account.delta for account in accounts) >= honest.delta, how
        assert len(accounts) > 1 or not accounts[0].within(honest.exceeded), how
    else:  # that there is no bound of a person is another sentence
        assert how[-1] in LIES, how


def one_forged_ledger(honest, folder, seed):
    chance = random.Random(seed)  # noqa: S311 - a test repeats it
    ledger = folder / f"ledger{seed}"
    shutil.copytree(honest.folder / "ledger", ledger)
    certificates = honest.certificates if chance.random() < 0.8 else []
    if chance.random() < 0.5:
        how = forge_with_aim(ledger, chance)
    else:
        path = chance.choice(sorted(ledger.iterdir()))
        if chance.random() < 0.1:
            shutil.copy(path, path.with_name("copy.release.json"))
        how = forge(path, chance) or ("text",)
    if certificates or how[-1] not in ("epsilon", "delta"):  # else a log is taken at its word, as reported
        hold(honest, ledger, certificates, how)


def one_forged_bound(honest, folder, seed):
    chance = random.Random(seed)  # noqa: S311 - a test repeats it
    name = chance.choice(["one", "many"])
    for file in (f"{name}.csv", f"{name}.csv.json"):
        shutil.copy(honest.folder / file, folder / file)
    place = forge(folder / f"{name}.csv.json", chance)
    mechanism = honest.certificates[2 if name == "many" else 1]
    is_a_lie = place is not None and place[-1] in LIES
    try:
        person = released(mechanism, folder, name, out=f"{seed}.csv").log["person"]
    except om.OptmechError:
        return
    if not is_a_lie:
        for what in ("epsilon", "delta"):
            assert Fraction(person[what]) >= Fraction(honest.persons[name][what]), (name, place, what)
    budget = str(Fraction(person["epsilon"]) / 2)
    with pytest.raises(om.ProblemError, match=r"would be exceeded|`delta`"):
        released(mechanism, folder, name, out=f"{seed}.csv", again=True, budget=budget, data=DATA)


GROUPS = ["x", "y", "z", "x", "y", "z", "X", "x ", "", "\u0445", "default", "None"]
FILES = [
    *(f"{number}.certificate.json" for number in range(3)),
    "./0.certificate.json",
    "0.certificate.json ",
]
STRAY_FILES = [
    "../0.certificate.json",
    "/0.certificate.json",
    "a/../../0.certificate.json",
    "one.csv",
    "",
    ".",
]


def forged_list(kind, chance):
    """Write a list of groups that names what it should not, or what is another way to write a group."""
    names = [chance.choice(GROUPS) for _ in range(chance.randrange(6))] + ["x", "y", "z"]
    files = [chance.choice([*FILES, *FILES, chance.choice(STRAY_FILES)]) for _ in names]
    pairs = (
        zip(names, files, strict=True)
        if chance.random() < 0.3
        else dict(zip(names, files, strict=True)).items()
    )
    if kind == "csv":
        text = "group,certificate\n" + "".join(f"{name},{file}\n" for name, file in pairs)
    else:
        lines = [f"{json.dumps(name)} = {json.dumps(file)}\n" for name, file in pairs]
        text = f'default = "{chance.choice(FILES)}"\n[groups]\n' + "".join(
            chance.sample(lines, chance.randint(1, len(lines)))
        )
    return forged_text(text, chance) if chance.random() < 0.2 else text


def one_forged_list(folder, seed):
    chance = random.Random(seed)  # noqa: S311 - a test repeats it
    kind = "toml" if seed % 2 else "csv"
    name = f"groups{seed}.{kind}"
    (folder / name).write_bytes(forged_list(kind, chance).encode())
    line = f"apply {name} one.csv --group ward --column count --clamp --out {seed}.csv --quiet"
    code = main(line.split())
    assert (code == 0) == (folder / f"{seed}.csv").exists()
    if code:
        return
    text = (folder / name).read_text(encoding="utf-8-sig")
    if kind == "toml":
        content = tomllib.loads(text)
        files = {ward: content["groups"].get(ward, content.get("default")) for ward in "xyz"}
    else:
        files = dict(list(csv.reader(io.StringIO(text)))[1:])
    person = om.read_log(folder / f"{seed}.release.json")["person"]
    for ward in "xyz":
        privacy = om.read_certificate(folder / files[ward]).problem.privacy
        assert float(om.question(om.count(1), person["epsilon"]).privacy.epsilon) >= 3 * float(
            privacy.epsilon
        )
        assert Fraction(person["delta"]) >= 2 * (privacy.delta or 0), (ward, files)


@pytest.fixture
def tables(honest, tmp_path, monkeypatch):
    """Work in a folder with tables and certificates, and a certificate outside of it."""
    (tmp_path / "here").mkdir()
    for path in (*honest.folder.glob("one.csv*"), *honest.folder.glob("*.certificate.json")):
        shutil.copy(path, tmp_path / "here")
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def seeds_up_to(many):
    """Return a few seeds, some for slow tests, and many for long ones: of all three kinds there are 520."""
    some = pytest.param(many // 10, marks=pytest.mark.slow)
    return pytest.mark.parametrize("seeds", [6, some, pytest.param(many, marks=pytest.mark.long)])


def try_all(attempt, seeds):
    for seed in range(seeds):
        try:
            attempt(seed)
        except BaseException as trouble:
            trouble.add_note(f"seed = {seed}")
            raise


@seeds_up_to(300)
def test_no_forged_log_makes_an_account_smaller(honest, tmp_path, seeds):
    try_all(partial(one_forged_ledger, honest, tmp_path), seeds)


@seeds_up_to(100)
def test_no_forged_bound_makes_a_person_spend_less(honest, tmp_path, seeds):
    try_all(partial(one_forged_bound, honest, tmp_path), seeds)


@seeds_up_to(120)
@pytest.mark.usefixtures("capsys")
def test_no_forged_list_of_groups_hides_a_mechanism(tables, seeds):
    try_all(partial(one_forged_list, tables), seeds)
