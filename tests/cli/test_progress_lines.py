"""Without a terminal a line every ten seconds says what long work has reached: by a clock of the test."""

from __future__ import annotations

from contextlib import nullcontext

import optmech as om
from optmech.base.reached import begin, reach, watched
from optmech.cli import progress
from optmech.cli.output import manners
from optmech.designs import branch
from optmech.designs.rays import search
from optmech.models.solvers import highs


class Clock:
    """A clock that the test sets, and the lines that are written."""

    def __init__(self):
        self.now, self.lines = 0.0, []

    def lines_of(self, text):
        return progress.Lines(text, self.lines.append, lambda: self.now)

    def at(self, lines, *seconds):
        for self.now in seconds:
            lines.tick()


def test_a_line_comes_every_ten_seconds_and_none_while_there_is_nothing_to_say():
    clock = Clock()
    with watched() as figures:
        lines = clock.lines_of(lambda _: str(figures))
        clock.at(lines, 5, 11)
        begin("rays", "9 by 9 probabilities")
        clock.at(lines, 12, 20.5, 21)
        reach(best=2.0, bound=1.5)
        reach(best=2.5, bound=1.0)  # what is better stays
        clock.at(lines, 22, 30, 31.5)
        begin("program", "9 by 9 probabilities", "delta")
        reach(bound=0.0)
        clock.at(lines, 45)
    assert clock.lines == [
        "21 s: engine rays, 9 by 9 probabilities",
        "31 s: engine rays, 9 by 9 probabilities; best error 2, bound 1.5, gap 25 %",
        "45 s: engine program, 9 by 9 probabilities; bound 0",
    ]


def test_designs_tell_engine_size_objective_and_bound(monkeypatch):
    seen = []
    for module in (search, branch):
        monkeypatch.setattr(module, "reach", lambda **figures: (seen.append(figures), reach(**figures)))
    with watched() as figures:
        best = om.design(om.croft(om.mean(5, 3), 1))
        assert (figures.engine, figures.size) == ("rays", "16 by 16 probabilities")
        assert abs(figures.best - best.objective) < 1e-6
        assert figures.best - 1e-6 < figures.bound <= figures.best + 1e-6
        om.design(om.kadam(om.residues(24, [1, 3]), 1, "0.1"))
        assert (figures.engine, figures.minimised) == ("levels", "error")
        assert figures.bound <= figures.best < 0.71
        om.design(om.kadam(om.residues(9, [1, 2], symmetric=False), 1, "0.05"), engine="program")
        assert (figures.engine, figures.minimised) == ("program", "error")
        om.design(om.kadam_least_delta(om.residues(5, [1], symmetric=False), 1, at_most="0.2"))
        assert figures.minimised == "delta"
    assert any("best" in figures for figures in seen)
    assert any("best" not in figures for figures in seen)


def test_a_mixed_integer_program_tells_as_it_is_solved(monkeypatch):
    told = []
    monkeypatch.setattr(highs, "teller", lambda: lambda *figures: told.append(figures))
    best = om.design(
        om.kadam(om.residues(13, [1, 2, 3], symmetric=False), 1, "0.05"), raw=True, solver="highs"
    )
    unit = best.objective / [value for value, _, _ in told if value is not None][-1]
    assert all(value is None or value * unit >= best.objective * (1 - 1e-6) for value, _, _ in told)
    assert all(bound is None or bound * unit <= best.objective * (1 + 1e-6) for _, bound, _ in told)
    assert all(steps >= 0 for _, _, steps in told)


def test_a_rate_is_told_once_there_is_a_second_to_go_by():
    with watched() as figures:
        begin("interior", "9 by 9 probabilities")
        reach(best=2.0, bound=1.0)
        assert "a second" not in str(figures)
        figures.since -= 10
        reach(best=1.5)
        assert str(figures).endswith("best error 1.5, bound 1, gap 33 %, 0.2 steps a second")


def test_a_pipe_gets_the_lines_and_quiet_gets_none(monkeypatch, capsys):
    class Soon(progress.Lines):
        """Lines that are due at once."""

        def ticking(self):
            self._due = self._start
            self.tick()
            return super().ticking()

    monkeypatch.setattr(progress, "Lines", Soon)
    monkeypatch.setattr(progress, "watched", watched_at_work)
    for quiet, lines in ((False, ["optmech: 0 s: designing: engine rays, 9 by 9 probabilities"]), (True, [])):
        with manners(quiet=quiet, json=False), progress.waiting("designing"):
            pass
        assert capsys.readouterr().err.splitlines() == lines
    with manners(quiet=False, json=False):
        assert list(progress.watch(["first"], str)) == ["first"]
    assert capsys.readouterr().err.splitlines() == [
        "optmech: 0 s: 0 of 1 done; engine rays, 9 by 9 probabilities"
    ]


def test_lines_fit_in_80_columns_whatever_the_task():
    clock = Clock()
    with watched() as figures:
        begin("interior", "1,000 by 1,000 probabilities")
        reach(best=123.456, bound=0.123456)
        figures.since -= 1000
        lines = clock.lines_of(lambda room: progress._fitting("3 of 30 done", "design" * 9, figures, room))
        clock.at(lines, 10, 1000, 10_000)
        figures.best = figures.bound = None
        figures.steps = 0
        clock.at(lines, 10_020)
        lines = clock.lines_of(lambda room: progress._fitting("", "design" * 9, figures, room))
        clock.at(lines, 10_040)
    assert max(map(len, clock.lines)) <= 80 - len("optmech: ")
    assert clock.lines == [
        "10 s: 3 of 30 done; best error 123.456, bound 0.123456, gap 1e+02 %",
        "1000 s: 3 of 30 done; best error 123.456, bound 0.123456, gap 1e+02 %",
        "10000 s: 3 of 30 done; best error 123.456, bound 0.123456, gap 1e+02 %",
        "10020 s: 3 of 30 done; engine interior, 1,000 by 1,000 probabilities",
        "20 s: designdesigndes…: engine interior, 1,000 by 1,000 probabilities",
    ]


def test_works_of_other_processes_are_counted_and_have_no_figures(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_BETWEEN", 0.0)
    monkeypatch.setattr(progress.Lines, "ticking", lambda lines: (lines.tick(), nullcontext())[1])
    with manners(quiet=False, json=False):
        assert list(progress.watch(["first", "second"], lambda _: "")) == ["first", "second"]
    assert capsys.readouterr().err.splitlines() == ["optmech: 0 s: 0 of 2 done"]


class watched_at_work:  # noqa: N801 - in place of a function
    """Figures of an engine that is at work."""

    def __enter__(self):
        self.inner = watched()
        figures = self.inner.__enter__()
        begin("rays", "9 by 9 probabilities")
        return figures

    def __exit__(self, *exception):
        return self.inner.__exit__(*exception)
