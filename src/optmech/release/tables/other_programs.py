"""Files of other programs, known by their first bytes: refused with a command that converts them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from optmech.base.errors import FileFormatError

OF_STATISTICS = (".sav", ".zsav", ".dta", ".sas7bdat", ".xls")
"""Endings of files that are opened to say how they are converted."""
_STATISTICS = (
    ((b"$FL2", b"$FL3"), "SPSS", "read_spss", " (it needs `pip install pandas pyreadstat`)"),
    ((b"<stata_dta>",), "Stata", "read_stata", " (it needs `pip install pandas`)"),
    ((bytes(12) + b"\xc2\xea\x81\x60",), "SAS", "read_sas", " (it needs `pip install pandas`)"),
)
_OTHERS = (
    (b"PAR1", "Parquet: let its name end in .parquet"),
    (
        b"PK\x03\x04",
        "a workbook or an archive: a workbook of Excel must end in .xlsx, others are saved as CSV",
    ),
    (b"\xd0\xcf\x11\xe0", "a workbook of old Excel: save it as .xlsx or as CSV UTF-8"),
    (b"\x1f\x8b", "gzip: let its name end in .csv.gz"),
    (b"%PDF", "a PDF: take its source, as a table"),
)
# Stata up to version 12 begins with its version, the order of bytes, and 1.
_OLD_STATA = {bytes([version, order, 1, 0]) for version in range(104, 116) for order in (1, 2)}


def check_is_text(path: str, first: bytes) -> None:
    """Refuse a file whose first bytes say that it is no text: FileFormatError."""
    kind = next((kind for mark, kind in _OTHERS if first.startswith(mark)), None)
    for marks, program, reader, needs in _STATISTICS:
        if first.startswith(marks) or (program == "Stata" and first[:4] in _OLD_STATA):
            whole = f"{Path(path).stem}.converted.csv"
            options = ", encoding='infer'" if reader == "read_sas" else ""
            source = (
                f"{json.dumps(path)}{', format=' + repr('sas7bdat') if reader == 'read_sas' else ''}{options}"
            )
            code = f"import pandas; pandas.{reader}({source}).to_csv({json.dumps(whole)}, index=False)"
            kind = f"a file of {program}. Convert it: python -c {shlex.quote(code)}{needs}"
    if kind is not None:
        message = f"`{path}` must be CSV text; its first bytes are those of {kind}."
        raise FileFormatError(message)
