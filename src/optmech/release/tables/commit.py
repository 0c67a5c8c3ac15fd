"""Write a released file and its log together, or neither, within the budget of its data."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from optmech.base.errors import ProblemError, broken_rule, unreadable
from optmech.base.whole_files import check_writable, one_at_a_time, refusals, resolved, whole_files
from optmech.release.tables.budget import Budget
from optmech.release.tables.files import is_parquet
from optmech.release.tables.log import log_beside, log_text, read_log
from optmech.release.tables.log_entries import entries_in
from optmech.release.tables.names_in_logs import check_names, logs_of_column
from optmech.release.tabulate.count_table import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from optmech.base.numbers import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """The table that is read, the files and log that are written, and what they may spend."""

    table: str | PathLike[str]
    out: str | PathLike[str]
    beside: tuple[Path, ...]
    log: Path
    again: bool
    budget: Budget | None

    @classmethod
    def checked(
        cls,
        table: str | PathLike[str],
        out: str | PathLike[str],
        log: str | PathLike[str] | None,
        *,
        beside: tuple[Path, ...] = (),
        again: bool,
        data: str | None,
        part: str | None,
        budget: Budget | Number | None,
    ) -> Self:
        """Return the plan of a release; ProblemError if it cannot be written, or was drawn before."""
        if not is_parquet(out) and not str(out).lower().endswith((".csv", ".csv.gz", ".xlsx")):
            rule = "end in .csv, .csv.gz, .parquet or .xlsx, which says what it will be"
            raise broken_rule("out", rule, out)
        log = log_beside(out) if log is None else Path(log)
        most = budget if budget is None or isinstance(budget, Budget) else Budget(epsilon=budget)
        plan = cls(table=table, out=out, beside=beside, log=log, again=again, budget=most)
        plan._check_apart()
        plan.earlier_draws()
        check_names(log.parent, Path(table).name, data, part)
        return plan

    def _check_apart(self) -> None:
        """Refuse a released table, or a log, that cannot be written, or is the table that is read."""
        for path in (self.out, *self.beside, self.log):
            check_writable(path)
        try:
            Path(self.table).stat()  # where there is none, nothing else is wrong
            paths = [resolved(path) for path in (self.table, self.out, *self.beside, self.log)]
        except (OSError, ValueError) as error:  # no file, or a null byte or half a character in a name
            raise unreadable(self.table, error) from None
        if len(set(paths)) < len(paths):
            rule = f"be another file than {self.table}, which is read, and than the log"
            raise broken_rule("--out", rule, self.out)

    def earlier_draws(self) -> list[dict[str, Any]]:
        """Return the draws that the log has already; ProblemError unless another one is asked for."""
        if not self.log.exists():
            return []
        content = read_log(self.log)
        earlier = [dict(entry.content) for entry in entries_in(self.log, content)]
        if not self.again and earlier:
            before = content["output"]["file"]
            message = (
                f"`again` must be asked for: {self.log} tells of a release into {before} already, and a "
                "second draw from the same answers spends epsilon again. Keep the first, or pass --again."
            )
            raise ProblemError(message)
        return earlier

    def check_budget(self, told_of: Callable[..., dict[str, Any]]) -> None:
        """Refuse what would exceed the budget before the long work; `commit` does once more, under a lock."""
        if self.budget is not None:
            self.budget.check(self.log, told_of(rows=1, sha256="", earlier=self.earlier_draws()))

    def commit(self, write: Callable[..., int], told_of: Callable[..., dict[str, Any]]) -> dict[str, Any]:
        """Return the content of the log, once all files are there; `write` returns the number of rows."""
        paths = [self.log, *self.beside, self.out]
        with ExitStack() as alone, whole_files(paths) as (log_file, *beside, file):
            rows = write(file, *beside)
            digest = digest_of(file)
            alone.enter_context(one_at_a_time(resolved(self.log).parent))  # until both files are renamed
            earlier = self.earlier_draws()  # another command may have written the log first
            content = told_of(rows=rows, sha256=digest, earlier=earlier)
            if self.budget is not None:
                self.budget.check(self.log, content)
            with refusals(self.log):
                log_file.write_text(log_text(content), encoding="utf-8")
        return content

    def other_releases(self, column: str, what: str, spent: str) -> list[str]:
        """Return a sentence for each other log of the same column: that what both spend adds up."""
        name, own = Path(self.table).name, resolved(self.log)
        return [
            f"{path.name} tells of another release of column {column} of {name}: if the true {what} are the "
            f"same, {spent} up."
            for path in logs_of_column(own.parent, name, column)
            if path != own
        ]
