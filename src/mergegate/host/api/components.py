"""The shapes of the reference, under names that people can read and programs can be made from."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.alias_generators import to_pascal
from pydantic.json_schema import models_json_schema

Json = dict[str, Any]
Mode = Literal["validation", "serialization"]
_PLACE = "#/components/schemas/"
_EVERYWHERE = frozenset({"mergegate", "core", "repo", "site", "wire", "shapes", "result"})
"""Parts of a module's name that tell nothing of the shape."""
_CALLED = {"deployment": "outcome"}
"""Owners whose shapes have had another name since the first reference."""
_TAKEN, _SENT = "Out-Input", "-Output"
"""What Pydantic writes behind a model that goes both ways."""


class Components:
    """Every model that somebody names, each a schema under a name of its own.

    Raises ValueError when two models cannot be told apart by what they belong to.
    """

    def __init__(self, models: Iterable[tuple[type[BaseModel], Mode]]) -> None:
        found, defined = models_json_schema(list(models), ref_template=f"{_PLACE}{{model}}")
        names = {one: readable(one) for one in defined["$defs"]}
        if len(set(names.values())) < len(names):
            raise ValueError("two shapes of the reference share a name")
        self._references = {one: _renamed(schema, names) for one, schema in found.items()}
        self.schemas: Json = {
            names[one]: _renamed({**schema, "title": names[one]}, names)
            for one, schema in defined["$defs"].items()
        }

    def of(self, model: type[BaseModel], mode: Mode) -> Json:
        """A reference to the schema of ``model``."""
        return dict(self._references[model, mode])


def readable(name: str) -> str:
    """Pydantic's name of a schema → ours: ``SeoDeductionOut``, ``BudgetIn``.

    Where two models have one name, Pydantic writes the whole module before it; what the model
    belongs to is enough.
    """
    *modules, own = name.split("__")
    own = own.replace(_TAKEN, "In").removesuffix(_SENT)
    owner = next((one for one in reversed(modules) if one not in _EVERYWHERE), "")
    return to_pascal(_CALLED.get(owner, owner)) + own


def _renamed(node: Any, names: Mapping[str, str]) -> Any:
    """``node`` with each reference under the new name."""
    if isinstance(node, dict):
        return {key: _renamed(value, names) for key, value in node.items()}
    if isinstance(node, list):
        return [_renamed(one, names) for one in node]
    if isinstance(node, str) and node.startswith(_PLACE):
        return _PLACE + names[node.removeprefix(_PLACE)]
    return node
