"""What all charts share: how they describe themselves, their axes, and numbers short enough to send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["axis", "cut", "exact_dimension", "framed", "names_axis", "short", "tooltip"]

# More digits than any chart shows; what is exact stands beside it in whole numbers.
_DIGITS = 10
# Of more names every second, third, … stands at an axis.
_MOST_NAMES = 27
_LONGEST_NAME = 24


def framed(description: str, *, patterns: bool = False, **option: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an option that draws at once, and tells a screen reader what is to be seen.

    Parameters
    ----------
    description : str
        One or two sentences in place of the picture.
    patterns : bool, default False
        Whether areas get patterns, so that series differ without colour.
    **option
        The rest of the option.

    Examples
    --------
    >>> framed("A line.", series=[])["aria"]["label"]
    {'description': 'A line.'}
    """
    return {
        "animation": False,
        "aria": {"enabled": True, "label": {"description": description}, "decal": {"show": patterns}},
        **option,
    }


def axis(name: str, kind: str = "value", **settings: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an axis with its name along its middle."""
    return {"type": kind, "name": name, "nameLocation": "middle", "nameGap": 26, **settings}


def names_axis(name: str, names: Sequence[str], **settings: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an axis of names, of which the long ones are cut and those without room left out."""
    label: dict[str, Any] = {"overflow": "truncate", "width": 84, "hideOverlap": True}
    if len(names) > _MOST_NAMES:
        label["interval"] = -(-len(names) // _MOST_NAMES) - 1
    return axis(name, "category", data=list(names), axisTick={"show": False}, axisLabel=label, **settings)


def cut(name: str) -> str:
    """Return a name short enough to stand within the name of an axis.

    Examples
    --------
    >>> cut("red"), cut("one of the very long categories")
    ('red', 'one of the very long ca…')
    """
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def exact_dimension(unit: str) -> dict[str, str]:
    """Return a dimension of texts: whole numbers of forty digits are not to be read as doubles."""
    return {"name": unit, "type": "ordinal"}


def tooltip(trigger: str = "item") -> dict[str, Any]:
    """Return a tooltip that stays on the page and can be read while the pointer rests on it."""
    return {
        "trigger": trigger,
        "confine": True,
        "enterable": True,
        "transitionDuration": 0,
        "extraCssText": "box-sizing: border-box; max-width: 100%; white-space: normal; "
        "overflow-wrap: anywhere",
    }


def short(value: float) -> float:
    """Return a number with ten digits, which is sent shorter than a double.

    Examples
    --------
    >>> short(1 / 3)
    0.3333333333
    """
    return float(f"{value:.{_DIGITS}g}")
