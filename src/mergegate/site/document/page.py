"""Everything that is collected on one walk through a document, and how much of it is kept.

The running text is collected as :class:`Speech`: its blocks, headings, links and bold letters.
"""

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import TypeVar

from mergegate.site.document.address import Addresses
from mergegate.site.document.frame import Frame
from mergegate.site.facts.document import (
    Anchor,
    Block,
    Heading,
    Image,
    Input,
    JsonLd,
    Link,
    Meta,
    Resource,
    Script,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Numbers of things, and letters of texts."""

    html: int = 5 * 1024 * 1024
    """Letters that are read at all."""
    titles: int = 10
    metas: int = 500
    links: int = 1_000
    anchors: int = 5_000
    headings: int = 1_000
    images: int = 2_000
    scripts: int = 1_000
    forms: int = 200
    inputs: int = 300
    """The most fields of one form."""
    resources: int = 5_000
    blocks: int = 5_000
    json_ld: int = 100
    items: int = 500
    times: int = 200
    text: int = 500_000
    """Letters of everything a visitor may read, and of what is said without scripts."""
    block: int = 50_000
    """Letters of one block."""
    phrase: int = 1_000
    """Letters of a title, an anchor, a heading and the like."""
    value: int = 10_000
    """Letters of a ``meta``."""
    hidden: int = 200
    """Letters of a hidden field."""
    json: int = 512 * 1024
    """Letters of one JSON-LD script that are parsed."""


_T = TypeVar("_T")


class Kept:
    """Remembers which kinds are not complete."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.cut: set[str] = set()

    def add(self, things: list[_T], thing: _T, kind: str) -> None:
        """Keep ``thing`` among ``things``, the field ``kind`` of the document."""
        if self.has_room(things, kind):
            things.append(thing)

    def has_room(self, things: Sized, kind: str) -> bool:
        """Whether one more is kept; what is not kept need not be read."""
        if len(things) < getattr(self.bounds, kind):
            return True
        self.cut.add(kind)
        return False

    def short(self, text: str, most: int, kind: str) -> str:
        """``text``, its white space collapsed, and no longer than ``most`` letters."""
        if len(text) > most:
            return self._shortened(text, most, kind)
        return " ".join(text.split())

    def _shortened(self, text: str, most: int, kind: str) -> str:
        """White space that is left out makes room, as far as twice the length is looked at."""
        said = " ".join(text[: 2 * most].split())
        if len(said) > most or len(text) > 2 * most:
            self.cut.add(kind)
        return said[:most].rstrip()


BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset header hgroup hr html legend li main menu nav ol p pre
    search section summary table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905 - as it is read best
)
"""Elements that text does not run through (HTML, "rendering", flow content and tables)."""
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_PERMALINKS = frozenset("¶§#🔗⚓\u200b")
"""Signs beside a heading that link to it; they are a text node of their own, unlike ``C#``."""
_PIECES = 300
_PIECE = 2_000
"""Text nodes of a phrase and letters of each: what is nested is read again and again."""


@dataclass(slots=True)
class OpenHeading:
    """A heading that is not complete yet."""

    frame: Frame
    begun: int
    """Where its text begins."""
    block: int
    """How many blocks stand before it."""
    label: str
    title: str
    names: list[str] = field(default_factory=list)
    """What its pictures are called."""


