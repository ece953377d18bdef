"""The safe values of entries about Kubernetes: of objects, pods, containers and command lines."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.mappings import Manifest, Spot, way_of
from mergegate.repo.infrastructure import Entry, Subject, steps

_ITEM = r"(?:items\.\d+\.)?"
_ON = {
    "container": r"(?:.*\.)?(?:containers|initContainers|ephemeralContainers)\.\d+",
    "pod": rf"{_ITEM}(?:.*\.)?spec",
}
"""The path of the mapping that a kind of resource is, where it is a part of an object."""
_OBJECT = r"(?:items\.\d+)?"
_PROGRAM = "program"
_INHERITED = "securityContext"
_FLAG = re.compile(r"(?P<name>--?[^-=\s][^=\s]*)(?:=(?P<value>.*))?", re.DOTALL)

IsWrong = Callable[[Subject, str | None], bool]
"""Takes a subject and the text of a setting, None where it is missing."""


@dataclass(frozen=True)
class Wanted:
    """What is to change."""

    on: str = ""
    """The path of the mapping that is meant, as a recipe says it."""
    set: Mapping[str, str] = field(default_factory=dict)
    replace: Mapping[str, str] = field(default_factory=dict)


def wanted(entry: Entry, manifest: Manifest, line: int, is_wrong: IsWrong) -> Wanted:
    """The settings that are to change; raises UncertainError where it is not known which."""
    subjects = [one for one in entry.subjects if one.wanted]
    flags = dict(_flags(subjects, manifest, line, is_wrong))
    if flags:
        return Wanted(replace=flags)
    for on, spot, meant in _meant(subjects, manifest, line):
        found: dict[tuple[str, ...], dict[str, str]] = {}
        for one in meant:
            for way in ((*steps(one.each), *steps(setting)) for setting in one.settings):
                inner, rest = _inmost(spot, way, line)
                if is_wrong(one, _said(inner.at(*rest))):
                    found.setdefault(inner.path, {})[way_of(rest)] = one.wanted
        for path, ways in found.items():
            return Wanted(on if path == spot.path else re.escape(".".join(path)), ways)
    raise UncertainError


def _meant(
    subjects: list[Subject], manifest: Manifest, line: int
) -> Iterator[tuple[str, Spot, list[Subject]]]:
    """The mappings that subjects may be about, each with its path and its subjects."""
    by_kind: dict[str, list[Subject]] = {}
    for one in subjects:
        for kind in one.kinds:
            by_kind.setdefault(kind.partition(".")[2], []).append(one)
    for kind, each in by_kind.items():
        on = _ON.get(kind, _OBJECT)
        spot = None if kind == _PROGRAM else _around(manifest, line, on)
        if spot is not None and (kind in _ON or spot.says("kind") == kind):
            yield on, spot, each
        elif kind == "container" and (pod := _around(manifest, line, _ON["pod"])) is not None:
            # What the pod says for all of its containers.
            yield _ON["pod"], pod, [one for one in each if steps(one.settings[0])[0] == _INHERITED]


def _around(manifest: Manifest, line: int, on: str) -> Spot | None:
    try:
        return manifest.meant(line, on)
    except UncertainError:
        return None


def _inmost(spot: Spot, way: tuple[str, ...], line: int) -> tuple[Spot, tuple[str, ...]]:
    """The item of the lists on a way that a line stands in, and the way from there."""
    inner, rest, here = spot, way, spot
    for at, name in enumerate(way):
        below = here.child(name)
        if below is None:
            break
        here = below
        if here.is_list:
            above = [one for one in here.items if one.line <= line]
            if not above or not above[-1].is_map:
                break
            inner = here = above[-1]
            rest = way[at + 1 :]
    return inner, rest


def _flags(
    subjects: list[Subject], manifest: Manifest, line: int, is_wrong: IsWrong
) -> Iterator[tuple[str, str]]:
    """Words of a command line, and what stands there then."""
    ways = [
        (way[1], one)
        for one in subjects
        if any(kind.partition(".")[2] == _PROGRAM for kind in one.kinds)
        for way in map(steps, one.settings)
        if len(way) > 1
    ]
    for spot in manifest.on_line(line):
        match = _FLAG.fullmatch(spot.text) if spot.is_plain else None
        for name, one in ways if match else ():
            if match and match["name"].lstrip("-") == name:
                value = "true" if match["value"] is None else match["value"]
                if is_wrong(one, value):
                    yield spot.text, f"{match['name']}={one.wanted}"


def _said(spot: Spot | None) -> str | None:
    return None if spot is None else spot.text if spot.is_plain else ""
