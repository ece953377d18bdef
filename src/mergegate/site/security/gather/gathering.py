"""Look at a page and all that belongs to it, each thing once and within bounds."""

import datetime as dt
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlsplit

from mergegate.core.progress import Progress
from mergegate.core.web_address import root
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client, Request
from mergegate.site.address import is_local
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.facts.stack import Stack
from mergegate.site.security.certificates import tls_facts
from mergegate.site.security.facts import (
    CorsAnswer,
    LoadedScript,
    RenderedPage,
    SecurityFacts,
    SentCookie,
    TlsFacts,
)
from mergegate.site.security.gather.contents import contents
from mergegate.site.security.gather.cookies import sent_cookies, without_values
from mergegate.site.security.gather.exposed_files import probed_files
from mergegate.site.security.gather.patience import Bounds, Patience, Web
from mergegate.site.security.gather.place import (
    host_and_port,
    is_named,
    plain_twin,
    registered_for,
    same_site,
    stamp,
)
from mergegate.site.security.gather.scripts import scripts
from mergegate.site.stack import stack, traces
from mergegate.site.words import counted

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


_PLACES = ("/.well-known/security.txt", "/security.txt")


def security_txt(page: str, web: Web, most_bytes: int) -> Fetched:
    """The first that is there; where none is, the answer of the place where it belongs."""
    base = root(page)
    requests = [Request(f"{base}{place}", most_bytes=most_bytes) for place in _PLACES]
    (first,) = web.many(requests[:1])
    if first.ok:
        return without_values(first)
    (second,) = web.many(requests[1:])
    return without_values(second if _is_one(second) else first)


def _is_one(fetched: Fetched) -> bool:
    return fetched.ok and "contact:" in fetched.text.lower()


def technologies(page: Fetched, document: Document) -> Stack:
    """Less sure than from a browser: no script has run."""
    headers: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in page.final.headers if page.final else ():
        headers[name].append(value)
    scripts = [one.src for one in document.scripts if one.src]
    styles = [link.href for link in document.linked("stylesheet") if link.href]
    seen = {
        "html": page.text,
        "cookies": [],
        "metas": [[meta.name, meta.content] for meta in document.metas if meta.name],
        "scripts": scripts,
        "styles": styles,
    }
    return stack(traces(page.final_url, seen, headers, (*scripts, *styles)))


_BOUNDS = Bounds()
_HEAD_IS_ENOUGH = 1024
_HTTPS = 443
_ELSEWHERE = (
    "The address leads to another site: its server was not asked for files that should not be "
    "public, for security.txt, nor as other origins would ask."
)


def _silent(step: str, state: str) -> None:
    del step, state


def gather(
    visit: Visit,
    web: Client,
    proxy: str,
    *,
    rendered: RenderedPage | None = None,
    stack: Stack | None = None,
    now: dt.datetime,
    progress: Progress = _silent,
    bounds: Bounds = _BOUNDS,
) -> SecurityFacts:
    """Everything that a check of the page's security may look at.

    ``proxy`` is the address of the way out that ``web`` uses, too. Without a ``stack``, which a
    browser tells best, it is told from the page as it was sent. A page that does not answer gives
    facts that hold nothing but that, and what its host says of its certificate. Raises EngineError
    when nothing can be searched for secrets.
    """
    until = time.monotonic() + bounds.total_s
    progress("page", "started")
    page = web.get(visit.url)
    if page.final is None:
        return _unanswered(page, proxy, now, bounds)
    facts = _of_page(page, rendered, stack, now)
    progress("server", "started")
    facts = _with_server(facts, visit.url, web, proxy=proxy, now=now, bounds=bounds)
    progress("scripts", "started")
    return _with_contents(facts, web, now, bounds, until)


def _of_page(
    page: Fetched, rendered: RenderedPage | None, given: Stack | None, now: dt.datetime
) -> SecurityFacts:
    """What the page's own answer tells."""
    document = read(page.text, page.final_url)
    return SecurityFacts(
        page=without_values(page),
        document=document,
        site=registered_for(page.final_url),
        local=is_local(page.final_url),
        rendered=rendered,
        stack=technologies(page, document) if given is None else given,
        now=stamp(now),
        notes=tuple(_notes(page, document)),
    )


