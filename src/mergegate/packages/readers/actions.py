"""GitHub's workflows and actions: which actions they use, in which release.

A tag such as ``v4`` moves on and means the newest release of its line; a commit is the release that
the comment beside it names, as the tools that keep such pins up to date write it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from mergegate.packages.dependencies import Package, Pin, Unresolved, Why
from mergegate.packages.readers.documents import (
    MAX_DEPTH,
    MAX_YAML_CHARACTERS,
    YAML_LOADER,
    Unreadable,
    lines_in,
    sanitised,
)
from mergegate.packages.readers.reading import Graph, Reading, Source, loose

_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_USED = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?P<inner>/[^@\s]*)?@(?P<ref>\S+)", re.ASCII)
_RELEASE = re.compile(r"v?\d{1,9}(?:\.\d{1,9}){0,2}(?:-[0-9A-Za-z.-]{1,40})?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BESIDE = re.compile(r"#\s*(?:tag\s*[:=]\s*|pin\s*@)?(v?\d{1,9}(?:\.\d{1,9}){2})(?=\s|$)", re.ASCII)
"""The full release in a comment; ``v4`` tells no release of a commit."""


def is_workflow(path: str) -> bool:
    """Whether GitHub runs ``path`` as a workflow."""
    return _WORKFLOW.fullmatch(path) is not None


@dataclass(frozen=True, slots=True)
class _Use:
    """The value of a key ``uses``."""

    text: str
    line: int


def read(source: Source) -> Reading:
    """Actions and reusable workflows of other repositories, once a release and file."""
    lines = lines_in(source.text)
    packages: dict[tuple[str, str], Package] = {}
    unresolved: list[Unresolved] = []
    try:
        used = list(_uses(source.text))
    except yaml.YAMLError:
        # GitHub runs nothing of it either, and templates of other tools are called so, too.
        return Reading(graph=Graph(), loose=(loose(source, source.path, Why.UNREADABLE),))
    for use in used:
        found = _USED.fullmatch(use.text)
        if found is None:
            continue  # a folder of the repository, or an image
        whole = lines[use.line - 1]
        version = _version(found["ref"], whole)
        if version:
            package = _package(found, version, use.line, whole, source)
            packages.setdefault((package.name, version), package)
        else:
            why = Why.COMMIT if _COMMIT.fullmatch(found["ref"]) else Why.RANGE
            unresolved.append(loose(source, use.text, why, name=found["name"], line=use.line))
    return Reading(graph=Graph(), packages=tuple(packages.values()), loose=tuple(unresolved))


def _version(ref: str, whole: str) -> str:
    """The release that ``ref`` means; empty where that cannot be told."""
    if _COMMIT.fullmatch(ref):
        beside = _BESIDE.search(whole)
        return beside[1] if beside else ""
    return ref if _RELEASE.fullmatch(ref) else ""


def _package(found: re.Match[str], version: str, line: int, whole: str, source: Source) -> Package:
    name = sanitised(found["name"])
    is_tag = version == found["ref"] and version.startswith("v") and whole.count(version) == 1
    return Package(
        ecosystem=source.ecosystem,
        name=source.key(name),
        written=name,
        version=version,
        file=source.path,
        line=line,
        role=source.role,
        direct=True,
        path=(name,),
        pin=Pin(source.path, line, whole) if is_tag else None,
    )


def _uses(text: str) -> Iterator[_Use]:
    """Each value of a key ``uses``, from the parser's events: no recursion, aliases known."""
    if len(text) > MAX_YAML_CHARACTERS:
        raise Unreadable(f"it is longer than {MAX_YAML_CHARACTERS} characters")
    anchors: dict[str, str] = {}
    stack: list[_Open] = []
    for event in yaml.parse(text, Loader=YAML_LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            value = _scalar(event, anchors)
            if stack and stack[-1].take(value) == "uses" and event.start_mark:
                yield _Use(value.strip(), event.start_mark.line + 1)
            if isinstance(event, yaml.CollectionStartEvent):
                stack.append(_Open(isinstance(event, yaml.MappingStartEvent)))
                if len(stack) > MAX_DEPTH:  # what is deeper takes the parser minutes
                    raise Unreadable(f"it is nested deeper than {MAX_DEPTH} levels")


def _scalar(event: yaml.NodeEvent, anchors: dict[str, str]) -> str:
    """The text of a scalar, or of the one that an alias repeats; empty for anything else."""
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(event.anchor or "", "")
    if not isinstance(event, yaml.ScalarEvent):
        return ""
    if event.anchor:
        anchors[event.anchor] = event.value
    return event.value


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not been read."""

    is_mapping: bool
    key: str | None = None

    def take(self, text: str) -> str:
        """Take a part in; returns the key whose value it is, empty for a key itself."""
        if not self.is_mapping:
            return ""
        if self.key is None:
            self.key = text
            return ""
        key, self.key = self.key, None
        return key
