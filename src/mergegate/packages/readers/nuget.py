"""packages.lock.json, packages.config and project files of .NET, with their shared properties.

Nothing of MSBuild is run: a property that a condition or a function decides stays unknown.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

from mergegate.packages.dependencies import Package, Why
from mergegate.packages.readers.documents import (
    Unreadable,
    json_document,
    lines_in,
    lines_of,
    sanitised,
    table,
    text_of,
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
from mergegate.packages.readers.xml_document import Element, xml_document

_PROJECTS = (".csproj", ".fsproj", ".vbproj")
CENTRAL = "Directory.Packages.props"
_SHARED = ("Directory.Build.props", CENTRAL)
_VERSION = re.compile(r"\d+(?:\.\d+){0,3}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")
_ONLY = re.compile(rf"\[\s*({_VERSION.pattern})\s*\]")
_RANGE = re.compile(rf"\[\s*({_VERSION.pattern})\s*,\s*\)")
_PROPERTY = re.compile(r"\$\(([\w.]+)\)")
_TESTING = "microsoft.net.test.sdk"
MAX_PROPERTY = 200
"""Characters of a property's value: longer ones hold no version."""


def is_project(path: str) -> bool:
    """Whether ``path`` is a project that .NET's tools restore packages for."""
    return path.endswith(_PROJECTS)


def read_lock(source: Source) -> Reading:
    """Every framework's graph as one; ``Project`` entries are other projects of the repository."""
    document = json_document(source.text)
    if "dependencies" not in document:
        raise Unreadable("it is not a packages.lock.json")
    lines = lines_of(source.text, r'^ {6}"([^"]+)": \{')
    nodes: dict[str, Node] = {}
    edges: dict[str, set[str]] = {}
    roots: list[str] = []
    latest: dict[str, str] = {}
    for framework in map(table, table(document["dependencies"]).values()):
        for name, entry in ((name, table(value)) for name, value in framework.items()):
            version = text_of(entry.get("resolved"))
            if entry.get("type") == "Project":
                roots += [source.key(one) for one in table(entry.get("dependencies"))]
            elif not version:
                raise Unreadable("a package in it has no version")
            else:
                ref = f"{source.key(name)} {version}"
                latest[source.key(name)] = ref
                nodes[ref] = Node(name, version, lines.get(name, 0))
                needs = table(entry.get("dependencies"))
                edges.setdefault(ref, set()).update(map(source.key, needs))
                roots += [ref] if entry.get("type") == "Direct" else []
    known = {
        ref: tuple(latest[name] for name in sorted(needs) if name in latest)
        for ref, needs in edges.items()
    }
    return Reading(graph=Graph(nodes, known, tuple(latest.get(one, one) for one in roots)))


def read_config(source: Source) -> Reading:
    """packages.config lists what is installed, direct or not."""
    root = xml_document(source.text)
    if root.name != "packages":
        raise Unreadable("it is not a packages.config")
    return Reading(graph=Graph(), packages=tuple(_listed(root, source)))


def _listed(root: Element, source: Source) -> Iterator[Package]:
    for entry in root.all("package"):
        name, version = entry.attributes.get("id", ""), entry.attributes.get("version", "")
        if not name or not version:
            raise Unreadable(f"the package in line {entry.line} has no name or version")
        yield Package(
            ecosystem=source.ecosystem,
            name=source.key(sanitised(name)),
            written=sanitised(name),
            version=sanitised(version),
            file=source.path,
            line=entry.line,
            role=source.role,
            dev=entry.attributes.get("developmentDependency", "").lower() == "true",
        )


def read_project(source: Source) -> ManifestReading:
    """Package references, with versions of their own or of Directory.Packages.props.

    A plain version is the least one, which is also the one that NuGet takes.
    """
    root = xml_document(source.text)
    if root.name not in ("Project", "VisualStudioProject"):
        raise Unreadable("it is not a project of MSBuild")
    shared = [*_above(source), root]
    properties = {name: text for one in shared for name, text in _properties(one)}
    central = {
        source.key(entry.attributes.get("Include", "")): _stated(entry)
        for one in shared
        for entry in one.walk("PackageVersion")
    }
    references = [*root.walk("PackageReference")]
    is_test = any(source.key(one.attributes.get("Include", "")) == _TESTING for one in references)
    lines = lines_in(source.text)
    return ManifestReading(
        requirements=tuple(
            _requirement(one, name, constraint, lines, dev=is_test or _is_private(one))
            for one in references
            if (name := one.attributes.get("Include", ""))
            for constraint in (
                _expanded(_stated(one) or central.get(source.key(name), ""), properties),
            )
        ),
        name=root.first("PropertyGroup", "PackageId"),
        dev=is_test,
    )


def _requirement(
    entry: Element, name: str, constraint: str, lines: list[str], *, dev: bool
) -> Requirement:
    found = _VERSION.fullmatch(constraint) or _ONLY.fullmatch(constraint)
    version = found[found.re.groups] if found else ""
    return Requirement(
        name=name,
        text=f"{name} {constraint}".strip(),
        version=version,
        why=Why.RANGE,
        line=entry.line,
        dev=dev,
        **editable(lines[entry.line - 1], version, constraint, _RANGE),
    )


def _stated(entry: Element) -> str:
    """The version of a reference, as an attribute or an element of its own."""
    for name in ("VersionOverride", "Version"):
        if stated := entry.attributes.get(name, "") or entry.first(name):
            return stated
    return ""


def _is_private(entry: Element) -> bool:
    """Whether it is for the build alone, as analysers are."""
    private = entry.attributes.get("PrivateAssets", "") or entry.first("PrivateAssets")
    return private.lower() == "all"


def _above(source: Source) -> Iterator[Element]:
    """The nearest shared files of each name in the folders above, which MSBuild reads first."""
    for name in _SHARED:
        folder = source.folder
        while True:
            path = posixpath.join(folder, name)
            text = None if path == source.path else source.neighbours.text(path)
            if text is not None:
                yield from _parsed(text)
                break
            if not folder:
                break
            folder = posixpath.dirname(folder)


def _parsed(text: str) -> Iterator[Element]:
    try:
        yield xml_document(text)
    except Unreadable:
        return  # the file that it belongs to says what it lacks by having no version


def _properties(root: Element) -> Iterator[tuple[str, str]]:
    for group in root.walk("PropertyGroup"):
        for one in group.children:
            if len(one.text) <= MAX_PROPERTY and "Condition" not in one.attributes:
                yield one.name, one.text


def _expanded(text: str, properties: Mapping[str, str]) -> str:
    """``text`` with its properties, a few levels deep; those that are unknown stay as they are."""
    for _ in range(4):
        if "$(" not in text or len(text) > MAX_PROPERTY:
            break
        text = _PROPERTY.sub(lambda one: properties.get(one[1], one[0]), text)
    return text
