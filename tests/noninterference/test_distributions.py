"""Exact distributions of whole files: each pair of neighbouring inputs is within what is stated of them.

All responses of small tables are enumerated. Their probabilities are products of the certified entries, and
those of responses that lead to the same file, with its log, add up. For all sets S of files at once,

    P(S) <= e^epsilon Q(S) + delta    where    sum over files of max(P - e^epsilon Q, 0) <= delta.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from unittest import mock

import pyarrow as pa
import pytest

import optmech as om
from optmech.mechanisms.sampling import Sampler
from optmech.release.tables.column_of_source import column_mechanism
from tests.noninterference.conftest import kept_zero
from tests.noninterference.doors import content_of, log_of

LARGEST, FACTOR, DELTA = 2, 2, Fraction(1, 20)


def forced(responses):
    """Draw these responses, all at once."""
    return mock.patch.object(Sampler, "draw", lambda _, positions: responses[: len(positions)])


def distribution(certificate, truths, file_of):
    """Return the probability of each file, where `file_of` makes it from responses."""
    matrix, denominator = certificate.matrix.numerators, certificate.matrix.denominator
    files = defaultdict(Fraction)
    for responses in itertools.product(range(LARGEST + 1), repeat=len(truths)):
        probability = Fraction(1)
        for response, truth in zip(responses, truths, strict=True):
            probability *= Fraction(int(matrix[response, truth]), int(denominator))
        if probability:
            files[file_of(list(responses))] += probability
    assert sum(files.values()) == 1
    return files


def excess(one, other, factor):
    """Return the least delta at which every set of files is within that factor."""
    return sum(max(value - factor * other.get(file, 0), Fraction(0)) for file, value in one.items())


def check_both_ways(one, other, factor, delta):
    """Compare two distributions, and see that they are told apart at all."""
    for first, second in ((one, other), (other, one)):
        assert excess(first, second, factor) <= delta
        assert excess(first, second, 1) > 0


def test_a_frame_and_a_file_of_two_rows_are_as_private_as_their_certificate_says(tmp_path, recwarn):
    certificate = om.design(om.question(om.count(LARGEST), exp_epsilon=str(FACTOR))).certificate
    mechanism = column_mechanism(certificate)

    def frame(truths):
        table = pa.table({"key": ["u", "v"], "n": pa.array(truths).dictionary_encode()})

        def file_of(responses):
            with forced(responses):
                return content_of(om.release_frame(table, "n", mechanism))

        return file_of

    def file(truths):
        (tmp_path / "t.csv").write_text("key,n\n" + "".join(f"k,{truth}\n" for truth in truths))

        def file_of(responses):
            with forced(responses), mock.patch("os.fsync"):
                done = om.release_table(
                    mechanism, tmp_path / "t.csv", tmp_path / "r.parquet", column="n", interval="0.5"
                )
            content = (tmp_path / "r.parquet").read_bytes(), log_of(done.log_path)
            done.log_path.unlink()
            return content

        return file_of

    inputs = [*itertools.product(range(LARGEST + 1), repeat=2)]
    for door, some in ((frame, inputs), (file, [(0, 1), (0, 2), (1, 1)])):
        found = {truths: distribution(certificate, truths, door(truths)) for truths in some}
        for one, other in itertools.combinations(some, 2):
            steps = sum(abs(first - second) for first, second in zip(one, other, strict=True))
            if steps == 1:
                check_both_ways(found[one], found[other], FACTOR, 0)
    assert not recwarn.list


def records_are_private(folder, certificate, content_of_counts):
    """Hold all records of two people in two wards, two of each at most, to what a log says of a person."""
    everybody = [("x", "A"), ("x", "B"), ("y", "A"), ("y", "B")]
    known, path = {}, folder / "counts.parquet"

    def files(records):
        people, wards = zip(*records, strict=True)
        with mock.patch("os.fsync"):
            counts = om.tabulate(
                pa.table({"who": people, "ward": wards}),
                person="who",
                group="ward",
                groups_from_data=True,
                at_most=2,
                at_most_per_group=1,
                out=path,
            ).table
        key = str(counts.to_pydict())
        if key not in known:
            truths = counts["count"].to_pylist()
            known[key] = distribution(certificate, truths, content_of_counts(counts, path))
        return known[key]

    found = {}
    for number in range(5):
        for records in itertools.combinations(everybody, number):
            found[records] = files([*records, ("z", "C")])
    done = om.release_table(certificate, path, folder / "log.csv", column="count", drop_zero=True)
    steps, delta = done.log["person"]["steps"], Fraction(done.log["person"]["delta"])
    assert steps == 2
    for records, with_both in found.items():
        for person in ("x", "y"):
            without = tuple(record for record in records if record[0] != person)
            if without != records:
                check_both_ways(with_both, found[without], FACTOR**steps, delta)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Caution")
def test_a_frame_of_records_is_within_what_is_stated_of_a_person(tmp_path):
    certificate = kept_zero(LARGEST)
    mechanism = column_mechanism(certificate)

    def content_of_counts(counts, _):
        def file_of(responses):
            with forced(responses):
                return content_of(om.release_frame(counts, "count", mechanism, drop_zero=True))

        return file_of

    records_are_private(tmp_path, certificate, content_of_counts)


@pytest.mark.slow
def test_a_file_of_records_is_within_what_its_log_says_of_a_person(tmp_path):
    certificate = kept_zero(LARGEST)
    mechanism = column_mechanism(certificate)

    def content_of_counts(_, path):
        def file_of(responses):
            out = path.with_name("released.parquet")
            with forced(responses), mock.patch("os.fsync"):
                done = om.release_table(mechanism, path, out, column="count", drop_zero=True)
            content = out.read_bytes(), log_of(done.log_path)
            done.log_path.unlink()
            return content

        return file_of

    records_are_private(tmp_path, certificate, content_of_counts)
