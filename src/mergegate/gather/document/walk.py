"""Walk through a document once, in its order."""

from selectolax.lexbor import LexborNode

from mergegate.gather.document import css
from mergegate.gather.document.elements import READERS
from mergegate.gather.document.frame import (
    LANDMARKS,
    Attributes,
    Frame,
    is_unseen,
)
from mergegate.gather.document.page import Page
from mergegate.gather.document.speech import BLOCKS, HEADINGS

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
            node, frame = self._onward(node, frame)

    def _onward(
        self, node: LexborNode, frame: Frame | None
    ) -> tuple[LexborNode | None, Frame | None]:
        """What comes after ``node``, and what is open there."""
        while frame is not None:
            following = node.next
            if following is not None:
                return following, frame
            self._close(frame)
            frame, parent = frame.parent, node.parent
            if parent is None:
                break
            node = parent
        return None, None

    def _open(self, node: LexborNode, tag: str, parent: Frame | None) -> Frame:
        attributes: Attributes = node.attributes
        frame = Frame(tag, parent)
        self._page.nodes += 1
        if tag in _SPECIAL or not _NOTED.isdisjoint(attributes):
            self._note(frame, attributes)
        kind = _KINDS.get(tag)
        if kind is not None:
            self._begin_text(frame, parent, kind)
        read = READERS.get(tag)
        if read is not None:
            read(self._page, frame, node, attributes)
        return frame

    def _note(self, frame: Frame, attributes: Attributes) -> None:
        """What any element may say of itself."""
        if frame.tag in _MUTE:
            frame.mute, frame.in_head = True, frame.tag == "head"
        if frame.tag in LANDMARKS or "role" in attributes:
            frame.land((attributes.get("role") or "").strip().lower())
        if "id" in attributes:
            frame.identify(attributes["id"], self._identifiers)
        if is_unseen(frame.tag, attributes):
            frame.hidden = True
        if not _HANDLERS.isdisjoint(attributes):
            self._page.handlers += 1
        if "style" in attributes:
            self._note_style(frame, attributes["style"] or "")
        if "aria-label" in attributes and self._page.anchor:
            self._page.anchor.names.append((attributes["aria-label"] or "").strip())

    def _note_style(self, frame: Frame, style: str) -> None:
        self._page.inline_styles += 1
        for address in css.addresses(style):
            self._page.load(address, "css", frame.selector)

    def _begin_text(self, frame: Frame, parent: Frame | None, kind: int) -> None:
        """Running text ends where a block begins."""
        if kind == _BLOCK:
            if parent is not None:
                self._speech.part(parent)
            frame.block = frame.tag
        elif kind == _HEADING:
            self._speech.begin_heading(frame)
        elif kind == _LOUD:
            self._speech.begin_bold(frame)
        else:
            self._speech.hear(" ", frame)

    def _close(self, frame: Frame) -> None:
        if frame.close is not None:
            frame.close()
        kind = _KINDS.get(frame.tag)
        if kind == _BLOCK:
            self._speech.part(frame)
        elif kind == _HEADING:
            self._speech.end_heading(frame)
        elif kind == _LOUD:
            self._speech.end_bold(frame)
