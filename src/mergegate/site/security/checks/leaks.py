"""What a site says of itself that only an attacker can use: versions, errors, sources.

Bodies are searched for plain texts and by patterns of bounded length: they are hostile and large.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.checks.origins import path, plain
from mergegate.site.security.facts import LoadedScript, SecurityFacts
from mergegate.site.security.report import Area, Flaw

_LOW, _MEDIUM, _HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
_FINGERPRINT = (
    "https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_"
    "Testing/01-Information_Gathering/02-Fingerprint_Web_Server"
)
_ERRORS = "https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html"
_PRODUCT = re.compile(r"[A-Za-z][\w.+-]{0,40}/v?\d{1,4}\.\d")
_NUMBER = re.compile(r"(?<![\w.])v?\d{1,4}\.\d{1,6}")
_SHOWN = 20_000
"""Letters of the beginning and of the end of a page that are searched for signs of errors."""
_ERROR = 400
"""Responses from this status on are errors."""
_CRASHED = 500


def _rule(
    id: str, severity: Severity, title: str, remedy: str, cwe: str, *, reference: str
) -> Rule:
    return Rule(
        id=id,
        area=Area.CONTENT,
        severity=severity,
        title=title,
        remedy=remedy,
        cwe=cwe,
        reference=reference,
    )


_SERVER = _rule(
    "server-version",
    _LOW,
    "The server tells its version",
    "Leave the version out: server_tokens off (nginx), ServerTokens Prod (Apache).",
    "CWE-497",
    reference=_FINGERPRINT,
)
_POWERED = _rule(
    "powered-by",
    _LOW,
    "A header tells what the site is made with",
    "Do not send the header: expose_php = Off (PHP), app.disable('x-powered-by') (Express), "
    "poweredByHeader: false (Next.js).",
    "CWE-497",
    reference="https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html#x-powered-by",
)
_GENERATOR = _rule(
    "generator-version",
    _LOW,
    "The page tells the version of what made it",
    "Take the meta element out, or the version out of it.",
    "CWE-497",
    reference=_FINGERPRINT,
)
_DEBUGGER = _rule(
    "debugger-exposed",
    _HIGH,
    "An interactive debugger answers visitors",
    "Switch the debug mode off in production: it lets a visitor run code on the server.",
    "CWE-489",
    reference="https://werkzeug.palletsprojects.com/en/stable/debug/",
)
_DEBUG = _rule(
    "debug-page",
    _MEDIUM,
    "The page shows what went wrong inside",
    "Switch the debug mode off in production, and answer errors with a page that tells nothing.",
    "CWE-209",
    reference=_ERRORS,
)
_TOOLBAR = _rule(
    "debug-toolbar",
    _MEDIUM,
    "A debug toolbar is part of the page",
    "Switch the debug mode off in production: the toolbar shows queries, settings and sessions.",
    "CWE-489",
    reference=_ERRORS,
)
_LISTING = _rule(
    "directory-listing",
    _MEDIUM,
    "The server lists a folder",
    "Switch the listing off: autoindex off (nginx), Options -Indexes (Apache).",
    "CWE-548",
    reference="https://cwe.mitre.org/data/definitions/548.html",
)
_SOURCES = _rule(
    "source-map-public",
    _MEDIUM,
    "Source maps show the source to everyone",
    "Upload them to your error tracker alone, and leave them out of what is deployed.",
    "CWE-540",
    reference="https://web.dev/articles/source-maps",
)
_NAMES = _rule(
    "source-map-names",
    _LOW,
    "Source maps show the names of source files",
    "Upload them to your error tracker alone, and leave them out of what is deployed.",
    "CWE-540",
    reference="https://web.dev/articles/source-maps",
)
_HEADERS = {
    "x-aspnet-version": "X-AspNet-Version",
    "x-aspnetmvc-version": "X-AspNetMvc-Version",
    "x-powered-by": "X-Powered-By",
    "x-powered-cms": "X-Powered-CMS",
    "x-generator": "X-Generator",
}


@dataclass(frozen=True, slots=True)
class _Mark:
    """What gives a page of this kind away."""

    name: str
    texts: tuple[str, ...]
    """All of them stand in such a page, in small letters."""
    least_status: int = 0
    """Of the answer; pages that explain errors are no errors."""


_DEBUGGERS = (
    _Mark("Werkzeug debugger", ("<title>", "werkzeug debugger", "evalex = true")),
    _Mark("Rails web console", ('id="console"', "data-mount-point", "data-session-id"), _ERROR),
)
_DEBUG_PAGES = (
    _Mark("Django", ("you're seeing this error because you have <code>debug = true",), _ERROR),
    _Mark("Werkzeug", ("<title>", "werkzeug debugger", "traceback")),
    _Mark("Laravel", ("<title>", "whoops! there was an error")),
    _Mark("Laravel Ignition", ("window.data = {", '"report"', '"stacktrace"'), _ERROR),
    _Mark("Symfony", ("symfony exception", "trace-details"), _ERROR),
    _Mark("Rails", ("<title>action controller: exception caught</title>",)),
    _Mark("ASP.NET", ("<title>", "server error in '", "stack trace:"), _ERROR),
    _Mark("Python", ("traceback (most recent call last):", "file &quot;/"), _CRASHED),
    _Mark("Python", ("traceback (most recent call last):", 'file "/'), _CRASHED),
    _Mark("Node.js", ("<pre>", "&nbsp;at ", "node_modules"), _CRASHED),
    _Mark("Java", ("<h1>http status 500", ".java:")),
)
_TOOLBARS = (
    _Mark("Django Debug Toolbar", ('id="djdebug"',)),
    _Mark("Symfony profiler", ('id="sfwdt', "/_wdt/")),
    _Mark("Laravel Debugbar", ("new phpdebugbar.debugbar(",)),
)
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
        message = "It tells anyone which published weaknesses to try."
        yield flaw(_SERVER, message, url, evidence=f"Server: {server}")
    for name, written in _HEADERS.items():
        value = facts.page.header(name)
        if value:
            yield _powered(written, value, url)


def _powered(name: str, value: str, url: str) -> Flaw:
    """Without a version it tells less than the page itself does."""
    told = _PRODUCT.search(value) or _NUMBER.search(value)
    message = (
        "It tells anyone which published weaknesses to try."
        if told
        else "It is of no use to visitors, and tells others where to begin."
    )
    severity = _LOW if told else Severity.INFO
    return flaw(_POWERED, message, url, key=name, evidence=f"{name}: {value}", severity=severity)


def _generator(facts: SecurityFacts) -> Iterator[Flaw]:
    """The first alone: extensions of a system add theirs."""
    told = [meta.content for meta in facts.document.metas if meta.name == "generator"]
    versioned = [content for content in told if _NUMBER.search(content)]
    if versioned:
        message = "It tells anyone which published weaknesses to try."
        yield flaw(
            _GENERATOR,
            message,
            facts.page.final_url,
            selector='meta[name="generator"]',
            evidence=versioned[0],
            count=len(versioned),
        )


def _page(facts: SecurityFacts) -> Iterator[Flaw]:
    text, status = _shown(facts.page.text), facts.page.status or 0
    debugger = _first(_DEBUGGERS, text, status)
    error = _first(_DEBUG_PAGES, text, status)
    if debugger:
        message = f"{debugger}: whoever gets past its number can run code on the server."
        yield flaw(_DEBUGGER, message, facts.page.final_url, evidence=debugger)
    elif error:
        message = f"An error page of {error} shows code, paths or settings of the server."
        yield flaw(_DEBUG, message, facts.page.final_url, key="page", evidence=error)
    yield from _php_error(text, facts.page.final_url)
    toolbar = _first(_TOOLBARS, text, status)
    if toolbar:
        message = f"{toolbar} shows every visitor what only developers should see."
        yield flaw(_TOOLBAR, message, facts.page.final_url, evidence=toolbar)
    if _LISTED.search(text) and any(mark in text for mark in _PARENT):
        message = "Everyone sees the names of all files in it, those included that nothing links."
        yield flaw(_LISTING, message, facts.page.final_url)


def _php_error(text: str, url: str) -> Iterator[Flaw]:
    found = _PHP.search(text)
    if found:
        message = "An error of PHP in the page shows where its files lie."
        yield flaw(_DEBUG, message, url, key="php", evidence=found["file"])


def _shown(text: str) -> str:
    """Beginning and end in small letters: errors stand first, or where the page broke off."""
    part = text if len(text) <= 2 * _SHOWN else f"{text[:_SHOWN]}\n{text[-_SHOWN:]}"
    return part.lower().replace("&#x27;", "'").replace("&#39;", "'")


def _first(marks: tuple[_Mark, ...], text: str, status: int) -> str:
    for mark in marks:
        if status >= mark.least_status and all(one in text for one in mark.texts):
            return mark.name
    return ""


def _source_maps(facts: SecurityFacts) -> Iterator[Flaw]:
    """One for all maps with sources, one for those that hold but names."""
    holding = {text.url for text in facts.texts if text.kind == "source-map"}
    mapped = [one for one in facts.scripts if one.source_map and not _is_published(one, facts)]
    whole = [one for one in mapped if _address(one) in holding]
    rest = [one for one in mapped if one not in whole]
    if whole:
        message = "The source as it was written, comments included, can be read by everyone."
        yield _maps(_SOURCES, message, whole)
    if rest:
        message = "They tell how the source is laid out, though not what it says."
        yield _maps(_NAMES, message, rest)


def _maps(rule: Rule, message: str, scripts: list[LoadedScript]) -> Flaw:
    addresses = [_address(one) for one in scripts]
    return flaw(
        rule,
        message,
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
