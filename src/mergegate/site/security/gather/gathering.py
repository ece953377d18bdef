"""Look at a page and all that belongs to it, each thing once and within bounds."""

import datetime as dt
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlsplit

from mergegate.core.progress import Progress, silent
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.visit import Visit
from mergegate.sandbox.web import Client
from mergegate.site.address import is_local, registered
from mergegate.site.document import read
from mergegate.site.facts.document import Document
from mergegate.site.facts.stack import Stack
from mergegate.site.security.facts import (
    LoadedScript,
    RenderedPage,
    SecurityFacts,
    SentCookie,
)
from mergegate.site.security.gather.bounds import Bounds, DeadlineClient, Web
from mergegate.site.security.gather.contents import contents
from mergegate.site.security.gather.cookies import sent_cookies, without_values
from mergegate.site.security.gather.scripts import scripts
from mergegate.site.security.gather.server import (
    cors_answers,
    error_answers,
    over_http,
    probed_files,
    security_txt,
    tls,
)
from mergegate.site.stack import stack, traces
from mergegate.site.words import counted


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
_ELSEWHERE = (
    "The address leads to another site: its server was not asked for files that should not be "
    "public, for security.txt, nor as other origins would ask."
)


def gather(
    visit: Visit,
    web: Client,
    proxy: str,
    *,
    rendered: RenderedPage | None = None,
    now: dt.datetime,
    progress: Progress = silent,
    bounds: Bounds = _BOUNDS,
) -> SecurityFacts:
    """Everything that a check of the page's security may look at.

    ``proxy`` is the address of the way out that ``web`` uses, too. A page that does not answer
    gives facts that hold nothing but that, and what its host says of its certificate. Raises
    EngineError when nothing can be searched for secrets.
    """
    until = time.monotonic() + bounds.total_s
    progress("page", "started")
    page = web.get(visit.url)
    if page.final is None:
        return _unanswered(page, proxy, now, bounds)
    facts = replace(_of_page(page, rendered, now), signed_in=bool(visit.credentials))
    progress("server", "started")
    facts = _with_server(facts, visit.url, web, proxy=proxy, now=now, bounds=bounds)
    progress("scripts", "started")
    return _with_contents(facts, web, now, bounds, until)


def _of_page(page: Fetched, rendered: RenderedPage | None, now: dt.datetime) -> SecurityFacts:
    """What the page's own answer tells."""
    document = read(page.text, page.final_url)
    return SecurityFacts(
        page=without_values(page),
        document=document,
        site=registered_for(page.final_url),
        local=is_local(page.final_url),
        rendered=rendered,
        stack=technologies(page, document),
        now=_stamp(now),
        notes=tuple(_notes(page, document)),
    )


def _with_contents(
    facts: SecurityFacts, web: Client, now: dt.datetime, bounds: Bounds, until: float
) -> SecurityFacts:
    """Scripts, and what all that visitors get holds; ``until`` is of the monotonic clock."""
    timed = DeadlineClient(web, bounds.step_s)
    loaded = scripts(facts.document, facts.rendered, timed, bounds)
    left = until - time.monotonic()
    pages = (facts.page, *facts.errors)
    held = contents(pages, loaded, facts.rendered, bounds, now=now.timestamp(), seconds=left)
    return replace(
        facts,
        scripts=tuple(map(_valueless, loaded.loaded)),
        texts=held.texts,
        secrets=held.secrets,
        libraries=held.libraries,
        notes=(*facts.notes, *loaded.notes, *_unasked(timed, "scripts"), *held.notes),
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
    timed = DeadlineClient(web, bounds.step_s)
    with ThreadPoolExecutor(max_workers=1) as beside:
        spoken = beside.submit(tls, facts.page.final_url, proxy, now, bounds.step_s)
        insecure = over_http(asked, facts.page, timed)
        cookies = _cookies((facts.page, insecure), facts.rendered, now, bounds)
        facts = replace(facts, insecure=insecure, cookies=cookies)
        facts = _with_answers(facts, asked, timed, bounds)
    return replace(facts, tls=spoken.result(), notes=(*facts.notes, *_unasked(timed, "server")))


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
        errors=error_answers(facts.document, web, bounds),
    )


def _unasked(timed: DeadlineClient, of: str) -> tuple[str, ...]:
    """What a slow site kept from being looked at."""
    if not timed.unasked:
        return ()
    asked = counted(timed.unasked, "request")
    return (f"The site answers so slowly that {asked} about its {of} could not be sent.",)


def _unanswered(page: Fetched, proxy: str, now: dt.datetime, bounds: Bounds) -> SecurityFacts:
    """What an untrusted certificate hides is not looked at; the certificate is."""
    return SecurityFacts(
        page=without_values(page),
        document=Document(url=page.final_url),
        local=is_local(page.final_url),
        tls=None if page.refused else tls(page.final_url, proxy, now, bounds.step_s),
        now=_stamp(now),
    )


def _cookies(
    answers: tuple[Fetched | None, ...],
    rendered: RenderedPage | None,
    now: dt.datetime,
    bounds: Bounds,
) -> tuple[SentCookie, ...]:
    """Cookies that every answer on the way set, and those that scripts set."""
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


def registered_for(url: str) -> str:
    """The domain that was registered for the host of an address that has been fetched."""
    return registered((urlsplit(url).hostname or "").rstrip("."))


def same_site(one: str, other: str) -> bool:
    """Whether both addresses belong to one registered domain, or to one host without any."""
    return registered_for(one) == registered_for(other)


def _stamp(moment: dt.datetime) -> str:
    """ISO 8601 in UTC, to the second."""
    return moment.astimezone(dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