class Speech:
    """Hears text in the order of the document."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.said: list[str] = []
        """Visible text, piece by piece, white space as it was."""
        self.unseen: list[str] = []
        """What hidden elements say: their links and headings have names all the same."""
        self._under = -1
        """Which heading counts for what follows."""
        self.spoken = False
        """Whether anything was said since the last block ended."""
        self._begun = 0
        """Where in ``said`` the current block begins."""
        self._bold: list[str] = []
        self._bold_in: tuple[Frame, int] | None = None
        """The outermost bold element, and where its text begins."""
        self.heading: OpenHeading | None = None

    def hear(self, text: str, frame: Frame) -> None:
        """Text directly in ``frame``."""
        if frame.where.mute:
            return
        (self.unseen if frame.where.hidden else self.said).append(text)
        if not self.spoken and not text.isspace():
            self.spoken = True

    def part(self, frame: Frame) -> None:
        """What was said since the last block ends here, and stands in the block of ``frame``."""
        if not self.spoken:
            return
        if self.heading is None:
            self._settle(frame)
        self.spoken = False
        self.said.append(" ")
        self.unseen.append(" ")

    def begin_heading(self, frame: Frame, label: str, title: str) -> None:
        """Text goes to this heading until it ends; one that was never closed ends here."""
        self._keep_heading()
        self.part(frame.parent or frame)
        self.heading = OpenHeading(frame, self.mark(frame), len(self.blocks), label, title)

    def end_heading(self, frame: Frame) -> None:
        """The heading is complete."""
        if self.heading is not None and self.heading.frame is frame:
            self._keep_heading()
            self.part(frame)

    def begin_bold(self, frame: Frame) -> None:
        """Text is set in bold until the outermost such element ends."""
        if self._bold_in is None and not frame.where.hidden and not frame.where.mute:
            self._bold_in = frame, len(self.said)

    def end_bold(self, frame: Frame) -> None:
        """Keep what was said in it for its block."""
        if self._bold_in is None or self._bold_in[0] is not frame:
            return
        text = self.since(self._bold_in[1], frame, "blocks")
        self._bold_in = None
        if text and len(self._bold) < _PIECES:
            self._bold.append(text)

    def mark(self, frame: Frame) -> int:
        """The position in the collected text at which further text of ``frame`` begins."""
        return len(self.unseen if frame.where.hidden else self.said)

    def since(self, mark: int, frame: Frame, kind: str, until: int | None = None) -> str:
        """What was said in ``frame`` since ``mark``, and before ``until``, shortened."""
        pieces = (self.unseen if frame.where.hidden else self.said)[mark:until][:_PIECES]
        text = "".join([piece[:_PIECE] for piece in pieces])
        return self._kept.short(text, self._kept.bounds.phrase, kind)

    def whole(self) -> str:
        """Everything visible."""
        return self._kept.short("".join(self.said), self._kept.bounds.text, "text")

    def _keep_heading(self) -> None:
        if self.heading is None:
            return
        ended, self.heading = self.heading, None
        heading = Heading(
            level=HEADINGS[ended.frame.tag],
            text=self._said_of(ended) or self._called(ended),
            block=ended.block,
            region=ended.frame.where.region,
            hidden=ended.frame.where.hidden,
        )
        self._kept.add(self.headings, heading, "headings")
        self._under = self._under if heading.hidden else len(self.headings) - 1
        self._begun = len(self.said)
        self._bold.clear()

    def _said_of(self, heading: OpenHeading) -> str:
        """The text of a heading without the sign that links to it."""
        first, last = heading.begun, self.mark(heading.frame)
        said = self.unseen if heading.frame.where.hidden else self.said
        while last > first and _is_aside(said[last - 1]):
            last -= 1
        while first < last and _is_aside(said[first]):
            first += 1
        return self.since(first, heading.frame, "headings", last)

    def _called(self, heading: OpenHeading) -> str:
        """What is read aloud of a heading without text."""
        name = heading.label or " ".join(heading.names) or heading.title
        return self._kept.short(name, self._kept.bounds.phrase, "headings")

    def _settle(self, frame: Frame) -> None:
        pieces = "".join(self.said[self._begun :])
        self._begun = len(self.said)
        text = self._kept.short(pieces, self._kept.bounds.block, "blocks")
        if text and self._kept.has_room(self.blocks, "blocks"):
            block = Block(
                text=text,
                tag=frame.block,
                heading=self._under,
                region=frame.where.region,
                bold=tuple(self._bold),
            )
            self.blocks.append(block)
        self._bold.clear()


def _is_aside(piece: str) -> bool:
    """Whether a piece of a heading is no part of what it says."""
    return not piece.strip() or piece.strip() in _PERMALINKS


@dataclass(slots=True)
class OpenForm:
    """A form that may get further fields."""

    action: str
    method: str
    selector: str
    id: str
    inputs: list[Input] = field(default_factory=list)


@dataclass(slots=True)
class OpenAnchor:
    """A link that is not complete yet."""

    begun: int
    """Where its text begins."""
    images: list[int] = field(default_factory=list)
    """Those in it, by their places among the images."""
    names: list[str] = field(default_factory=list)
    """What its pictures are called."""


class Page:
    """The lists that grow."""

    def __init__(self, addresses: Addresses, bounds: Bounds, url: str) -> None:
        self.addresses = addresses
        self.bounds = bounds
        self.url = url
        self.kept = Kept(bounds)
        self.speech = Speech(self.kept)
        self.titles: list[str] = []
        self.title_in_head = True
        self.metas: list[Meta] = []
        self.links: list[Link] = []
        self.anchors: list[Anchor] = []
        self.images: list[Image] = []
        self.scripts: list[Script] = []
        self.forms: list[OpenForm] = []
        self.strays: list[tuple[str, Input]] = []
        """Fields that name their form, by its id."""
        self.resources: list[Resource] = []
        self.json_ld: list[JsonLd] = []
        self.times: list[str] = []
        self.anchor: OpenAnchor | None = None
        self.form: OpenForm | None = None
        self.nodes = self.handlers = self.inline_styles = 0

    def phrase(self, text: str | None, kind: str) -> str:
        """A short text, its white space collapsed."""
        return self.kept.short(text or "", self.bounds.phrase, kind)

    def call(self, written: str | None) -> None:
        """A picture or another part says its name: so is the link or heading called it is in."""
        for open_one, kind in ((self.anchor, "anchors"), (self.speech.heading, "headings")):
            name = self.phrase(written, kind) if open_one else ""
            if open_one and name and name not in open_one.names[-1:]:
                open_one.names.append(name)

    def load(self, written: str, kind: str, selector: str, sandbox: str | None = None) -> None:
        """Keep what a browser is made to load; an empty address makes it load nothing."""
        if written.strip() and self.kept.has_room(self.resources, "resources"):
            url = self.addresses.absolute(written)
            resource = Resource(url=url, kind=kind, sandbox=sandbox, selector=selector)
            self.resources.append(resource)
