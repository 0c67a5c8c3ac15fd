import http.client
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.reports.studio.input_checks import EPSILON_STEPS
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.page import MOST_PAGES
from optmech.reports.studio.tokens import lasting_token
from tests.browser import MILLISECONDS, expect
from tests.reports.looks import in_each_look

ROOT = Path(__file__).parents[3]
AT_ONCE_MILLISECONDS = 300


def address_of(studio, **inputs):
    """Return the address of a page that states a question."""
    return f"{studio.address}?{Inputs(**inputs).address()}"


@pytest.fixture
def opened(page, studio):
    """The page of the studio once it shows its first design; nothing may go wrong on it, nor leave it."""
    page.goto(studio.address)
    page.locator(".facts").wait_for()
    yield page
    assert not page.watched.errors
    foreign = [url for url in page.watched.requests if not url.startswith((studio.origin, "data:", "blob:"))]
    assert not [url for url in foreign if not url.startswith(studio.origin.replace("http", "ws"))]


def slider(page, name):
    return page.get_by_role("slider", name=name)


def facts(page):
    """The table of numbers at one moment: for each name its cells, without provenances."""
    rows = page.locator(".facts tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.innerText.split('\\n')[0]))"
    )
    return {name: cells for name, *cells in rows}


def until(page, text):
    """Wait until the first number, which is epsilon, is that of a design; all else is drawn with it."""
    whole = re.compile(rf"(?<![\d.]){re.escape(text)}(?![\d.])")
    page.locator(".facts tbody tr").first.filter(has_text=whole).wait_for()


def objective(page):
    return page.locator(".facts tbody tr").filter(has=page.get_by_role("rowheader", name="objective"))


def column(page, truth):
    """Return the probability of each release at a truth, as soon as the table, which is open, is of that."""
    expect(page.locator(".chances caption")).to_have_text(re.compile(rf" {truth}$"))
    cells = page.locator(".chances tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].map(cell => cell.innerText))"
    )
    return {name: float(chance) for name, chance in cells}


@pytest.mark.slow
def test_the_arrow_keys_of_a_slider_change_the_matrix_to_that_of_design(opened):
    epsilon = slider(opened, "Epsilon, logarithmic slider")
    epsilon.focus()
    opened.keyboard.press("ArrowRight")
    until(opened, "1.1")
    expect(opened.get_by_label("Epsilon: 0.5")).to_have_value("1.1")
    expect(epsilon).to_have_attribute("aria-valuetext", "1.1")
    design = om.design(om.question(om.count(20), "1.1"))
    slider(opened, "True answer").focus()
    opened.keyboard.press("ArrowLeft")
    opened.get_by_text("The same as a table").click()
    shown = list(column(opened, "9").values())
    assert np.allclose(shown, design.mechanism.matrix[:, 9], rtol=0, atol=5e-7)
    expect(objective(opened)).to_contain_text(f"{design.objective:.5g}")
    says_what_is_pointed_at(opened, design)


def says_what_is_pointed_at(page, design):
    """The first cell of the heat map says its exact number, and every bar its own."""
    ground = page.locator(".square .ground").filter(visible=True)
    ground.hover(position={"x": 3, "y": 3}, force=True)  # cells lie above it
    numerator = design.mechanism.exact.numerators[0, 0]
    expect(page.locator(".tip")).to_have_text(
        re.compile(rf"true answer 0\s*released answer 0\s.*: {numerator}\b", re.DOTALL), use_inner_text=True
    )
    bars = page.locator(".plot .bar")
    expect(bars).to_have_count(21)
    expect(bars.nth(9)).to_have_attribute("data-tip", re.compile("released answer 9"))
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_have_count(0)


@pytest.mark.slow
def test_a_count_to_50_follows_the_slider_with_one_drawing_a_step(opened):
    opened.get_by_label("Largest value", exact=True).fill("50")
    opened.get_by_role("heading", level=1, name="0 to 50").wait_for()
    slider(opened, "Epsilon, logarithmic slider").focus()
    opened.evaluate(
        """() => {
            window.drawn = [];
            const table = document.querySelector('.facts').parentElement;
            new MutationObserver(() => window.drawn.push(table.querySelector('tbody td').innerText))
                .observe(table, {childList: true, subtree: true, characterData: true});
        }"""
    )
    requests = len(opened.watched.requests)
    start = EPSILON_STEPS.index("1")
    steps = EPSILON_STEPS[start - 11 : start][::-1]
    for step in steps:
        opened.keyboard.press("ArrowLeft")
        until(opened, step)
    # Each step is drawn before the next: a second drawing of one would stand before that of the last.
    assert [text.split()[0] for text in opened.evaluate("window.drawn")] == list(steps)
    assert opened.watched.requests[requests:] == []


