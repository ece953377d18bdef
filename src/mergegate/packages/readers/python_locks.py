"""The lock files of Poetry, PDM, uv and Pipenv, and PEP 751's pylock.toml."""

import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    expect,
    items,
    json_document,
    lines_in,
    lines_of,
    table,
    text_of,
    toml_document,
    words,
)
from mergegate.packages.readers.python_manifests import named
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose
from mergegate.packages.readers.requirements import name_in

_Entry = dict[str, object]
_Needs = Callable[[_Entry], Iterable[str]]
_Dev = Callable[[_Entry], bool | None]
_Outside = Callable[[_Entry], Why | None]
_FILES = ("wheels", "files")
_ELSEWHERE = frozenset({"git", "file", "path", "url", "hg", "svn", "bzr"})
"""What an entry of Pipenv names beside an index."""
_SUFFIX = re.compile(r"\.(?:whl|zip|egg|tgz|tar(?:\.\w+)?)$")
_PYLOCK = re.compile(r"pylock(\.[\w-]+)?\.toml")


def read_poetry(source: Source) -> Reading:
    """poetry.lock, 1.x and 2.x; direct comes from the pyproject.toml beside it."""
    entries = _entries(source, "package", "poetry.lock")
    return _with_manifest(source, entries, _poetry_needs, _poetry_dev, _poetry_source)


def read_pdm(source: Source) -> Reading:
    """pdm.lock; direct comes from the pyproject.toml beside it."""
    entries = _entries(source, "package", "pdm.lock")
    return _with_manifest(source, entries, _pdm_needs, _pdm_dev, _pdm_source)


def is_pylock(path: str) -> bool:
    """Whether ``path`` is named by PEP 751: pylock.toml or pylock.NAME.toml."""
    return _PYLOCK.fullmatch(path.rpartition("/")[2]) is not None


def read_pylock(source: Source) -> Reading:
    """pylock.toml (PEP 751); direct comes from the pyproject.toml beside it."""
    entries = _entries(source, "packages", "pylock.toml")
    return _with_manifest(source, entries, _pylock_needs, lambda _: None, _pdm_source)


def read_pipfile_lock(source: Source) -> Reading:
    """Pipfile.lock; direct comes from the Pipfile beside it."""
    document = json_document(source.text)
    if "default" not in document and "develop" not in document:
        raise Unreadable("it has neither of Pipfile.lock's sections")
    numbers = lines_of(source.text, r'^\s*"([^"]+)":\s*\{')
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for section, dev in (("default", False), ("develop", True)):
        for name, value in table(document.get(section)).items():
            entry, line = table(value), numbers.get(name, 0)
            version = text_of(entry.get("version")).removeprefix("==")
            if version and not _ELSEWHERE & entry.keys():
                key, node = canonicalize_name(name), Node(name, version, line, dev)
                other = nodes.setdefault(key, node).version != version
                nodes |= {f"{key}=={version}": node} if other else {}
            elif entry.get("path") != ".":
                why = Why.GIT if "git" in entry else Why.URL
                unresolved.append(loose(source, name, why, name=name, line=line))
    graph = _rooted(nodes, {}, named(source.sibling("Pipfile"), "pipfile"))
    return Reading(graph=graph, loose=tuple(unresolved))


def read_uv(source: Source) -> Reading:
    """uv.lock: projects of the workspace are entries without an outside source."""
    entries = _entries(source, "package", "uv.lock")
    own = [entry for entry in entries if _uv_own(entry)]
    outside = [entry for entry in entries if not _uv_own(entry)]
    by_name = _ids_by_name(outside)
    nodes, unresolved = _nodes(source, outside, lambda _: None, _uv_source)
    edges = {_id(entry): _targets(_uv_needs(entry), by_name) for entry in outside}
    return Reading(
        graph=Graph(
            nodes=nodes,
            edges=edges,
            roots=_all_targets((_uv_needs(entry) for entry in own), by_name),
            dev_roots=_all_targets((_uv_dev_needs(entry) for entry in own), by_name),
            rooted=bool(own),
        ),
        loose=unresolved,
        members=frozenset(_uv_folder(entry) for entry in own),
        local_names=frozenset(text_of(entry.get("name")) for entry in own),
    )


