"""Read one sitemap: hostile XML, packed or not, within bounds and without entities.

What the format allows is sitemaps.org's "Sitemaps XML format" and, for dates, W3C-DTF.
"""

import codecs
import datetime as dt
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TypeAlias
from xml.parsers import expat

from mergegate.site.seo.facts import SitemapFile
from mergegate.site.seo.gather.place import host, same_as

MOST_ENTRIES = 50_000
_GZIP = b"\x1f\x8b"
_WITH_GZIP_HEAD = 31
_MOST_MEMBERS = 100
"""The most members of one packed file; reading each copies the rest. Real files have a few."""
_LINE_END = re.compile(rb"[\r\n]")
_CHUNK = 1024 * 1024
"""Bytes; older parsers read an unfinished tag from its start again with every piece."""
_MOST_ELEMENTS = 1_000_000
_DEEPEST = 32
_LONGEST = 2_048
"""Letters of an address (sitemaps.org: "less than 2,048 characters")."""
_NO_SITEMAP = "No sitemap stands there, but {}."
_MOST_CHILDREN = 2_000
"""Children that are kept of an index."""
_MOST_PROBLEMS = 20
_SAME_FROM = 10
_NAMESPACE = re.compile(r"https?://(www\.)?sitemaps\.org/schemas/sitemap/0\.9/?")
_OLD_NAMESPACE = re.compile(r"https?://www\.google\.com/schemas/sitemap/0\.84")
_FEEDS = frozenset({"rss", "feed", "RDF"})
_XHTML = "http://www.w3.org/1999/xhtml"
"""The namespace whose ``link`` names the language versions of an entry."""
_MOST_ALTERNATES = 200
_LONGEST_TAG = 60
_LASTMOD = re.compile(
    r"(?P<day>\d{4}(?:-\d{2}(?:-\d{2})?)?)"
    r"(?:(?<=-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?"
)


Alternates: TypeAlias = Sequence[tuple[str, str]]
"""Language and address, as they are written."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a sitemap is read for."""

    pages: frozenset[str]
    """The page, and its canonical address, as ``same_as`` has them."""
    host: str
    secure: bool
    """Whether the page is https."""
    now: dt.datetime


def read_sitemap(data: bytes, most_bytes: int, sought: Sought, *, whole: bool) -> SitemapFile:
    """``most_bytes`` of it, unpacked; it is not ``whole`` when its end was not fetched."""
    tally = _Tally(sought, cut=not whole)
    pieces = _Pieces(data, most_bytes)
    first = next(iter(pieces), b"")
    if not whole:
        tally.object("It is so large that only its beginning was read.")
    if _is_page(first):
        tally.object(_NO_SITEMAP.format("a page of HTML"))
    elif _is_text(first):
        _read_text(first, pieces, tally)
    else:
        _Reader(tally).read(first, pieces, whole=whole)
    if pieces.too_large:
        tally.cut = True
        tally.object(f"Unpacked it is larger than the {most_bytes >> 20} MiB that are allowed.")
    if pieces.broken:
        tally.cut = True
        tally.object("It is packed, and cannot be unpacked to its end.")
    return tally.result()


