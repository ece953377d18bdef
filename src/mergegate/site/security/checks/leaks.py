"""What a site says of itself that only an attacker can use: versions, errors, sources.

Bodies are searched for plain texts and by patterns of bounded length: they are hostile and large.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import KNOWN, RULES, Rule, flaw
from mergegate.site.security.facts import LoadedScript, SecurityFacts
from mergegate.site.security.origins import path, plain
from mergegate.site.security.report import Flaw

_PRODUCT = re.compile(r"[A-Za-z][\w.+-]{0,40}/v?\d{1,4}\.\d")
_NUMBER = re.compile(r"(?<![\w.])v?\d{1,4}\.\d{1,6}")
_SHOWN = 20_000
"""Letters of the beginning and of the end of a page that are searched for signs of errors."""

_SERVER = RULES["server-version"]
_POWERED = RULES["powered-by"]
_GENERATOR = RULES["generator-version"]
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
    texts: tuple[str, ...]
    """Texts in small letters; such a page holds all of them."""
    least_status: int = 0
    """The answer's; pages that explain errors are no errors."""


_MARKS = read_table(Path(__file__).with_name("leaks.toml"), _Mark)
_PHP = re.compile(
    r"<b>(?:fatal error|parse error|warning|notice|deprecated)</b>:\s{1,4}.{1,600}?"
    r" in <b>(?P<file>[^<]{1,300})</b> on line <b>\d{1,6}</b>",
    re.DOTALL,
)
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
    """The first alone: extensions of a system add theirs."""
    told = [meta.content for meta in facts.document.metas if meta.name == "generator"]
    versioned = [content for content in told if _NUMBER.search(content)]
    if versioned:
        yield flaw(
            _GENERATOR,
            facts.page.final_url,
            selector='meta[name="generator"]',
            evidence=versioned[0],
            count=len(versioned),
        )


def _page(facts: SecurityFacts) -> Iterator[Flaw]:
    text, status, url = _shown(facts.page.text), facts.page.status or 0, facts.page.final_url
    debugger = _first("debugger", text, status)
    error = _first("error", text, status)
    if debugger:
        yield flaw(_DEBUGGER, url, _DEBUGGER.said(name=debugger), evidence=debugger)
    elif error:
        message = f"An error page of {error} shows code, paths or settings of the server."
        yield flaw(_DEBUG, url, message, key="page", evidence=error)
    yield from _php_error(text, url)
    toolbar = _first("toolbar", text, status)
    if toolbar:
        yield flaw(_TOOLBAR, url, _TOOLBAR.said(name=toolbar), evidence=toolbar)
    if _LISTED.search(text) and any(mark in text for mark in _PARENT):
        yield flaw(_LISTING, url)


def _php_error(text: str, url: str) -> Iterator[Flaw]:
    found = _PHP.search(text)
    if found:
        message = "An error of PHP in the page shows where its files lie."
        yield flaw(_DEBUG, url, message, key="php", evidence=found["file"])


def _shown(text: str) -> str:
    """Beginning and end in small letters: errors stand first, or where the page broke off."""
    part = text if len(text) <= 2 * _SHOWN else f"{text[:_SHOWN]}\n{text[-_SHOWN:]}"
    return part.lower().replace("&#x27;", "'").replace("&#39;", "'")


def _first(kind: str, text: str, status: int) -> str:
    """The name of the first mark of ``kind`` that the page bears; empty for none."""
    marks = (one for one in _MARKS.values() if one.kind == kind and status >= one.least_status)
    return next((one.name for one in marks if all(it in text for it in one.texts)), "")


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