def _entries(source: Source, key: str, kind: str) -> list[_Entry]:
    document = toml_document(source.text)
    if key not in document and not ({"metadata", "version", "lock-version"} & document.keys()):
        raise Unreadable(f"it is not a {kind}")
    expect(document, {key}, kind)
    entries = [table(entry) for entry in items(document.get(key))]
    if any(not text_of(entry.get("name")) for entry in entries):
        raise Unreadable("a package in it has no name")
    return entries


def _id(entry: _Entry) -> str:
    name = canonicalize_name(text_of(entry.get("name")))
    return f"{name}=={text_of(entry.get('version'))}"


def _ids_by_name(entries: Iterable[_Entry]) -> dict[str, list[str]]:
    """Several ids where a lock holds a version for each of several environments."""
    ids: dict[str, list[str]] = {}
    for entry in entries:
        ids.setdefault(canonicalize_name(text_of(entry.get("name"))), []).append(_id(entry))
    return ids


def _targets(names: Iterable[str], by_name: dict[str, list[str]]) -> tuple[str, ...]:
    keys = (canonicalize_name(name) for name in names)
    return tuple(ref for key in keys for ref in by_name.get(key, ()))


def _all_targets(groups: Iterable[Iterable[str]], by_name: dict[str, list[str]]) -> tuple[str, ...]:
    return tuple(ref for names in groups for ref in _targets(names, by_name))


def _with_manifest(
    source: Source,
    entries: list[_Entry],
    needs: _Needs,
    dev: _Dev,
    outside: _Outside,
) -> Reading:
    nodes, unresolved = _nodes(source, entries, dev, outside)
    by_name = _ids_by_name(entries)
    edges = {_id(entry): _targets(needs(entry), by_name) for entry in entries}
    wanted = named(source.sibling("pyproject.toml"), "pyproject")
    return Reading(graph=_rooted(nodes, edges, wanted, by_name), loose=unresolved)


def _rooted(
    nodes: dict[str, Node],
    edges: dict[str, tuple[str, ...]],
    wanted: tuple[frozenset[str], frozenset[str]] | None,
    by_name: dict[str, list[str]] | None = None,
) -> Graph:
    ids = by_name if by_name is not None else {name: [name] for name in nodes}
    production, development = wanted or (frozenset[str](), frozenset[str]())
    return Graph(
        nodes=nodes,
        edges=edges,
        roots=_targets(sorted(production), ids),
        dev_roots=_targets(sorted(development), ids),
        rooted=bool(production or development),
    )


def _nodes(
    source: Source, entries: Iterable[_Entry], dev: _Dev, outside: _Outside
) -> tuple[dict[str, Node], tuple[Unresolved, ...]]:
    """Packages with a version from an index; the others as unresolved, own folders not at all."""
    numbers = _numbers(source.text)
    nodes: dict[str, Node] = {}
    unresolved: list[Unresolved] = []
    for entry in entries:
        name, version = text_of(entry.get("name")), text_of(entry.get("version"))
        line = numbers.get((name, version), numbers.get((name, ""), 0))
        why = outside(entry) or (_of_files(name, version, entry) if version else Why.RANGE)
        if why is None:
            nodes[_id(entry)] = Node(name, version, line, dev(entry))
        elif not _is_folder(entry):
            unresolved.append(loose(source, f"{name} {version}", why, name=name, line=line))
    return nodes, tuple(unresolved)


