"""From the text of a page to a Document."""

from html import unescape

from selectolax.lexbor import LexborHTMLParser

from mergegate.site.document.address import Addresses, based
from mergegate.site.document.bounds import Bounds
from mergegate.site.document.elements import home
from mergegate.site.document.facts import Document, Form, Item
from mergegate.site.document.items import Items
from mergegate.site.document.noscript import without_noscript
from mergegate.site.document.page import OpenForm, Page
from mergegate.site.document.walk import Walk
from mergegate.site.parsing import harmless

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
