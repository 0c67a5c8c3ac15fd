"""Bins of dates: periods of a public range, dates as edges, and forms that are stated and never guessed."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

import optmech as om
from optmech.release.tabulate.date_bins import WEEKDAYS, periods_of
from optmech.release.tabulate.dates import DateForm
from tests.each import each


def counted(cells, bins, **options):
    table = cells if isinstance(cells, pa.Table) else pa.table({"day": cells})
    counts = om.tabulate(table, each_row_a_person=True, bins={"day": bins}, **options)
    return dict(zip(*(counts.table[name].to_pylist() for name in ("day", "count")), strict=True))


DAYS = ["2024-01-01", "2024-02-29 10:30", "2024-12-31T23:59:59"]
PERIODS = {
    "year:2024..2025": {"2024": 3, "2025": 0},
    "quarter:2023-Q4..2024-Q4": {"2023-Q4": 0, "2024-Q1": 2, "2024-Q2": 0, "2024-Q3": 0, "2024-Q4": 1},
    "months:2024-01..2024-12": {f"2024-{month:02}": int(month in (1, 2, 12)) for month in range(1, 13)},
    "weekday": {day: {"Monday": 1, "Thursday": 1, "Tuesday": 1}.get(day, 0) for day in WEEKDAYS},
    "2024-01-01,2024-02-29,..": {"2024-01-01 to before 2024-02-29": 1, "2024-02-29 and later": 2},
    "..,2024-02-29,2024-12-31]": {"before 2024-02-29": 1, "2024-02-29 to 2024-12-31": 2},
}


@each("bins", PERIODS)
def test_dates_fall_into_periods_of_a_public_range(bins):
    assert counted(DAYS, bins) == PERIODS[bins]
    days = [dt.datetime.fromisoformat(day) for day in DAYS]
    assert counted(pa.table({"day": days}), bins) == PERIODS[bins]
    assert counted(pa.table({"day": pa.array(days, pa.date32())}), bins) == PERIODS[bins]


def test_weeks_are_those_of_iso_8601():
    weeks = counted(DAYS, "week:2024-W01..2025-W01")
    assert len(weeks) == 53
    assert [weeks[week] for week in ("2024-W01", "2024-W09", "2025-W01")] == [1, 1, 1]
    start = dt.date(2019, 12, 30)
    named = periods_of("day:2019-12-30..2026-01-04", DateForm()).labels
    weeks = periods_of("week:2020-W01..2026-W01", DateForm())
    for step, day in enumerate(named):
        year, week, _ = (start + dt.timedelta(days=step)).isocalendar()
        assert weeks.found(day, ".") == f"{year}-W{week:02}"


FORMS = {
    "DD.MM.YYYY": "5.1.2024",
    "DD/MM/YYYY": "05/01/2024 08:00",
    "MM/DD/YYYY": "1/5/2024",
    "YYYYMMDD": "20240105",
    "DD MON YYYY": "5 January 2024",
    "DDMONYYYY": "05JAN2024",
}


@each("form", FORMS)
def test_a_form_of_dates_is_stated_and_never_guessed(form):
    months = "month:2024-01..2024-05"
    assert counted([FORMS[form]], months, dates=form)["2024-01"] == 1
    for wrong in (None, "YYYY-DD-MM"):
        with pytest.raises(
            om.ProblemError, match=r"dates as YYYY-.* Dates are never guessed: say by `--dates`"
        ):
            counted([FORMS[form]], months, dates=wrong)
    with pytest.raises(om.ProblemError, match="dates as"):
        counted(["31.02.2024"], months, dates="DD.MM.YYYY")


def test_a_range_is_public_and_dates_beyond_it_are_refused_or_left_out():
    with pytest.raises(om.ProblemError, match="state a range of periods, which is public"):
        counted(DAYS, "month")
    table = pa.table({"day": DAYS})
    found = om.tabulate(table, each_row_a_person=True, bins={"day": "month"}, groups_from_data=True)
    assert found.table["day"].to_pylist() == ["2024-01", "2024-02", "2024-12"]
    with pytest.raises(om.ProblemError, match="dates in bins, 2024-01 to 2024-02, in column day"):
        counted(DAYS, "month:2024-01..2024-02")
    months = {"bins": {"day": "month:2024-01..2024-02"}, "groups": ["2024-01", "2024-02"]}
    assert om.tabulate(table, each_row_a_person=True, drop_others=True, **months).left_out == 1
    for wrong in ("month:2024-05..2024-01", "month:2024-1..2024-2", "week:2024-W60..2024-W61", "year:1..2"):
        with pytest.raises(om.ProblemError, match="have the first and the last"):
            counted(DAYS, wrong)
    for wrong in ("DD.MM", "MM/DD/YY", "YYYY-MM-MM"):
        with pytest.raises(om.ProblemError, match="must have YYYY, MM or MON, and DD"):
            counted(DAYS, "weekday", dates=wrong)
    with pytest.raises(om.ProblemError, match="got timestamp"):
        counted(pa.table({"day": pa.array([0], pa.timestamp("s", "UTC"))}), "weekday")
    with pytest.raises(om.ProblemError, match="come with bins of dates"):
        om.tabulate(table, each_row_a_person=True, group="day", groups=["x"], dates="DD.MM.YYYY")


def test_the_bound_says_how_dates_are_written():
    counts = om.tabulate(
        pa.table({"day": ["1.2.2024"]}),
        each_row_a_person=True,
        bins={"day": "weekday"},
        dates="DD.MM.YYYY",
        where="day >= 1.2.2024",
    )
    assert counts.bound.sentence == (
        "Each row is one person, and is counted once. Only rows where day >= 1.2.2024 are there. Dates in "
        "day are written DD.MM.YYYY."
    )
    assert counts.counted == 1
