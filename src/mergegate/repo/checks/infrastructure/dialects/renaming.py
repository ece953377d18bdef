"""Settings under the names that another notation of the same resources gives them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from mergegate.repo.facts.documents import Node
from mergegate.repo.infrastructure import steps, subjects


def renamed(value: Node, kind: str) -> Node:
    """A value with its settings' names as ``kind`` has them; lists of blocks are plural here."""
    return _renamed(value, _names(kind))


def _renamed(value: Node, names: Mapping[str, str]) -> Node:
    keys = tuple(_known(key, names) for key in value.keys)
    return replace(value, keys=keys, children=tuple(_renamed(one, names) for one in value.children))


@cache
def _names(kind: str) -> Mapping[str, str]:
    """The names of a kind's known settings, by their letters alone."""
    ways = (way for _, subject in subjects().get(kind, ()) for way in subject.ways)
    return {letters(name): name for way in ways for name in steps(way)}


def _known(key: str, names: Mapping[str, str]) -> str:
    plain = letters(key)
    return names.get(plain) or names.get(plain.removesuffix("s")) or key


def letters(name: str) -> str:
    """A name by its letters alone, small."""
    return name.replace("_", "").lower()
