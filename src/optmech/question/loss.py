"""Loss of releasing one number when another is true."""

from __future__ import annotations

from math import floor, prod
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from optmech.base.arguments import an_instance, finite_numbers, takes
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.question.distance_loss import by_distance, is_by_distance
from optmech.question.homes import is_beyond, short_errors
from optmech.question.query import Query
from optmech.question.vectors import all_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats
    from optmech.question.grid import Grid


LossName = Literal["absolute", "squared", "zero-one"]
"""The names of losses, besides ``"beyond K"`` for each number K."""
CostName = Literal["error-rate", "squared", "circular", "wrapped"]
"""The names of costs of noise values."""
LOSSES: tuple[LossName, ...] = get_args(LossName)
NOISE_COSTS: tuple[CostName, ...] = get_args(CostName)

# A table of them has 800 MB.
_MOST_LOSSES = 100_000_000


@takes(query=an_instance(Query))
def loss_matrix(loss: LossName | ArrayLike, query: Query) -> Floats:
    """Return the loss of each response at each truth, shape (num_responses, num_truths).

    Parameters
    ----------
    loss : {"absolute", "squared", "zero-one", "beyond K"} or array_like
        A named loss is measured from the midpoint of the response to the truth; ``"zero-one"`` is zero
        where the response holds the truth, ``"beyond 2"`` is one where the distance exceeds 2, so that its
        expectation is the probability of such an error. For vectors the coordinates' losses are summed, as
        numbers: nothing wraps around. A matrix has responses as rows and truths as columns. Where truths are
        evenly spaced, each the neighbour of the next, one row is the loss at distance 0, 1, … steps; the last
        entry holds for all larger distances.

    Raises
    ------
    NotAcceptedError
        If a table would have more than a hundred million entries.
    ProblemError
        If the name is unknown or needs numbers where the answers are none, or the matrix has the wrong shape
        or a negative or non-finite entry.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> loss_matrix("squared", count(2)).tolist()
    [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    if isinstance(loss, str):
        return _named_loss(loss, query)
    matrix = finite_numbers(loss, "loss")
    shape = (query.num_responses, query.num_truths)
    if matrix.ndim == 1 and matrix.size and query.path() is not None:
        matrix = by_distance(matrix, query.num_truths)
    if matrix.shape != shape:
        message = (
            f"`loss` must have shape {shape} to match the query; got {matrix.shape}. "
            "Rows are responses, columns are truths."
        )
        raise ProblemError(message)
    rows = matrix[:1] if is_by_distance(matrix) else matrix
    if (rows < 0).any():
        worst = tuple(np.argwhere(rows < 0)[0].tolist())
        raise broken_rule("loss", "be zero or more", f"{matrix[worst]} at {list(worst)}")
    return matrix


def usual_loss(query: Query) -> str:
    """Return the loss that is meant where none is given: of answers that are no numbers, zero-one.

    >>> import optmech as om
    >>> usual_loss(om.count(5)), usual_loss(om.categories("ab"))
    ('absolute', 'zero-one')
    """
    return "zero-one" if query.labels and not query.moduli else "absolute"


def _named_loss(loss: str, query: Query) -> Floats:
    limit, path = beyond(loss), query.path() if query.is_large else None
    if limit is None and loss not in LOSSES:
        raise broken_rule("loss", f"be one of {', '.join(LOSSES)}, beyond K, or a matrix", repr(loss))
    if path is not None:
        return _loss_on_path(loss, limit, path)
    if loss == "zero-one" and query.is_large and query.num_truths == query.num_responses:
        steps = query.home - np.arange(query.num_truths)
        if not steps.any():
            return by_distance(np.array([0.0, 1.0]), query.num_truths)
    if query.num_responses * query.num_truths > _MOST_LOSSES:
        message = (
            f"a table of losses must have at most {_MOST_LOSSES:,} entries; got {query.num_responses:,} by "
            f"{query.num_truths:,} ({query.title}). Without one the theorem of chains designs any number of "
            "true answers that stand in a row, each the neighbour of the next alone and one record a person, "
            "with these as responses; others are for programs. Ask for that, or for a coarser range."
        )
        raise NotAcceptedError(message)
    if loss == "zero-one":
        elsewhere: Floats = 1.0 * (query.home[None, :] != np.arange(query.num_responses)[:, None])
        return elsewhere
    if query.moduli:
        return _vector_loss(loss, limit, query)
    need_numbers(query, loss)
    if limit is not None:
        return is_beyond(query, limit).astype(float)
    errors, scale = short_errors(query)
    distances: Floats = np.abs(errors / scale).astype(float)
    with np.errstate(over="ignore"):  # an infinite loss is refused where all losses are
        return distances if loss == "absolute" else distances**2


def _loss_on_path(loss: str, limit: Fraction | None, path: Grid) -> Floats:
    """Return the loss of a query that is too large for a matrix."""
    steps: Floats = np.arange(path.number, dtype=float)
    if loss == "zero-one" or limit is not None:
        far = steps > floor((limit or 0) / path.step)
        return by_distance(far.astype(float), path.number)
    steps *= float(path.step)
    if loss == "squared":
        steps *= steps
    return by_distance(steps, path.number)


def loss_name(loss: LossName | ArrayLike, query: Query) -> str | None:
    """Return the name of a loss that exact arithmetic can compute anew from the numbers of the query.

    >>> from optmech.question.vectors import vector
    >>> loss_name("squared", vector((2, 2), [1], "apart")) is None
    True
    """
    if not isinstance(loss, str) or (loss != "zero-one" and query.moduli):
        return None
    limit = beyond(loss)
    return loss if limit is None else f"beyond {as_text(limit)}"


def loss_of_distance(loss: str | list[str]) -> str | list[float]:
    """Return the loss that a file states by name, or as a list of decimal texts by distance.

    >>> loss_of_distance(["0", "1/2"])
    [0.0, 0.5]
    """
    if isinstance(loss, list):
        return [float(exact(cost, "loss")) for cost in loss]
    if loss not in LOSSES and beyond(loss) is None:
        raise broken_rule("loss", "be a name or a list", f"{loss!r:.60}")
    return loss


def need_numbers(query: Query, loss: str) -> None:
    """Refuse a loss by distance where the answers are not numbers."""
    if query.labels:
        message = (
            f"`loss` must be zero-one or a matrix: the answers of {query.title} are no numbers, such as "
            f"{query.labels[0]}; got {loss!r}."
        )
        raise ProblemError(message)


def beyond(loss: str | None) -> Fraction | None:
    """Return the K of a loss ``"beyond K"``, ``None`` for other losses.

    >>> beyond("beyond 2.5"), beyond("squared")
    (Fraction(5, 2), None)
    """
    word, _, number = (loss or "").partition(" ")
    if word != "beyond":
        return None
    if not number.strip():
        raise broken_rule("loss", "say beyond which distance, such as 'beyond 2'", repr(loss))
    limit = exact(number, "loss")
    if limit < 0:
        raise broken_rule("loss", "be beyond zero or more", repr(loss), "It is a distance from the truth.")
    return limit


def noise_cost(cost: CostName | Sequence[float] | ArrayLike, modulus: int | Sequence[int]) -> Floats:
    """Return the cost of each noise value 0, …, ``modulus - 1`` that is added modulo `modulus`.

    With several moduli the noise is a vector and its costs are those of its coordinates, summed; the error
    rate counts a vector once. They come in lexicographic order, shape (product of moduli,).

    ``"error-rate"`` is 1 unless the noise is 0, Kadam et al. 2024 (10). ``"squared"`` is ``eta**2``, their
    (11), which overstates noise that wraps around. ``"circular"`` is the squared distance on the circle,
    ``min(eta, N - eta)**2``. ``"wrapped"`` is ``eta * (N - eta)``, the true mean squared error over answers
    that are uniform on 0..N-1.
    """
    if not isinstance(modulus, (int, np.integer)):
        return _vector_cost(cost, tuple(modulus))
    noise = np.arange(modulus, dtype=float)
    if isinstance(cost, str):
        costs: dict[str, Floats] = {
            "error-rate": np.sign(noise),
            "squared": noise**2,
            "circular": np.minimum(noise, modulus - noise) ** 2,
            "wrapped": noise * (modulus - noise),
        }
        if cost not in costs:
            raise broken_rule("cost", f"be one of {', '.join(NOISE_COSTS)}, or a vector", repr(cost))
        return costs[cost]
    vector = finite_numbers(cost, "cost")
    if vector.shape != (modulus,):
        raise broken_rule(
            "cost", f"have {modulus} entries, one for each noise 0..{modulus - 1}", f"shape {vector.shape}"
        )
    if (vector < 0).any():
        worst = int(np.argmin(vector))
        raise broken_rule("cost", "be zero or more", f"{vector[worst]} for noise {worst}")
    return vector


def _vector_cost(cost: CostName | Sequence[float] | ArrayLike, moduli: tuple[int, ...]) -> Floats:
    number = prod(moduli)
    if not isinstance(cost, str):
        return noise_cost(np.ravel(finite_numbers(cost, "cost")), number)
    parts = [noise_cost(cost, size) for size in moduli]
    sums: Floats = np.add.reduce(np.meshgrid(*parts, indexing="ij")).ravel()
    return np.sign(sums) if cost == "error-rate" else sums


def _vector_loss(loss: str, limit: Fraction | None, query: Query) -> Floats:
    vectors = all_vectors(query.moduli)
    apart = np.abs(vectors[:, None, :] - vectors[None, :, :])
    sums: Floats = (apart**2 if loss == "squared" else apart).sum(axis=2).astype(float)
    # Whole numbers are beyond a limit where they are beyond its floor.
    return sums if limit is None else (sums > floor(limit)).astype(float)
