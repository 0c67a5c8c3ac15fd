"""How large the parts of a certificate of noise and thresholds may be; see `docs/certificate.md`."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.mechanisms.certificates.sizes import has_long_denominator, long_number, too_large
from optmech.proofs.file_limits import FACTOR_BITS, LARGEST_NUMBER, MOST_BITS, MOST_FURTHER, MOST_TRUTHS

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_COUNTED = 1_000_001
_MOST_LISTED_LOSSES = 20_000_000
_MOST_PLACE_BITS, _MOST_PLACE_PRIVACIES = 2**28, 2**21


def part_too_large(content: dict[str, Any]) -> str | None:
    """Return the rule that sizes of a certificate of any sort break, ``None`` where they break none."""
    if "noise" in content:
        return noise_too_large(content)
    return _distribution_too_large(content) if "distribution" in content else too_large(content)


def noise_too_large(content: dict[str, Any]) -> str | None:
    """Return the rule that sizes break, ``None`` where they break none, before anything is built of them.

    What is missing or of another kind than described is passed over: whoever reads it says so.
    """
    try:
        return long_number(content) or next(
            chain(_of_noise(content), _of_question(content["question"])), None
        )
    except (ProblemError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
        return None


def _distribution_too_large(content: dict[str, Any]) -> str | None:
    """Return the rule that sizes of geometric noise break; how long its sums take is `geometric_work`."""
    try:
        question = content["question"]
        lists = [part for part in (question["loss"], question["weights"]) if isinstance(part, list)]
        rule = f"must hold numbers over one denominator of at most {MOST_BITS:,} bits"
        return long_number(content) or (rule if any(map(has_long_denominator, lists)) else None)
    except (ProblemError, KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError):
        return None


def _of_noise(content: dict[str, Any]) -> Iterator[str]:
    noise, privacies = content["noise"], content["question"]["privacy"]
    places = _length(noise["cumulative"])
    if places * noise["bits"] > _MOST_PLACE_BITS:
        yield f"must hold places times bits of at most {_MOST_PLACE_BITS:,}"
    if len(privacies) > 1 + MOST_FURTHER or places * len(privacies) > _MOST_PLACE_PRIVACIES:
        yield f"must hold at most {1 + MOST_FURTHER} privacies, and places times privacies of at most 2^21"
    for privacy in privacies:
        factors = [exact(privacy[name], "factor") for name in ("lower", "upper")]
        bits = max(part.bit_length() for factor in factors for part in factor.as_integer_ratio())
        if bits > FACTOR_BITS and not privacy["epsilon"].startswith("ln "):
            yield f"must have factors of at most {FACTOR_BITS:,} bits"


def _of_question(question: dict[str, Any]) -> Iterator[str]:
    query, loss, weights = question["query"], question["loss"], question["weights"]
    truths = query["truths"]
    if isinstance(truths, dict):
        number = truths["number"]
        points = [exact(truths[name], "truths") for name in ("first", "step")]
        ends = [points[0], points[0] + points[1] * (number - 1)]
        long = any(part.denominator.bit_length() > MOST_BITS for part in points)
    else:
        number, numbers = len(truths), [*truths, *(end for ends in query["responses"] for end in ends)]
        if max(number, len(query["responses"])) > MOST_TRUTHS:
            yield f"must have at most {MOST_TRUTHS:,} truths in a list, and as many responses"
        long, ends = has_long_denominator(numbers), [exact(point, "truths") for point in numbers]
    if number > _MOST_COUNTED:
        yield f"must have at most {_MOST_COUNTED:,} truths"
    if max(map(abs, ends)) >= LARGEST_NUMBER:
        yield "must have truths and responses below 10^300 in size"
    if isinstance(loss, list) and len(loss) * number > _MOST_LISTED_LOSSES:
        yield f"must have listed losses times truths of at most {_MOST_LISTED_LOSSES:,}"
    costs = _costs(loss)
    if max((exact(cost, "loss") for cost in costs), default=0) >= LARGEST_NUMBER:
        yield "must have costs below 10^300"
    long |= has_long_denominator(costs)
    if long or (isinstance(weights, list) and has_long_denominator(weights)):
        yield f"must hold numbers over one denominator of at most {MOST_BITS:,} bits"


def _costs(loss: Any) -> list[str]:  # noqa: ANN401 - a name, a list, or a table
    if isinstance(loss, dict):
        return [cost for row in loss["matrix"] for cost in row]
    return loss if isinstance(loss, list) else []


def _length(runs: str) -> int:
    """Return how many numbers are written, none of them looked at."""
    times = re.findall(r"\*([0-9]+)", runs)
    return runs.count(" ") + 1 - len(times) + sum(int(number[:12]) for number in times)
