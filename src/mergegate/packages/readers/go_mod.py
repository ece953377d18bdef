"""go.mod: Go's minimal version selection makes its exact requirements the versions in use.

The standard library is that of the toolchain that the file names, or that its go directive asks for
at least since Go 1.21, which is what builds where no newer one is chosen. ``go 1.22`` leaves the
release open and means the newest of its line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.packages.dependencies import Package, Pin, Unresolved, Why
from mergegate.packages.readers.documents import Unreadable, lines_in
from mergegate.packages.readers.reading import Graph, Reading, Source, loose

_QUOTED = re.compile(r"""["`]([^"`\s]*)["`]""")
_BLOCK = re.compile(r"^(require|replace|exclude|retract|tool|ignore|godebug)\s*\(\s*$")
_REQUIRE = re.compile(r"^(\S+)\s+(v\d\S*)$")
_REPLACE = re.compile(r"^(\S+)(?:\s+(v\S+))?\s+=>\s+(\S+)(?:\s+(v\S+))?$")
STANDARD_LIBRARY = "stdlib"
"""Go's own database calls it so."""
_RELEASE = re.compile(r"(?:toolchain\s+go|go\s+)(\d+\.\d+(?:\.\d+)?(?:rc\d+)?)(?:-\S+)?")
_CHOSEN_SINCE = (1, 21)
_GO = re.compile(r"^go\s+(\d+)\.(\d+)")
_PRUNED_SINCE = (1, 17)


@dataclass(frozen=True, slots=True)
class _Statement:
    """``verb rest``, blocks unrolled."""

    verb: str
    rest: str
    comment: str
    line: int
    whole: str


def read(source: Source) -> Reading:
    """Requirements after replacements; raises Unreadable without a module line."""
    statements = list(_statements(source.text))
    if not any(statement.verb == "module" for statement in statements):
        raise Unreadable("it has no module line")
    replaced = dict(_replacements(statements))
    required = [s for s in statements if s.verb == "require"]
    packages = [_package(statement, replaced, source) for statement in required]
    packages.append(_standard_library(statements, source))
    return Reading(
        graph=Graph(),
        packages=tuple(package for package in packages if package is not None),
        loose=tuple(_partial(statements, source)),
    )


def _statements(text: str) -> Iterator[_Statement]:
    block = ""
    for number, whole in enumerate(lines_in(text), start=1):
        code, _, comment = whole.partition("//")
        code = _QUOTED.sub(r"\1", code.strip())
        opened = _BLOCK.match(code)
        if opened:
            block = opened.group(1)
        elif code == ")":
            block = ""
        elif code:
            verb, rest = (block, code) if block else (*code.split(maxsplit=1), "")[:2]
            yield _Statement(verb, rest.strip(), comment.strip(), number, whole)


def _replacements(
    statements: list[_Statement],
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """(module, version or nothing) → (module, version); a folder has no version."""
    for statement in statements:
        found = _REPLACE.match(statement.rest) if statement.verb == "replace" else None
        if found:
            old, old_version, new, new_version = found.groups()
            yield (old, old_version or ""), (new, new_version or "")


def _package(
    statement: _Statement, replaced: dict[tuple[str, str], tuple[str, str]], source: Source
) -> Package | None:
    found = _REQUIRE.match(statement.rest)
    if found is None:
        raise Unreadable(f"line {statement.line} is no requirement")
    required = (found.group(1), found.group(2))
    name, version = replaced.get(required) or replaced.get((required[0], ""), required)
    if not version:
        return None  # a folder: code of this repository or beside it
    direct = not statement.comment.startswith("indirect")
    kept = (name, version) == required
    return Package(
        ecosystem=source.ecosystem,
        name=name,
        written=name,
        version=version,
        file=source.path,
        line=statement.line,
        role=source.role,
        direct=direct,
        path=(name,) if direct else (),
        pin=Pin(source.path, statement.line, statement.whole) if kept else None,
    )


def _standard_library(statements: list[_Statement], source: Source) -> Package | None:
    """What the toolchain line names, else the go directive; None before Go 1.21."""
    for verb in ("toolchain", "go"):
        for statement in statements:
            found = _RELEASE.fullmatch(f"{statement.verb} {statement.rest}")
            if statement.verb == verb and found and "rc" not in found[1]:
                line = tuple(int(part) for part in found[1].split(".")[:2])
                return _named(found[1], statement.line, source) if line >= _CHOSEN_SINCE else None
    return None


def _named(version: str, line: int, source: Source) -> Package:
    return Package(
        ecosystem=source.ecosystem,
        name=STANDARD_LIBRARY,
        written=STANDARD_LIBRARY,
        version=version,
        file=source.path,
        line=line,
        role=source.role,
        direct=True,
        path=(STANDARD_LIBRARY,),
    )


def _partial(statements: list[_Statement], source: Source) -> Iterator[Unresolved]:
    """Before Go 1.17 a module file lists direct requirements alone."""
    for statement in statements:
        found = _GO.match(f"{statement.verb} {statement.rest}")
        if found and (int(found.group(1)), int(found.group(2))) < _PRUNED_SINCE:
            text = f"go {statement.rest}"
            yield loose(source, text, Why.PARTIAL, line=statement.line)
