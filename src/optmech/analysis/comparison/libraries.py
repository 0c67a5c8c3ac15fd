"""Libraries that ship each baseline, by the name of the baseline.

Read in the sources of the versions that are named, and their matrices held to draws of the libraries
themselves where that could be done (OpenDP, diffprivlib). A library knows no grid of answers: what it
releases is clamped to the range and rounded to the nearest response, which costs no privacy. Where it does
something else, the remark says so.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryCall:
    """The call that asks a library for a mechanism.

    The `version` is where it was read, a release or a commit; `default_of` names the library's own queries
    that take it unless told otherwise, empty where it has to be named; `remark` what differs from the
    baseline's matrix.
    """

    library: str
    version: str
    call: str
    default_of: str = ""
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.library} {self.call}"


def _diffprivlib(call: str, default_of: str = "", remark: str = "") -> LibraryCall:
    return LibraryCall(
        library="diffprivlib", version="0.6.6", call=call, default_of=default_of, remark=remark
    )


def _opendp(call: str, remark: str = "") -> LibraryCall:
    return LibraryCall(library="OpenDP", version="0.16.0", call=call, remark=remark)


def _tumult(call: str, default_of: str) -> LibraryCall:
    return LibraryCall(library="Tumult Analytics", version="0.21.0", call=call, default_of=default_of)


LIBRARIES: dict[str, tuple[LibraryCall, ...]] = {
    "truncated-geometric": (
        _opendp("make_geometric", remark="with `bounds`; `make_laplace` on integers, clamped, is the same"),
        _diffprivlib("GeometricTruncated", "tools.count_nonzero, tools.histogram, sums of integers"),
        _tumult("CountMechanism.LAPLACE", "count under a PureDPBudget"),
    ),
    "folded-geometric": (_diffprivlib("GeometricFolded", remark="with whole-number bounds"),),
    "snapped-laplace": (
        _diffprivlib("LaplaceTruncated", "tools.mean, sums of floats"),
        LibraryCall(
            library="Google DP for Java",
            version="commit 91b4ece",
            call="LaplaceNoise",
            default_of="Count",
            remark="its BoundedMean divides two noisy numbers, which is not this mechanism",
        ),
        LibraryCall(
            library="SmartNoise SQL",
            version="1.0.10",
            call="Laplace",
            default_of="COUNT and SUM",
            remark="it cuts an integer towards zero where this matrix rounds",
        ),
    ),
    "folded-laplace": (_diffprivlib("LaplaceFolded"),),
    "bounded-laplace": (_diffprivlib("LaplaceBoundedDomain", "tools.var"),),
    "snapped-staircase": (_diffprivlib("Staircase"),),
    "exponential": (_diffprivlib("Exponential", remark="with utility minus the distance from the truth"),),
    "randomized-response": (_opendp("make_randomized_response", remark="with the responses as categories"),),
    "thresholded-geometric": (
        LibraryCall(
            library="Tumult Core",
            version="commit 17b9dba",
            call="create_partition_selection_measurement",
            default_of="get_groups of Tumult Analytics, which drops the counts",
            remark="with one record a person",
        ),
        _opendp("make_private_lazyframe", remark="grouped, with `dp.len`: it releases above its threshold"),
    ),
    "early-geometric": (
        _opendp("make_laplace_threshold", remark="on integers, with the least threshold that its map allows"),
    ),
    "thresholded-laplace": (
        LibraryCall(
            library="Google DP for C++",
            version="commit 6ec24b2",
            call="LaplacePartitionSelection",
            remark="NoiseValueIfShouldKeep; its noise lies on a grid too fine to matter",
        ),
    ),
    "early-laplace": (
        LibraryCall(
            library="Google DP for Go",
            version="commit 099080e",
            call="Count.ThresholdedResult",
        ),
    ),
    "clamped-gaussian": (
        _diffprivlib("GaussianDiscrete"),
        _opendp("make_gaussian", remark="on integers; its own unit is zero-concentrated privacy"),
        _tumult("CountMechanism.GAUSSIAN", "count under a RhoZCDPBudget"),
    ),
}
"""Calls that give each baseline; a baseline that no library has is not among the keys."""
