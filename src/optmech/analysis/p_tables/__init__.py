"""Perturbation tables of the cell key method, from the files of statistical offices."""

from optmech.analysis.p_tables.files import read_p_table
from optmech.analysis.p_tables.table import PTable

__all__ = ["PTable", "read_p_table"]
