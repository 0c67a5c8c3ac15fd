"""``optmech publish`` in a terminal: typed, answered and written; Ctrl-C at a question leaves nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
ANSWERS = [
    ("One person", "patient"),
    ("Numbers of the table", "people"),
    ("Groups", "region"),
    ("Levels of region", "found"),
    ("List of region", "these"),
    ("Rows with an empty cell", ""),
    ("Bound of one person", "back"),
    ("Rows with an empty cell", "drop"),
    ("Bound of one person", ""),
    ("Totals", ""),
    ("Budget", "epsilon=1"),
    ("Name of the data", "clinic"),
    ("standard error", "yes"),
]


class Terminal:
    """A command whose streams are a terminal; what it prints is kept."""

    def __init__(self, folder, *words):
        self.end, child = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "optmech", *words],
            cwd=folder, env=environment, stdin=child, stdout=child, stderr=child, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - so that Ctrl-C is a key
        )  # fmt: skip
        os.close(child)
        self.shown = ""

    def until(self, text):
        """Read until a text is shown, and a prompt behind it."""
        start = len(self.shown)
        while text not in self.shown[start:] or not self.shown.endswith(": "):
            self._read()

    def _read(self):
        part = os.read(self.end, 4096)
        assert part, self.shown
        self.shown += part.decode()

    def type(self, text):
        os.write(self.end, text.encode())

    def rest(self):
        """Return the exit code, when all is read."""
        try:
            while True:
                self._read()
        except OSError:  # the other end is closed
            pass
        os.close(self.end)
        return self.process.wait()


@pytest.fixture
def visits(tmp_path):
    (tmp_path / "visits.csv").write_text("patient,region\na,north\na,south\nb,north\n")
    return tmp_path


def test_a_table_is_published_from_a_terminal(visits):
    terminal = Terminal(visits, "publish", "visits.csv")
    for question, answer in ANSWERS:
        terminal.until(question)
        terminal.type(f"{answer}\n")
    assert terminal.rest() == 0, terminal.shown
    assert (visits / "visits-published" / "released.csv").is_file()
    assert 'empty = "drop"' in (visits / "visits-published" / "publish.toml").read_text()


@pytest.mark.parametrize(("last", "key", "code"), [(12, "\x03", 130), (3, "\x04", 2)])
def test_a_person_who_stops_leaves_nothing(visits, last, key, code):
    terminal = Terminal(visits, "publish", "visits.csv")
    for question, answer in ANSWERS[:last]:
        terminal.until(question)
        terminal.type(f"{answer}\n")
    terminal.until(ANSWERS[last][0])
    terminal.type(key)
    assert terminal.rest() == code, terminal.shown
    assert "Traceback" not in terminal.shown
    assert [path.name for path in visits.iterdir()] == ["visits.csv"]