@pytest.mark.long
def test_a_count_to_50_follows_the_slider_at_once(opened):
    """The one measure by a clock: of a person's patience, on a machine with nothing else to do."""
    opened.get_by_label("Largest value", exact=True).fill("50")
    opened.get_by_role("heading", level=1, name="0 to 50").wait_for()
    slider(opened, "Epsilon, logarithmic slider").focus()
    opened.evaluate(
        """() => {
            window.measured = [];
            const table = document.querySelector('.facts').parentElement;
            let pressed = 0;
            addEventListener('keydown', () => { pressed = performance.now(); }, true);
            new MutationObserver(() => requestAnimationFrame(() => setTimeout(
                () => window.measured.push(performance.now() - pressed)
            ))).observe(table, {childList: true, subtree: true, characterData: true});
        }"""
    )
    for step in range(1, 11):
        opened.keyboard.press("ArrowLeft")
        opened.wait_for_function(f"window.measured.length == {step}")
    assert sorted(opened.evaluate("window.measured"))[5] < AT_ONCE_MILLISECONDS


@pytest.mark.slow
def test_a_program_is_solved_in_another_process_and_agrees_with_design(opened):
    opened.get_by_label("Delta: 0").fill("1e-3")
    design = om.design(om.question(om.count(20), "1", delta="1e-3"))
    expect(objective(opened)).to_contain_text(f"{design.objective:.5g}")
    expect(opened.get_by_text("δ = 0.001").first).to_be_visible()


@pytest.mark.slow
def test_two_designs_stand_side_by_side_and_one_goes_back(opened):
    opened.get_by_role("button", name="Keep this design as A").click()
    opened.get_by_label("Epsilon: 0.5").fill("ln 2")
    until(opened, "ln 2")
    before, now = (om.design(om.question(om.count(20), epsilon)) for epsilon in ("1", "ln 2"))
    shown = [float(cell.split()[0]) for cell in facts(opened)["objective"]]
    assert shown == pytest.approx([before.objective, now.objective], rel=1e-4)
    expect(opened.get_by_role("heading", name="The matrix of A, kept")).to_be_visible()
    opened.get_by_text("The same as a table").click()
    opened.locator(".chances thead", has_text="A, kept").wait_for()
    opened.evaluate(
        """() => {
            const box = document.querySelector('[aria-label^="Epsilon: 0.5"]');
            const command = document.querySelector('.command');
            window.seen = [];
            new MutationObserver(() => window.seen.push([box.value, command.innerText]))
                .observe(document.body, {subtree: true, childList: true, attributes: true});
        }"""
    )
    opened.get_by_role("button", name="Go back to A").click()
    expect(opened.locator(".command")).to_contain_text("--epsilon 1 ", use_inner_text=True)
    expect(opened.get_by_label("Epsilon: 0.5")).to_have_value("1")
    # No two parts of the page ever state different questions.
    assert {
        (box, "--epsilon 1 " in " ".join(command.split())) for box, command in opened.evaluate("window.seen")
    } <= {("ln 2", False), ("1", True)}
    opened.get_by_role("button", name="Forget A").click()
    opened.get_by_role("heading", name="The matrix", exact=True).wait_for()
    assert [len(cells) for cells in facts(opened).values()] == [1] * 9


