"""bun.lock: JSON with comments, in which a comma may stand before a closing bracket."""

import re

from mergegate.packages.dependencies import Unresolved, Why
from mergegate.packages.readers.addresses import outside
from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    json_document,
    lines_of,
    table,
    text_of,
)
from mergegate.packages.readers.reading import Graph, Node, Reading, Source, loose

_BEYOND_JSON = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|,(?=\s*[}\]])')
_NEEDED = ("dependencies", "optionalDependencies")
_LOCAL = ("workspace:", "link:", "root:")


def read(source: Source) -> Reading:
    """Keys are paths of names (``a/b`` is b below a), entries begin with ``name@version``."""
    document = json_document(_BEYOND_JSON.sub(lambda found: found[1] or "", source.text))
    if "packages" not in document or "lockfileVersion" not in document:
        raise Unreadable("it is not a bun.lock")
    lines = lines_of(source.text, r'^    "([^"]+)": \[')
    nodes: dict[str, Node] = {}
    needs: dict[str, tuple[str, ...]] = {}
    unresolved: list[Unresolved] = []
    for key, value in table(document["packages"]).items():
        name, version, address = _package(items(value))
        if not name or not version:
            raise Unreadable(f"its entry {key[:80]!r} has no name or version")
        needs[key] = _names(value)
        if version.startswith(_LOCAL):
            continue
        line = lines.get(key, 0)
        if why := _outside(name, version, address):
            unresolved.append(loose(source, f"{name} {version}", why, name=name, line=line))
        else:
            nodes[key] = Node(name, version, line)
    roots, dev_roots, folders = _workspaces(document)
    return Reading(
        graph=Graph(nodes, {key: _resolved(key, needs) for key in needs}, roots, dev_roots),
        loose=tuple(unresolved),
        members=folders,
    )


def _package(entry: list[object]) -> tuple[str, str, str]:
    """Name, version and the address of its archive, where it names one."""
    texts = [text_of(one) for one in entry[:2]]
    told = texts[0] if texts else ""
    at = max(told.find("@", 1), 0)
    return told[:at], told[at + 1 :], texts[1] if len(texts) > 1 else ""


def _outside(name: str, version: str, address: str) -> Why | None:
    if re.search(r"^(?:git[+:@]|github:)|\.git(?:#|$)", version):
        return Why.GIT
    if re.match(r"(?:https?:|file:|\.{0,2}/)", version):
        return Why.URL
    return outside(name, version, address) if address.startswith(("http:", "https:")) else None


def _names(value: object) -> tuple[str, ...]:
    """What an entry needs: in its table, which follows name and address."""
    options = next((table(one) for one in items(value) if isinstance(one, dict)), {})
    return tuple(name for section in _NEEDED for name in table(options.get(section)))


def _resolved(key: str, needs: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The entries that the names in ``key``'s entry mean: the nearest one above."""
    found = []
    for name in needs[key]:
        folder = key
        while folder and f"{folder}/{name}" not in needs:
            folder = folder.rpartition("/")[0]
        found.append(f"{folder}/{name}" if folder else name)
    return tuple(found)


def _workspaces(
    document: dict[str, object],
) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """Names that projects need, those for development apart, and the projects' folders."""
    workspaces = {path: table(value) for path, value in table(document.get("workspaces")).items()}
    production = [n for one in workspaces.values() for s in _NEEDED for n in table(one.get(s))]
    development = [n for one in workspaces.values() for n in table(one.get("devDependencies"))]
    return tuple(production), tuple(development), frozenset(workspaces) - {""}
