"""Every kind of secret that is told, in trees and in pages: one TOML file a topic, data alone.

Examples are templates, so that no scanner takes them for secrets: ``<alnum:24>`` stands for as
many random characters of an alphabet (``alnum``, ``letters``, ``lower``, ``upper``, ``digits``,
``hex``, ``HEX``, ``base32``, ``base36``, ``bech32``), ``<x:24>`` for one character again and
again, ``<uuid>``, ``<jwt>`` and ``<snowflake>`` for what they say, ``<crc62>`` and ``<crc32>`` for
GitHub's and Grafana's checksum of what precedes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mergegate.core.data_table import read_tables
from mergegate.core.severity import Confidence


class Family(Enum):
    """Secrets that weigh alike."""

    TOKEN = "token"
    PUBLIC = "public"
    """Meant to be seen, or good for tests alone, or short-lived."""
    KEY = "key"
    LOCKED_KEY = "locked key"
    PASSWORD = "password"
    """Judged by name and context."""
    HASH = "hash"
    DEFAULT = "default"
    """A password that everybody would guess first."""


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What values of a detector look like, as a word of their own."""

    leads: str
    """Short patterns that announce it, blanks between; one stands in every match, at most 100
    characters in. ``~`` before a literal: it stands in the middle of a word."""
    pattern: str = ""
    """The secret is group ``value``, else the whole match."""
    confidence: Confidence = Confidence.HIGH
    hit: str
    """A text that holds one, as a template."""
    near_miss: str
    """A text that holds none, although it resembles one."""
    plugin: str = ""
    """The name of a detect-secrets class that is used in place of a pattern."""
    only: str = ""
    """Found in those of the plugin's patterns that count."""
    open_ended: bool = False
    """Values of today are longer than the plugin knows."""
    proof: str = ""
    """A name in ``checksums.PROOFS``: what the value's own digits prove."""
    unproven: Confidence | None = None
    """What is left when the proof fails; None drops the match."""
    after: str = ""
    """Found in the 120 characters before a match."""


@dataclass(frozen=True)
class Literal:
    """A value without a shape, behind a text that tells whose it is; tried wherever that stands."""

    literal: str
    pattern: str
    """Matches from the literal on; the secret is group ``value``."""
    hit: str
    near_miss: str


@dataclass(frozen=True)
class Named:
    """A value that is this detector's under a name which announces a secret."""

    name: str
    """Found in the name, in lower case."""
    pattern: str
    """The whole value."""
    hit: str
    near_miss: str


@dataclass(frozen=True)
class Nearby:
    """Words in a page that turn a nearby find of another detector into one of this detector."""

    other: str
    """The other detector."""
    words: str
    """Found in 400 characters around, in lower case."""
    pattern: str
    """The whole value."""
    hit: str
    near_miss: str


@dataclass(frozen=True)
class Public:
    """Its maker means it to be seen in a browser."""

    restrict: str
    """What makes that safe, one sentence."""
    reference: str
    """The maker's page that says so."""


Look = Shape | Literal | Named | Nearby


@dataclass(frozen=True, kw_only=True)
class Detector:
    """One kind of secret: what it is called, looks like and weighs, in trees and in pages.

    Without any look, code of this package finds it by context or format.
    """

    id: str
    """Kebab-case and permanent."""
    title: str
    issuer: str = ""
    """Where it is revoked; empty where no service issues it."""
    family: Family = Family.TOKEN
    public: Public | None = None
    by_context: bool = False
    """Whether names and context make it one, so that a path can explain it away."""
    in_trees: bool = True
    """False: only a page is searched for it; in a tree it has another name."""
    in_documentation: bool = False
    """Whether documentation tells it, too: it names what it opens, and an example says so."""
    in_pages: bool = True
    """False: in a page such values are examples, digests of files and what a form begins with."""
    lookalike: bool = False
    """Whether digests in scripts may have its shape, or it opens nothing by itself."""
    shapes: tuple[Shape, ...] = ()
    literals: tuple[Literal, ...] = ()
    names: tuple[Named, ...] = ()
    nearby: tuple[Nearby, ...] = ()

    @property
    def looks(self) -> tuple[Look, ...]:
        """All that tell it, of every kind."""
        return (*self.shapes, *self.literals, *self.names, *self.nearby)


DETECTORS: Mapping[str, Detector] = read_tables(Path(__file__).parent, Detector)
"""The detectors by id; scans, rules and reports take all they need to know from here."""
