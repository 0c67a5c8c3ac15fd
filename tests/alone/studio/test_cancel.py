"""Cancel, on the page of the studio, ends the process that solves."""

import re

from tests.alone.waiting import wait_until
from tests.browser import expect
from tests.reports.studio.test_page import opened

__all__ = ["opened"]


def test_a_long_solve_shows_its_time_and_cancel_ends_its_process(opened, studio):
    # Counts follow from a theorem at once; a maximum with a delta takes most of a minute.
    opened.get_by_label("Largest value", exact=True).fill("100")
    opened.get_by_label("Delta: 0").fill("1e-3")
    opened.get_by_text("δ = 0.001").wait_for()
    opened.get_by_role("combobox", name="Question").select_option("extremum")
    words = opened.locator(".working")
    words.get_by_text(re.compile("Solving by .*: [1-9]")).wait_for()
    expect(opened.get_by_text("To the question before:")).to_be_visible()
    solving = studio.workers()
    assert solving
    opened.get_by_role("heading", name="Take it with you").scroll_into_view_if_needed()
    expect(words.get_by_role("button", name="Cancel")).to_be_in_viewport()  # stays in sight
    words.get_by_role("button", name="Cancel").click()
    opened.get_by_role("alert").get_by_text(re.compile(r"Cancelled after \d+\.\d s")).wait_for()
    expect(words).to_be_hidden()
    wait_until(lambda: not studio.workers() & solving)
    # The page lives on.
    opened.get_by_label("Delta: 0").fill("0")
    opened.get_by_role("combobox", name="Question").select_option("count")
    opened.get_by_role("alert").wait_for(state="hidden")
