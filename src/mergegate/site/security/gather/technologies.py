"""What the site is built with, from the page as it was sent."""

from collections import defaultdict

from mergegate.sandbox.web.fetched import Fetched
from mergegate.site.document.facts import Document
from mergegate.site.stack import stack, traces
from mergegate.site.stack.facts import Stack


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
