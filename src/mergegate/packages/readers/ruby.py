"""Gemfile.lock, which Bundler resolved, and the Gemfile that it was resolved from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import Unreadable, lines_in
from mergegate.packages.readers.reading import (
    Graph,
    ManifestReading,
    Node,
    Reading,
    Requirement,
    Source,
    editable,
    loose,
)

_GEM = re.compile(r" {4}(?P<name>[^\s(]+) \((?P<version>[^)-]+)(?:-[^)]*)?\)")
"""What follows the version's hyphen is the platform that it was built for."""
_NEED = re.compile(r" {6}(?P<name>[^\s(]+)")
_DIRECT = re.compile(r" {2}(?P<name>[^\s!(]+)")
_SOURCES = frozenset({"GIT", "PATH", "GEM", "PLUGIN SOURCE"})
_SECTIONS = _SOURCES | {"PLATFORMS", "DEPENDENCIES", "CHECKSUMS", "RUBY VERSION", "BUNDLED WITH"}


@dataclass(slots=True)
class _Lock:
    """What has been read of a lock file."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, list[str]] = field(default_factory=dict)
    direct: list[str] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    loose: list[Unresolved] = field(default_factory=list)
    section: str = ""
    gem: str = ""
    """The one that the lines below it are about."""


def read_lock(source: Source) -> Reading:
    """Gems of every source; direct are those below DEPENDENCIES, and what the own gems need."""
    found = _Lock()
    for number, line in enumerate(lines_in(source.text), start=1):
        if line and not line.startswith(" "):
            found.section, found.gem = line.strip(), ""
            if found.section not in _SECTIONS:
                raise Unreadable(f"line {number} is not of a Gemfile.lock")
        elif found.section == "DEPENDENCIES" and (entry := _DIRECT.match(line)):
            found.direct.append(entry["name"])
        elif found.section in _SOURCES:
            _take(found, source, line, number)
    if not found.section:
        raise Unreadable("it is not a Gemfile.lock")
    return Reading(
        graph=_graph(found, source),
        loose=tuple(found.loose),
        local_names=frozenset(found.own),
    )


def _take(found: _Lock, source: Source, line: str, number: int) -> None:
    """Note what a line of a source says: a gem, or what the last one needs."""
    if entry := _GEM.fullmatch(line):
        found.gem, version = entry["name"], entry["version"]
        if found.section == "PATH":
            found.own.add(found.gem)
        elif found.section == "GIT":
            text = f"{found.gem} {version}"
            found.loose.append(loose(source, text, Why.GIT, name=found.gem, line=number))
        else:
            found.nodes.setdefault(found.gem, Node(found.gem, version, number))
    elif found.gem and (need := _NEED.match(line)):
        found.edges.setdefault(found.gem, []).append(need["name"])


def _graph(found: _Lock, source: Source) -> Graph:
    """Which gems only development needs stands in the Gemfile."""
    gemfile = source.sibling("gems.rb" if source.path.endswith("gems.locked") else "Gemfile")
    development = {one.name for one in _gems(gemfile or "") if one.dev}
    roots = [
        *found.direct,
        *(need for gem in sorted(found.own) for need in found.edges.get(gem, ())),
    ]
    return Graph(
        found.nodes,
        {gem: tuple(needs) for gem, needs in found.edges.items()},
        tuple(gem for gem in roots if gem not in development),
        tuple(gem for gem in roots if gem in development),
        rooted=bool(roots),
    )


_CALL = re.compile(r"""\s*gem\s*\(?\s*["'](?P<name>[\w.-]+)["'](?P<rest>.*)$""")
_BLOCK = re.compile(
    r"\s*(?P<verb>\w+)\b(?P<rest>.*\bdo\s*(?:\|[^|]*\|)?\s*$)"
    r"|\s*(?:if|unless|case|begin|def|while|until)\b"
)
_END = re.compile(r"\s*end\b")
_GEMSPEC = re.compile(r"^\s*gemspec\b", re.MULTILINE)
_VERSION = re.compile(r"""^\s*,\s*["'](?P<constraint>[^"']*)["']""")
_EXACT = re.compile(r"^=?\s*(\d[0-9A-Za-z.]*)$")
_RANGE = re.compile(r"(?:~>|>=)\s*(\d[0-9A-Za-z.]*)")
_ELSEWHERE = re.compile(r"\b(git|github|gist|bitbucket|path)(?:\s*:|\s*=>|:)")
_GROUPS = re.compile(r"\bgroups?:?\s*(?:=>)?(?P<named>[^#]*)")
_SYMBOL = re.compile(r"""[:"'](\w+)""")
_DEVELOPMENT = frozenset({"development", "test", "doc", "docs", "rubocop", "lint", "ci"})


@dataclass(frozen=True, slots=True)
class _Gem:
    """A call of ``gem`` in a Gemfile."""

    name: str
    constraint: str
    line: int
    whole: str
    dev: bool
    elsewhere: str
    """``git`` or ``path`` for what comes from there; empty for a source of gems."""


def read_manifest(source: Source) -> ManifestReading:
    """The calls of ``gem`` with plain words; what Ruby puts together is not run."""
    gems = (gem for gem in _gems(source.text) if gem.elsewhere != "path")
    return ManifestReading(
        requirements=tuple(map(_requirement, gems)),
        library=_GEMSPEC.search(source.text) is not None,
    )


def _requirement(gem: _Gem) -> Requirement:
    pinned = None if gem.elsewhere else _EXACT.match(gem.constraint)
    version = pinned[1] if pinned else ""
    return Requirement(
        name=gem.name,
        text=f"{gem.name} {gem.constraint}".strip(),
        version=version,
        why=Why.GIT if gem.elsewhere else Why.RANGE,
        line=gem.line,
        dev=gem.dev,
        **editable(gem.whole, version, gem.constraint, _RANGE),
    )


def _gems(text: str) -> Iterator[_Gem]:
    blocks: list[tuple[bool, str]] = []
    for number, whole in enumerate(lines_in(text), start=1):
        code = whole.partition(" #")[0]
        if call := _CALL.match(code):
            constraint = _VERSION.match(call["rest"])
            groups = _GROUPS.search(call["rest"])
            elsewhere = _ELSEWHERE.search(call["rest"])
            yield _Gem(
                name=call["name"],
                constraint=constraint["constraint"] if constraint else "",
                line=number,
                whole=whole,
                dev=any(dev for dev, _ in blocks) or bool(groups and _is_dev(groups["named"])),
                elsewhere=_origin(elsewhere[1] if elsewhere else "", blocks),
            )
        elif block := _BLOCK.match(code):
            verb = block["verb"] or ""
            blocks.append((verb == "group" and _is_dev(block["rest"]), verb))
        elif _END.match(code) and blocks:
            blocks.pop()


def _origin(stated: str, blocks: list[tuple[bool, str]]) -> str:
    where = stated or next((verb for _, verb in blocks if verb in ("git", "path")), "")
    return where if where in ("", "path") else "git"


def _is_dev(named: str) -> bool:
    """Whether every group that is named is of development."""
    groups = _SYMBOL.findall(named)
    return bool(groups) and all(group in _DEVELOPMENT for group in groups)
