"""What an open element means for everything inside of it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mergegate.site.facts.document import Region

Attributes = Mapping[str, str | None]

_ROLES = {
    "main": Region.MAIN,
    "banner": Region.HEADER,
    "navigation": Region.NAVIGATION,
    "complementary": Region.ASIDE,
    "contentinfo": Region.FOOTER,
}
_LANDMARKS = {"main": Region.MAIN, "nav": Region.NAVIGATION, "aside": Region.ASIDE}
_OF_THE_PAGE = {"header": Region.HEADER, "footer": Region.FOOTER}
"""Only outside of what is set apart (HTML-AAM 1.0, ``header`` and ``footer``)."""
_SET_APART = frozenset({"article", "aside", "main", "nav", "section"})
LANDMARKS = _SET_APART | frozenset(_OF_THE_PAGE)
_UNSEEN = re.compile(r"(?:^|[;\s])(?:display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden)")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,60}")
_ODD = re.compile(r"([^a-zA-Z0-9_-])")
_NONE: frozenset[str] = frozenset()
_DEEPEST = 40
"""Steps of a selector; what lies deeper has none."""


@dataclass(frozen=True, slots=True)
class Where:
    """What an element hands down to everything inside of it, unless that says otherwise."""

    region: Region = Region.MAIN
    hidden: bool = False
    in_head: bool = False
    mute: bool = False
    """Whether its text is no text of the page."""
    set_apart: bool = False

    def muted(self, *, in_head: bool) -> "Where":
        """A copy of the place whose text is not collected."""
        return Where(self.region, self.hidden, in_head, True, self.set_apart)


_TOP = Where()


class Frame:
    """One open element."""

    __slots__ = ("block", "close", "counts", "kind", "nth", "parent", "tag", "way", "where")

    def __init__(self, tag: str, parent: "Frame | None", kind: int = 0) -> None:
        self.tag = tag
        self.parent = parent
        self.kind = kind
        """What it does to running text."""
        self.close: Callable[[], None] | None = None
        """What is left to do when it ends."""
        self.counts: dict[str, int] | None = None
        """Its children so far, by tag."""
        self.way: str | None = None
        """Its selector, once that is known."""
        if parent is None:
            self.nth = 1
            """Which of its tag it is among its siblings, from 1."""
            self.block = "body"
            """The tag of the innermost block."""
            self.where = _TOP
            return
        counts = parent.counts
        if counts is None:
            counts = parent.counts = {}
        self.nth = counts[tag] = counts.get(tag, 0) + 1
        self.block = parent.block
        self.where = parent.where

    @property
    def selector(self) -> str:
        """A CSS path whose first match it is; empty when it lies too deep for one."""
        if self.way is None:
            open_ones: list[Frame] = []
            frame: Frame | None = self
            while frame is not None and frame.way is None and len(open_ones) <= _DEEPEST:
                open_ones.append(frame)
                frame = frame.parent
            for one in reversed(open_ones):
                one.way = one._step()
        return self.way or ""

    def identify(self, identifier: str | None, seen: set[str]) -> None:
        """Make ``identifier`` the element's selector unless an earlier element had it."""
        if identifier and identifier not in seen:
            seen.add(identifier)
            self.way = f"#{identifier}" if _IDENTIFIER.fullmatch(identifier) else None

    def land(self, role: str) -> None:
        """Begin a landmark, by element or ``role``; what is in a region's article stays there."""
        where = self.where
        landmark = _ROLES.get(role) or (None if role else _LANDMARKS.get(self.tag))
        if not role and not where.set_apart:
            landmark = landmark or _OF_THE_PAGE.get(self.tag)
        region, set_apart = landmark or where.region, where.set_apart or self.tag in _SET_APART
        self.where = Where(region, where.hidden, where.in_head, where.mute, set_apart)

    def _step(self) -> str:
        """The selector of the element: its parent's and its own part; empty when too deep."""
        if self.parent is None or self.tag in {"head", "body"}:
            return self.tag
        before = self.parent.way
        if not before or (len(before) > _DEEPEST and before.count(">") >= _DEEPEST):
            return ""
        place = f":nth-of-type({self.nth})" if self.nth > 1 else ""
        return f"{before} > {_named(self.tag)}{place}"


def is_unseen(tag: str, attributes: Attributes) -> bool:
    """Whether it says of itself that it is not shown."""
    if "hidden" in attributes:
        return (attributes["hidden"] or "").strip().lower() != "until-found"
    if tag == "dialog":
        return "open" not in attributes
    style = attributes.get("style")
    return bool(style and _UNSEEN.search(style.lower()))


def texts(attributes: Attributes, names: Sequence[str]) -> tuple[str, ...]:
    """Attributes trimmed, empty where they are missing."""
    return tuple([(attributes.get(name) or "").strip() for name in names])


def words(value: str | None) -> frozenset[str]:
    """The parts of a list in small letters."""
    return frozenset(value.lower().split()) if value else _NONE


@lru_cache(maxsize=500)
def _named(tag: str) -> str:
    """``tag`` escaped for a selector."""
    return _ODD.sub(_escaped, tag)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"
