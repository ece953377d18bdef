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
        ways = {
            way: one.wanted
            for one in meant
            for way in ((*steps(one.each), *steps(setting)) for setting in one.settings)
            if is_wrong(one, _said(spot.at(*way)))
        }
        if ways:
            return Wanted(on, {way_of(way): value for way, value in ways.items()})
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
        if kind != _PROGRAM:
            on = _ON.get(kind, _OBJECT)
            try:
                spot = manifest.meant(line, on)
            except UncertainError:
                spot = None
            if spot is not None and (kind in _ON or spot.says("kind") == kind):
                yield on, spot, each
            elif kind == "container":  # what the pod says for all of its containers
                inherited = [one for one in each if steps(one.settings[0])[0] == _INHERITED]
                yield _ON["pod"], manifest.meant(line, _ON["pod"]), inherited


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
