"""Names of files, folders and branches as they may be shown: a star for what is secret in them.

A name is also a place: behind the star stands a digest of the secret, so that two names stay two,
each is called the same in every scan, and a policy may hold what a report prints, as it is a
pattern for itself. A name without a secret is left as it is, byte for byte.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypeVar

from mergegate.core.severity import Confidence
from mergegate.core.tree import SourceFile, Tree
from mergegate.secrets.names import promise
from mergegate.secrets.scan import identity, masked, resolved, tokens
from mergegate.secrets.source import Hit, Source

Fact = TypeVar("Fact")
_DIGITS = 8
_SHORTEST = 12
"""Characters of a text that may hold a secret with its name, or one of a shape."""
_ASSIGNED = re.compile(
    r"(?<![A-Za-z0-9])(?P<name>[A-Za-z_][\w-]{0,60})=(?P<value>[^/=&\n]{6,200}?)"
    r"(?=(?:\.[A-Za-z]\w{0,9}){0,2}(?:[/&\n]|\Z))"
)


@lru_cache(maxsize=4096)
def shown_name(name: str, *, is_path: bool = True) -> str:
    """``name`` with every secret in it as a star and a digest; of a path none crosses a slash."""
    data = name.encode("utf-8", "surrogatepass")
    shown = b""
    done = 0
    for hit in _secrets(data, is_path=is_path):
        value = data[hit.start : hit.end].decode("utf-8", "replace")
        mark = identity("name", value)[:_DIGITS]
        shown += data[done : hit.start] + f"{masked(value).rstrip('*')}*-{mark}".encode()
        done = hit.end
    return (shown + data[done:]).decode("utf-8", "surrogatepass") if done else name


def shown_names(names: Iterable[str], *, is_path: bool = True) -> Mapping[str, str]:
    """Those of ``names`` that hold a secret, as :func:`shown_name` has them; searched at once."""
    every = list(dict.fromkeys(names))
    parts = [name.encode("utf-8", "surrogatepass") for name in every]
    ends = list(accumulate(len(part) + 1 for part in parts))
    found = _secrets(b"\n".join(parts), is_path=is_path)
    secret = {every[bisect_right(ends, hit.start)] for hit in found}
    return {name: shown_name(name, is_path=is_path) for name in secret}


def shown_fact(fact: Fact) -> Fact:
    """``fact``, of dataclasses, tuples and what JSON has, with every text as it may be shown.

    It is the same value where none has to change.
    """
    changed = shown_names((one for one in _texts(fact) if len(one) >= _SHORTEST), is_path=False)
    return _rebuilt(fact, changed) if changed else fact


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))


def _rebuilt(value: Any, changed: Mapping[str, str]) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return changed.get(value, value)
    if isinstance(value, tuple | list):
        return type(value)(_rebuilt(one, changed) for one in value)
    if isinstance(value, Mapping):
        return {_rebuilt(key, changed): _rebuilt(one, changed) for key, one in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        return replace(value, **{name: _rebuilt(part, changed) for name, part in parts.items()})
    return value


def shown_tree(tree: Tree) -> Tree:
    """``tree`` with all its files, folders and links under the names that may be shown.

    It is the same tree where none of them changes.
    """
    changed = shown_names(_names(tree))
    if not changed:
        return tree

    def shown(name: str) -> str:
        return changed.get(name, name)

    def file(one: SourceFile) -> SourceFile:
        signs = replace(one.signs, origins=tuple(map(shown, one.signs.origins)))
        inside = tuple(map(file, one.programs))
        return replace(one, path=shown(one.path), signs=signs, programs=inside)

    skipped = (replace(one, path=shown(one.path)) for one in tree.skipped)
    links = (replace(one, path=shown(one.path), target=shown(one.target)) for one in tree.links)
    files = sorted(map(file, tree.files), key=lambda one: one.path)
    return Tree(tuple(files), tuple(sorted(skipped)), tuple(sorted(links)), tree.limits)


def _names(tree: Tree) -> Iterator[str]:
    for file in tree.files:
        yield file.path
        yield from file.signs.origins
    for skipped in tree.skipped:
        yield skipped.path
    for link in tree.links:
        yield from (link.path, link.target)


def _secrets(data: bytes, *, is_path: bool) -> list[Hit]:
    # The line before it keeps a mark of byte order from being taken for one, and cut.
    source = Source(b"\n" + (data.replace(b"/", b"\n") if is_path else data))
    found = resolved((*tokens(source), *_assigned(source)))
    return [replace(hit, start=hit.start - 1, end=hit.end - 1) for hit in found]


def _assigned(source: Source) -> Iterator[Hit]:
    """``db_password=…``, however plain the word behind it is."""
    for match in _ASSIGNED.finditer(source.text):
        if promise(match["name"]):
            yield Hit(*match.span("value"), "name", Confidence.MEDIUM)
