"""The texts of a file are reported, below every verdict; no edit of a text changes what is proved."""

from __future__ import annotations

import json
import random
import re

import pytest

import optmech as om
from optmech.cli import main

QUESTIONS = {
    "count": lambda: om.croft(om.count(4), "0.5", variant=2),
    "mean": lambda: om.question(om.mean(2, 2), 1, prior="uniform"),
    "custom": lambda: om.question(om.Query(range(4), neighbours=[(0, 1), (2, 3)], name="mine"), 1),
    "categories": lambda: om.question(om.categories(["red", "green", "blue"]), 1, loss="zero-one"),
    "graph": lambda: om.question(om.graph([("a", "b", 2), ("b", "c", 1)], unit="0.5"), 1, loss="zero-one"),
    "vector": lambda: om.kadam(om.vector((2, 2), [(0, 1)]), 1, "0.1", cost="error-rate"),
    "bounded noise": lambda: om.sadeghi(1, "0.5", 2, (1, 3)),
    "modular": lambda: om.kadam(om.residues(5, [1]), "1.5", "0.1"),
    "delta": lambda: om.question(om.count(3), 1, delta="1e-4", worst_case=True),
    "from data": lambda: om.question(
        om.Query.from_data([3, 1, 3], max, change="replace", domain=range(5)), 1, loss="squared"
    ),
}
FRAGMENTS = (
    "all of it proved",
    "blessed by the regulator",
    "\x1b[2J",
    "\n",
    "\r",
    "\u202e",
    '"',
    "999.5",
    "0",
    "proved: objective 0",
    "count 0..7",
    "<b>",
    "|",
    "recomputed",
    "é",
)
WORDS = re.compile(r"prove|recomputed", re.IGNORECASE)


def read(certificate, folder):
    om.write_certificate(certificate, folder / "c.json")
    return json.loads((folder / "c.json").read_text())


@pytest.fixture(scope="module", params=QUESTIONS)
def stated(request, tmp_path_factory):
    # Noise has no field that nothing confirms, and a file that is written in one way alone.
    engine = "program" if request.param in ("from data", "delta") else "auto"
    design = om.design(QUESTIONS[request.param](), engine=engine)
    return request.param, read(design.certificate, tmp_path_factory.mktemp("c"))


def text_fields(part, path=()):
    """Yield where a text stands in a value of JSON."""
    if isinstance(part, str):
        yield path
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, value in inside:
        yield from text_fields(value, (*path, key))


def edited(content, path, new):
    again = json.loads(json.dumps(content))
    part = again
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = new
    return again


def edits(old, number, rng):
    for _ in range(number):
        at = rng.randrange(len(old) + 1)
        fragment = rng.choice(FRAGMENTS)
        yield rng.choice([fragment, old[:at] + fragment + old[at:], old[:at] + old[at + 1 :], fragment * 3])


def spoken(capsys, folder, content, *, pages):
    """Return every line of every output; ``None`` if the certificate is refused."""
    path = folder / "m.certificate.json"
    path.write_text(json.dumps(content))
    try:
        certificate = om.read_certificate(path)
    except (om.FileFormatError, om.VerificationError):
        assert not pages or main(["verify", str(path)]) != 0
        capsys.readouterr()
        return None
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out.partition("reported by the certificate, not verified")[0]
    text = [out, om.reports.card_markdown(om.card_of(certificate))]
    for command, name in (("report", "r.html"), ("export", "m.h"), ("card", "c.json")) if pages else ():
        further = ("--format", "c") if command == "export" else ()
        assert main([command, str(path), *further, "--out", str(folder / name)]) == 0
        text.append(
            (folder / name).read_text().replace("\n   ", " ").replace('\\"', "'")
        )  # C is wrapped, JSON escaped
        (folder / name).unlink()
    capsys.readouterr()
    return re.split(r"\n|<(?:tr|p|dt|dd|li|h1|h2|span)\b", "\n".join(text))


def claims(lines, texts):
    """Return what is called proved or recomputed, but for hashes of files, quoted names and labels."""
    masked = [re.sub(r'(\\?"|&quot;|&#34;).*?\1', "QUOTED", line) for line in lines]
    for text in texts:
        # At an axis of a chart a long label stands cut.
        for spelled in (text, *(f"{text[:end]}…" for end in range(len(text) - 1, 0, -1))):
            masked = [line.replace(spelled, "TEXT") for line in masked]
    hashes = re.compile(r"sha.?256", re.IGNORECASE)
    return [line for line in masked if WORDS.search(line) and not hashes.search(line)]


def hold(capsys, folder, name, content, number, *, pages):
    """Edit every text field so many times, and compare what is called proved or recomputed."""
    rng = random.Random(name)  # noqa: S311 - the same edits each time
    before, accepted = spoken(capsys, folder, content, pages=pages), 0
    assert claims(before, ())
    for path in list(text_fields(content)):
        old = content
        for key in path:
            old = old[key]
        for new in edits(old, number, rng):
            after = spoken(capsys, folder, edited(content, path, new), pages=pages)
            if after is not None:
                accepted += 1
                if path[0] == "question" and path[2:3] not in (("name",), ("labels",)):
                    continue  # another question, which is proved anew
                labels = [text for text in (new, old) if text and "labels" in path]
                assert claims(after, labels) == claims(before, labels), (path, new)
    assert accepted


@pytest.mark.slow
def test_no_edit_of_a_text_changes_what_is_called_proved_or_recomputed(stated, capsys, tmp_path):
    name, content = stated
    hold(capsys, tmp_path, name, content, 1, pages=False)


@pytest.mark.long
def test_no_edit_of_a_text_changes_any_page(stated, capsys, tmp_path):
    name, content = stated
    hold(capsys, tmp_path, name, content, 4 if name == "custom" else 1, pages=True)


def test_a_repair_that_was_blessed_is_reported_below_the_verdict(capsys, tmp_path):
    path = tmp_path / "m.certificate.json"
    content = read(om.design(om.croft(om.count(4), 1), engine="closed-form").certificate, tmp_path)
    content["reported"]["repair"] = {"how": "blessed by the regulator", "cost": "999.5"}
    path.write_text(json.dumps(content))
    assert main(["verify", str(path), "--explain"]) == 0
    above, _, below = capsys.readouterr().out.partition("reported by the certificate, not verified")
    assert "proved" in above
    assert "999.5" not in above
    assert "blessed by the regulator" in below
    assert "recomputed" not in below
