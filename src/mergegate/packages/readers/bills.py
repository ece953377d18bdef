"""Bills of materials as input: CycloneDX in JSON or XML, SPDX 2 in JSON or as tags and values.

What counts of a part is its package URL: it alone says which index the part is from.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mergegate.packages.readers.documents import (
    Unreadable,
    items,
    json_document,
    lines_in,
    table,
    text_of,
    words,
)
from mergegate.packages.readers.xml_document import xml_document

MAX_PARTS = 200_000
_PURL = re.compile(r"pkg:[^\s\"'<>\\]{3,1000}")
_TAGGED = re.compile(r"^ExternalRef:\s*PACKAGE[-_]MANAGER\s+purl\s+(\S+)", re.MULTILINE)
_NAMES = re.compile(
    r"(?:.*\.cdx|.*bom|cyclonedx.*)\.(?:json|xml)|.*\.spdx(?:\.json)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Part:
    """One component with a package URL."""

    purl: str
    line: int
    dev: bool = False
    """Whether the bill says that it is not part of what runs."""


@dataclass(frozen=True, slots=True)
class Bill:
    """What a bill lists."""

    parts: Mapping[str, Part]
    """By the reference that the bill gives it."""
    edges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    """What the described product needs itself; empty where the bill does not say."""


def is_bill(path: str) -> bool:
    """Whether ``path`` is called as a bill of materials is."""
    return _NAMES.fullmatch(path.rpartition("/")[2]) is not None


def read(text: str) -> Bill:
    """The parts with package URLs; raises Unreadable for what is no bill of a known kind."""
    start = text.lstrip()[:1]
    if start == "<":
        bill = _cyclonedx_xml(text)
    elif start == "{":
        bill = _json(text)
    elif "SPDXVersion:" in text:
        numbers = _lines(text)
        purls = dict.fromkeys(_TAGGED.findall(text))
        bill = Bill({purl: Part(purl, numbers.get(purl, 0)) for purl in purls})
    else:
        raise Unreadable("it is no bill of materials of a known kind")
    if len(bill.parts) > MAX_PARTS:
        raise Unreadable(f"it lists more than {MAX_PARTS} parts")
    return bill


def _lines(text: str) -> dict[str, int]:
    """Each package URL → the first line that holds it."""
    seen: dict[str, int] = {}
    for number, line in enumerate(lines_in(text), start=1):
        for purl in _PURL.findall(line[:4000]):
            seen.setdefault(purl, number)
    return seen


def _json(text: str) -> Bill:
    document = json_document(text)
    if document.get("bomFormat") == "CycloneDX":
        return _cyclonedx(document, _lines(text))
    if text_of(document.get("spdxVersion")).startswith("SPDX-2"):
        return _spdx(document, _lines(text))
    raise Unreadable("it is neither CycloneDX nor SPDX 2")


def _cyclonedx(document: dict[str, object], numbers: Mapping[str, int]) -> Bill:
    parts: dict[str, Part] = {}
    pending = [*items(document.get("components"))]
    while pending:
        entry = table(pending.pop())
        pending += items(entry.get("components"))
        if purl := text_of(entry.get("purl")):
            ref = text_of(entry.get("bom-ref")) or purl
            dev = entry.get("scope") == "excluded"
            parts[ref] = Part(purl, numbers.get(purl, 0), dev)
    edges = {
        text_of(one.get("ref")): tuple(words(one.get("dependsOn")))
        for one in map(table, items(document.get("dependencies")))
    }
    product = table(table(document.get("metadata")).get("component"))
    return Bill(parts, edges, edges.get(text_of(product.get("bom-ref")), ()))


def _cyclonedx_xml(text: str) -> Bill:
    root = xml_document(text)
    if root.name != "bom":
        raise Unreadable("it is not CycloneDX")
    parts: dict[str, Part] = {}
    for components in root.all("components"):
        for one in components.walk("component"):
            if purl := one.first("purl"):
                dev = one.first("scope") == "excluded"
                parts[one.attributes.get("bom-ref", purl)] = Part(purl, one.line, dev)
    edges = {
        one.attributes.get("ref", ""): tuple(
            need.attributes.get("ref", "") for need in one.all("dependency")
        )
        for one in root.all("dependencies", "dependency")
    }
    product = next(root.all("metadata", "component"), None)
    return Bill(
        parts, edges, edges.get(product.attributes.get("bom-ref", ""), ()) if product else ()
    )


def _spdx(document: dict[str, object], numbers: Mapping[str, int]) -> Bill:
    parts: dict[str, Part] = {}
    for entry in map(table, items(document.get("packages"))):
        for ref in map(table, items(entry.get("externalRefs"))):
            purl = text_of(ref.get("referenceLocator"))
            if ref.get("referenceType") == "purl" and purl:
                parts[text_of(entry.get("SPDXID")) or purl] = Part(purl, numbers.get(purl, 0))
    edges: dict[str, list[str]] = {}
    described = words(document.get("documentDescribes"))
    for kind, here, there in _relationships(document):
        if kind == "DESCRIBES":
            described.append(there)
        elif kind == "DEPENDS_ON":
            edges.setdefault(here, []).append(there)
        elif kind == "DEPENDENCY_OF":
            edges.setdefault(there, []).append(here)
    roots = tuple(need for one in described for need in edges.get(one, ()))
    return Bill(parts, {ref: tuple(needs) for ref, needs in edges.items()}, roots)


def _relationships(document: dict[str, object]) -> Iterator[tuple[str, str, str]]:
    for one in map(table, items(document.get("relationships"))):
        kind = text_of(one.get("relationshipType"))
        yield kind, text_of(one.get("spdxElementId")), text_of(one.get("relatedSpdxElement"))
