"""The ECharts that pages carry with them: the published file, unchanged."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

from optmech.base.errors import ModelError

__all__ = ["ECHARTS_SHA256", "ECHARTS_VERSION", "echarts_script"]

ECHARTS_VERSION = "6.1.0"
ECHARTS_SHA256 = "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0"
"""Of ``dist/echarts.min.js`` in the package ``echarts`` 6.1.0 on npm. Licence and notice lie beside it."""


def echarts_script() -> str:
    """Return the text of ``echarts.min.js``, version 6.1.0.

    Raises
    ------
    ModelError
        If it is not the file that was published.

    Examples
    --------
    >>> "Apache Software Foundation" in echarts_script()[:100]
    True
    """
    content = files("optmech.reports.charts").joinpath("echarts/echarts.min.js").read_bytes()
    found = sha256(content).hexdigest()
    if found != ECHARTS_SHA256:
        message = f"echarts.min.js must have SHA-256 {ECHARTS_SHA256}; got {found}. Install optmech again."
        raise ModelError(message)
    return content.decode("utf-8")