def _with_contents(
    facts: SecurityFacts, web: Client, now: dt.datetime, bounds: Bounds, until: float
) -> SecurityFacts:
    """Scripts, and what all that visitors get holds; ``until`` is of the monotonic clock."""
    patience = Patience(web, bounds.step_s)
    loaded = scripts(facts.document, facts.rendered, patience, bounds)
    left = until - time.monotonic()
    held = contents(facts.page, loaded, facts.rendered, bounds, now=now.timestamp(), seconds=left)
    return replace(
        facts,
        scripts=tuple(map(_valueless, loaded.loaded)),
        texts=held.texts,
        secrets=held.secrets,
        libraries=held.libraries,
        notes=(*facts.notes, *loaded.notes, *_unasked(patience, "scripts"), *held.notes),
    )


def _with_server(
    facts: SecurityFacts,
    asked: str,
    web: Client,
    *,
    proxy: str,
    now: dt.datetime,
    bounds: Bounds,
) -> SecurityFacts:
    """What the server says to those who ask for more than the page, and how it speaks TLS."""
    patience = Patience(web, bounds.step_s)
    with ThreadPoolExecutor(max_workers=1) as beside:
        tls = beside.submit(_tls, facts.page.final_url, proxy, now, bounds.step_s)
        insecure = _insecure(asked, facts.page, patience)
        cookies = _cookies((facts.page, insecure), facts.rendered, now, bounds)
        facts = replace(facts, insecure=insecure, cookies=cookies)
        facts = _with_answers(facts, asked, patience, bounds)
    return replace(facts, tls=tls.result(), notes=(*facts.notes, *_unasked(patience, "server")))


def _with_answers(facts: SecurityFacts, asked: str, web: Web, bounds: Bounds) -> SecurityFacts:
    """What it answers strangers; a server that the page merely redirects to is left in peace."""
    url = facts.page.final_url
    if not same_site(asked, url):
        return replace(facts, notes=(*facts.notes, _ELSEWHERE))
    return replace(
        facts,
        cors=cors_answers(url, web),
        files=probed_files(url, web, bounds.file_bytes, bounds.at_once),
        security_txt=security_txt(url, web, bounds.security_txt_bytes),
    )


def _unasked(patience: Patience, of: str) -> tuple[str, ...]:
    """What a slow site kept from being looked at."""
    if not patience.unasked:
        return ()
    asked = counted(patience.unasked, "request")
    return (f"The site answers so slowly that {asked} about its {of} could not be sent.",)


def _unanswered(page: Fetched, proxy: str, now: dt.datetime, bounds: Bounds) -> SecurityFacts:
    """What a certificate that nobody trusts hides is not looked at; it itself is."""
    return SecurityFacts(
        page=without_values(page),
        document=Document(url=page.final_url),
        local=is_local(page.final_url),
        tls=None if page.refused else _tls(page.final_url, proxy, now, bounds.step_s),
        now=stamp(now),
    )


def _insecure(asked: str, page: Fetched, web: Web) -> Fetched | None:
    """The same address over http; the page itself where that is how it was asked for."""
    if is_local(page.final_url):
        return None
    if asked.startswith("http://"):
        return page
    twin = plain_twin(asked)
    requests = [Request(twin, most_bytes=_HEAD_IS_ENOUGH)] if twin else []
    return next(map(without_values, web.many(requests)), None)


def _tls(url: str, proxy: str, now: dt.datetime, seconds: float) -> TlsFacts | None:
    """Of a page without TLS what its host speaks on the usual port, if anything."""
    secure = url.startswith("https://")
    if not secure and is_local(url):
        return None
    host, port = host_and_port(url)
    facts = tls_facts(host, port if secure else _HTTPS, proxy, now, seconds=seconds)
    return facts if secure or not facts.failure else None


def _cookies(
    answers: tuple[Fetched | None, ...],
    rendered: RenderedPage | None,
    now: dt.datetime,
    bounds: Bounds,
) -> tuple[SentCookie, ...]:
    """Of every answer on the way, and those that scripts set."""
    sent = sent_cookies(answers, now, bounds.cookies, bounds.cookie_letters)
    return (*sent, *(rendered.cookies if rendered else ()))


def _valueless(script: LoadedScript) -> LoadedScript:
    fetched, source_map = script.fetched, script.source_map
    return replace(
        script,
        fetched=without_values(fetched) if fetched else None,
        source_map=without_values(source_map) if source_map else None,
    )


def _notes(page: Fetched, document: Document) -> Iterator[str]:
    if document.cut:
        yield f"The page is so large that not all of it was read: {', '.join(document.cut)}."
    if page.final and not page.ok:
        yield f"The page answers with status {page.status}: it may be another one that you mean."