@pytest.mark.slow
def test_what_is_taken_away_is_checked_by_the_standalone_checker(opened, tmp_path, studio):
    opened.get_by_label("Epsilon: 0.5").fill("0.5")
    until(opened, "0.5")
    for words in ("Matrix, CSV", "Certificate, JSON", "Report, HTML", "Card, JSON", "Card, Markdown"):
        with opened.expect_download() as started:
            opened.get_by_role("button", name=words).click()
        started.value.save_as(tmp_path / started.value.suggested_filename)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert len(files) == 5
    checked = subprocess.run(
        [sys.executable, ROOT / "check_certificate.py", "mechanism.certificate.json", "mechanism.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert json.loads((tmp_path / "mechanism.card.json").read_text())
    report = opened.context.new_page()
    report.goto((tmp_path / "mechanism.report.html").as_uri())
    expect(report.locator("h1")).to_have_count(1)
    assert list(studio.folder.iterdir()) == []


@pytest.mark.slow
def test_an_impossible_question_is_a_sentence_in_place(opened):
    opened.get_by_text("none; open to choose").click()
    opened.get_by_role("checkbox", name="(unbiased)").click()
    opened.get_by_role("checkbox", name="(fair)").click()
    alert = opened.get_by_role("alert")
    clash = "fair \\+ unbiased.*unbiased is infeasible with epsilon = 1\\. Where the mean"
    alert.get_by_text(re.compile(clash)).wait_for()
    opened.get_by_role("checkbox", name="(unbiased)").click()
    alert.wait_for(state="hidden")
    fair = om.design(om.question(om.count(20), "1", properties="fair"))
    opened.locator(".facts", has_text=f"{fair.objective:.5g}").wait_for()
    opened.get_by_label("Largest value", exact=True).fill("500000")
    alert.get_by_text("must leave at most 100,001 true values").wait_for()
    opened.get_by_label("Epsilon: 0.5").fill("a lot")
    opened.get_by_label("Largest value", exact=True).fill("20")
    alert.get_by_text("must be a finite number; got 'a lot'").wait_for()
    opened.get_by_label("Epsilon: 0.5").fill("<img src=x onerror=alert(1)>")
    alert.get_by_text("got '<img src=x onerror=alert(1)>'").wait_for()
    expect(opened.locator("img[src=x]")).to_have_count(0)
    assert "Traceback" not in opened.content()


@pytest.mark.slow
def test_reload_and_bookmark_keep_the_question(opened, studio):
    opened.get_by_label("Epsilon: 0.5").fill("ln 2")
    opened.get_by_label("Largest value", exact=True).fill("450")
    opened.wait_for_url(address_of(studio, largest=450, epsilon="ln 2"))
    opened.get_by_text("41 of 451 true answers are shown").wait_for()
    expect(opened.get_by_role("button", name="Matrix, CSV")).to_be_hidden()
    opened.reload()
    until(opened, "ln 2")
    expect(opened.get_by_label("Largest value", exact=True)).to_have_value("450")
    opened.goto(address_of(studio, query="categories", categories="flu,cold,none"))
    opened.get_by_role("heading", name="The matrix").wait_for()
    expect(opened.get_by_label("Names of the categories")).to_have_value("flu, cold, none")
    opened.goto(address_of(studio, largest=5).replace("5%7D", "5.5%7D"))
    opened.get_by_role("alert").get_by_text("must be a whole number").wait_for()


@pytest.mark.slow
def test_every_true_answer_of_a_large_count_is_reached(opened, studio):
    opened.goto(address_of(studio, largest=20_000))
    opened.get_by_text("41 of 20,001 true answers are shown").wait_for()
    opened.get_by_label("True answer, any of them").fill("7777")
    opened.locator(".hint strong", has_text="7777").wait_for()
    expect(slider(opened, "True answer")).to_have_attribute("aria-valuetext", "7500")
    opened.get_by_text("The same as a table").click()
    cells = column(opened, "7777")
    design = om.design(om.question(om.count(20_000), "1"))
    near = {
        str(7_777 + step): float(design.mechanism.probability(7_777 + step, 7_777)) for step in (-1, 0, 2)
    }
    assert {name: cells[name] for name in near} == pytest.approx(near, abs=1e-6)
    opened.get_by_label("True answer, any of them").fill("20001")
    opened.get_by_text("must be a whole number from 0 to 20,000; got 20001").wait_for()
    slider(opened, "True answer").focus()
    opened.keyboard.press("ArrowLeft")
    opened.locator(".hint strong", has_text="7000").wait_for()
    expect(opened.get_by_label("True answer, any of them")).to_have_value("7000")


@pytest.mark.slow
def test_a_certificate_is_opened_and_a_forged_one_is_a_sentence_in_place(opened, tmp_path, studio):
    files = {
        "mine.json": om.design(om.question(om.count(7), "ln 2", properties="fair")),
        "own loss.json": om.design(om.question(om.count(3), 1, loss=[0, 1, 1.5, 1.5])),
    }
    for name, made in files.items():
        om.write_certificate(made.certificate, tmp_path / name)
    forged = (tmp_path / "mine.json").read_text().replace('"objective": "', '"objective": "1')
    (tmp_path / "forged.json").write_text(forged)
    chooser, read = opened.get_by_label("Open a certificate"), opened.get_by_text("Read from a certificate")
    chooser.set_input_files(tmp_path / "mine.json")
    read.wait_for()
    largest = opened.get_by_label("Largest value", exact=True)
    expect(largest).to_have_value("7")
    expect(opened.get_by_label("Epsilon: 0.5")).to_have_value("ln 2")
    expect(opened.locator("fieldset summary")).to_have_text("fair")
    opened.wait_for_url(address_of(studio, largest=7, epsilon="ln 2", properties=("fair",)))
    made = files["mine.json"].certificate
    expect(objective(opened)).to_contain_text(f"{float(made.objective):.5g} proved", use_inner_text=True)
    with opened.expect_download() as started:
        opened.get_by_role("button", name="Certificate, JSON").click()
    assert Path(started.value.path()).read_text() == (tmp_path / "mine.json").read_text()
    alert = opened.get_by_role("alert")
    chooser.set_input_files(tmp_path / "forged.json")
    alert.get_by_text("says another objective than its mechanism and multipliers give").wait_for()
    expect(objective(opened)).to_contain_text(f"{float(made.objective):.5g} proved", use_inner_text=True)
    drop = """(text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "dropped.json"));
        const how = {dataTransfer, bubbles: true, cancelable: true};
        document.body.dispatchEvent(new DragEvent("drop", how));
    }"""
    opened.evaluate(drop, (tmp_path / "own loss.json").read_text())
    opened.get_by_text("The controls of this page cannot state the question of this certificate").wait_for()
    expect(alert).to_be_hidden()
    expect(largest).to_have_value("7")
    expect(opened.get_by_role("heading", level=1)).to_have_text("How many? A count from 0 to 3.")
    command = "optmech design count --range 0:3 --epsilon 1 --loss 0,1,1.5"
    expect(opened.locator("code.command")).to_contain_text(command, use_inner_text=True)
    opened.get_by_role("button", name="Keep this design as A").click()
    opened.get_by_label("Epsilon: 0.5").fill("2")
    opened.get_by_role("heading", level=1, name="0 to 7").wait_for()
    opened.get_by_role("button", name="Go back to A").click()
    opened.get_by_role("heading", level=1, name="0 to 3").wait_for()
    assert list(studio.folder.iterdir()) == []


@pytest.mark.slow
def test_totals_and_histograms_are_asked_by_the_controls_that_they_have(opened):
    query, adjacency = (opened.get_by_role("combobox", name=name) for name in ("Question", "One person"))
    expect(adjacency).to_be_hidden()
    query.select_option("total")
    opened.get_by_label("Largest value", exact=True).fill("3")
    opened.get_by_label("Records in all").fill("4")
    adjacency.select_option("add-remove")
    design = om.design(om.question(om.total(4, 3, adjacency="add-remove"), 1))
    expect(objective(opened)).to_contain_text(f"{design.objective:.5g}")
    query.select_option("histogram")
    expect(opened.get_by_label("Records in all")).to_be_hidden()
    opened.get_by_text("In each cell of a histogram: how many? A count from 0 to 3.").wait_for()
    command = "optmech design histogram --range 0:3 --epsilon 1 --out mechanism.csv"
    expect(opened.locator("code.command")).to_have_text(command, use_inner_text=True)
    adjacency.select_option("change")
    until(opened, "0.5")
    expect(opened.locator(".notes")).to_contain_text(
        "each unit spends epsilon = 0.5, all of them epsilon = 1"
    )


@pytest.mark.slow
def test_two_visitors_have_designs_of_their_own(opened, studio):
    other = opened.context.new_page()
    other.goto(studio.address)
    other.locator(".facts").wait_for()
    other.get_by_label("Epsilon: 0.5").fill("3")
    opened.get_by_label("Epsilon: 0.5").fill("2")
    until(other, "3")
    until(opened, "2")
    for page in (other, opened):  # what was sent to it before has arrived when this has
        slider(page, "True answer").focus()
        page.keyboard.press("ArrowLeft")
        page.locator(".hint strong", has_text="9").wait_for()
    assert facts(other)["ε"] == ["3 proved"]
    assert facts(opened)["ε"] == ["2 proved"]
    other.close()


@pytest.mark.slow
def test_hostile_messages_of_a_client_are_refused_and_the_page_lives_on(opened, studio):
    opened.evaluate(
        """() => {
            window.heard = [];
            const emit = window.socket.emit.bind(window.socket);
            window.socket.emit = (name, ...rest) => {
                if (name == 'event') window.heard.push(rest[0]);
                return emit(name, ...rest);
            };
        }"""
    )
    slider(opened, "Epsilon, logarithmic slider").focus()
    opened.keyboard.press("ArrowRight")
    slider(opened, "Largest value, slider").focus()
    opened.keyboard.press("ArrowRight")
    opened.get_by_label("Epsilon: 0.5").fill("0.9")
    opened.get_by_label("Largest value", exact=True).fill("31")
    opened.get_by_label("Error", exact=True).select_option("squared")
    opened.wait_for_function("window.heard.length >= 5")
    hostile = [
        "1e999",
        "-1",
        "1e300",
        "null",
        '"x"',
        "[[]]",
        '{"value": 7}',
        '{"value": "x"}',
        "true",
        '"' + "9" * 10**5 + '"',
    ]
    opened.evaluate(
        """(hostile) => {
            for (const message of [...window.heard]) for (const value of hostile)
                window.socket.emit('event', {...message, args: [value]});
            const own = window.heard[0].client_id;
            for (const nonsense of [{}, {client_id: 1}, {client_id: own, id: 10 ** 9, args: []}])
                window.socket.emit('event', nonsense);
        }""",
        hostile,
    )
    # Messages are answered in their order: after these, what is asked next.
    opened.get_by_label("Error", exact=True).select_option("absolute")
    opened.get_by_label("Largest value", exact=True).fill("33")
    opened.get_by_label("Epsilon: 0.5").fill("0.8")
    until(opened, "0.8")
    opened.get_by_role("heading", level=1, name="0 to 33").wait_for()
    assert studio.process.poll() is None
    assert "Traceback" not in studio.said()
    opened.reload()
    opened.locator(".facts").wait_for()
    opened.get_by_label("Epsilon: 0.5").fill("4")
    until(opened, "4")
    opened.watched.errors.clear()  # what the hostile messages did to their own page is theirs


def asked(studio, path=None, **headers):
    """Return status and headers of a request by a program that is no browser."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=MILLISECONDS / 1000)
    own = "/" + studio.address.split("/", 3)[3]
    connection.putrequest("GET", own if path is None else path, skip_host=True)
    for name, value in {"Host": f"127.0.0.1:{studio.port}", **headers}.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


@pytest.mark.slow
def test_only_this_machine_and_this_run_are_answered(studio):
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    path = "/" + studio.address.split("/", 3)[3]
    socket = f"{path}_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    assert asked(studio, Host="evil.example")[0] == 421
    assert asked(studio, Host=f"evil.example:{studio.port}")[0] == 421
    assert asked(studio, Origin="http://evil.example")[0] == 403
    for elsewhere in ("/", "/_nicegui_ws/socket.io/?EIO=4&transport=polling", "/docs", "/openapi.json"):
        assert asked(studio, elsewhere)[0] == 404
    assert asked(studio, socket, Origin="http://evil.example", **upgrade)[0] == 403
    assert asked(studio, socket, **upgrade)[0] == 403
    assert asked(studio, socket.replace(path, "/"), Origin=studio.origin, **upgrade)[0] == 403
    assert asked(studio, socket, Origin=studio.origin, **upgrade)[0] == 101
    status, headers, content = asked(studio)
    assert status == 200
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers
    assert b"http://" not in content.replace(b"http://www.w3.org", b"")


@in_each_look
def test_the_page_is_accessible_and_fits_in_each_state(opened, width, scheme, tmp_path):
    axe_of = pytest.importorskip("axe_playwright_python.sync_playwright")
    opened.set_viewport_size({"width": width, "height": 844})
    opened.emulate_media(color_scheme=scheme)
    if width == 390:  # objective, privacy and the whole matrix are on the first screen
        for part in (".headline", ".verdict .sentence:visible", ".matrix h2:visible"):
            expect(opened.locator(part)).to_be_in_viewport(ratio=1)
        expect(opened.locator(".matrix .ground:visible")).to_be_in_viewport(ratio=1)
        opened.get_by_role("button", name="Change the question").click()
        opened.get_by_role("button", name="Hide the controls", expanded=True).wait_for()
    alert, working = opened.get_by_role("alert"), opened.locator(".working")

    def look(state):
        result = axe_of.Axe().run(opened)
        assert not result.violations_count, f"{state}: {result.generate_report()}"
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, state

    look("a design")
    opened.get_by_role("button", name="Keep this design as A").click()
    opened.get_by_label("Epsilon: 0.5").fill("ln 2")
    until(opened, "ln 2")
    opened.get_by_text("none; open to choose").click()
    opened.get_by_text("The same as a table").click()
    look("two designs")
    opened.get_by_label("Largest value", exact=True).fill("500000")
    alert.wait_for()
    look("a refusal")
    loss = om.design(om.question(om.count(3), 1, loss=[0, 1, 1.5, 1.5]))
    om.write_certificate(loss.certificate, tmp_path / "loss.json")
    opened.get_by_label("Open a certificate").set_input_files(tmp_path / "loss.json")
    opened.get_by_text("Read from a certificate").wait_for()
    look("a certificate")
    opened.get_by_role("combobox", name="Question").select_option("extremum")
    opened.get_by_label("Delta: 0").fill("1e-3")
    opened.get_by_label("Largest value", exact=True).fill("100")
    working.wait_for()
    look("a long solve")
    working.get_by_role("button", name="Cancel").click()
    alert.wait_for()


@pytest.mark.slow
def test_every_control_is_reached_by_keyboard_and_has_a_name(opened):
    opened.locator("body").click(position={"x": 2, "y": 2})
    reached = []
    for _ in range(60):
        opened.keyboard.press("Tab")
        name = opened.evaluate(
            """() => {
                const at = document.activeElement;
                if (at === document.body) return '';
                const isSeen = (one) => one.outlineStyle !== 'none' || one.boxShadow !== 'none';
                const shown = [at, at.closest('.q-field__control') ?? at].map((one) => getComputedStyle(one));
                const label = at.getAttribute('aria-label') || at.labels?.[0]?.innerText || at.innerText;
                return label + (shown.some(isSeen) ? '' : ' UNSEEN');
            }"""
        )
        if not name:
            break
        reached.append(name.split("\n")[0])
    expected = [
        "Open a certificate …", "Question", "Smallest value", "Largest value", "Largest value, slider",
        "Records of one person, at most",
        "Epsilon: 0.5, 1/3 or ln 2", "Epsilon, logarithmic slider",
        "Delta: 0, or such as 1e-6", "Delta, logarithmic slider", "Error", "Judged",
        "none; open to choose", "Longest solve, in seconds", "Keep this design as A",
        "True answer", "The same as a table", "Matrix, CSV", "Certificate, JSON",
        "Report, HTML", "Card, JSON", "Card, Markdown", "Copy the command",
    ]  # fmt: skip
    assert [name for name in reached if name.removesuffix(" UNSEEN") in expected] == expected


@pytest.mark.slow
def test_the_same_address_is_that_of_the_token_which_lasts(studio, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(studio.state))
    assert studio.address == f"{studio.origin}/{lasting_token(studio.port)}/"


@pytest.mark.long
def test_pages_that_no_browser_came_back_for_do_not_lock_the_owner_out(studio):
    statuses = [asked(studio)[0] for _ in range(2 * MOST_PAGES + 2)]
    assert {*statuses} == {200}
    assert studio.process.poll() is None
    assert "Traceback" not in studio.said()
