"""Draws a second, beside OpenDP's geometric noise, and whether constant time is constant.

OpenDP is compared where it is installed (``pip install ".[benchmarks]"``): the same epsilon and
range, vectorised over a list of whole numbers. With `bounds` its geometric noise takes constant time, without
it does not; so there is a peer for either way of drawing here.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

import optmech as om
from optmech.analysis.baselines.whole_number_noise import truncated_geometric
from optmech.mechanisms.sampling import Sampler

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (5, 101, 401)
EPSILON = "0.5"
RUNS = 5
DRAWS, SLOW_DRAWS = 1 << 20, 1000
BITS = 60
# Constant time is measured in turns, so that a change of the clock rate meets every case alike.
TURNS, DRAWS_OF_A_TURN = 41, 256


def mechanism(size: int) -> om.Mechanism:
    """Return geometric noise clamped to 0 .. size - 1."""
    numbers = tuple(range(size))
    matrix = truncated_geometric(om.count(size - 1), EPSILON).matrix
    return om.MatrixMechanism(matrix=matrix, responses=numbers, truths=numbers)  # type: ignore[arg-type]


def over_a_power_of_two(matrix: np.ndarray) -> list[list[int]]:
    """Round down to multiples of 2**-60; each column's rest goes to its diagonal."""
    weights = [[int(entry * 2**BITS) for entry in row] for row in matrix.tolist()]
    for truth in range(len(weights)):
        weights[truth][truth] += 2**BITS - sum(row[truth] for row in weights)
    return weights


def draws_per_second(work: Callable[[], object], draws: int, runs: int) -> float:
    """Return the median rate of several runs."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return draws / statistics.median(seconds)


def own_rates(size: int, runs: int) -> list[float]:
    """Return the rates of single draws, mixed truths, one truth, positions alone, constant time."""
    sampled = mechanism(size)
    rounded = Sampler(over_a_power_of_two(sampled.matrix))
    mixed = np.random.default_rng(1).integers(0, size, DRAWS)
    few = mixed[:SLOW_DRAWS]
    sampled.sample(0), rounded.draw_constant_time(0)  # what is built once is built now
    works: list[tuple[Callable[[], object], int]] = [
        (lambda: [sampled.sample(0) for _ in few], few.size),
        (lambda: sampled.sample(mixed), DRAWS),
        (lambda: sampled.sample(size // 2, DRAWS), DRAWS),
        (lambda: rounded.draw(mixed), DRAWS),
        (lambda: rounded.draw_constant_time(few), few.size),
    ]
    return [draws_per_second(work, draws, runs) for work, draws in works]


def opendp_rate(size: int, bounds: tuple[int, int] | None, runs: int) -> float:
    """Return the rate of OpenDP's geometric noise."""
    import opendp.prelude as dp  # noqa: PLC0415 - a peer that need not be there

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T="i32")), dp.l1_distance(T="i32")
    peer = dp.m.make_geometric(*space, scale=1 / float(EPSILON), bounds=bounds)
    truths = np.random.default_rng(1).integers(0, size, SLOW_DRAWS).tolist()
    return draws_per_second(lambda: peer(truths), SLOW_DRAWS, runs)


def print_rates(sizes: tuple[int, ...], runs: int) -> None:
    """Print draws a second for each size, and the ratios to OpenDP."""
    peer = importlib.util.find_spec("opendp") is not None
    names = ["mixed truths", "one truth", "positions", "constant time"]
    names += ["opendp free", "bounded", "ratio free", "ratio bounded", "ratio constant"] if peer else []
    version = importlib.metadata.version("opendp") if peer else "is not installed"
    print(f"draws a second, median of {runs}; opendp {version}")
    print(f"{'size':<10}{'one draw us':>13}" + "".join(f"{name:>15}" for name in names))
    for size in sizes:
        single, mixed, *others, constant = own_rates(size, runs)
        figures = [mixed, *others, constant]
        if peer:
            free, bounded = (opendp_rate(size, bounds, runs) for bounds in (None, (0, size - 1)))
            figures += [free, bounded, mixed / free, mixed / bounded, constant / bounded]
        print(f"{size:<10}{1e6 / single:13.1f}" + "".join(f"{figure:15,.0f}" for figure in figures))


def print_constant_time(size: int, turns: int) -> None:
    """Print median times of constant-time draws by truth, and by what is drawn."""
    weights = over_a_power_of_two(mechanism(size).matrix)
    middle = size // 2
    cases: dict[str, tuple[Sampler, int]] = {
        f"truth {truth}": (Sampler(weights), truth) for truth in (0, size // 4, middle, size - 1)
    }
    # The words decide what is drawn: the same truth, once with the first response only, once with the last.
    cases["always the first"] = (Sampler(weights, random_bytes=bytes), middle)
    cases["always the last"] = (Sampler(weights, random_bytes=lambda number: b"\xff" * number), middle)
    text = os.urandom(1 << 20)
    cases["any, made before"] = (Sampler(weights, random_bytes=lambda number: text[:number]), middle)
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(turns + 1):
        for name, (sampler, truth) in cases.items():
            positions = np.full(DRAWS_OF_A_TURN, truth)
            start = time.perf_counter()
            sampler.draw_constant_time(positions)
            seconds[name].append(time.perf_counter() - start)
    print(f"\nconstant time, {size} x {size}, microseconds a draw, median of {turns} turns; then quartiles")
    for name, result in seconds.items():
        low, median, high = (
            1e6 / DRAWS_OF_A_TURN * part for part in statistics.quantiles(result[1:] or result, n=4)
        )
        print(f"{name:<20}{median:9.3f}{low:9.3f}{high:9.3f}")


def main(*, smoke: bool) -> None:
    """Print both tables."""
    print_rates(SIZES[:1] if smoke else SIZES, 1 if smoke else RUNS)
    print_constant_time(SIZES[0] if smoke else SIZES[1], 3 if smoke else TURNS)
