"""Fetch the scripts of the page's own origin, and the source maps that lead to their source."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any
from urllib.parse import unquote_to_bytes, urldefrag, urljoin

from mergegate.core.web_address import origin
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.web import Request
from mergegate.site.facts.document import Document
from mergegate.site.security.facts import LoadedScript, RenderedPage, SourceText
from mergegate.site.security.gather.bounds import Bounds, Web

_BATCH = 6
_COMMENT = re.compile(r"[#@]\s{0,4}sourceMappingURL=(?P<url>[^\s'\"*]+)")
_DATA = "data:"
_WEB = ("http://", "https://")
_MAP_BEGINS = re.compile(r"(?:\)\]\}'?\s{0,4})?\{\s{0,99}\"version\"\s{0,4}:\s{0,4}3\s{0,4},")


@dataclass(frozen=True, slots=True)
class Scripts:
    """What the page loads, and what it was made of."""

    loaded: tuple[LoadedScript, ...]
    sources: tuple[SourceText, ...]
    """Files that source maps hold."""
    notes: tuple[str, ...] = ()


def scripts(document: Document, rendered: RenderedPage | None, web: Web, bounds: Bounds) -> Scripts:
    """Every script in the order of the page, those of its own origin with their content."""
    own = origin(document.url)
    addresses = _addresses(document, rendered)
    known = [LoadedScript(url=url, own=origin(url) == own) for url in addresses]
    fetched, notes = _fetched(known, web, bounds)
    loaded = [replace(one, fetched=fetched.get(one.url)) for one in known]
    return _with_maps(loaded, web, bounds, notes)


def _addresses(document: Document, rendered: RenderedPage | None) -> Iterable[str]:
    """Every script's, each once; those that only a rendered page asks for last."""
    preloads = [link.href for link in document.linked("modulepreload")]
    marked = [one.src for one in document.scripts if one.src]
    late = [url for url, kind in rendered.requests if kind == "script"] if rendered else []
    on_the_web = (url for url in (*marked, *preloads, *late) if url.startswith(_WEB))
    return dict.fromkeys(urldefrag(url).url for url in on_the_web)


def _fetched(
    known: Iterable[LoadedScript], web: Web, bounds: Bounds
) -> tuple[dict[str, Fetched], tuple[str, ...]]:
    own = [one.url for one in known if one.own]
    answers = _within(own[: bounds.scripts], web, bounds)
    left = len(own) - len(answers)
    notes = (f"{left} of the site's own {len(own)} scripts were not fetched.",) if left else ()
    return answers, notes


def _within(urls: Sequence[str], web: Web, bounds: Bounds) -> dict[str, Fetched]:
    """Address → answer, as long as all together are within bounds."""
    answers: dict[str, Fetched] = {}
    room = bounds.all_bytes
    for start in range(0, len(urls), _BATCH):
        if room <= 0:
            break
        most = min(bounds.script_bytes, room)
        batch = [Request(url, most_bytes=most) for url in urls[start : start + _BATCH]]
        fetched = web.many(batch)
        answers |= {request.url: one for request, one in zip(batch, fetched, strict=True)}
        room -= sum(len(one.body) for one in fetched)
    return answers


def _with_maps(
    loaded: Sequence[LoadedScript], web: Web, bounds: Bounds, notes: tuple[str, ...]
) -> Scripts:
    """The same scripts with their source maps, those that hold what they should."""
    leads = {one.url: _lead(one) for one in loaded if has_content(one)}
    answers = _within(_worth_asking(leads)[: bounds.maps], web, bounds)
    maps: dict[str, Fetched] = {}
    sources: list[SourceText] = []
    for url, lead in leads.items():
        held = _opened(answers.get(lead), bounds.map_files - len(sources))
        if held is not None:
            maps[url] = replace(answers[lead], body=b"", text="")
            sources += held
    sources += islice(_embedded(leads, bounds.maps), bounds.map_files - len(sources))
    with_maps = (replace(one, source_map=maps.get(one.url)) for one in loaded)
    return Scripts(tuple(with_maps), tuple(sources), notes)


