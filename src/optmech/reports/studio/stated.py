"""Tables of questions as values of the page's controls: those that the controls can state, and no others."""

from __future__ import annotations

from typing import Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import brief
from optmech.question.loss import beyond
from optmech.reports.studio.queries import TABLE_KEYS

_LIST = ","


def values_of(table: object) -> dict[str, object]:
    """Return a table as values that `inputs_of` holds to its bounds; nothing is built of it before.

    ProblemError where no control says what stands in the table.

    >>> values_of({"query": {"kind": "count", "smallest": 0, "largest": 5},
    ...            "privacy": {"kind": "pure", "epsilon": "1"}})
    {'query': 'count', 'smallest': 0, 'largest': 5, 'epsilon': '1'}
    """
    rest = _table(table, "question")
    values = _query(_table(rest.pop("query", None), "query"))
    values |= _privacy(_table(rest.pop("privacy", None), "privacy"))
    if rest.pop("structure", {"kind": "free"}) != {"kind": "free"}:
        raise _not_stated("structure", "another than any matrix")
    if "properties" in rest:
        values["properties"] = rest.pop("properties")
    values |= _objective(_table(rest.pop("objective", {}), "objective"))
    _need_empty(rest, "question")
    return values


def _query(query: dict[str, Any]) -> dict[str, object]:
    values: dict[str, object] = {"query": query.pop("kind", None)}
    values |= {value: query.pop(key) for key, value in TABLE_KEYS.items() if key in query}
    if "labels" in query:
        labels = query.pop("labels")
        plain = isinstance(labels, list) and all(
            isinstance(label, str) and _LIST not in label and label == label.strip() for label in labels
        )
        if not plain:
            raise _not_stated("query.labels", brief(labels))
        values["categories"] = f"{_LIST} ".join(labels)
    _need_empty(query, "query")
    return values


def _privacy(privacy: dict[str, Any]) -> dict[str, object]:
    kind = privacy.pop("kind", None)
    if kind not in ("pure", "approximate"):
        raise _not_stated("privacy.kind", brief(kind))
    values: dict[str, object] = {name: privacy.pop(name) for name in ("epsilon", "delta") if name in privacy}
    _need_empty(privacy, "privacy")
    return values


def _objective(objective: dict[str, Any]) -> dict[str, object]:
    values: dict[str, object] = {}
    loss = objective.pop("loss", None)
    limit = beyond(loss) if isinstance(loss, str) else None
    if limit is not None:
        if limit.denominator != 1:
            raise _not_stated("objective.loss", brief(loss))
        values = {"loss": "beyond", "beyond": int(limit)}
    elif loss is not None:
        values = {"loss": loss}
    worst = objective.pop("worst_case", False)
    if worst is True:
        values["judged"] = "worst"
    elif worst is not False:
        raise _not_stated("objective.worst_case", brief(worst))
    if objective.pop("prior", "uniform") != "uniform":
        raise _not_stated("objective.prior", "another than uniform")
    _need_empty(objective, "objective")
    return values


def _table(part: object, name: str) -> dict[str, Any]:
    if not isinstance(part, dict):
        raise _not_stated(name, brief(part))
    return dict(part)


def _need_empty(rest: dict[str, Any], name: str) -> None:
    if rest:
        raise _not_stated(name, brief(rest))


def _not_stated(name: str, what: str) -> ProblemError:
    message = (
        f"`{name}` must be what the controls of this page can state; got {what}. `optmech design` takes any."
    )
    return ProblemError(message)
