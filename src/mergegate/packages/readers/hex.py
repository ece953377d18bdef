"""mix.lock and rebar.lock, terms of Elixir and Erlang that are read by their shape alone."""

import re
from collections.abc import Iterator

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

_MIX = re.compile(
    r'\s*"(?P<app>\w+)":\s*\{:(?P<kind>hex|git|path),'
    r'\s*(?::"?(?P<name>[\w-]+)"?|"[^"]*"),\s*"(?P<version>[^"]*)"'
)
_MIX_NEED = re.compile(r"\{:(\w+), \"[^\"]*\", \[")
_ENTRY = re.compile(r'\s*"\w+":\s*\{')


def read_mix_lock(source: Source) -> Reading:
    """One package a line; which are direct stands in mix.exs beside it."""
    nodes: dict[str, Node] = {}
    edges: dict[str, tuple[str, ...]] = {}
    unresolved: list[Unresolved] = []
    if not source.text.lstrip().startswith("%{"):
        raise Unreadable("it is not a mix.lock")
    for number, line in enumerate(lines_in(source.text), start=1):
        found = _MIX.match(line.removeprefix("%{"))
        if found is None:
            if _ENTRY.match(line):
                raise Unreadable(f"line {number} is not of mix.lock's format")
            continue
        name, version = found["name"] or found["app"], found["version"]
        if found["kind"] == "hex":
            nodes[found["app"]] = Node(name, version, number)
            edges[found["app"]] = tuple(_MIX_NEED.findall(line))
        elif found["kind"] == "git":
            text = f"{name} {version}"
            unresolved.append(loose(source, text, Why.GIT, name=name, line=number))
    wanted = list(_mix_deps(source.sibling("mix.exs") or ""))
    return Reading(
        graph=Graph(
            nodes,
            edges,
            tuple(one.name for one in wanted if not one.dev),
            tuple(one.name for one in wanted if one.dev),
            rooted=bool(wanted),
        ),
        loose=tuple(unresolved),
    )


_DEP = re.compile(r"\{\s*:(?P<name>\w+)\s*,\s*(?P<rest>[^{}]*)\}")
_CONSTRAINT = re.compile(r'^"(?P<constraint>[^"]*)"')
_ONLY = re.compile(r"\bonly:\s*(\[[^\]]*\]|:\w+)")
_EXACT = re.compile(r"(?:==\s*)?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)")
_RANGE = re.compile(r"(?:~>|>=)\s*(\d+(?:\.\d+){0,2}(?:-[0-9A-Za-z.-]+)?)")


def read_mix_exs(source: Source) -> ManifestReading:
    """The tuples of dependencies that stand in mix.exs in plain words; nothing of it is run."""
    requirements = _mix_deps(source.text)
    return ManifestReading(requirements=tuple(requirements))


def _mix_deps(text: str) -> Iterator[Requirement]:
    for number, whole in enumerate(lines_in(text), start=1):
        code = whole.partition("#")[0] if "#{" not in whole else whole
        for found in _DEP.finditer(code):
            rest = found["rest"]
            stated = _CONSTRAINT.match(rest)
            if stated is None and not re.search(r"\b(git|github|path|in_umbrella)\b:", rest):
                continue  # a tuple of something else
            if re.search(r"\b(path|in_umbrella):", rest):
                continue
            constraint = stated["constraint"] if stated else ""
            exact = _EXACT.fullmatch(constraint)
            only = _ONLY.search(rest)
            version = exact[1] if exact else ""
            yield Requirement(
                name=found["name"],
                text=f"{found['name']} {constraint}".strip(),
                version=version,
                why=Why.RANGE if stated and "git" not in rest else Why.GIT,
                line=number,
                dev=only is not None and ":prod" not in only[1],
                **editable(whole, version, constraint, _RANGE),
            )


_REBAR = re.compile(r'\{<<"(?P<app>\w+)">>,\s*\{(?P<kind>\w+),\s*(?:<<)?"(?P<name>[^"]*)"(?:>>)?'
                    r'(?:,\s*(?:<<"(?P<version>[^"]*)">>)?)?')  # fmt: skip
_LEVEL = re.compile(r"\}\s*,\s*(\d+)\}")


def read_rebar_lock(source: Source) -> Reading:
    """Packages with their depth: what is at level 0 is direct."""
    if not re.match(r'\s*(?:\{"\d|\[)', source.text):
        raise Unreadable("it is not a rebar.lock")
    nodes: dict[str, Node] = {}
    roots: list[str] = []
    unresolved: list[Unresolved] = []
    head = source.text.partition("{pkg_hash")[0]
    entries = list(_REBAR.finditer(head))
    for at, found in enumerate(entries):
        line = head.count("\n", 0, found.start()) + 1
        app, version = found["app"], found["version"]
        if found["kind"] == "pkg" and version:
            nodes[app] = Node(found["name"], version, line)
        else:
            unresolved.append(loose(source, app, Why.GIT, name=app, line=line))
        end = entries[at + 1].start() if at + 1 < len(entries) else len(head)
        level = _LEVEL.search(head, found.end(), end)
        roots += [app] if level and level[1] == "0" else []
    return Reading(graph=Graph(nodes, roots=tuple(roots)), loose=tuple(unresolved))
