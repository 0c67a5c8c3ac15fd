"""Problems in a TOML file, with what is known of their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import need_path, takes
from optmech.base.errors import FileFormatError
from optmech.base.whole_files import read_toml

if TYPE_CHECKING:
    from os import PathLike


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One problem of a file, of a name that is unique there, and what is known of its answer.

    `formulation` is whose problem, as `optmech design` names it; `known` has such as ``objective`` (decimal
    text) and ``tolerance``, and `note` says where that comes from.
    """

    name: str
    formulation: str
    choices: dict[str, Any]
    known: dict[str, Any]
    note: str


@takes(path=need_path)
def read_instances(path: str | PathLike[str]) -> tuple[Instance, ...]:
    """Return the instances of a TOML file, in order; without [[instance]] its choices are the only one."""
    content = read_toml(path)
    formulation = content.pop("formulation", None)
    tables = content.get("instance", [{"problem": content}])  # a file of one question is all choices
    if not isinstance(formulation, str) or not isinstance(tables, list) or not tables:
        message = (
            f"`{path}` must have a `formulation`, and choices or at least one [[instance]]; one is missing."
        )
        raise FileFormatError(message)
    instances = []
    for number, table in enumerate(tables, start=1):
        if not isinstance(table, dict) or not isinstance(table.get("problem"), dict):
            message = f"`{path}` must have [instance.problem] in each [[instance]]; number {number} has none."
            raise FileFormatError(message)
        known = table.get("known", {})
        instances.append(
            Instance(
                name=str(table.get("name", f"instance-{number}")),
                formulation=formulation,
                choices=table["problem"],
                known=known if isinstance(known, dict) else {},
                note=str(table.get("note", "")),
            )
        )
    names = [instance.name for instance in instances]
    if len(set(names)) != len(names):
        message = f"`{path}` must have instances with different names; got {', '.join(names)}."
        raise FileFormatError(message)
    return tuple(instances)
