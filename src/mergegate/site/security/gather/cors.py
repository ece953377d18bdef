"""Ask for the page as scripts of other origins would, to see who may read the answer."""

from urllib.parse import urlsplit

from mergegate.sandbox.web import Request
from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.security.facts import CorsAnswer
from mergegate.site.security.gather.patience import Web
from mergegate.site.security.gather.place import is_named

STRANGER = "https://stranger.example"
_BYTES = 1024
"""The head is what counts."""


def cors_answers(url: str, web: Web) -> tuple[CorsAnswer, ...]:
    """One an origin that was answered: a stranger, ``null``, and two that look like our own."""
    origins = _origins(url)
    requests = [
        Request(url, headers=(("Origin", origin),), most_bytes=_BYTES, follow=False)
        for origin in origins.values()
    ]
    answers = zip(origins.items(), web.many(requests), strict=True)
    return tuple(
        _read(kind, origin, fetched) for (kind, origin), fetched in answers if fetched.final
    )


def _origins(url: str) -> dict[str, str]:
    """Kind → origin; look-alikes pass where a server compares the start or the end alone."""
    own = urlsplit(url)
    host = own.hostname or ""
    alike = {
        "suffix": f"{own.scheme}://{host}.stranger.example",
        "prefix": f"{own.scheme}://stranger{host}",
    }
    return {"stranger": STRANGER, "null": "null", **(alike if is_named(host) else {})}


def _read(kind: str, origin: str, fetched: Fetched) -> CorsAnswer:
    vary = {word.strip().lower() for word in fetched.header("vary").split(",")}
    return CorsAnswer(
        origin=origin,
        kind=kind,
        allow_origin=fetched.header("access-control-allow-origin").strip()[:300],
        allow_credentials=fetched.header("access-control-allow-credentials").strip() == "true",
        vary_origin=bool(vary & {"origin", "*"}),
        url=fetched.final_url,
    )
