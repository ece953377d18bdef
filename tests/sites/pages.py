"""What each site answers: paths and bytes, without a server."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from string import Template

_KIB = 1024
_MIB = 1024 * _KIB
HTML, SCRIPT, STYLE, IMAGE = (
    "text/html; charset=utf-8",
    "text/javascript",
    "text/css",
    "image/svg+xml",
)
VENDORS = (
    ("www.googletagmanager.com", "/gtm.js"),
    ("static.hotjar.com", "/c/hotjar.js"),
    ("cdn.segment.com", "/analytics.js/v1/analytics.min.js"),
)
"""Hosts that the data set of entities knows, none of them on Chromium's list of https hosts."""
MOVED = "moved.example"


@dataclass(frozen=True)
class Page:
    """One answer."""

    body: bytes | Callable[[], Iterator[bytes]] = b""
    """Bytes, or pieces that may never end."""
    type: str = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


Pages = Mapping[str, Page]

_FRAME = Template(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="A page of the $title site.">
<title>The $title site</title>
<link rel="icon" href="/icon.svg">
$head
</head>
<body>
<main>
<h1>The $title site</h1>
$body
</main>
</body>
</html>
"""
)
_ICON = """<svg xmlns="http://www.w3.org/2000/svg" width="$size" height="$size">
<rect width="100%" height="100%" fill="#268"/>
</svg>
"""
_WORDS = "<p>Plain words that anybody can read, and enough of them to fill a line or two.</p>\n"


def html(title: str, body: str = _WORDS, head: str = "") -> bytes:
    return _FRAME.substitute(title=title, body=body, head=head).encode()


def picture(size: int = 16) -> Page:
    return Page(Template(_ICON).substitute(size=size).encode(), IMAGE)


def script(text: str, padding: int = 0) -> Page:
    return Page(f"{text}\n/*{'x' * padding}*/".encode(), SCRIPT)


def _busy(milliseconds: int) -> str:
    return f"for (const from = performance.now(); performance.now() - from < {milliseconds};);"


def plain(root: Page, **more: Page) -> dict[str, Page]:
    """A site with a page, an icon and a robots.txt; other paths under names without a slash."""
    common = {
        "/icon.svg": picture(),
        "/robots.txt": Page(b"User-agent: *\nAllow: /\n", "text/plain"),
    }
    return {
        "/": root,
        **common,
        **{f"/{name.replace('_', '.')}": page for name, page in more.items()},
    }


def fast() -> Pages:
    return plain(Page(html("fast")))


def slow() -> Pages:
    head = '<link rel="stylesheet" href="/slow.css"><script src="/heavy.js"></script>'
    return plain(
        Page(html("slow", head=head), delay_s=0.8),
        slow_css=Page(b"body { color: #222 }", STYLE, delay_s=0.4),
        heavy_js=script(_busy(400), 300 * _KIB),
    )


def app() -> Pages:
    """Nothing of it is in the document; its pages are states of the history."""
    code = """
const pages = {'/': ['Home', '/about'], '/about': ['About', '/']};
function show() {
  const [title, other] = pages[location.pathname] ?? pages['/'];
  document.querySelector('#app').innerHTML =
    `<h2>${title}</h2><p>Made by a script.</p><a href="${other}">To the other page</a>`;
}
document.addEventListener('click', event => {
  if (!event.target.matches('a')) return;
  event.preventDefault();
  history.pushState(null, '', event.target.href);
  show();
});
addEventListener('popstate', show);
show();
"""
    root = Page(html("app", '<div id="app"></div><script src="/app.js"></script>'))
    return {**plain(root, app_js=script(code, 40 * _KIB)), "/about": root}


def shifting() -> Pages:
    """An image without a size arrives late, above the text; on ``/banner.html`` a text does."""
    body = '<img src="/late.svg" alt="A late picture">' + _WORDS * 20
    banner = (
        f"<div id=text>{_WORDS * 20}</div><script>setTimeout(() => text.insertAdjacentHTML("
        "'beforebegin', '<p style=\"height:300px\">News</p>'), 900)</script>"
    )
    return plain(
        Page(html("shifting", body)),
        banner_html=Page(html("banner", banner)),
        late_svg=Page(Template(_ICON).substitute(size=300).encode(), IMAGE, delay_s=0.7),
    )


def vendors(port: int) -> Pages:
    tags = "".join(f'<script src="http://{host}:{port}{path}"></script>' for host, path in VENDORS)
    return plain(Page(html("vendors", head=tags)))


def vendor_scripts() -> Pages:
    return {path: script(_busy(120), 60 * _KIB) for _, path in VENDORS}


def redirecting(port: int) -> Pages:
    """Two hops on the host, one to another."""
    return {
        "/": Page(status=302, headers={"Location": "/next"}),
        "/next": Page(status=301, headers={"Location": f"http://{MOVED}:{port}/arrived"}),
    }


def arrived() -> Pages:
    return {**plain(Page()), "/arrived": Page(html("redirecting"))}


def protected(port: int) -> Pages:
    """For whoever shows the header or the cookie; one of its pictures has moved away."""
    pictures = "".join(
        f'<img src="{path}" alt="" width="16" height="16">'
        for path in ("/own.svg", "/away.svg", f"http://{MOVED}:{port}/icon.svg?direct")
    )
    away = Page(status=302, headers={"Location": f"http://{MOVED}:{port}/icon.svg?moved"})
    return plain(Page(html("protected", pictures + _WORDS)), own_svg=picture(), away_svg=away)


def circling() -> Pages:
    """It leads back to itself."""
    return {"/": Page(status=302, headers={"Location": "/"})}


def forbidden() -> Pages:
    return {"/": Page(html("forbidden"), status=403)}


def failing() -> Pages:
    return {"/": Page(html("failing"), status=500)}


def empty() -> Pages:
    return {"/": Page(b"")}


def download() -> Pages:
    return {"/": Page(b'{"an": "object"}', "application/json")}


def huge() -> Pages:
    body = _WORDS * 50 + f"<!-- {'x' * 6 * _MIB} -->"
    return plain(Page(html("huge", body)))


def endless() -> Pages:
    """A page whose end never comes; whoever asked Chromium's cache for it would wait 20 s."""

    def pieces() -> Iterator[bytes]:
        yield html("endless").removesuffix(b"</main>\n</body>\n</html>\n")
        while True:
            time.sleep(0.2)
            yield b"<!-- more -->\n"

    return plain(Page(pieces, headers={"Cache-Control": "no-store"}))


def restless() -> Pages:
    """A page that never stops asking."""
    code = "setInterval(() => fetch('/icon.svg?' + Math.random()), 150)"
    return plain(Page(html("restless", head=f"<script>{code}</script>")))


def hung() -> Pages:
    """A page whose script never ends."""
    return plain(Page(html("hung", f"{_WORDS}<script>for (;;);</script>")))


def over_http2() -> Pages:
    body = _WORDS + "".join(
        f'<img src="/{n}.svg" alt="Picture {n}" width="16" height="16">' for n in range(8)
    )
    head = '<link rel="stylesheet" href="/style.css">'
    images = {f"/{n}.svg": picture(16 + n) for n in range(8)}
    return {
        **plain(Page(html("http2", body, head)), style_css=Page(b"p { color: #222 }", STYLE)),
        **images,
    }
