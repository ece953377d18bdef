"""The links and anchors of a rendered page, and which of them the server never sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from mergegate.site.browser_test.facts import Link
from mergegate.site.browser_test.journey.bounds import Bounds
from mergegate.site.browser_test.journey.isolated import Isolated, script
from mergegate.site.browser_test.journey.telling import address, clean
from mergegate.site.level import Element
from mergegate.site.parsing import harmless


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What a page has become in the browser."""

    title: str
    load_ms: int
    elements: int
    links: tuple[Link, ...]
    onward: tuple[str, ...]
    """Addresses of the links that open a page and save no file."""
    anchors: frozenset[str]
    notes: tuple[str, ...]


async def rendered(world: Isolated, sent: str | None, bounds: Bounds) -> Rendered:
    """Read the page; ``sent`` is its HTML as it came, None when that is lost. Raises Stuck."""
    found = await world.call(
        script("read.js"), bounds.links, bounds.anchors, within_s=bounds.step_s
    )
    known = None if sent is None else hrefs(sent)
    return Rendered(
        title=clean(found["title"]),
        load_ms=int(found["loadMs"]),
        elements=int(found["elements"]),
        links=tuple(_link(one, known) for one in found["links"]),
        onward=tuple(address(one["url"]) for one in found["links"] if not one["download"]),
        anchors=frozenset(found["anchors"]),
        notes=tuple(_notes(found, known)),
    )


def hrefs(html: str) -> frozenset[str]:
    """The ``href`` of every link in ``html``, as written."""
    tree = LexborHTMLParser(harmless(html))
    return frozenset(one.attributes.get("href") or "" for one in tree.css("a[href], area[href]"))


def element_of(told: Mapping[str, Any]) -> Element:
    """An element as ``scripts/page.js`` describes it."""
    return Element(
        clean(told["selector"], 1000), clean(told["snippet"], 300), clean(told["label"], 100)
    )


def _link(told: Mapping[str, Any], known: frozenset[str] | None) -> Link:
    scripted = known is not None and bool(told["main"]) and told["href"] not in known
    return Link(address(told["url"]), element_of(told), scripted)


def _notes(found: Mapping[str, Any], known: object) -> Sequence[str]:
    notes = []
    if found["seen"] > len(found["links"]):
        notes.append(f"{found['seen']} links, of which the first {len(found['links'])} are told")
    if found["anchorsCut"]:
        notes.append("it has too many anchors to know them all")
    if known is None and found["links"]:
        notes.append("which links scripts inserted is not known: the page as sent was not kept")
    return notes
