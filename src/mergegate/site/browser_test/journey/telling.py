"""What a page and the browser say, clean and bounded: texts, addresses, stacks, links, vendors."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from mergegate.sandbox.process.node import packaged
from mergegate.site.address import registered
from mergegate.site.browser_test.facts import Fault, Link, ScriptFault, StackFrame
from mergegate.site.browser_test.journey.isolated import Bounds, Isolated, script
from mergegate.site.level import Element
from mergegate.site.parsing import harmless
from mergegate.site.words import counted

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
MOST = 500
"""Characters of a message."""
MOST_URL = 2000
_ROOM = 8


def clean(text: object, most: int = MOST) -> str:
    """One line of at most ``most`` characters; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    plain = text[: most * _ROOM].encode("utf-8", "replace").decode("utf-8")
    flat = " ".join(_CONTROLS.sub(" ", plain).split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def address(text: object) -> str:
    """A URL as it is, cut when it is longer than any server takes."""
    if not isinstance(text, str):
        return ""
    plain = text[:MOST_URL].encode("utf-8", "replace").decode("utf-8")
    return _CONTROLS.sub("", plain)


_MOST_FRAMES = 10
_MOST_WORDS = 10
_STACK = re.compile(r"\n\s+at .*", re.DOTALL)
_PLACE = re.compile(r"%[sdifoOc]")
_IN_PROMISE = "(in promise)"


def thrown(details: Mapping[str, Any]) -> ScriptFault:
    """An uncaught error, or an unhandled rejection (``Runtime.ExceptionDetails``)."""
    rejected = _IN_PROMISE in str(details.get("text", ""))
    frames = frames_of(details.get("stackTrace")) or _place(details)
    message = _value(details.get("exception") or {}) or clean(details.get("text"))
    return ScriptFault(
        fault=Fault.REJECTION if rejected else Fault.UNCAUGHT,
        message=message,
        url=frames[0].url if frames else "",
        frames=frames,
    )


def spoken(arguments: Sequence[Mapping[str, Any]]) -> str:
    """What ``console.error`` was given, as the console shows it."""
    words = [_value(one) for one in arguments[:_MOST_WORDS]]
    first = arguments[0] if arguments else {}
    return clean(" ".join(_filled(words) if first.get("type") == "string" else words))


def logged(entry: Mapping[str, Any]) -> ScriptFault:
    """What the browser itself wrote to the console (``Log.LogEntry``)."""
    frames = frames_of(entry.get("stackTrace")) or _place(entry)
    return ScriptFault(
        fault=Fault.LOGGED,
        message=clean(entry["text"]),
        url=address(entry.get("url")) or (frames[0].url if frames else ""),
        frames=frames,
    )


def frames_of(stack: Mapping[str, Any] | None) -> tuple[StackFrame, ...]:
    """Innermost first; lines and columns from 1, where the protocol counts from 0."""
    called = (stack or {}).get("callFrames", ())
    return tuple(
        StackFrame(
            address(one["url"]),
            int(one["lineNumber"]) + 1,
            int(one["columnNumber"]) + 1,
            clean(one["functionName"], 100),
        )
        for one in called[:_MOST_FRAMES]
        if one.get("url")
    )


def _place(details: Mapping[str, Any]) -> tuple[StackFrame, ...]:
    """The place of an error without a stack, such as that of a script that does not parse."""
    url = address(details.get("url"))
    if not url:
        return ()
    line, column = int(details.get("lineNumber", 0)), int(details.get("columnNumber", 0))
    return (StackFrame(url, line + 1, column + 1),)


def _value(remote: Mapping[str, Any]) -> str:
    """A ``Runtime.RemoteObject`` as text; an error without its stack."""
    if remote.get("subtype") == "error":
        return clean(_STACK.sub("", str(remote.get("description", ""))))
    if "value" in remote and not isinstance(remote["value"], dict | list):
        shown = remote["value"]
        return clean(shown if isinstance(shown, str) else json.dumps(shown))
    return clean(_previewed(remote) or remote.get("description") or remote.get("type"))


def _previewed(remote: Mapping[str, Any]) -> str:
    preview = remote.get("preview") or {}
    pairs = [f"{one['name']}: {one.get('value', '…')}" for one in preview.get("properties", ())]
    return f"{{{', '.join(pairs)}}}" if pairs and "subtype" not in preview else ""


def _filled(words: Sequence[str]) -> Iterator[str]:
    """``%s`` and its kin replaced by what follows; ``%c`` is for the eye alone."""
    rest = iter(words[1:])

    def fill(place: re.Match[str]) -> str:
        word = next(rest, place[0])
        return "" if place[0] == "%c" else word

    yield _PLACE.sub(fill, words[0])
    yield from rest


@dataclass(frozen=True, slots=True)
class _Known:
    hosts: dict[str, str]
    below: dict[str, str]
    """What ``*.`` stands before."""
    roots: dict[str, str]
    """Registered names of which one party alone is known."""


def vendor(url: str, own: str) -> str | None:
    """The third party behind ``url``; None when it is of the host ``own`` or of no known vendor.

    One that is not known is called by its registered name, such as ``example.net``.
    """
    host = _host(url)
    if not host or registered(host) == registered(own):
        return None
    known = _known()
    return known.hosts.get(host) or _below(known, host) or registered(host)


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme in {"http", "https", "ws", "wss"} else ""
    except ValueError:
        return ""


def _below(known: _Known, host: str) -> str | None:
    labels = host.split(".")
    parents = (".".join(labels[at:]) for at in range(len(labels) - 1))
    wild = next((known.below[one] for one in parents if one in known.below), None)
    return wild or known.roots.get(registered(host)) or None


@cache
def _known() -> _Known:
    """Raises EngineMissing when the package is not installed."""
    data = packaged("third-party-web", "dist/entities-nostats.json").read_text(encoding="utf-8")
    hosts: dict[str, str] = {}
    below: dict[str, str] = {}
    roots: dict[str, str] = {}
    for entity in json.loads(data):
        for domain in entity["domains"]:
            plain = domain.removeprefix("*.")
            (below if plain != domain else hosts)[plain] = entity["name"]
            root = registered(plain)
            # A name of two parties tells neither.
            roots[root] = (
                entity["name"] if roots.get(root, entity["name"]) == entity["name"] else ""
            )
    return _Known(hosts, below, roots)


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
    if found["frames"]:
        frames = counted(int(found["frames"]), "frame")
        notes.append(f"{frames} of its own site in it: links are followed, nothing else is judged")
    if known is None and found["links"]:
        notes.append("which links scripts inserted is not known: the page as sent was not kept")
    return notes
