"""Walk through a document once, in its order."""

from dataclasses import replace

from selectolax.lexbor import LexborNode

from mergegate.site.document import elements
from mergegate.site.document.elements import READERS, Reader
from mergegate.site.document.frame import LANDMARKS, Attributes, Frame, is_unseen, texts
from mergegate.site.document.page import Page
from mergegate.site.document.speech import BLOCKS, HEADINGS

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
