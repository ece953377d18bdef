"""Elements with their integrity, ready to paste."""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape

from mergegate.site.document.facts import Document, Link, Script
from mergegate.site.security.checks.origins import path
from mergegate.site.security.report import Flaw

_RULES = frozenset({"sri-missing", "sri-malformed", "sri-without-crossorigin"})
_VERSION = re.compile(r"[@/-]v?\d+\.\d+")


def wanted(flaws: Iterable[Flaw], document: Document) -> tuple[str, ...]:
    """Addresses of the files whose hash ends a flaw, each once.

    Without a version in its address a file changes, and its hash would only break the page.
    """
    found = (one.src if isinstance(one, Script) else one.href for _, one in _of(flaws, document))
    return tuple(dict.fromkeys(url for url in found if _VERSION.search(path(url))))


def tags(flaws: Iterable[Flaw], document: Document, hashes: Mapping[str, str]) -> Mapping[str, str]:
    """The element that ends a flaw, by the flaw's id; ``hashes`` are by address."""
    pairs = ((one.id, _tag(element, hashes)) for one, element in _of(flaws, document))
    return {id: tag for id, tag in pairs if tag}


def _of(flaws: Iterable[Flaw], document: Document) -> Iterator[tuple[Flaw, Script | Link]]:
    """Each flaw of a file's integrity, and the element that loads it."""
    scripts = {one.selector: one for one in document.scripts if one.src}
    links = {one.selector: one for one in document.linked("stylesheet")}
    elements: dict[str, Script | Link] = {**links, **scripts}
    for one in flaws:
        if one.rule in _RULES and one.selector in elements:
            yield one, elements[one.selector]


def _tag(element: Script | Link, hashes: Mapping[str, str]) -> str:
    """Empty where the hash is not known."""
    if isinstance(element, Link):
        known = hashes.get(element.href, "")
        begin = f'<link rel="stylesheet" href="{escape(element.href)}"'
        return f'{begin} integrity="{known}" crossorigin="anonymous">' if known else ""
    known = hashes.get(element.src, "")
    kind = f' type="{escape(element.type)}"' if element.type else ""
    begin = f'<script{kind} src="{escape(element.src)}"'
    return f'{begin} integrity="{known}" crossorigin="anonymous"></script>' if known else ""
