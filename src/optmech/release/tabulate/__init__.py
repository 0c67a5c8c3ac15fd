"""Count records in groups, with a bound on the counted rows of each person."""

from optmech.release.tabulate.bound import PersonBound, PersonLoss
from optmech.release.tabulate.count_table import CountTable, read_bound
from optmech.release.tabulate.tabulate import tabulate

__all__ = ["CountTable", "PersonBound", "PersonLoss", "read_bound", "tabulate"]
