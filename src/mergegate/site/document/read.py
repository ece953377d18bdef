"""From the text of a page to a Document."""

import re
from html import unescape

from selectolax.lexbor import LexborHTMLParser

from mergegate.site.document.address import Addresses, based
from mergegate.site.document.bounds import Bounds
from mergegate.site.document.elements import home
from mergegate.site.document.items import Items
from mergegate.site.document.page import OpenForm, Page
from mergegate.site.document.walk import Walk
from mergegate.site.facts.document import Document, Form, Item
from mergegate.site.parsing import harmless

_MARKS = re.compile(r"<!--|<(?:script|style|textarea|noscript)(?=[\s/>])", re.IGNORECASE)
_ENDS = {
    "<!--": re.compile(r"--!?>"),
    "<script": re.compile(r"</script(?=[\s/>])", re.IGNORECASE),
    "<style": re.compile(r"</style(?=[\s/>])", re.IGNORECASE),
    "<textarea": re.compile(r"</textarea(?=[\s/>])", re.IGNORECASE),
    "<noscript": re.compile(r"</noscript(?:\s[^>]*)?/?>", re.IGNORECASE),
}
_TAG = re.compile(r"<[^>]{0,4000}>")


def without_noscript(html: str) -> tuple[str, str]:
    """``html`` without its ``noscript`` elements, and what is said in them.

    The parser does not run scripts: a picture in the ``noscript`` of a head would end that head.
    """
    if "<noscript" not in html.lower():
        return html, ""
    kept, said, done, position = [], [], 0, 0
    while mark := _MARKS.search(html, position):
        end = _ENDS[mark[0].lower()].search(html, mark.end())
        if end is None:
            break
        position = end.end()
        if mark[0].lower() == "<noscript":
            kept.append(html[done : mark.start()])
            said.append(html[mark.end() : end.start()])
            done = position
    kept.append(html[done:])
    return "".join(kept), " ".join(_TAG.sub(" ", one.partition(">")[2]) for one in said)


_BOUNDS = Bounds()
_ALL = frozenset(
    """
    anchors blocks forms headings images items json_ld links metas noscript resources scripts text
    times titles
    """.split()  # noqa: SIM905 - as it is read best
)
"""What is not complete when the end of the page is missing."""


def read(html: str, url: str, bounds: Bounds = _BOUNDS) -> Document:
    """What the page at ``url`` holds; any text is a document."""
    text, silent = without_noscript(html[: bounds.html])
    sound = harmless(text)
    tree, hints = LexborHTMLParser(sound), sound.lower()
    page = Page(Addresses(_base(tree, hints, url)), bounds, url)
    if tree.root is not None:
        Walk(page).through(tree.root)
    if len(sound) < len(text) or len(html) > bounds.html:
        page.kept.cut |= _ALL
    home(page)
    items = Items(tree, page.addresses, page.kept).all() if _may_describe(hints) else ()
    said = page.kept.short(unescape(silent), bounds.text, "noscript")
    return _document(page, tree, items, said, html)


def _document(
    page: Page, tree: LexborHTMLParser, items: tuple[Item, ...], noscript: str, html: str
) -> Document:
    speech = page.speech
    return Document(
        url=page.url,
        base=page.addresses.base,
        doctype=_has_doctype(tree),
        lang=_lang(tree),
        titles=tuple(page.titles),
        title_in_head=page.title_in_head,
        metas=tuple(page.metas),
        links=tuple(page.links),
        anchors=tuple(page.anchors),
        headings=tuple(speech.headings),
        images=tuple(page.images),
        scripts=tuple(page.scripts),
        forms=tuple(_form(form) for form in page.forms),
        resources=tuple(page.resources),
        blocks=tuple(speech.blocks),
        json_ld=tuple(page.json_ld),
        items=items,
        times=tuple(page.times),
        text=speech.whole(),
        handlers=page.handlers,
        inline_styles=page.inline_styles,
        noscript=noscript,
        nodes=page.nodes,
        html_bytes=len(html.encode("utf-8", "replace")),
        cut=tuple(sorted(page.kept.cut)),
    )


def _form(form: OpenForm) -> Form:
    return Form(
        action=form.action,
        method=form.method,
        inputs=tuple(form.inputs),
        selector=form.selector,
    )


def _may_describe(hints: str) -> bool:
    return "itemscope" in hints or ("typeof" in hints and "property" in hints)


def _base(tree: LexborHTMLParser, hints: str, url: str) -> str:
    """What its addresses are resolved against: the first ``base`` that says so."""
    first = tree.css_first("base[href]") if "<base" in hints else None
    return based(url, first.attributes.get("href") or "") if first else url


def _has_doctype(tree: LexborHTMLParser) -> bool:
    node = tree.root.prev if tree.root else None
    while node is not None and node.tag != "-doctype":
        node = node.prev
    return node is not None


def _lang(tree: LexborHTMLParser) -> str:
    attributes = tree.root.attributes if tree.root else {}
    return (attributes.get("lang") or attributes.get("xml:lang") or "").strip()
