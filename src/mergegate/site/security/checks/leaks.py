"""What a site says of itself that only an attacker can use: versions, errors, sources.

Errors are looked for in the page, in what the site answers for an address that is not there and for
those that the page links, and in scripts that answer with an error.

Bodies are searched for plain texts and by patterns of bounded length: they are hostile and large.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.sandbox.fetched import Fetched
from mergegate.site.security.checks.flaw import KNOWN, RULES, Rule, flaw
from mergegate.site.security.facts import LoadedScript, SecurityFacts
from mergegate.site.security.origins import path, plain
from mergegate.site.security.report import Flaw

_PRODUCT = re.compile(r"[A-Za-z][\w.+-]{0,40}/v?\d{1,4}\.\d")
_NUMBER = re.compile(r"(?<![\w.])v?\d{1,4}\.\d{1,6}")
_SHOWN = 20_000
"""Letters of the beginning and of the end of a page that are searched for signs of errors."""
_SEARCHED = 50_000
"""Letters at either end of an error that patterns are searched in; texts are in all of it."""
_ERROR = 400
"""The least status of an answer that is an error, which is searched as far as it was read."""
_PLAIN = {"&#x27;": "'", "&#39;": "'", "\u2019": "'", "&quot;": '"', "&#34;": '"', "&nbsp;": " "}

_SERVER = RULES["server-version"]
_POWERED = RULES["powered-by"]
_GENERATOR = RULES["generator-version"]
_STATIC = tuple(KNOWN["static-generators"])
_DEBUGGER = RULES["debugger-exposed"]
_DEBUG = RULES["debug-page"]
_TOOLBAR = RULES["debug-toolbar"]
_LISTING = RULES["directory-listing"]
_SOURCES = RULES["source-map-public"]
_NAMES = RULES["source-map-names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """What gives a page of this kind away."""

    id: str
    kind: str
    name: str
    texts: tuple[str, ...] = ()
    """Texts in small letters; such an answer holds all of them."""
    pattern: str = ""
    """Found in it, in small letters, too."""
    least_status: int = 0
    """The answer's; pages that explain errors are no errors."""

    def evidence(self, text: str, status: int) -> str:
        """What shows that ``text`` bears the mark; empty when it does not."""
        if status < self.least_status or not all(one in text for one in self.texts):
            return ""
        found = re.search(self.pattern, _edges(text, _SEARCHED))
        if found is None:
            return ""
        return found.groupdict().get("file") or self.name


_MARKS = read_table(Path(__file__).with_name("leaks.toml"), _Mark)
_GRAVEST_FIRST = ("debugger", "debug", "trace")
_LISTED = re.compile(r"<title>\s{0,9}(?:index of /|directory listing for /)")
_PARENT = ("parent directory</a>", '<a href="../">../</a>', "<h1>directory listing for /")


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """Headers first, then the page, then source maps."""
    if facts.page.final is None:
        return
    yield from _headers(facts)
    yield from _generator(facts)
    yield from _page(facts)
    yield from _source_maps(facts)


def _headers(facts: SecurityFacts) -> Iterator[Flaw]:
    url = facts.page.final_url
    server = facts.page.header("server")
    if _PRODUCT.search(server):
        yield flaw(_SERVER, url, evidence=f"Server: {server}")
    for name in sorted(KNOWN["telling-headers"]):
        if value := facts.page.header(name.lower()):
            yield _powered(name, value, url)


def _powered(name: str, value: str, url: str) -> Flaw:
    """A flaw for a header that names software; without a version it is only a note."""
    told = _PRODUCT.search(value) or _NUMBER.search(value)
    message = (
        "It tells anyone which published weaknesses to try."
        if told
        else "It is of no use to visitors, and tells others where to begin."
    )
    severity = Severity.LOW if told else Severity.INFO
    return flaw(_POWERED, url, message, key=name, evidence=f"{name}: {value}", severity=severity)


def _generator(facts: SecurityFacts) -> Iterator[Flaw]:
    """The first alone: extensions of a system add theirs. None of what only made the page."""
    told = [meta.content for meta in facts.document.metas if meta.name == "generator"]
    served = [one for one in told if not one.strip().lower().startswith(_STATIC)]
    versioned = [content for content in served if _NUMBER.search(content)]
    if versioned:
        yield flaw(
            _GENERATOR,
            facts.page.final_url,
            selector='meta[name="generator"]',
            evidence=versioned[0],
            count=len(versioned),
        )


def _page(facts: SecurityFacts) -> Iterator[Flaw]:
    yield from _inner_workings(facts)
    text, status, url = _shown(facts.page), facts.page.status or 0, facts.page.final_url
    if toolbar := _first("toolbar", text, status):
        yield flaw(_TOOLBAR, url, _TOOLBAR.said(name=toolbar[0].name), evidence=toolbar[0].name)
    if _LISTED.search(text) and any(mark in text for mark in _PARENT):
        yield flaw(_LISTING, url)


