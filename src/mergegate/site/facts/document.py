"""What an HTML document holds, read once for every check; all of it is hostile text.

Addresses are absolute, resolved against the document's base, unless a field says otherwise; those
that cannot be read are empty. Texts are trimmed, inner white space collapsed. Elements stand in the
order of the document, and beyond fixed numbers they are left out (``cut`` says so).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Region(StrEnum):
    """Which part of a page something stands in, by its landmarks."""

    MAIN = "main"
    """Inside ``main`` or ``article``, or in neither of the others."""
    HEADER = "header"
    NAVIGATION = "navigation"
    ASIDE = "aside"
    FOOTER = "footer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """A ``meta`` element."""

    kind: str
    """``name``, ``property``, ``http-equiv`` or ``charset``: the attribute that names it."""
    name: str
    """Its value in small letters."""
    content: str
    in_head: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A ``link`` element."""

    rels: frozenset[str]
    """In small letters."""
    href: str
    raw_href: str = ""
    """The address as written in the page."""
    hreflang: str = ""
    media: str = ""
    type: str = ""
    integrity: str = ""
    crossorigin: str | None = None
    """None without the attribute."""
    in_head: bool = True
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An ``a`` or ``area`` with ``href``."""

    href: str
    raw_href: str = ""
    text: str = ""
    """What is read aloud: its text, else ``aria-label``, the ``alt`` of its image, ``title``."""
    rels: frozenset[str] = frozenset()
    target: str = ""
    region: Region = Region.MAIN
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """``h1`` to ``h6``."""

    level: int
    text: str
    block: int = 0
    """How many blocks of the document stand before it."""
    region: Region = Region.MAIN
    hidden: bool = False
    """Whether ``hidden`` or an inline style says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An ``img``."""

    src: str
    alt: str | None = None
    """None without the attribute."""
    width: str = ""
    height: str = ""
    loading: str = ""
    srcset: bool = False
    decorative: bool = False
    """Whether role or ``aria-hidden`` marks it as decoration."""
    linked: bool = False
    """Whether it is all that a link holds."""
    region: Region = Region.MAIN
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A ``script``."""

    src: str = ""
    """Empty for an inline one."""
    text: str = ""
    """The text of an inline script."""
    type: str = ""
    """In small letters."""
    integrity: str = ""
    crossorigin: str | None = None
    nonce: str = ""
    deferred: bool = False
    """``async``, ``defer`` or a module."""
    in_head: bool = False
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A field of a form."""

    name: str
    type: str
    """In small letters; ``select``, ``textarea`` and ``button`` for those elements."""
    value: str = field(default="", repr=False)
    """The value of a hidden field, shortened: it may be a secret, and no report shows it."""
    autocomplete: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A ``form``."""

    action: str
    method: str = "get"
    """In small letters."""
    inputs: tuple[Input, ...] = ()
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Anything else that the document makes a browser load."""

    url: str
    kind: str
    """Its element: ``img``, ``iframe``, ``audio``, ``video``, ``source``, ``track``, ``object``,
    ``embed``, ``style`` (a style sheet) or ``css`` (an address in a ``style`` element)."""
    sandbox: str | None = None
    """The ``sandbox`` attribute of an ``iframe``; None without it."""
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A paragraph, list item, cell, quotation or other piece of running text, visible."""

    text: str
    tag: str
    heading: int = -1
    """Which of ``Document.headings`` it stands under; -1 for none."""
    region: Region = Region.MAIN
    bold: tuple[str, ...] = ()
    """What is set in ``strong`` or ``b`` in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLd:
    """One ``application/ld+json`` script."""

    data: object = None
    """What it says: dictionaries, lists, texts, numbers; None when it cannot be read."""
    error: str = ""
    """Why it cannot be read: one clause, and the line."""
    text: str = field(default="", repr=False)
    selector: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A thing that microdata or RDFa Lite describes."""

    types: tuple[str, ...]
    """The types as written: addresses, or names of the vocabulary."""
    properties: Mapping[str, tuple["str | Item", ...]]
    syntax: str
    """``microdata`` or ``rdfa``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document, read."""

    url: str
    """Where it came from, redirects followed."""
    base: str = ""
    """What its addresses are resolved against."""
    doctype: bool = True
    lang: str = ""
    """The language of the root element, as written."""
    titles: tuple[str, ...] = ()
    """Each ``title`` outside of ``svg``."""
    title_in_head: bool = True
    metas: tuple[Meta, ...] = ()
    links: tuple[Link, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    headings: tuple[Heading, ...] = ()
    images: tuple[Image, ...] = ()
    scripts: tuple[Script, ...] = ()
    forms: tuple[Form, ...] = ()
    resources: tuple[Resource, ...] = ()
    blocks: tuple[Block, ...] = ()
    json_ld: tuple[JsonLd, ...] = ()
    items: tuple[Item, ...] = ()
    """The outermost ones."""
    times: tuple[str, ...] = ()
    """``datetime`` of each ``time``."""
    text: str = field(default="", repr=False)
    """Everything a visitor may read, shortened."""
    handlers: int = 0
    """Elements with an inline event handler (``onclick``…)."""
    inline_styles: int = 0
    """Elements with a ``style`` attribute."""
    noscript: str = ""
    """What is said where scripts do not run, shortened."""
    nodes: int = 0
    """Elements."""
    html_bytes: int = 0
    cut: tuple[str, ...] = ()
    """Which of the fields above are not complete."""

    @property
    def title(self) -> str:
        """The one that browsers show; empty when there is none."""
        return self.titles[0] if self.titles else ""

    def meta(self, name: str) -> str:
        """The content of the first ``meta`` of this name or property; empty when there is none."""
        return next((meta.content for meta in self.metas if meta.name == name), "")

    def linked(self, rel: str) -> tuple[Link, ...]:
        """Every ``link`` with this relation."""
        return tuple(link for link in self.links if rel in link.rels)
