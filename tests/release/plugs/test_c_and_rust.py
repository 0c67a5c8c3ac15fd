"""Tables in C and in Rust hold the certified whole numbers, and draw by them exactly, whatever the words."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from itertools import accumulate

import numpy as np
import pytest
from scipy import stats

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.release.plugs.source_code import words_of
from tests.each import each
from tests.release.plugs.certified import KINDS, by_hand, designed
from tests.release.plugs.tables import answers, built, bytes_of

LANGUAGES = {"c": om.release.to_c, "rust": om.release.to_rust}
SMALL = {
    "quarters": lambda: by_hand([[3, 1], [1, 3]], "ln 3"),
    "thirds": lambda: by_hand([[2, 1], [1, 2]], "ln 2"),
    "sevenths": lambda: by_hand([[4, 2, 1], [2, 4, 2], [1, 1, 4]], "ln 4"),
    "one response": lambda: by_hand([[5, 5]], 1, om.Query([0, 1], [0])),
}
HOSTILE = ['"; */ int x; /*', "trigraph ??/ ??=", "back\\slash", "naïve 猫", "%s // ' 0777"]


@pytest.fixture(params=sorted(LANGUAGES))
def language(request):
    return request.param


@pytest.fixture(params=["c", pytest.param("rust", marks=pytest.mark.slow)])
def either(request):
    return request.param


@pytest.mark.parametrize(
    "kind",
    ["sevenths", *(pytest.param(kind, marks=pytest.mark.slow) for kind in SMALL if kind != "sevenths")],
)
def test_all_words_together_make_the_certified_numerators(kind, language, tmp_path):
    certificate = SMALL[kind]()
    program = built(language, LANGUAGES[language](certificate), tmp_path)
    total, table = certificate.matrix.denominator, certificate.matrix.numerators
    numbers = range(1 << (total - 1).bit_length())
    for routine in (0, 1):
        for truth in range(table.shape[1]):
            counts = answers(program, [f"{routine} {truth} {bytes_of(u, 1)}" for u in numbers])
            drawn = Counter(response for code, response in counts if code == 0)
            assert [drawn[response] for response in range(len(table))] == table[:, truth].tolist()
            assert [code for code, _ in counts[total:]] == [2] * (len(numbers) - total)  # drawn again


@pytest.mark.parametrize(
    "kind",
    ["symmetric", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS if kind != "symmetric")],
)
def test_the_table_is_the_certified_matrix_and_every_threshold_divides(kind, language, tmp_path):
    certificate = designed(kind)
    query, table = certificate.problem.query, certificate.matrix.numerators
    program = built(language, LANGUAGES[language](certificate), tmp_path, query.labels)
    done = subprocess.run([str(program), "table"], capture_output=True, text=True, check=True)
    thresholds, truths, responses, scale, *labels = done.stdout.splitlines()
    words = np.array([int(word, 16) for word in thresholds.split()], dtype=object).reshape(table.T.shape)
    sums = np.array([list(accumulate(column)) for column in table.T.tolist()], dtype=object)
    assert (words == sums).all()
    assert [int(value) for value in truths.split()] == [truth * int(scale) for truth in query.truths]
    midpoints = [response.midpoint for response in query.responses]
    assert [int(value) for value in responses.split()] == [value * int(scale) for value in midpoints]
    assert tuple(labels) == query.labels
    limbs, lines, expected = words_of(certificate, "it").drawn.limbs, [], []
    for truth, column in enumerate(sums.tolist()):
        for bound in column:
            for number in (bound - 1, bound):
                if not 0 <= number < certificate.matrix.denominator:
                    continue
                drawn = sum(threshold <= number for threshold in column)
                for routine in (0, 1):
                    lines.append(f"{routine} {truth} {bytes_of(number, limbs)}")
                    expected.append((0, drawn))
    assert answers(program, lines) == expected


def test_what_is_not_below_the_total_is_drawn_again(either, tmp_path):
    program = built(either, LANGUAGES[either](SMALL["thirds"]()), tmp_path)
    again = bytes_of(3, 1) + bytes_of(7, 1) + bytes_of(2, 1)  # 7 is 3 in the bits that count
    assert answers(program, [f"0 0 {again}", f"1 1 {again}"]) == [(0, 1), (0, 1)]


def test_a_source_that_is_not_random_gives_up_and_a_truth_that_is_none_is_refused(either, tmp_path):
    program = built(either, LANGUAGES[either](SMALL["thirds"]()), tmp_path)
    stuck = bytes_of(2**64 - 1, 1) * 256 + bytes_of(0, 1)
    spared = bytes_of(2**64 - 1, 1) * 255 + bytes_of(0, 1)
    lines = [f"0 0 {stuck}", f"1 0 {stuck}", f"0 0 {spared}", f"0 2 {bytes_of(0, 1)}", "0 0 00", "1 9 00"]
    assert answers(program, lines) == [
        (2, 999999),
        (2, 999999),
        (0, 0),
        (1, 999999),
        (2, 999999),
        (1, 999999),
    ]


def test_labels_of_any_kind_stay_labels(either, tmp_path):
    query = om.categories(HOSTILE)
    certificate = om.design(om.question(query, epsilon=1, loss="zero-one")).certificate
    program = built(either, LANGUAGES[either](certificate), tmp_path, query.labels)
    done = subprocess.run([str(program), "table"], capture_output=True, check=True)
    assert done.stdout.decode().splitlines()[-len(HOSTILE) :] == HOSTILE


def test_a_name_of_a_query_ends_no_comment(either, tmp_path):
    query = om.Query(range(2), name="*/ int main; /* ??/\n#error \\")
    program = built(either, LANGUAGES[either](by_hand([[3, 1], [1, 3]], "ln 3", query)), tmp_path)
    assert answers(program, [f"0 0 {bytes_of(3, 1)}"]) == [(0, 1)]


def test_no_floating_point_stands_in_the_table(language):
    text = LANGUAGES[language](designed("mean"))
    code = text[text.index("#") :]  # what stands before is told, not computed with
    assert not re.search(r"\b(float|double|f32|f64|malloc|alloc|std)\b|\d\.\d", code)


def test_the_first_lines_tell_privacy_as_it_is(language):
    plain = LANGUAGES[language](designed("symmetric"))
    assert "(2.18, 0.015369374127911768)-differentially private" in plain
    assert designed("symmetric").matrix.sha256() in plain
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    assert "NOT differential privacy: of two neighbours only one" in LANGUAGES[language](one_sided)


@pytest.mark.slow
def test_a_header_and_a_module_draw_the_same_from_the_same_bytes(tmp_path):
    programs = []
    for language, write in LANGUAGES.items():
        (tmp_path / language).mkdir()
        programs.append(built(language, write(SMALL["sevenths"]()), tmp_path / language))
    lines = [f"{routine} {truth} many" for routine in (0, 1) for truth in (0, 2)]
    first, second = (answers(program, lines) for program in programs)
    assert first == second
    # The generator has a fixed seed, so that this is no matter of luck.
    for truth, start in ((0, 0), (2, 100_000)):
        counts = Counter(response for _, response in first[start : start + 100_000])
        expected = SMALL["sevenths"]().matrix.nearest()[:, truth] * 100_000
        statistic = sum((counts[r] - expected[r]) ** 2 / expected[r] for r in range(3))
        assert stats.chi2.sf(statistic, 2) > 1e-4


@pytest.mark.long
def test_draws_from_a_large_table_follow_the_certified_law(language, tmp_path):
    certificate = designed("mean")
    program = built(language, LANGUAGES[language](certificate), tmp_path)
    for routine in (0, 1):
        counts = Counter(response for _, response in answers(program, [f"{routine} 20 many"]))
        expected = certificate.matrix.nearest()[:, 20] * 100_000
        assert all(expected[response] > 0 for response in counts)
        statistic = sum((counts[r] - mean) ** 2 / mean for r, mean in enumerate(expected) if mean)
        assert stats.chi2.sf(statistic, int((expected > 0).sum()) - 1) > 1e-4


def test_two_headers_stand_in_one_program(tmp_path):
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no compiler of c on this machine")
    for name in ("first", "second"):
        (tmp_path / f"{name}.h").write_text(om.release.to_c(designed("count"), name=name))
    source = tmp_path / "both.c"
    source.write_text(
        '#include "first.h"\n#include "second.h"\n#include "first.h"\nint main(void) { return 0; }\n'
    )
    flags = [
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
        "-pedantic",
        "-fsyntax-only",
    ]
    done = subprocess.run([compiler, *flags, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_module_needs_no_standard_library(tmp_path):
    compiler = shutil.which("rustc")
    if compiler is None:
        pytest.skip("no compiler of rust on this machine")
    (tmp_path / "mechanism.rs").write_text(om.release.to_rust(designed("categories")))
    (tmp_path / "lib.rs").write_text(
        "#![no_std]\n#![deny(warnings)]\n#![forbid(unsafe_code)]\npub mod mechanism;\n"
    )
    command = [compiler, "--edition", "2021", "--crate-type", "lib", "--emit", "metadata", "lib.rs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@each("name", ["Visits", "1st", "_a", "a-b", "a__b", "a_", "", "a b", "größe", None, 'a"'])
def test_a_name_that_c_could_not_take_is_refused(name):
    with pytest.raises(ProblemError, match="`name` must be small letters, digits and single underscores"):
        om.release.to_c(designed("count"), name=name)


def test_numbers_and_tables_that_are_too_large_are_refused(monkeypatch, language):
    far = by_hand([[3, 1], [1, 3]], "ln 3", om.Query([0, 2**63]))
    with pytest.raises(NotAcceptedError, match="must fit into 64 bits"):
        LANGUAGES[language](far)
    monkeypatch.setattr("optmech.release.plugs.source_code._MOST_WORDS", 10)
    with pytest.raises(NotAcceptedError, match="must have at most 10; got 72"):
        LANGUAGES[language](designed("count"))
    with pytest.raises(ProblemError, match="must have a certificate"):
        LANGUAGES[language](om.MatrixMechanism.certified(designed("count")))