def _opened(fetched: Fetched | None, most: int) -> list[SourceText] | None:
    """The files of a map; None when it is none. Read, a map may take twenty times its size."""
    if fetched is None or not fetched.ok:
        return None
    url, text = fetched.final_url, _text(fetched)
    if not fetched.whole:
        return list(islice(_begun(url, text), most)) if _MAP_BEGINS.match(text) else None
    read = _map(text)
    return list(islice(_sources(url, read), most)) if read else None


def _text(fetched: Fetched) -> str:
    """Servers that do not know what a map is (nginx, as it comes) call it an octet stream."""
    return fetched.text or fetched.body.decode("utf-8", "replace")


def _begun(url: str, text: str) -> Iterator[SourceText]:
    """The beginning of a map that is too large to be read whole, when it holds sources."""
    if '"sourcesContent"' in text:
        yield SourceText(url=url, kind="source-map", text=text, whole=False)


def _embedded(leads: Mapping[str, str], most: int) -> Iterator[SourceText]:
    """Files of the maps that stand in the scripts themselves."""
    within = [(url, lead) for url, lead in leads.items() if lead.startswith(_DATA)]
    for url, lead in within[:most]:
        yield from _sources(url, _inside(lead))


def _worth_asking(leads: Mapping[str, str]) -> list[str]:
    """Maps of the scripts' own origin, those that are named before those that are guessed."""
    own = {origin(script) for script in leads}
    wanted = [(lead == _beside(url), lead) for url, lead in leads.items() if origin(lead) in own]
    return [lead for _, lead in sorted(wanted, key=lambda one: one[0])]


def has_content(script: LoadedScript) -> bool:
    """Whether it was fetched, and what came is a script."""
    fetched = script.fetched
    return fetched is not None and fetched.ok and not _is_page(fetched.text)


def _is_page(text: str) -> bool:
    """A single-page application answers with its start page whatever is asked for."""
    return text[:200].lstrip().lower().startswith(("<!doctype", "<html"))


def _lead(script: LoadedScript) -> str:
    """The source map's expected address: named by a header, by the last comment, or beside it."""
    fetched = script.fetched
    if fetched is None:
        return ""
    header = fetched.header("sourcemap") or fetched.header("x-sourcemap")
    named = header or _named_last(fetched.text)
    if named.startswith(_DATA):
        return named
    return _joined(fetched.final_url, named) if named else _beside(script.url)


def _joined(base: str, named: str) -> str:
    try:
        return urljoin(base, named)
    except ValueError:
        return ""


def _beside(script: str) -> str:
    return f"{script.partition('?')[0]}.map"


def _named_last(text: str) -> str:
    """What the last comment about a source map names: a bundle may hold those of its parts."""
    mark = text.rfind("sourceMappingURL=")
    found = _COMMENT.search(text, max(0, mark - 12)) if mark >= 0 else None
    return found["url"] if found else ""


def _inside(lead: str) -> dict[str, Any]:
    """The source map that a ``data:`` address is."""
    kind, _, data = lead.partition(",")
    try:
        plain = base64.b64decode(data) if kind.endswith(";base64") else unquote_to_bytes(data)
    except (binascii.Error, ValueError):
        return {}
    return _map(plain.decode("utf-8", "replace"))


def _map(text: str) -> dict[str, Any]:
    """The source map that ``text`` is (ECMA-426); empty when it is none."""
    try:
        read = json.loads(text.removeprefix(")]}'").lstrip())
    except (ValueError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    return read if isinstance(read.get("mappings", read.get("sections")), str | list) else {}


def _sources(url: str, read: dict[str, Any]) -> Iterator[SourceText]:
    """The files that the map holds whole, except those of packages."""
    names, contents = read.get("sources"), read.get("sourcesContent")
    if not (isinstance(names, list) and isinstance(contents, list)):
        return
    for name, content in zip(names, contents, strict=False):
        ours = isinstance(name, str) and "node_modules/" not in name
        if ours and isinstance(content, str) and content:
            yield SourceText(url=url, kind="source-map", text=content, name=name[-200:])
