"""A site on loopback with everything that an analysis of one page asks for, and ways to ask it."""

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.visit import NONE, Credentials, Visit
from mergegate.sandbox.web import Client, client
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.gather import Bounds, gather
from tests.sandbox.egress.sites import nothing
from tests.site.links.places import Asked, Place, Say, place

NOW = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
XML = (("Content-Type", "application/xml"),)
TEXT = (("Content-Type", "text/plain"),)
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
WORDS = (
    "The lanterns of the harbour were lit at dusk, and before midnight every ship that had been "
    "awaited since the storm came slowly home through fog, past the breakwater and its bell."
)
PAGE = (
    "<!doctype html><html lang=en><title>Lanterns</title><main><h1>Lanterns</h1>"
    f"<p>{WORDS}</p></main>"
)
PUBLIC = "example.org"
"""A name that leads to the fixture, and that no private host has."""


@contextlib.contextmanager
def asking(own: Place, *names: str, credentials: Credentials = NONE) -> Iterator[Client]:
    """A client that reaches ``own``, and by ``names`` too."""
    hosts = ("127.0.0.1", *names)
    policy = Policy(allowed=frozenset((host, own.port) for host in hosts))

    def lookup(host: str) -> tuple[str, ...]:
        return ("127.0.0.1",) if host in names else nothing(host)

    visit = Visit(url=own.at(), credentials=credentials)
    with egress(policy, lookup=lookup) as way, client(way.url, visit) as web:
        yield web
    assert way.faults == ()


def look(
    routes: Mapping[str, Any], path: str = "/page", bounds: Bounds | None = None, **options: Any
) -> tuple[SearchFacts, Place]:
    """The facts about ``path`` of a site that has ``routes``, and the site as it was asked."""
    with place(**{"/page": Say(body=PAGE), **routes}) as own, asking(own) as web:
        visit = Visit(url=own.at(path))
        facts = gather(visit, web, now=NOW, bounds=bounds or QUICK, **options)
    return facts, own


QUICK = Bounds(answer_s=2.0, article_bytes=0)
"""Without the process that reads the article, for tests of something else."""


Answer = Callable[[Asked], Say]


def here(text: str, headers: Sequence[tuple[str, str]] = XML) -> Answer:
    """An answer in which ``~`` stands for the origin, whatever its port."""
    return lambda asked: Say(200, text.replace("~", f"http://{asked.headers['Host']}"), headers)


def urlset(*entries: str) -> str:
    """A sitemap of addresses, each with a date after a space where it has one."""
    urls = "".join(
        f"<url><loc>{address}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>"
        for address, _, day in (entry.partition(" ") for entry in entries)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACE}>{urls}</urlset>'


def index(*children: str) -> str:
    """A sitemap of sitemaps."""
    maps = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
    return f"<sitemapindex {NAMESPACE}>{maps}</sitemapindex>"
