"""Leave out rows released as 0, so that an empty group and an unlisted one look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from optmech.base.errors import NotAcceptedError
from optmech.question.properties import ZERO_STAYS_ZERO

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optmech.release.tables.column_mechanisms import Laws

LEFT_OUT = (
    "Rows with the answer 0 are left out: a group that nobody is in and one that is not seen look alike, and "
    "which groups are seen is protected as answers are. All other columns of theirs, and their order, are "
    "released as they are, without protection."
)
SEEN_ROWS = (
    "0 is certain for groups that nobody is in, but rows with the answer 0 are written, so that it is seen "
    "which groups are in the table. Leave them out with --drop-zero, unless all that could be are listed."
)


def keeps_zero(laws: Laws) -> bool:
    """Whether every mechanism is proved to release 0 at 0 with certainty."""
    return all(str(ZERO_STAYS_ZERO) in law.description.get("properties", ()) for law in laws.values())


def check_keeps_zero(laws: Laws) -> None:
    """Raise NotAcceptedError if an empty group might be seen when rows are left out."""
    if not keeps_zero(laws):
        message = (
            "`drop_zero` must come with certificates that say zero-stays-zero: by another mechanism it shows "
            "whether a group is in the table. Design with --property zero-stays-zero and a delta."
        )
        raise NotAcceptedError(message)


def is_seen(responses: pa.Array) -> NDArray[np.bool_]:
    """Return a mask of the answers, text or numbers, that are not 0."""
    mask: NDArray[np.bool_] = responses.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) != 0
    return mask
