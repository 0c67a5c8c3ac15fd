"""The normal form of a question's table: equal for the same words and numbers, without building the question.

A question with a million answers takes seconds to build; its table takes none. Conflicts between keys are
checked where the question is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.question.keys import kind_in, read_keys, written_keys
from optmech.question.limits import with_limits_apart
from optmech.question.losses.tables import BOUND_KEYS, OBJECTIVE_KEYS
from optmech.question.schema import KEYS_OF_KIND
from optmech.question.table import PARTS, RULE_KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.question.keys import Key

_WITHOUT_ORDER = ("categories", "vector")


def normal_table(table: object, where: str = "question") -> dict[str, Any]:
    """Return a table with exact numbers as text and without defaults.

    Raises
    ------
    ProblemError
        If a key is unknown or missing, or a value is none that it takes.

    Examples
    --------
    >>> normal_table({"query": {"kind": "count", "smallest": 0, "largest": 5, "records_per_person": 1},
    ...               "privacy": [{"kind": "approximate", "epsilon": 0.50, "delta": 0}]})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'query': {'kind': 'count', 'smallest': 0, 'largest': 5}, 'privacy': {'kind': 'pure', 'epsilon': '0.5'},
     'objective': {'loss': 'absolute'}}
    """
    values = read_keys(table, PARTS, where, "a question")
    query = _of_kind("query", values["query"], where)
    has_labels = query["kind"] in _WITHOUT_ORDER or "labels" in query
    return written_keys(
        {
            "query": query,
            "privacy": _privacy(values["privacy"], where),
            "structure": _of_kind("structure", values["structure"], where),
            "properties": _properties(values["properties"]) or (),
            "objective": _objective(values["objective"], f"{where}.objective", has_labels=has_labels),
            "bounds": [_loss(_plain(each, BOUND_KEYS, f"{where}.bounds")) for each in values["bounds"]] or (),
            "rules": [_plain(each, RULE_KEYS, f"{where}.rules") for each in values["rules"]] or (),
        },
        PARTS,
    )


def _plain(table: object, keys: Iterable[Key], where: str) -> dict[str, Any]:
    listed = tuple(keys)
    return written_keys(read_keys(table, listed, where, "it"), listed)


def _of_kind(part: str, table: object, where: str) -> dict[str, Any]:
    kind, content = kind_in(table, KEYS_OF_KIND[part], f"{where}.{part}")
    return {"kind": kind, **_plain(content, KEYS_OF_KIND[part][kind], f"{where}.{part}")}


def _privacy(tables: object, where: str) -> dict[str, Any] | list[dict[str, Any]]:
    listed = tables if isinstance(tables, (list, tuple)) else [tables]
    privacies = [_pure(_of_kind("privacy", table, where)) for table in listed]
    return privacies[0] if len(privacies) == 1 else privacies


def _pure(privacy: dict[str, Any]) -> dict[str, Any]:
    """Return approximate privacy with delta 0 as pure privacy."""
    spends_nothing = privacy["kind"] in ("approximate", "probabilistic") and privacy.get("delta") == "0"
    if not spends_nothing or privacy["epsilon"] == "0":
        return privacy
    return {"kind": "pure", "epsilon": privacy["epsilon"]}


def _properties(texts: Iterable[str]) -> list[str]:
    names, limits = with_limits_apart(texts)
    return [*sorted(set(names)), *sorted(map(str, limits))]


def _objective(table: object, where: str, *, has_labels: bool) -> dict[str, Any]:
    objective = _plain(table, OBJECTIVE_KEYS, where)
    if "loss" not in objective and objective.get("least") != "delta":
        objective = {"loss": "zero-one" if has_labels else "absolute", **objective}
    return _loss(objective)


def _loss(loss: dict[str, Any]) -> dict[str, Any]:
    """Return a loss without its default prior."""
    by_noise = isinstance(loss.get("loss"), dict) and "by_noise" in loss["loss"]
    is_usual = loss.get("prior") == "uniform" and not by_noise
    return {name: value for name, value in loss.items() if name != "prior" or not is_usual}
