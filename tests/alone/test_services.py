"""What docs/services.md says of threads, forks, pickles and the logger."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import pickle
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import numpy as np
import pandas as pd
import pytest

import optmech as om
from optmech.mechanisms.sampling.words import NotPrivateWarning
from tests.docs.shown import ROOT


@pytest.fixture(scope="module")
def design():
    return om.design(om.croft(om.count(5), "0.5", variant=2))


@pytest.fixture(scope="module")
def noise():
    return om.design(om.question(om.count(3_000), 1)).mechanism


def test_threads_share_a_mechanism(design, noise):
    for mechanism in (om.mechanism(design.certificate), noise):
        with ThreadPoolExecutor(8) as pool:
            drawn = list(pool.map(lambda _, own=mechanism: own.sample(np.full(500, 2)), range(32)))
        assert len({each.tobytes() for each in drawn}) == len(drawn)
        assert min(each.min() for each in drawn) >= 0
    counts = np.bincount(
        np.concatenate([design.mechanism.sample(np.full(4000, 2)) for _ in range(4)]), minlength=6
    )
    expected = design.mechanism.matrix[:, 2] * counts.sum()
    assert ((counts - expected) ** 2 / expected).sum() < 60


def test_threads_design_at_once(design):
    with ThreadPoolExecutor(4) as pool:
        designs = list(pool.map(lambda _: om.design(design.problem), range(8)))
    assert all(each.certificate == design.certificate for each in designs)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_draws_other_numbers_but_for_a_seed(noise):
    generator = np.random.default_rng(1)
    noise.sample(1_500, 64)  # it has drawn before
    ends, start = os.pipe()
    if not (child := os.fork()):
        try:
            with pytest.warns(NotPrivateWarning):
                repeated = noise.sample(1_500, 64, seed=generator)
            os.write(start, np.stack([noise.sample(1_500, 64), repeated]).tobytes())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    theirs = np.frombuffer(os.read(ends, 1 << 16), dtype=np.int64).reshape(2, 64)
    os.close(ends)
    os.close(start)
    with pytest.warns(NotPrivateWarning):
        repeated = noise.sample(1_500, 64, seed=generator)
    assert (theirs[0] != noise.sample(1_500, 64)).any()
    assert (theirs[1] == repeated).all()


def test_pickles_are_equal_and_draw(design, noise):
    for made in (design, om.design(om.question(om.count(9), 1))):
        again = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
        assert again.problem == made.problem
        assert again.certificate == made.certificate
        assert (again.mechanism.matrix == made.mechanism.matrix).all()
    assert pickle.loads(pickle.dumps(noise)).certificate == noise.certificate  # noqa: S301
    with pytest.raises(FrozenInstanceError):
        design.problem.name = "another"


class Records(logging.Handler):
    """Keeps what it is told."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.told = []

    def emit(self, record):
        self.told.append((record.levelname, record.getMessage()))


@pytest.fixture
def records():
    handler, logger = Records(), logging.getLogger("optmech")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler.told
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_the_logger_tells_of_engines_and_releases_and_of_nothing_secret(records, tmp_path):
    answers = [7, 3, 9]
    made = om.design(om.question(om.count(9), "1/4"), engine="program", solver="highs")
    table = tmp_path / "true.csv"
    table.write_text("town,count\n" + "".join(f"Secretville{each},{each}\n" for each in answers))
    om.release_table(made.certificate, table, tmp_path / "out.csv", column="count")
    om.release_frame(pd.read_csv(table), "count", made.certificate)
    with pytest.warns(NotPrivateWarning):
        om.release_table(made.certificate, table, tmp_path / "seeded.csv", column="count", seed=1)
    texts = [text for _, text in records]
    assert ("INFO", "engine program begins: 10 by 10 probabilities") in records
    assert any(level == "DEBUG" and text.startswith("highs ") for level, text in records)
    end = "epsilon = 0.25, delta = 0"
    assert ("INFO", f"column count of true.csv released as {tmp_path / 'out.csv'}: {end}") in records
    assert ("INFO", f"column count of a frame released as a frame: {end}") in records
    assert ("WARNING", "column count of true.csv was drawn from a seed: NOT PRIVATE") in records
    assert not any("Secretville" in text for text in texts)


def test_records_of_a_release_are_the_same_whatever_the_answers(records, tmp_path):
    made = om.design(om.question(om.count(9), 1))
    told = []
    for answers in ([0, 0], [9, 4]):
        table = tmp_path / "true.csv"
        table.write_text("count\n" + "".join(f"{each}\n" for each in answers))
        records.clear()
        om.release_table(made, table, tmp_path / "out.csv", column="count", again=True)
        told.append(list(records))
    assert told[0] == told[1] != []


def test_the_service_of_the_examples_answers_each_question_once(design):
    spec = importlib.util.spec_from_file_location("service", ROOT / "examples" / "service.py")
    service = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(service)
    answers = service.Answers(design.mechanism, {"Aller": 3, "Bad Beck": 0})
    server = service.server_of(answers, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        start = f"http://127.0.0.1:{server.server_address[1]}"

        def ask(name):
            with urllib.request.urlopen(f"{start}/{name}", timeout=30) as answer:  # noqa: S310 - our own
                return json.load(answer)["count"]

        with ThreadPoolExecutor(8) as pool:
            assert len(set(pool.map(ask, ["Aller"] * 16))) == 1
        assert ask("Bad%20Beck") == answers.drawn["Bad Beck"]
        assert set(answers.drawn) == {"Aller", "Bad Beck"}
        with pytest.raises(urllib.error.HTTPError) as unknown:
            ask("Nowhere")
        assert unknown.value.code == 404
        unknown.value.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
