"""Files of perturbation tables: read exactly, and refused with the line and what must stand there."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from tests.each import each
from tests.p_tables import HALF, SMALL, ons_text, ptable_text, rounding_to_five

THIRDS = [{0: Fraction(1)}, {-1: Fraction(1, 3), 0: Fraction(1, 3), 1: Fraction(1, 3)}]
ONS, ARGUS, SAS = ons_text(SMALL), ptable_text(SMALL), ptable_text(SMALL, sas=True)
WINDOWS, MARKED = ARGUS.replace("\n", "\r\n"), b"\xef\xbb\xbf" + SAS.encode()


def read(folder, text):
    path = folder / "table.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return om.read_p_table(path)


@each(
    "text",
    [ONS, ARGUS, SAS, ONS.replace('"', ""), ARGUS.replace("\n", "\r\n"), b"\xef\xbb\xbf" + SAS.encode()],
)
def test_every_layout_says_the_same_table(tmp_path, text):
    table = read(tmp_path, text)
    assert [dict(noise) for noise in table.noise] == SMALL
    assert (table.turn, table.is_rounded, table.reach, table.same_from) == (1, False, 1, 2)


def test_keys_are_counted_without_rounding(tmp_path):
    column = {-1: Fraction(85, 256), 0: Fraction(86, 256), 1: Fraction(85, 256)}
    table = read(tmp_path, ons_text([{0: 1}, column], keys=256))
    assert dict(table.noise[1]) == column
    assert table.source == "ONS, 256 keys"


@each("sas", [False, True])
def test_cut_digits_are_normalised_and_said_so(tmp_path, sas):
    table = read(tmp_path, ptable_text(THIRDS, sas=sas))
    assert table.is_rounded
    assert dict(table.noise[1]) == THIRDS[1]


def test_digits_that_happen_to_sum_to_one_are_cut_too(tmp_path):
    text = "i;j;p;v;p_int_ub\n0;0;1;0;1\n1;0;0.33333333;-1;0.33333333\n1;2;0.66666667;1;1\n"
    assert read(tmp_path, text).is_rounded


def test_counts_above_750_use_the_last_250_rows_of_ons_in_turn(tmp_path):
    columns = [{0: Fraction(1)}, *({-1 if count % 250 == 1 else 0: Fraction(1)} for count in range(1, 751))]
    table = read(tmp_path, ons_text(columns, keys=1))
    assert table.turn == 250
    assert [count for count in range(740, 1300) if table.published(count) == {count - 1: 1}] == [
        751,
        1001,
        1251,
    ]
    assert table.same_from is None


def test_a_shorter_table_of_keys_gives_larger_counts_the_last_noise(tmp_path):
    assert read(tmp_path, ONS).published(900) == {899: Fraction(1, 4), 900: HALF, 901: Fraction(1, 4)}


def test_the_sample_of_ons_never_publishes_what_is_no_multiple_of_five(tmp_path):
    table = read(tmp_path, ons_text(rounding_to_five(), keys=2))
    never = set(table.never_published())
    assert never == {count for count in range(751) if count % 5 or count == 5}


WRONG = [
    ("", 'begin with the names of its columns, "pcv,ckey,pvalue" (ONS)'),
    ("a;b\n1;2\n", "got 'a;b' in line 1"),
    ('"pcv","ckey","pvalue"\n', "must have lines below its first one"),
    (ONS.replace("1,3,1", "1,2,1"), "each count and key once; got count 1, key 2 again in line 5"),
    (ONS.replace("1,3,1\n", ""), "each key 0..3; got none for count 1, key 3"),
    (ONS.replace("\n2,", "\n3,"), "must have lines for each count 1..3; got none for 2"),
    (ONS.replace("1,0,-1", "1,0,-2"), "publish counts of 0 or more; got noise -2 at count 1 in line 2"),
    (ONS.replace("1,3,1", "751,3,1"), "whole numbers from 1 to 750 as `pcv`; got '751' in line 5"),
    (ONS.replace("1,3,1", "1,5000,1"), "from 0 to 4,095 as `ckey`; got '5000' in line 5"),
    (ONS.replace("1,3,1", "1,3,1.5"), "as `pvalue`; got '1.5' in line 5"),
    (ONS.replace("1,3,1", "1,3"), "must have 3 cells in each line; got 2 in line 5"),
    (ONS.replace("1,3,1", f"1,3,{'1' * 99}"), "cells of at most 40 characters; got a longer one in line 5"),
    (ONS.replace("1,3,1", '1,3,"1'), "must be CSV text"),
    (ARGUS.replace("0.25", "0,25"), "as `p`; got '0,25' in line 5. Write a decimal point."),
    (ARGUS.replace("1;2;0.5;1", "1;2;0.5;2"), "the noise j - i as `v`, 1 of 2 and 1; got 2 in line 4"),
    (ARGUS.replace("1;2;0.5;1", "1;0;0.5;-1"), "each i and j once; got 1 and 0 again in line 4"),
    (ARGUS.replace("1;2;0.5;1;1.0", "1;2;0.5;1;0.9"), "as `p_int_ub`, 1; got '0.9' in line 4"),
    (SAS.replace("1;2;0.5;1;0.5", "1;2;0.5;1;0.6"), "as `p_int_lb`, 0.5; got '0.6' in line 4"),
    (ARGUS.replace("1;2;0.5;1;1.0\n", ""), "sum to one within 1e-06 for each i; got 0.5 for i = 1"),
    (ARGUS.replace("1;2;0.5", "1;2;-0.5"), "got '-0.5' in line 4"),
    (ARGUS.replace("1;2;0.5", "1;2;1e999999999"), "as `p`; got '1e999999999' in line 4"),
    (ARGUS.replace("1;2;0.5", "1;2;nan"), "as `p`; got 'nan' in line 4"),
    (ARGUS.replace("0;0;1.0;0;1.0\n", ""), "must have lines for each count 0..2; got none for 0"),
    (b"\xff\xfe\x00", "must be text in UTF-8"),
]  # fmt: skip


@each(("text", "sentence"), WRONG)
def test_a_malformed_file_gets_a_sentence(tmp_path, text, sentence):
    with pytest.raises(om.FileFormatError) as error:
        read(tmp_path, text)
    assert sentence in str(error.value)
    assert str(error.value).startswith(f"`{tmp_path / 'table.csv'}` must ")


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path):
    with pytest.raises(om.FileFormatError, match="must be a file that can be read"):
        om.read_p_table(tmp_path / "none.csv")
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(2**26 + 1)
    with pytest.raises(om.FileFormatError, match="at most 67,108,864 bytes"):
        om.read_p_table(path)


@each(
    ("columns", "turn", "sentence"),
    [
        ([], 1, "hold the noise of count 0 at least"),
        ([{0: 1}], 2, "`turn` must be a number of columns, from 1 to 1; got 2"),
        ([{0: "1/2"}], 1, "`columns` must sum to one; the probabilities of count 0 sum to 0.5"),
        ([{-1: 1}], 1, "noise that leads to 0 or more; got 1 for noise -1 at count 0"),
        ([{0: 2, 1: -1}], 1, "probabilities, zero or more"),
    ],
)
def test_a_table_in_python_is_held_to_the_same(columns, turn, sentence):
    with pytest.raises(om.ProblemError) as error:
        om.analysis.PTable(columns, turn=turn)
    assert sentence in str(error.value)


def test_a_count_below_zero_has_no_noise():
    with pytest.raises(om.ProblemError, match="`count` must be zero or more; got -1"):
        om.analysis.PTable(SMALL).noise_of(-1)
