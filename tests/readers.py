"""The two readers of certificates: the package, and the checker, which shares no code with it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import optmech as om
from optmech.mechanisms.certificates.certificate_text import read_certificate_text

CHECKER = Path(__file__).parents[1] / "check_certificate.py"
_SPEC = importlib.util.spec_from_file_location("check_certificate", CHECKER)
checker = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(checker)
noise_checker = checker.beside("check_noise")
laws_checker = checker.beside("check_laws")
levels_checker = checker.beside("check_levels")


def by_package(text):
    """Return why the package refuses a certificate, or None if it accepts it."""
    try:
        read_certificate_text(text)
    except om.OptmechError as trouble:
        return str(trouble)
    return None


def by_checker(text):
    """Return why the checker refuses a certificate, or None if it accepts it."""
    try:
        checker.check(text)
    except checker.RefusedError as trouble:
        return str(trouble)
    return None