def _of_files(name: str, version: str, entry: _Entry) -> Why | None:
    """Why what is fetched is no release of the package: a file that is called otherwise."""
    listed = [entry.get("sdist"), *(one for kind in _FILES for one in items(entry.get(kind)))]
    urls = {text_of(table(one).get("url")) for one in listed} - {""}
    return Why.URL if any(_is_another(name, version, url) for url in urls) else None


def _is_another(name: str, version: str, address: str) -> bool:
    """Whether a file of ``address`` is called otherwise than releases of the package are."""
    file = unquote(re.split(r"[?#]", address, maxsplit=1)[0].rpartition("/")[2])
    called, rest = canonicalize_name(name), _SUFFIX.sub("", file)
    if file.endswith(".whl"):  # it has no hyphen in its name
        own, said = [*rest.split("-"), ""][:2]
    else:
        own, said = rest[: len(called)], rest[len(called) + 1 :]
    return canonicalize_name(own) != called or not _same(said, version)


def _same(one: str, other: str) -> bool:
    try:
        return one == other or Version(one) == Version(other)
    except InvalidVersion:
        return canonicalize_name(one) == canonicalize_name(other)


def _numbers(text: str) -> dict[tuple[str, str], int]:
    """(name, version) of each table → the line of its name."""
    numbers: dict[tuple[str, str], int] = {}
    name, at = "", 0
    for number, line in enumerate(lines_in(text), start=1):
        found = re.match(r'^(name|version)\s*=\s*"([^"]*)"', line)
        if found and found.group(1) == "name":
            name, at = found.group(2), number
            numbers.setdefault((name, ""), at)
        elif found and name:
            numbers.setdefault((name, found.group(2)), at)
    return numbers


def _is_folder(entry: _Entry) -> bool:
    source = table(entry.get("source"))
    return "directory" in (source.get("type"), *entry, *source) or "path" in entry


def _poetry_needs(entry: _Entry) -> Iterator[str]:
    yield from table(entry.get("dependencies"))


def _poetry_dev(entry: _Entry) -> bool | None:
    groups = words(entry.get("groups"))
    if groups:
        return "main" not in groups
    category = text_of(entry.get("category"))
    return category != "main" if category else None


def _poetry_source(entry: _Entry) -> Why | None:
    kind = text_of(table(entry.get("source")).get("type"))
    return {"": None, "legacy": None, "git": Why.GIT}.get(kind, Why.URL)


def _pdm_needs(entry: _Entry) -> Iterator[str]:
    yield from (name_in(text) for text in words(entry.get("dependencies")))


def _pdm_dev(entry: _Entry) -> bool | None:
    groups = words(entry.get("groups"))
    return "default" not in groups if groups else None


def _pdm_source(entry: _Entry) -> Why | None:
    if "git" in entry or "vcs" in entry:
        return Why.GIT
    return Why.URL if {"url", "path", "archive", "directory"} & entry.keys() else None


def _pylock_needs(entry: _Entry) -> Iterator[str]:
    for need in items(entry.get("dependencies")):
        yield text_of(table(need).get("name"))


def _uv_own(entry: _Entry) -> bool:
    return bool({"editable", "virtual", "directory"} & table(entry.get("source")).keys())


def _uv_folder(entry: _Entry) -> str:
    source = table(entry.get("source"))
    return next((text_of(source[kind]) for kind in sorted(source)), ".")


def _uv_source(entry: _Entry) -> Why | None:
    source = table(entry.get("source"))
    if "git" in source:
        return Why.GIT
    return Why.URL if {"url", "path"} & source.keys() else None


def _uv_needs(entry: _Entry) -> Iterator[str]:
    yield from _pylock_needs(entry)
    for group in table(entry.get("optional-dependencies")).values():
        yield from (text_of(table(need).get("name")) for need in items(group))


def _uv_dev_needs(entry: _Entry) -> Iterator[str]:
    for group in table(entry.get("dev-dependencies")).values():
        yield from (text_of(table(need).get("name")) for need in items(group))
