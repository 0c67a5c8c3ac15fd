"""Export certified mechanisms to other tools, one file each."""

from optmech.release.plugs.dp_accountant import to_dp_accountant, to_dp_accounting, to_dp_event
from optmech.release.plugs.matrix_files import read_parquet, write_parquet
from optmech.release.plugs.opendp_measurement import to_opendp
from optmech.release.plugs.p_table_files import write_p_table
from optmech.release.plugs.scipy_distribution import ScipyDistribution, distribution, noise_distribution
from optmech.release.plugs.source_code import to_c, to_rust

__all__ = [
    "ScipyDistribution",
    "distribution",
    "noise_distribution",
    "read_parquet",
    "to_c",
    "to_dp_accountant",
    "to_dp_accounting",
    "to_dp_event",
    "to_opendp",
    "to_rust",
    "write_p_table",
    "write_parquet",
]
