"""The rows of estimates, as they are printed and written: one kind of row for numbers, sums and shares."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import auto
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import Word, need_path, takes
from optmech.base.numbers import as_text
from optmech.base.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from os import PathLike


class EstimateKind(Word):
    """The quantity that a row estimates."""

    CELL = auto()
    SUM = auto()
    MEAN = auto()
    SHARE_OF_TOTAL = "share of total"
    DIFFERENCE = auto()
    SHARE = auto()


@dataclass(frozen=True, kw_only=True)
class EstimateRow:
    """One estimate, with its standard error and its limits.

    Attributes
    ----------
    kind : EstimateKind
    group : str
        The groups, with commas; empty for all rows.
    name : str
        The row of the table, or the answer of a share.
    released : str
        The released number, or how many released an answer.
    cells : int
        The number of rows of the table that it is of.
    estimate : Fraction or None
        Unbiased, and exact for mechanisms with exact columns; ``None`` where no unbiased estimator exists,
        and of a share of a total.
    standard_error : float or None
        Of cells, sums, means and differences of sums the root of the exact variance at the likeliest truths;
        of shares, and their differences, that of an estimated variance, cut to what is possible.
    most_likely : tuple of Fraction
        The likeliest true numbers of a cell; several where they tie.
    posterior_mean, posterior_sd : float or None
        Those of a cell, under the prior.
    low, high : Fraction or None
        Between them is the true value with the level at least. ``None`` is an open end.
    ratio : Fraction or None
        Of a share of a total the ratio of two unbiased estimates, which is not unbiased.
    """

    kind: EstimateKind
    group: str = ""
    name: str = ""
    released: str = ""
    cells: int = 1
    estimate: Fraction | None = None
    standard_error: float | None = None
    most_likely: tuple[Fraction, ...] = ()
    posterior_mean: float | None = None
    posterior_sd: float | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    ratio: Fraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON values: numbers are doubles."""
        return {
            "kind": str(self.kind),
            "group": self.group,
            "name": self.name,
            "released": self.released,
            "cells": self.cells,
            "estimate": _double(self.estimate),
            "standard_error": self.standard_error,
            "most_likely": list(map(float, self.most_likely)),
            "posterior_mean": self.posterior_mean,
            "posterior_sd": self.posterior_sd,
            "low": _double(self.low),
            "high": _double(self.high),
            "ratio": _double(self.ratio),
        }


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """Estimates of all that a release says something about.

    Attributes
    ----------
    column : str
        The released column.
    level : Fraction
        The probability that limits hold: of each row, and of the shares of a group all together.
    prior : str
        The prior of posteriors, and of the choice among unbiased estimators.
    rows : tuple of EstimateRow
    remarks : tuple of str
        Sentences on this release, such as why it has no unbiased estimate.
    notes : tuple of str
        Sentences on what the numbers mean, the remarks among them.
    posteriors : mapping
        For each released number the probability of each true one.
    """

    column: str
    level: Fraction
    prior: str
    rows: tuple[EstimateRow, ...]
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    posteriors: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)

    def of(self, kind: EstimateKind | str) -> tuple[EstimateRow, ...]:
        """Return the rows of one kind, such as ``"sum"``."""
        return tuple(row for row in self.rows if row.kind == kind)

    def to_dict(self) -> dict[str, Any]:
        """Return the estimates as JSON values: numbers are doubles."""
        return {
            "column": self.column,
            "level": as_text(self.level),
            "prior": self.prior,
            "epsilon_spent": 0,
            "rows": [row.to_dict() for row in self.rows],
            "posteriors": {
                released: {truth: float(share) for truth, share in shares.items()}
                for released, shares in self.posteriors.items()
            },
            "notes": list(self.notes),
        }

    @takes(path=need_path)
    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write all rows as CSV, whole or not at all.

        Raises
        ------
        FileFormatError
            If the path cannot be written.
        """
        write_whole(path, csv_of(self.rows))


def csv_of(rows: Sequence[EstimateRow]) -> str:
    """Return rows as CSV; an empty cell is what does not exist, or an open end."""
    names = [each.name for each in fields(EstimateRow)]
    lines = [",".join(names)]
    for row in rows:
        content = row.to_dict() | {"most_likely": " ".join(map(as_text, row.most_likely))}
        lines.append(",".join(_cell(content[name]) for name in names))
    return "\n".join(lines) + "\n"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f'"{text.replace(chr(34), 2 * chr(34))}"' if any(mark in text for mark in ',"\r\n') else text


def _double(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