@dataclass(slots=True)
class _Tally:
    """What was counted so far."""

    sought: Sought
    kind: str = ""
    cut: bool = False
    """Whether not all of it was read."""
    entries: int = 0
    children: list[str] = field(default_factory=list)
    lists_page: bool = False
    page_lastmod: str = ""
    alternates: dict[tuple[str, str], None] = field(default_factory=dict)
    lastmods: Counter[str] = field(default_factory=Counter)
    future: int = 0
    bad_lastmods: int = 0
    foreign: int = 0
    insecure: int = 0
    unreadable: int = 0
    too_long: int = 0
    problems: dict[str, None] = field(default_factory=dict)

    def object(self, problem: str) -> None:
        """Note a problem, once."""
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems[problem] = None

    def entry(self, address: str, lastmod: str, alternates: Alternates = ()) -> None:
        """Count one entry of either kind; its language versions are kept when it is the page."""
        self.entries += 1
        if lastmod:
            self._date(lastmod)
        where = host(address)
        if not where:
            self.unreadable += 1
            return
        self.too_long += len(address) >= _LONGEST
        if self.kind == "index":
            self.children += [address] if len(self.children) < _MOST_CHILDREN else []
            return
        self.foreign += where != self.sought.host
        self.insecure += self.sought.secure and address.startswith("http:")
        if same_as(address) in self.sought.pages:
            self.lists_page = True
            self.page_lastmod = lastmod[:40] if _moment(lastmod) else ""
            self.alternates.update(dict.fromkeys(alternates))

    def result(self) -> SitemapFile:
        """Judge what was read, and return it."""
        self._judge()
        dated = sum(self.lastmods.values())
        return SitemapFile(
            kind=self.kind,
            entries=self.entries,
            children=tuple(self.children),
            lists_page=self.lists_page,
            page_lastmod=self.page_lastmod,
            alternates=tuple(self.alternates),
            with_lastmod=dated,
            future_lastmods=self.future,
            same_lastmod=dated >= _SAME_FROM and len(self.lastmods) == 1,
            foreign=self.foreign,
            insecure=self.insecure,
            problems=tuple(self.problems),
        )

    def _date(self, lastmod: str) -> None:
        moment = _moment(lastmod)
        if moment is None:
            self.bad_lastmods += 1
            return
        # Beyond a few a set of dates says no more; a hostile one would only grow.
        if lastmod in self.lastmods or len(self.lastmods) < _SAME_FROM:
            self.lastmods[lastmod] += 1
        else:
            self.lastmods["others"] += 1
        self.future += moment > self.sought.now + dt.timedelta(days=1)

    def _judge(self) -> None:
        if self.kind and not self.entries and not self.cut:
            self.object("It lists nothing.")
        if self.entries > MOST_ENTRIES:
            self.object(f"It has more than the {MOST_ENTRIES:,} entries that are allowed.")
        for count, what in (
            (self.unreadable, "no whole address, with https:// and host"),
            (self.too_long, "an address longer than 2,047 characters"),
            (self.bad_lastmods, "a lastmod that is no date of W3C's format"),
        ):
            if count:
                self.object(f"{count:,} {'entry has' if count == 1 else 'entries have'} {what}.")


