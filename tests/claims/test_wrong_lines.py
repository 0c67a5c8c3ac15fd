"""Wrong command lines, by a generator, end with a code and a sentence, never with a traceback."""

from __future__ import annotations

import pytest

from optmech.cli import main
from tests.claims.wrong_lines import wrong_lines


def ends(lines, capsys):
    for line in lines:
        try:
            code = main(line)
        except SystemExit as left:
            code = left.code
        except BaseException as error:
            error.add_note(" ".join(map(repr, line)))
            raise
        shown = capsys.readouterr()
        assert code in (0, 1, 2), line
        assert "Traceback" not in shown.err, line
        assert code == 0 or shown.err.startswith("optmech: "), line


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("p,g,n\na,x,1\nb,y,2\n")
    assert main(["design", "count", "--range", "0:2", "--epsilon", "1", "--out", "m.csv", "-q"]) == 0


@pytest.mark.usefixtures("here")
def test_a_few_wrong_lines_end_with_a_sentence(capsys):
    ends(wrong_lines(10), capsys)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_more_wrong_lines_end_with_a_sentence(capsys):
    ends(wrong_lines(300, seed=7), capsys)


@pytest.mark.long
@pytest.mark.usefixtures("here")
def test_wrong_lines_end_with_a_sentence(capsys):
    ends(wrong_lines(3_000, seed=41), capsys)
