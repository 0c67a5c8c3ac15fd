"""Perturbation tables of the cell key method: read, judged, and beside the best table of their kind."""

from optmech.analysis.p_tables.assessment import PTableAssessment, assess_p_table
from optmech.analysis.p_tables.certified import p_table_of
from optmech.analysis.p_tables.files import read_p_table
from optmech.analysis.p_tables.table import PTable

__all__ = ["PTable", "PTableAssessment", "assess_p_table", "p_table_of", "read_p_table"]
