"""Slots for code about what a page loads: scripts, styles, fonts, hosts, response headers."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mergegate.site.audit.checks.judge import costliest, facade
from mergegate.site.audit.facts import Detail
from mergegate.site.remedies.quoting import address, attribute, literal, origin
from mergegate.site.remedies.remedy import Page, Slots, first

_SHOWN = 3
_TUBE = re.compile(r"https?://www\.youtube(?:-nocookie)?\.com/embed/([\w-]{6,20})(?=[?#]|$)")
_TASK_MS = 50
"""Milliseconds; a task that keeps the main thread for less is not noticed."""
_UNLOAD = re.compile(r"\bunload (?:handler|event)", re.IGNORECASE)
_UNCOMPRESSED = re.compile(r"no compression", re.IGNORECASE)
HEADERS: Mapping[str, tuple[str, str]] = {
    "csp-xss": (
        "Content-Security-Policy-Report-Only",
        "script-src 'self'; object-src 'none'; base-uri 'self'",
    ),
    "clickjacking-mitigation": ("X-Frame-Options", "SAMEORIGIN"),
    "has-hsts": ("Strict-Transport-Security", "max-age=86400"),
    "origin-isolation": ("Cross-Origin-Opener-Policy", "same-origin-allow-popups"),
    "is-on-https": ("Content-Security-Policy", "upgrade-insecure-requests"),
}
"""What each rule wants to be sent."""
_SYNTAXES: Mapping[str, str] = {
    "plain": "{name}: {value}",
    "indented": "  {name}: {value}",
    "nginx": 'add_header {name} "{value}" always;',
    "apache": 'Header always set {name} "{value}"',
    "caddy": 'header {name} "{value}"',
    "javascript": '  response.setHeader("{name}", "{value}");',
    "object": '        {{ "key": "{name}", "value": "{value}" }},',
    "property": '      "{name}": "{value}",',
    "ruby": '  "{name}" => "{value}",',
    "python": '        response["{name}"] = "{value}"',
    "php": '    header( "{name}: {value}" );',
    "laravel": '        $response->headers->set("{name}", "{value}");',
}
"""One header; no value of the page is ever part of it."""


def missing_headers(page: Page, _: Sequence[Detail]) -> Slots | None:
    """The headers that lack, in every syntax."""
    wanted = [header for rule, header in HEADERS.items() if rule in page.by_rule]
    written = {
        syntax: "\n".join(line.format(name=name, value=value) for name, value in wanted)
        for syntax, line in _SYNTAXES.items()
    }
    # JSON allows no comma after the last.
    return {**written, "json": written["object"].removesuffix(",")}


def page_address(page: Page, _: Sequence[Detail]) -> Slots | None:
    """The page's own absolute address, without its query."""
    known = address(page.run.final_url.split("?", 1)[0], page="")
    return {"url": attribute(known)} if known else None


def blocking_scripts(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The scripts that block the first paint."""
    urls = list(_blocking(page, rows, "script"))
    if not urls:
        return None
    return {
        "tags": "\n".join(f'<script src="{attribute(url)}" defer></script>' for url in urls),
        "src": attribute(urls[0]),
        "literal": literal(urls[0]),
    }


def blocking_styles(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The style sheets that block the first paint, loaded without blocking."""
    urls = [attribute(url) for url in _blocking(page, rows, "stylesheet")]
    quiet = (
        f'<link rel="stylesheet" href="{url}" media="print" onload="this.media=\'all\'">\n'
        f'<noscript><link rel="stylesheet" href="{url}"></noscript>'
        for url in urls
    )
    return {"tags": "\n".join(quiet)} if urls else None


def _blocking(page: Page, rows: Sequence[Detail], kind: str) -> Iterator[str]:
    """Addresses of the costliest blocking files of one kind, in the order of their requests."""
    urls = [row.url for row in rows if page.kind(row.url) == kind][:_SHOWN]
    requested = {load.url: at for at, load in enumerate(page.run.waterfall)}
    ordered = sorted(urls, key=lambda url: requested.get(url, len(requested)))
    return iter(dict.fromkeys(known for url in ordered if (known := page.address(url))))


def hosts(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """Other origins that blocking requests or early chains need."""
    own = origin(page.run.final_url)
    found = dict.fromkeys(known for row in rows if (known := origin(row.url)) and known != own)
    urls = list(found)[:_SHOWN]
    if not urls:
        return None
    tags = (f'<link rel="preconnect" href="{attribute(url)}" crossorigin>' for url in urls)
    return {"tags": "\n".join(tags), "literal": literal(urls[0])}


def late_font(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The first font that text waits for."""
    known = first(page.address(row.url) for row in rows)
    # An address holds nothing that could end a string in CSS.
    return {"url": known} if known else None


def early_font(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The first font in the chains that the first paint waits for."""
    fonts = (row.url for row in rows if page.kind(row.url) == "font" or ".woff2" in row.url)
    known = first(page.address(url) for url in fonts)
    return {"url": attribute(known)} if known else None


def video(page: Page, _: Sequence[Detail]) -> Slots | None:
    """The YouTube video that is embedded, by an address that names it."""
    urls = (load.url for load in page.run.waterfall)
    match = next(filter(None, map(_TUBE.match, urls)), None)
    return {"video": match[1]} if match else None


def costly_script(page: Page, _: Sequence[Detail]) -> Slots | None:
    """The heaviest script of the costliest third party that no frame stands for."""
    for vendor in costliest(page.run):
        loads = [one for one in page.run.waterfall if one.vendor == vendor.name]
        scripts = sorted(
            (one for one in loads if one.kind == "script"),
            key=lambda one: (-one.transfer_bytes, one.url),
        )
        known = first(page.address(one.url) for one in scripts)
        if known and vendor.main_thread_ms >= _TASK_MS and not _framed(vendor.name, page):
            return {"src": attribute(known), "literal": literal(known)}
    return None


def _framed(vendor: str, page: Page) -> bool:
    stands_in = next((facade(one) for one in page.run.vendors if one.name == vendor), None)
    return stands_in is not None and stands_in.framed


def unload_handler(_: Page, rows: Sequence[Detail]) -> Slots | None:
    """No slots, where Lighthouse speaks of such a handler."""
    return {} if any(_UNLOAD.search(row.text) for row in rows) else None


def uncompressed(_: Page, rows: Sequence[Detail]) -> Slots | None:
    """No slots, where Lighthouse says that the document is not compressed."""
    return {} if any(_UNCOMPRESSED.search(row.text) for row in rows) else None
