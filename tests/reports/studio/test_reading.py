import asyncio
import json
import re
from types import MappingProxyType, SimpleNamespace

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.reports.studio.design_summary import design_summary
from optmech.reports.studio.inputs import Inputs
from optmech.reports.studio.reading import LARGEST_FILE, inputs_for, reading_of
from optmech.reports.studio.session import Session
from optmech.reports.studio.state import Cache
from optmech.reports.studio.worker import answer
from optmech.reports.studio.workers import RefusedError
from tests.each import each

opener = pytest.importorskip("optmech.reports.studio.opener", exc_type=ImportError)
COUNT = om.question(om.count(5), "ln 2", properties="fair")
STATED = [
    Inputs(),
    Inputs(query="extremum", smallest=-3, largest=3, epsilon="ln 2", loss="zero-one"),
    Inputs(query="mean", smallest=-2, largest=4, records=25, per_person=2, loss="squared", judged="worst"),
    Inputs(loss="beyond", beyond=3, delta="0.01", epsilon="1/3", properties=("fair", "symmetric")),
    Inputs(query="categories", categories="flu, cold, none", loss="zero-one"),
    Inputs(query="total", records=4, largest=3, per_person=2, adjacency="add-remove"),
    Inputs(largest=100_000, delta="0.000001"),
]


@each("inputs", STATED)
def test_the_controls_state_the_question_of_a_certificate(inputs):
    assert inputs_for(inputs.problem()) == inputs


NOT_STATED = {
    "a loss of one's own": om.question(om.count(3), 1, loss=[0, 1, 1.5, 1.5]),
    "a prior": om.question(om.count(2), 1, prior=[0.25, 0.25, 0.5]),
    "a sum": om.croft(om.count(3), 1),
    "an epsilon beyond the page": om.question(om.count(3), 20),
    "another definition": om.question(om.count(3), 1, delta="1e-3", definition="per-outcome"),
    "several privacies": om.question(om.count(3), privacy=[("0.5", "1e-3"), ("1", "1e-6")]),
    "a noise": om.question(om.count(3), privacy=om.as_private_as("discrete-gaussian", sigma="2")),
    "a bound": om.question(om.count(3), 1, bounds="worst squared <= 3"),
    "a limit": om.question(om.count(3), 1, properties="accuracy >= 0.3"),
    "half an error": om.question(om.count(3), 1, loss="beyond 0.5"),
    "a comma in a name": om.question(om.categories(["a,b", "c"]), 1, loss="zero-one"),
    "residues": om.question(om.residues(5, [1]), 1),
    "other responses": om.question(om.count(3).variant(responses=range(5)), 1),
    "a delta to be least": om.sadeghi(1, "0.5", 2, (2, 4)),
}


@each("name", NOT_STATED, every=2)
def test_a_question_that_no_controls_state_is_shown_in_its_own_words(name):
    problem = NOT_STATED[name]
    assert inputs_for(problem) is None
    reading = reading_of(certificate_text(om.design(problem).certificate))
    page = design_summary(reading, None)
    assert page.verdict.startswith("Proved in exact arithmetic: ")
    assert page.notes[0].startswith("The controls of this page cannot state the question")
    is_private = name not in ("another definition", "a delta to be least")
    assert page.caution.startswith("This is not differential privacy") != is_private


def line(text, name="a.json"):
    return json.dumps({"certificate": text, "name": name, "seconds": 60}).encode()


@pytest.mark.parametrize(
    "inputs", [Inputs(largest=6), Inputs(largest=3000), Inputs(largest=450, delta="1e-3")]
)
def test_a_worker_proves_matrices_and_distributions_again(inputs):
    design = om.design(inputs.problem(), engine=inputs.engine)
    kind, reading = answer(line(certificate_text(design.certificate)))
    assert kind == "reading"
    assert reading.objective == design.objective
    rows = {row.name: row for row in design_summary(reading, inputs).rows}
    assert rows["objective"].provenance == "proved"
    assert design_summary(reading, inputs).origin.startswith("Read from a certificate, and proved again in ")


def text_of(problem):
    return certificate_text(om.design(problem).certificate)


@each(
    ("change", "why"),
    [
        (lambda text: text.replace('"objective": "', '"objective": "1'), "says another objective"),
        (lambda text: text.replace('"epsilon": "ln 2"', '"epsilon": "0.1"'), "does not hold"),
        (lambda _: '{"format": "something else"}', "must have the format 'optmech certificate'"),
        (lambda _: "", "must be JSON"),
        (lambda _: "[" * 10**5, "must be JSON"),
        (lambda _: "7", "must have the format"),
        (lambda text: text.replace('"kind": "count"', '"kind": "count", "kind": "count"'), "twice"),
    ],
)
def test_what_proves_nothing_is_a_sentence_with_the_name_of_the_file(change, why):
    kind, sentence = answer(line(change(text_of(COUNT))))
    assert kind == "refused"
    assert sentence.startswith("`a.json` ")
    assert why in sentence


