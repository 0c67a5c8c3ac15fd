"""Write and read a matrix that is a mixture of rays as JSON values; see `docs/certificate.md`, "Rays"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.mechanisms.certificates.runs import numbers_of_runs, text_of_runs
from optmech.proofs.ray_matrix import Ray, RayMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDS = 2  # the weight and the first steps of a ray come before its gaps


def ray_content(matrix: RayMatrix) -> dict[str, Any]:
    """Return the fields of a mechanism that is a mixture of rays."""
    return {
        "denominator": str(matrix.denominator),
        "step": str(matrix.step),
        "rest": matrix.rest,
        "rays": [[_text(ray) for ray in rays] for rays in matrix.rows],
    }


def read_rays(content: dict[str, Any], truths: int) -> RayMatrix:
    """Return the mixture that `ray_content` wrote."""
    if type(content["rest"]) is not int:  # true is none
        message = "what columns lack must be of a response, by its number"
        raise ValueError(message)
    return RayMatrix(
        denominator=int(content["denominator"]),
        step=int(content["step"]),
        rest=content["rest"],
        rows=tuple(tuple(_ray(text, truths) for text in texts) for texts in content["rays"]),
        truths=truths,
    )


def texts_of_rays(mechanism: dict[str, Any]) -> Iterator[str]:
    """Yield the texts of all rays."""
    for texts in mechanism["rays"]:
        yield from texts


def _text(ray: Ray) -> str:
    return text_of_runs([ray.weight, ray.first, *ray.gaps])


def _ray(text: str, truths: int) -> Ray:
    weight, first, *gaps = numbers_of_runs(text, truths + _ENDS)
    return Ray(weight, first, tuple(gaps))
