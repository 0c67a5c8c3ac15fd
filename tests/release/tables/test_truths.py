"""Answers are found among the truths exactly, whatever type a column has.

A decimal stands for the one that is rounded to it.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import optmech as om
from optmech.release.tables.truths import Truths, UnfitAnswerError, check_type
from tests.each import each

HALVES = [Fraction(step, 2) for step in range(5)]  # 0, 0.5, .., 2
THIRDS = [Fraction(step, 3) for step in range(4)]
TENTHS = [Fraction(step, 10) for step in range(11)]
COUNTS = [Fraction(step) for step in range(-2, 4)]
GRIDS = {"halves": HALVES, "thirds": THIRDS, "tenths": TENTHS, "counts": COUNTS, "a run": range(-2, 4)}


def found(truths, answers, **options):
    return Truths(truths, **options).need_positions(answers).positions.tolist()


@each("grid", GRIDS)
@each("kind", [pa.float64(), pa.string(), pa.large_string(), pa.string_view()])
def test_each_truth_is_found_in_each_type_that_can_write_it(grid, kind):
    values = [*map(Fraction, GRIDS[grid])]
    truths = [float(value) if kind == pa.float64() else str(value) for value in values]
    assert found(GRIDS[grid], pa.array(truths, kind)) == [*range(len(values))]
    assert found(GRIDS[grid], pa.array(truths, kind).dictionary_encode()) == [*range(len(values))]


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.decimal128(5, 2), pa.decimal256(40, 3)])
def test_decimals_are_what_they_print(kind):
    truths = [Decimal(step) / 10 for step in range(11)]
    numbers = (
        pa.array(truths, kind) if pa.types.is_decimal(kind) else pa.array([*map(float, truths)]).cast(kind)
    )
    assert found(TENTHS, numbers) == [*range(11)]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int16(), pa.int32(), pa.int64()])
def test_whole_numbers_of_each_width(kind):
    assert found(COUNTS, pa.array([-2, 0, 3], kind)) == [0, 2, 5]
    assert found(HALVES, pa.array([2, 0], kind)) == [4, 0]


@pytest.mark.parametrize("kind", [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()])
def test_whole_numbers_without_a_sign(kind):
    assert found(COUNTS, pa.array([0, 3], kind)) == [2, 5]
    assert found(HALVES, pa.array([2, 0], kind)) == [4, 0]


@each("text", ["1", " 1 ", "1.0", "1e0", "2/2", "+1", "01"])
def test_a_number_may_be_written_in_any_way(text):
    for truths in (HALVES, COUNTS, range(3)):
        assert found(truths, pa.array([text])) == [[*truths].index(1)]


REFUSED = [
    pa.array(["1", text])
    for text in ["2.5", "-3", "0.25", "0.5000000000000001", "x", "nan", "inf", "1e400", "1e99999", "True",
                 "0x1", "\uff11", "1_0", "", "9" * 19, "9" * 40]
]  # fmt: skip
REFUSED += [
    pa.array([1, 7]),
    pa.array([1, 2**63], pa.uint64()),
    pa.array([1, -(2**63)]),
    pa.array([1.0, 0.5000000000000001]),
    pa.array([1.0, float("nan")]),
    pa.array([1.0, float("inf")]),
    pa.array([1.0, 1e300]),
    pa.array([1.0, 0.25], pa.float32()),
    pa.array([Decimal("1.0"), Decimal("0.3")]),
]


@each("answers", REFUSED)
@each("truths", [HALVES, range(3)])
def test_an_answer_that_is_none_is_refused_with_its_row(answers, truths):
    with pytest.raises(
        UnfitAnswerError,
        match=r"among 0\.\.2; got .* in row 2\. (It is beyond|That lies|That is no|.* mark|No answer)",
    ) as refused:
        Truths(truths).need_positions(answers)
    assert refused.value.row == 1


@pytest.mark.parametrize(
    "kind", [pa.int64(), pa.float64(), pa.string(), pa.dictionary(pa.int32(), pa.string())]
)
def test_a_null_is_refused_even_where_answers_are_clamped(kind):
    answers = pa.array([1, None, 1]).cast(pa.string()) if "string" in str(kind) else pa.array([1, None, 1])
    with pytest.raises(UnfitAnswerError, match=r"got null in row 2\. No answer is an answer too"):
        Truths(range(3), clamp=True).need_positions(answers.cast(kind))


def test_a_null_among_the_values_of_a_dictionary_is_refused_as_any_null():
    answers = pa.DictionaryArray.from_arrays([0, 1, 0], pa.array(["1", None]))
    with pytest.raises(UnfitAnswerError, match=r"got null in row 2\. No answer is an answer too"):
        Truths(range(3)).need_positions(answers)


@each("kind", [pa.bool_(), pa.date32(), pa.binary(), pa.list_(pa.int64()), pa.null()])
def test_a_column_of_another_type_is_refused(kind):
    with pytest.raises(om.ProblemError, match="must hold numbers or text; got"):
        check_type(kind)


SIZES = range(2, 41)


def grades(size):
    return [1 + Fraction(step, size) for step in range(4 * size + 1)]


@pytest.mark.slow
@each("size", SIZES)
def test_means_of_every_size_are_found_as_programs_write_them(size):
    means = grades(size)
    every = [*range(len(means))]
    writings = {
        "doubles": [repr(float(mean)) for mean in means],
        "two digits, halves to even": [f"{float(mean):.2f}" for mean in means],
        "two digits, halves up": [f"{int(mean * 100 + Fraction(1, 2)) / 100:.2f}" for mean in means],
        "R": [f"{float(mean):.15g}" for mean in means],
    }
    for written in writings.values():
        assert found(means, pa.array(written)) == every
        assert found(means, pa.array(written).dictionary_encode()) == every
    assert found(means, pa.array([Decimal(f"{float(mean):.3f}") for mean in means])) == every
    assert found(means, pa.array([float(mean) for mean in means], pa.float32())) == every


def test_a_decimal_that_none_or_several_are_rounded_to_is_refused():
    with pytest.raises(
        UnfitAnswerError, match=r"got '2\.3' in row 2\. 3 of them are rounded to that, such as"
    ):
        Truths(grades(28)).need_positions(pa.array(["2.25", "2.3"]))
    with pytest.raises(UnfitAnswerError, match=r"2 digits behind the point tell all of them apart"):
        Truths(grades(28)).need_positions(pa.array(["2.3"]))
    with pytest.raises(UnfitAnswerError, match=r"none is rounded to it\. Is its group of another size\?"):
        Truths(grades(14)).need_positions(pa.array(["2.33"]))
    assert found(grades(28), pa.array(["2", "2.5"])) == [28, 42]  # itself, whatever else is rounded to it


def test_what_is_rounded_beyond_the_range_is_not_clamped():
    thirds = [Fraction(step, 3) for step in range(1, 6)]
    places = Truths(thirds, clamp=True).need_positions(pa.array(["0.33", "1.67", "1.7", "0.3", "9"]))
    assert places.positions.tolist() == [0, 4, 4, 0, 4]
    assert places.clamped.tolist() == [False, False, False, False, True]


def test_doubles_that_doubles_do_not_tell_apart_are_read_as_decimals():
    close = [Fraction(0), Fraction(1, 10), Fraction(1, 10) + Fraction(1, 10**30)]
    assert found(close, pa.array(["0.1", str(close[2])])) == [1, 2]
    assert found(close, pa.array([0.1])) == [1]


def test_clamping_takes_ends_and_nothing_between():
    numbers = [-5, 0, 2, 9]
    for kind in (pa.int64(), pa.float64(), pa.float32(), pa.string()):
        for truths in (HALVES, range(3)):
            places = Truths(truths, clamp=True).need_positions(pa.array(numbers).cast(kind))
            last = len(truths) - 1
            assert places.positions.tolist() == [0, 0, last, last]
            assert places.clamped.tolist() == [True, False, False, True]
    for between in (pa.array([0.25]), pa.array(["0.25"]), pa.array([float("inf")]), pa.array(["nan"])):
        with pytest.raises(UnfitAnswerError):
            Truths(HALVES, clamp=True).need_positions(between)


def test_labels_and_never_numbers():
    colours = Truths(range(3), ("red", "green", "blue"))
    assert colours.need_positions(pa.array(["blue", " red "])).positions.tolist() == [2, 0]
    with pytest.raises(UnfitAnswerError, match=r"among red, green, blue; got '1' in row 2.*letter by letter"):
        colours.need_positions(pa.array(["red", "1"]))
    with pytest.raises(UnfitAnswerError, match="letter by letter"):
        colours.need_positions(pa.array(["1", "2"]))


def test_spaces_around_a_label_count_where_they_tell_labels_apart():
    spaced = Truths(range(3), ("red", " red", "blue "))
    answers = pa.array(["red", " red", "red ", "blue ", "blue"])
    assert spaced.positions_of(answers).positions.tolist() == [0, 1, 0, 2, -1]


def test_labels_that_are_numbers_of_others_stand_for_themselves():
    turned = Truths(range(3), ("2", "1", "0"))
    assert turned.need_positions(pa.array(["2", "0"])).positions.tolist() == [0, 2]


@pytest.mark.parametrize("answers", [["1", "2", "0"], ["0"], [1, 2], [1.0]])
def test_no_answer_is_a_place_where_labels_are_numbers(answers):
    likert = Truths(range(5), ("1", "2", "3", "4", "5"))
    with pytest.raises(UnfitAnswerError, match=r"among 1, 2, 3, 4, 5; got .* as text, letter by letter"):
        likert.need_positions(pa.array(answers))


def test_labels_that_number_their_own_places_are_labels_as_well():
    plain = Truths(range(3), ("0", "1", "2"))
    assert plain.need_positions(pa.array(["2", "0"])).positions.tolist() == [2, 0]
    with pytest.raises(UnfitAnswerError, match="letter by letter"):
        plain.need_positions(pa.array([2, 0]))


@pytest.mark.slow
@given(st.lists(st.fractions(-3, 3, max_denominator=6), max_size=20), st.sampled_from(sorted(GRIDS)))
def test_what_is_found_is_what_a_look_at_each_finds(values, grid):
    listed = [*map(Fraction, GRIDS[grid])]
    expected = [listed.index(value) if value in listed else -1 for value in values]
    truths = Truths(GRIDS[grid])
    assert truths.positions_of(pa.array([*map(str, values)], pa.string())).positions.tolist() == expected
    halves = [
        (value, place) for value, place in zip(values, expected, strict=True) if value.denominator in (1, 2)
    ]
    doubles = pa.array([float(value) for value, _ in halves], pa.float64())
    assert truths.positions_of(doubles).positions.tolist() == [place for _, place in halves]
