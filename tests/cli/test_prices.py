"""``optmech prices`` from the command line."""

import json

from optmech.cli.commands import run

WORDS = ["prices", "croft", "--query", "count", "--range", "0:4", "--epsilon", "1", "--property", "fair"]


def test_prices_are_told_in_sentences(capsys):
    assert run(WORDS) == 0
    text = capsys.readouterr().out
    assert "fair: costs 0." in text
    assert "epsilon: a little more is worth" in text


def test_prices_as_json_have_the_same_numbers(capsys):
    assert run([*WORDS, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert [row["choice"] for row in content["prices"]] == ["epsilon", "fair", "the range"]
    assert content["prices"][1]["costs"][0] > 0
