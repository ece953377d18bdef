"""Read the text of a page into a Document: one walk through its elements, in their order."""

import re
from dataclasses import replace
from html import unescape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mergegate.site.document import elements
from mergegate.site.document.address import Addresses, based
from mergegate.site.document.elements import READERS, Reader, home
from mergegate.site.document.frame import LANDMARKS, Attributes, Frame, is_unseen, texts
from mergegate.site.document.items import Items
from mergegate.site.document.page import BLOCKS, HEADINGS, Bounds, OpenForm, Page
from mergegate.site.facts.document import Document, Form, Item
from mergegate.site.parsing import harmless

_OPAQUE = frozenset(
    {"iframe", "noembed", "noframes", "noscript", "script", "style", "template", "textarea"}
)
"""What stands in them is no part of the document's tree, or not of the page."""
_MUTE = frozenset({"audio", "canvas", "datalist", "head", "object", "select", "svg", "video"})
"""What they say is shown nowhere, or not as text."""
_BOLD = frozenset({"b", "strong"})
_HANDLERS = frozenset(
    """
    onabort onafterprint onanimationend onanimationiteration onanimationstart onauxclick
    onbeforeinput onbeforeprint onbeforeunload onblur oncancel oncanplay oncanplaythrough
    onchange onclick onclose oncontextmenu oncopy oncut ondblclick ondrag ondragend ondragenter
    ondragleave ondragover ondragstart ondrop ondurationchange onended onerror onfocus onfocusin
    onfocusout onformdata onfullscreenchange onhashchange oninput oninvalid onkeydown onkeypress
    onkeyup onload onloadeddata onloadedmetadata onloadstart onmessage onmousedown onmouseenter
    onmouseleave onmousemove onmouseout onmouseover onmouseup onmousewheel onoffline ononline
    onpagehide onpageshow onpaste onpause onplay onplaying onpointercancel onpointerdown
    onpointerenter onpointerleave onpointermove onpointerout onpointerover onpointerup
    onpopstate onprogress onratechange onreset onresize onscroll onscrollend onsearch onseeked
    onseeking onselect onselectionchange onselectstart onstalled onstorage onsubmit onsuspend
    ontimeupdate ontoggle ontouchcancel ontouchend ontouchmove ontouchstart ontransitionend
    onunload onvolumechange onwaiting onwheel
    """.split()  # noqa: SIM905 - as it is read best
)
"""Attributes that hold a script (HTML, "event handlers"; touch, pointer and animation events)."""
_NOTED = _HANDLERS | {"aria-label", "hidden", "id", "open", "role", "style"}
_SPECIAL = _MUTE | LANDMARKS | {"dialog"}
_BLOCK, _HEADING, _LOUD, _BREAK = 1, 2, 3, 4
_KINDS = (
    dict.fromkeys(BLOCKS, _BLOCK)
    | dict.fromkeys(HEADINGS, _HEADING)
    | dict.fromkeys(_BOLD, _LOUD)
    | {"br": _BREAK}
)
"""What an element does to running text."""
_INERT: tuple[int, Reader | None, bool] = (0, None, False)
_PLANS = {
    tag: (_KINDS.get(tag, 0), READERS.get(tag), tag in _SPECIAL)
    for tag in {*_KINDS, *READERS, *_SPECIAL}
}
"""The same, who reads it, and whether it is noted whatever it says."""


class Walk:
    """One walk; the stack is that of the open elements."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._speech = page.speech
        self._identifiers: set[str] = set()

    def through(self, root: LexborNode) -> None:
        """Read ``root`` and everything in it, without recursion: pages nest deeply."""
        frame: Frame | None = None
        node: LexborNode | None = root
        while node is not None:
            tag = node.tag or "-"
            if tag == "-text" and frame is not None:
                self._speech.hear(node.text_content or "", frame)
            elif tag[0] != "-":
                opened = self._open(node, tag, frame)
                inner = None if tag in _OPAQUE else node.first_child
                if inner is not None:
                    node, frame = inner, opened
                    continue
                self._close(opened)
            following = node.next
            if following is not None and frame is not None:
                node = following
            else:
                node, frame = self._upward(node, frame)

    def _upward(
        self, node: LexborNode, frame: Frame | None
    ) -> tuple[LexborNode | None, Frame | None]:
        """What comes after the last of ``frame``, and what is open there."""
        while frame is not None:
            self._close(frame)
            frame, parent = frame.parent, node.parent
            if parent is None or frame is None:
                break
            node, following = parent, parent.next
            if following is not None:
                return following, frame
        return None, None

    def _open(self, node: LexborNode, tag: str, parent: Frame | None) -> Frame:
        self._page.nodes += 1
        attributes: Attributes = node.attributes
        kind, read, is_special = _PLANS.get(tag, _INERT)
        frame = Frame(tag, parent, kind)
        if is_special or (attributes and not _NOTED.isdisjoint(attributes)):
            self._note(frame, attributes)
        if kind:
            self._begin_text(frame, parent, attributes)
        if read is not None:
            read(self._page, frame, node, attributes)
        return frame

    def _note(self, frame: Frame, attributes: Attributes) -> None:
        """What any element may say of itself."""
        if frame.tag in _MUTE:
            frame.where = frame.where.muted(in_head=frame.tag == "head")
        if frame.tag in LANDMARKS or "role" in attributes:
            frame.land((attributes.get("role") or "").strip().lower())
        if "id" in attributes:
            frame.identify(attributes["id"], self._identifiers)
        if is_unseen(frame.tag, attributes):
            frame.where = replace(frame.where, hidden=True)
        if not _HANDLERS.isdisjoint(attributes):
            self._page.handlers += 1
        if "style" in attributes:
            self._note_style(frame, attributes["style"] or "")
        if "aria-label" in attributes:
            self._page.call(attributes["aria-label"])

    def _note_style(self, frame: Frame, style: str) -> None:
        self._page.inline_styles += 1
        for address in elements.addresses(style):
            self._page.load(address, "css", frame.selector)

    def _begin_text(self, frame: Frame, parent: Frame | None, attributes: Attributes) -> None:
        """Running text ends where a block begins."""
        if frame.kind == _BLOCK:
            frame.block = frame.tag
            if parent is not None and self._speech.spoken:
                self._speech.part(parent)
        elif frame.kind == _HEADING:
            label, title = texts(attributes, ("aria-label", "title"))
            self._speech.begin_heading(frame, label, title)
        elif frame.kind == _LOUD:
            self._speech.begin_bold(frame)
        else:
            self._speech.hear(" ", frame)

    def _close(self, frame: Frame) -> None:
        if frame.close is not None:
            frame.close()
        kind = frame.kind
        if kind == _BLOCK:
            if self._speech.spoken:
                self._speech.part(frame)
        elif kind == _HEADING:
            self._speech.end_heading(frame)
        elif kind == _LOUD:
            self._speech.end_bold(frame)


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