class _Pieces:
    """The bytes of a file, unpacked where they are packed, up to a bound."""

    def __init__(self, data: bytes, most: int) -> None:
        self._left = most
        self._pieces = self._unpacked(data) if data.startswith(_GZIP) else _cut(data)
        self.too_large = False
        self.broken = False

    def __iter__(self) -> Iterator[bytes]:
        """A reader that stops may go on where it stopped."""
        for piece in self._pieces:
            if len(piece) > self._left:
                self.too_large = True
                return
            self._left -= len(piece)
            yield piece

    def _unpacked(self, data: bytes) -> Iterator[bytes]:
        """A piece at a time, for a few bytes may unpack to gigabytes; one member after another."""
        for _ in range(_MOST_MEMBERS):
            unpacker = zlib.decompressobj(_WITH_GZIP_HEAD)
            yield from self._member(unpacker, data)
            data = unpacker.unused_data
            if self.broken or not data.startswith(_GZIP):
                return
        self.broken = True

    def _member(self, unpacker: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
        while not unpacker.eof and not self.broken:
            try:
                piece = unpacker.decompress(data, _CHUNK)
            except zlib.error:
                self.broken = True
                return
            data = unpacker.unconsumed_tail
            self.broken = not piece and not data and not unpacker.eof
            yield piece


def _cut(data: bytes) -> Iterator[bytes]:
    for start in range(0, len(data), _CHUNK):
        yield data[start : start + _CHUNK]


def _is_page(first: bytes) -> bool:
    """Whether it is HTML: single-page sites answer any address with their page."""
    head = first.removeprefix(codecs.BOM_UTF8).lstrip()[:16].lower()
    return head.startswith((b"<!doctype html", b"<html"))


def _is_text(first: bytes) -> bool:
    """Whether it is a list of addresses, one a line."""
    return first.removeprefix(codecs.BOM_UTF8).lstrip()[:8].lower().startswith(b"http")


def _read_text(first: bytes, pieces: _Pieces, tally: _Tally) -> None:
    tally.kind = "text"
    rest = b""
    for piece in chain([first.removeprefix(codecs.BOM_UTF8)], pieces):
        *lines, rest = _LINE_END.split(rest + piece)
        _count(lines, tally)
        # A line without end counts by its beginning alone: it is no address any more.
        rest = rest[: _LONGEST + 1]
        if tally.entries > MOST_ENTRIES:
            return
    _count([rest], tally)


def _count(lines: list[bytes], tally: _Tally) -> None:
    for line in lines:
        address = line[: _LONGEST + 1].decode("utf-8", "replace").strip()
        if address and tally.entries <= MOST_ENTRIES:
            tally.entry(address, "")


class _Stop(Exception):
    """Raised when nothing more of the file is of use."""


class _Reader:
    """Feeds XML to expat and an account of its entries to a tally."""

    def __init__(self, tally: _Tally) -> None:
        self._tally = tally
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._letters = 0
        self._elements = 0
        self._entry: dict[str, str] = {}
        self._alternates: list[tuple[str, str]] = []

    def read(self, first: bytes, pieces: _Pieces, *, whole: bool) -> None:
        """The end of a file that is not whole is no mistake of the site's."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._refuse
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._hear
        try:
            for piece in chain([first.lstrip()], pieces):
                parser.Parse(piece, False)
            if whole and not pieces.too_large and not pieces.broken:
                parser.Parse(b"", True)
        except _Stop:
            pass
        except expat.ExpatError as error:
            self._tally.object(_mistake(error))
            self._tally.cut = True

    def _refuse(self, *declared: object) -> None:
        del declared
        self._tally.object("It declares a document type, as no sitemap has to: it was not read.")
        raise _Stop

    def _open(self, name: str, attributes: Mapping[str, str]) -> None:
        self._elements += 1
        space, _, local = name.rpartition(" ")
        self._path.append(local)
        if len(self._path) == 1:
            self._begin(space, local)
        elif len(self._path) > _DEEPEST or self._elements > _MOST_ELEMENTS:
            self._tally.object("It holds more elements than were read.")
            self._tally.cut = True
            raise _Stop
        elif len(self._path) == 2:
            self._entry, self._alternates = {}, []
        elif len(self._path) == 3:
            self._open_part(space, local, attributes)

    def _open_part(self, space: str, local: str, attributes: Mapping[str, str]) -> None:
        """One element of an entry."""
        if local in {"loc", "lastmod"} and _is_ours(space):
            self._text, self._letters = [], 0
        elif local == "link" and space == _XHTML and "alternate" in attributes.get("rel", ""):
            tag, address = attributes.get("hreflang", "").strip(), attributes.get("href", "")
            if tag and len(self._alternates) < _MOST_ALTERNATES:
                self._alternates.append((tag[:_LONGEST_TAG], address.strip()[:_LONGEST]))

    def _begin(self, space: str, local: str) -> None:
        if local in _FEEDS:
            self._tally.object("It is a feed, which search engines take too; it was not read.")
            raise _Stop
        if local not in {"urlset", "sitemapindex"}:
            self._tally.object(_NO_SITEMAP.format("something else"))
            raise _Stop
        self._tally.kind = "index" if local == "sitemapindex" else "urlset"
        if not space:
            self._tally.object("Its root does not name the namespace of sitemaps.")
        elif not _NAMESPACE.fullmatch(space):
            self._tally.object("Its root names another namespace than that of sitemaps.")

    def _hear(self, text: str) -> None:
        if self._text is not None and self._letters <= _LONGEST:
            self._letters += len(text)
            self._text.append(text)

    def _close(self, name: str) -> None:
        del name
        local = self._path.pop()
        if self._text is not None and len(self._path) == 2:
            self._entry.setdefault(local, "".join(self._text).strip())
            self._text = None
        elif len(self._path) == 1 and local in {"url", "sitemap"}:
            loc, lastmod = self._entry.get("loc", ""), self._entry.get("lastmod", "")
            self._tally.entry(loc, lastmod, self._alternates)
            if self._tally.entries > MOST_ENTRIES:
                raise _Stop


def _is_ours(space: str) -> bool:
    """Whether an element is the sitemap's own, and not, say, of an image in it."""
    return not space or bool(_NAMESPACE.fullmatch(space) or _OLD_NAMESPACE.fullmatch(space))


def _mistake(error: expat.ExpatError) -> str:
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
        return "It is empty."
    return f"It is no well-formed XML: line {error.lineno}, column {error.offset}."


@lru_cache(maxsize=1024)
def _moment(lastmod: str) -> dt.datetime | None:
    """The first moment of a date, in UTC; None for what is no date of W3C's format."""
    found = _LASTMOD.fullmatch(lastmod)
    if not found:
        return None
    day = found["day"] + "-01-01"[len(found["day"]) - 4 :]
    try:
        moment = dt.datetime.fromisoformat(day + lastmod[len(found["day"]) :])
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
