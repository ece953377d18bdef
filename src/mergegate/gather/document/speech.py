"""The running text of a document: its blocks, headings, and what links and bold letters say."""

from mergegate.gather.document.frame import Frame
from mergegate.gather.document.kept import Kept
from mergegate.model.facts.document import Block, Heading

BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form frameset header hgroup hr html legend li main menu nav ol p pre
    search section summary table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905 - as it is read best
)
"""Elements that text does not run through (HTML, "rendering", flow content and tables)."""
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_PIECES = 300
_PIECE = 2_000
"""Text nodes of a phrase and letters of each: what is nested is read again and again."""


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
        self._spoken = False
        """Whether anything was said since the last block ended."""
        self._begun = 0
        """Where in ``said`` the current block begins."""
        self._bold: list[str] = []
        self._bold_in: tuple[Frame, int] | None = None
        """The outermost bold element, and where its text begins."""
        self._heading: tuple[Frame, int, int] | None = None
        """The open one, where its text begins, and its place among the headings."""

    def hear(self, text: str, frame: Frame) -> None:
        """Text directly in ``frame``."""
        if frame.mute:
            return
        (self.unseen if frame.hidden else self.said).append(text)
        if not text.isspace():
            self._spoken = True

    def part(self, frame: Frame) -> None:
        """What was said since the last block ends here, and stands in the block of ``frame``."""
        if not self._spoken:
            return
        if self._heading is None:
            self._settle(frame)
        self._spoken = False
        self.said.append(" ")
        self.unseen.append(" ")

    def begin_heading(self, frame: Frame) -> None:
        """Text goes to this heading until it ends; one that was never closed ends here."""
        self._keep_heading()
        self.part(frame.parent or frame)
        self._heading = frame, self.mark(frame), len(self.blocks)

    def end_heading(self, frame: Frame) -> None:
        """The heading is complete."""
        if self._heading is not None and self._heading[0] is frame:
            self._keep_heading()
            self.part(frame)

    def begin_bold(self, frame: Frame) -> None:
        """Text is set in bold until the outermost such element ends."""
        if self._bold_in is None and not frame.hidden and not frame.mute:
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
        """Where what is said from now on in ``frame`` begins."""
        return len(self.unseen if frame.hidden else self.said)

    def since(self, mark: int, frame: Frame, kind: str) -> str:
        """What was said in ``frame`` since ``mark``, shortened."""
        pieces = (self.unseen if frame.hidden else self.said)[mark : mark + _PIECES]
        text = "".join([piece[:_PIECE] for piece in pieces])
        return self._kept.short(text, self._kept.bounds.phrase, kind)

    def whole(self) -> str:
        """Everything visible."""
        return self._kept.short("".join(self.said), self._kept.bounds.text, "text")

    def _keep_heading(self) -> None:
        if self._heading is None:
            return
        (frame, begun, block), self._heading = self._heading, None
        heading = Heading(
            level=HEADINGS[frame.tag],
            text=self.since(begun, frame, "headings"),
            block=block,
            region=frame.region,
            hidden=frame.hidden,
        )
        self._kept.add(self.headings, heading, "headings")
        self._under = self._under if heading.hidden else len(self.headings) - 1
        self._begun = len(self.said)
        self._bold.clear()

    def _settle(self, frame: Frame) -> None:
        pieces = "".join(self.said[self._begun :])
        self._begun = len(self.said)
        text = self._kept.short(pieces, self._kept.bounds.block, "blocks")
        if text:
            self._keep(text, frame)
        self._bold.clear()

    def _keep(self, text: str, frame: Frame) -> None:
        block = Block(
            text=text,
            tag=frame.block,
            heading=self._under,
            region=frame.region,
            bold=tuple(self._bold),
        )
        self._kept.add(self.blocks, block, "blocks")
