"""Counts as problems, and their designs as distributions however small they are."""

from __future__ import annotations

import optmech as om


def on_path(largest, epsilon, loss="absolute", prior=None):
    return om.croft(om.count(largest), epsilon, loss=loss, prior=prior)


def distribution(largest, epsilon, loss="absolute", prior=None):
    return om.design(on_path(largest, epsilon, loss, prior), engine="geometric").mechanism
