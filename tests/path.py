"""Counts as problems, and their designs as distributions however small they are."""

from __future__ import annotations

import optmech as om
from optmech.designs.chain.tail_orbit import certificate_of_tails
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.question.chain_question import ChainQuestion


def on_path(largest, epsilon, loss="absolute", prior=None):
    return om.croft(om.count(largest), epsilon, loss=loss, prior=prior)


def all_tails(problem):
    """Return the certificate of noise that is all tails."""
    return certificate_of_tails(problem, ChainQuestion.of(problem))


def distribution(largest, epsilon, loss="absolute", prior=None):
    return NoiseMechanism(certificate=all_tails(on_path(largest, epsilon, loss, prior)))
