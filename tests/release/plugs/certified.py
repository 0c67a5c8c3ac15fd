"""Certificates of many kinds, each designed once, and sums over their whole numbers by definition."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

import optmech as om
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.matrix import ExactMatrix

KINDS = {
    "count": lambda: om.croft(om.count(5), epsilon="0.5", variant=2),
    "mean": lambda: om.croft(om.mean(10, 4), epsilon="0.2"),
    "residues": lambda: om.kadam(om.residues(9, [1, 2, 3]), epsilon="1.5", delta="0.1238"),
    "symmetric": lambda: om.sadeghi_symmetric(epsilon="2.18", accuracy="0.8", half_width=6),
    "zero bias": lambda: om.sadeghi(epsilon=1, accuracy="0.5", half_width=2, counts=(1, 3)),
    "delta": lambda: om.question(om.count(10), epsilon=1, delta="1e-3"),
    "categories": lambda: om.question(om.categories(["red", "green", "blue"]), epsilon=1, loss="zero-one"),
    "vectors": lambda: om.kadam(om.vector((3, 3), [0, 1, 2], "together"), epsilon=3),
    "cells": lambda: om.croft(om.Query(range(5), [(0, 2), (2, 4)], 1), epsilon="ln 3"),
    "halves": lambda: om.croft(om.Query(["-3/2", "-1/2", "1/2", "3/2"]), epsilon="ln 2"),
}
"""Questions by name."""
QUICK = ("count", "symmetric", "delta", "categories")
"""One of each provenance: pure, of each outcome, approximate, and labels."""


@cache
def designed(kind):
    return om.design(KINDS[kind]()).certificate


def by_hand(numerators, epsilon, query=None, denominator=None):
    """Return a certificate of these whole numbers, proved as any other."""
    table = np.array(numerators, dtype=object)
    problem = om.croft(query or om.count(len(table) - 1), epsilon=epsilon)
    return om.MatrixCertificate(
        problem=problem,
        factor=enclose_exponential(problem.privacy.epsilon, 64),
        matrix=ExactMatrix(numerators=table, denominator=denominator or int(table[:, 0].sum())),
    )


def columns(certificate):
    bottom = certificate.matrix.denominator
    return [[Fraction(value, bottom) for value in column] for column in certificate.matrix.numerators.T]


def excess(first, second, factor):
    """Return the hockey-stick divergence of two columns, by definition."""
    return sum(max(Fraction(0), p - factor * q) for p, q in zip(first, second, strict=True))