@dataclass(frozen=True, slots=True)
class _Shown:
    """An answer that shows what went on inside."""

    mark: _Mark
    evidence: str
    answer: Fetched


def _inner_workings(facts: SecurityFacts) -> Iterator[Flaw]:
    """One for each way in which answers show the inside of the server, at the first address."""
    met: dict[tuple[str, str], list[_Shown]] = {}
    for answer in _answers(facts):
        if one := _worst(answer):
            met.setdefault((one.mark.kind, one.mark.name), []).append(one)
    for kind in _GRAVEST_FIRST:
        yield from (_shows(found) for (known, _), found in met.items() if known == kind)


def inner_workings(answer: Fetched) -> str:
    """What an answer shows of the inside of its server, as a clause; empty for nothing."""
    shown = _worst(answer)
    if shown is None:
        return ""
    name = shown.mark.name
    return {
        "debugger": f"the {name} runs code for whoever asks",
        "debug": f"it shows the debug page of {name}, with code, paths or settings of the server",
        "trace": f"it shows an error of {name}, and where files of the server lie",
    }[shown.mark.kind]


def _answers(facts: SecurityFacts) -> Iterator[Fetched]:
    """The page first; the others are errors, each once."""
    scripts = (one.fetched for one in facts.scripts if one.fetched)
    others = (one for one in (*facts.errors, *scripts) if (one.status or 0) >= _ERROR)
    yield from {one.final_url: one for one in (facts.page, *others)}.values()


def _worst(answer: Fetched) -> _Shown | None:
    text, status = _shown(answer), answer.status or 0
    kinds = (_first(kind, text, status) for kind in _GRAVEST_FIRST)
    return next((_Shown(*one, answer) for one in kinds if one), None)


def _shows(found: list[_Shown]) -> Flaw:
    mark, answer = found[0].mark, found[0].answer
    said = f" It answers so with status {answer.status}." if not answer.ok else ""
    known: dict[str, Any] = {"key": mark.name, "evidence": found[0].evidence, "count": len(found)}
    if mark.kind == "debugger":
        return flaw(_DEBUGGER, answer.final_url, _DEBUGGER.said(name=mark.name), **known)
    if mark.kind == "debug":
        message = f"The error page of {mark.name} shows code, paths or settings of the server."
        return flaw(_DEBUG, answer.final_url, message + said, severity=Severity.HIGH, **known)
    message = f"An error of {mark.name} shows where files of the server lie."
    return flaw(_DEBUG, answer.final_url, message + said, **known)


def _shown(answer: Fetched) -> str:
    """An error as it is; of a page beginning and end, where errors stand. In small letters."""
    failed = (answer.status or 0) >= _ERROR
    lower = (answer.text if failed else _edges(answer.text, _SHOWN)).lower()
    for written, meant in _PLAIN.items():
        lower = lower.replace(written, meant)
    return lower


def _edges(text: str, length: int) -> str:
    return text if len(text) <= 2 * length else f"{text[:length]}\n{text[-length:]}"


def _first(kind: str, text: str, status: int) -> tuple[_Mark, str] | None:
    """The first mark of ``kind`` that the answer bears, and what shows it."""
    marks = (one for one in _MARKS.values() if one.kind == kind)
    found = ((one, one.evidence(text, status)) for one in marks)
    return next((pair for pair in found if pair[1]), None)


def _source_maps(facts: SecurityFacts) -> Iterator[Flaw]:
    """One for all maps with sources, one for those that hold but names."""
    holding = {text.url for text in facts.texts if text.kind == "source-map"}
    mapped = [one for one in facts.scripts if one.source_map and not _is_published(one, facts)]
    whole = [one for one in mapped if _address(one) in holding]
    rest = [one for one in mapped if one not in whole]
    if whole:
        yield _maps(_SOURCES, whole)
    if rest:
        yield _maps(_NAMES, rest)


def _maps(rule: Rule, scripts: list[LoadedScript]) -> Flaw:
    addresses = [_address(one) for one in scripts]
    return flaw(
        rule,
        addresses[0],
        evidence=", ".join(map(plain, addresses[:5])),
        count=len(addresses),
    )


def _address(script: LoadedScript) -> str:
    return script.source_map.final_url if script.source_map else ""


def _is_published(script: LoadedScript, facts: SecurityFacts) -> bool:
    """Whether the file is a library's own, by its name too: its source is public as it is."""
    name = path(script.url).rpartition("/")[2].lower()
    held = (one.name for one in facts.libraries if one.url == script.url)
    return any(library.lower().partition(".")[0] in name for library in held)
