"""conan.lock of Conan 1 and 2, and conanfile.txt."""

import re
from collections.abc import Iterator

from mergegate.packages.dependencies import Why
from mergegate.packages.readers.documents import (
    Unreadable,
    json_document,
    lines_in,
    table,
    text_of,
    words,
)
from mergegate.packages.readers.reading import (
    Graph,
    ManifestReading,
    Node,
    Reading,
    Requirement,
    Source,
    editable,
)

_REFERENCE = re.compile(r"(?P<name>[\w.+-]+)/(?P<version>[\w.+-]+)(?:[@#%].*)?")
_SECTIONS = (("requires", False), ("build_requires", True), ("python_requires", True),
             ("config_requires", True))  # fmt: skip
_BUILD = frozenset({"build_requires", "tool_requires", "test_requires"})
_RANGE = re.compile(r"\[>=\s*(\d[\w.]*)\]")


def read_lock(source: Source) -> Reading:
    """References with their revisions; it does not say what is direct."""
    document = json_document(source.text)
    graph = table(table(document.get("graph_lock")).get("nodes"))
    if not graph and not any(key in document for key, _ in _SECTIONS):
        raise Unreadable("it is not a conan.lock")
    told = [(text, dev) for key, dev in _SECTIONS for text in words(document.get(key))]
    told += [(text_of(table(node).get("ref")), False) for node in graph.values()]
    nodes: dict[str, Node] = {}
    for text, dev in told:
        if found := _REFERENCE.fullmatch(text):
            line = _line(source.text, text)
            nodes.setdefault(text, Node(found["name"], found["version"], line, dev))
        elif text and "/" in text:
            raise Unreadable(f"{text[:80]!r} is no reference of Conan's")
    return Reading(graph=Graph(nodes, rooted=False))


def _line(text: str, reference: str) -> int:
    at = text.find(f'"{reference}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


def read_manifest(source: Source) -> ManifestReading:
    """The sections of requirements; what only the build needs is for development."""
    return ManifestReading(requirements=tuple(_requirements(source.text)))


def _requirements(text: str) -> Iterator[Requirement]:
    section = ""
    for number, whole in enumerate(lines_in(text), start=1):
        line = whole.partition("#")[0].strip() if whole.lstrip().startswith("#") else whole.strip()
        if line.startswith("[") and line.endswith("]") and "/" not in line:
            section = line[1:-1]
        elif "/" in line and section in {"requires", *_BUILD}:
            name, _, rest = line.partition("/")
            constraint = rest.partition("@")[0].partition("#")[0]
            version = "" if constraint.startswith("[") else constraint
            yield Requirement(
                name=name,
                text=line,
                version=version,
                why=Why.RANGE,
                line=number,
                dev=section in _BUILD,
                **editable(whole, version, constraint, _RANGE),
            )