@pytest.mark.slow
def test_more_true_answers_than_a_page_takes_are_refused():
    kind, sentence = answer(line(text_of(om.question(om.count(100_001), "0.5"))))
    assert (kind, "must have at most 100,001 true answers" in sentence) == ("refused", True)


class Reader:
    """Workers that read, files of some names as late as told, and design as `om.design`."""

    def __init__(self, rest):
        self.rest = rest

    async def read(self, text, name, _):
        await asyncio.sleep(self.rest.get(name, 0))
        kind, found = answer(line(text, name))
        if kind == "refused":
            raise RefusedError(found)
        return found

    async def design(self, inputs):
        return om.design(inputs.problem())


def opened(play, *files, rest=MappingProxyType({}), then=None):
    """Return the states of a session in which these files are opened one after the other."""

    async def scene():
        states = []
        session = Session(Reader(rest), Cache(), states.append, Inputs())
        async with asyncio.timeout(60):
            for file in (None, *files):
                number = len(states)
                if file is not None:
                    session.open(*file)
                while not states[number:] or states[-1].engine:
                    await asyncio.sleep(0.005)
                    if then is not None and session.state.engine:
                        then(session)
            while not session.state.is_current:  # noqa: ASYNC110 - a question that was left for a file
                await asyncio.sleep(0.005)
        await session.close()
        return states

    return play(scene())


def test_a_certificate_fills_the_inputs_and_is_not_solved_again(play):
    state = opened(play, (text_of(COUNT).encode(), "mine.json"))[-1]
    assert state.is_current
    assert (state.file, state.design.engine) == ("mine.json", "certificate")
    assert state.shown_inputs == state.inputs == Inputs(largest=5, epsilon="ln 2", properties=("fair",))
    assert state.problem is state.design.problem


def test_one_that_no_controls_state_leaves_the_inputs_as_they_are(play):
    state = opened(play, (text_of(NOT_STATED["a prior"]).encode(), "mine.json"))[-1]
    assert state.is_current
    assert (state.shown_inputs, state.inputs) == (None, Inputs())


@pytest.mark.parametrize("content", [b"\xff\xfe", b"{}", b"not JSON"])
def test_a_file_that_is_refused_leaves_the_design_before_it(content, play):
    state = opened(play, (content, "mine.json"))[-1]
    assert state.unopened.startswith("`mine.json` must ")
    assert state.is_current
    assert (state.file, state.refusal, state.design.engine) == ("", "", "chain")


def test_a_proof_that_takes_long_is_cancelled_and_leaves_the_design_before_it(play):
    state = opened(
        play, (text_of(COUNT).encode(), "a"), rest={"a": 60}, then=lambda session: session.cancel()
    )[-1]
    assert re.match(r"cancelled after \d+\.\d s; ", state.unopened)
    assert state.unopened.endswith("Open the file again.")
    assert state.is_current


def test_a_question_that_was_left_for_a_file_is_answered_where_the_file_is_refused(play):
    def ask_and_open(session):
        if session.state.inputs != Inputs(largest=7):
            session.ask({"largest": 7})
            session.open(b"{}", "second")

    states = opened(play, (text_of(COUNT).encode(), "first"), rest={"first": 60}, then=ask_and_open)
    assert states[-1].design.problem.query.num_truths == 8
    assert states[-1].unopened.startswith("`second` must have the format")


def received(play, *parts, page="own", name="a.json"):
    """Return the status of a request that brings a file in these parts, and what arrived."""
    arrived, openers = [], opener.Openers()
    openers.add("own", lambda *file: arrived.append(file))

    async def stream():
        for part in parts:
            yield part

    request = SimpleNamespace(path_params={"page": page}, query_params={"name": name}, stream=stream)
    return play(openers.receive(request)).status_code, arrived


def test_a_file_goes_to_the_page_that_chose_it(play):
    pytest.importorskip("nicegui")
    assert received(play, b"{", b"}") == (202, [(b"{}", "a.json")])
    assert received(play, b"{}", page="other") == (404, [])


def test_a_file_that_is_too_large_is_not_read_to_its_end(play):
    megabyte = bytes(2**20)
    assert received(play, *[megabyte] * (LARGEST_FILE // 2**20))[0] == 202
    assert received(play, *[megabyte] * (LARGEST_FILE // 2**20), b"1") == (413, [])


@each("text", [None, 7, [], {"name": 7, "size": "x"}, {"name": "a`b\n" * 100, "size": 1e300}])
def test_whatever_a_client_says_of_a_file_is_a_sentence(text):
    sentence = opener._why_not(text)
    assert sentence.count("`") % 2 == 0
    assert " must " in sentence
    assert len(sentence) < 400
    assert "\n" not in sentence
