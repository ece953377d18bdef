"""What is known of the settings of resources: which are safe, and what happens without them.

The entries are data, by provider or tool and service; ``README.md`` says how one is written.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path

from mergegate.core.compiled import Knowledge
from mergegate.core.data_table import joined, parsed, read_lists
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.facts.resources import Dialect, dialect_of

_FOLDER = Path(__file__).parent
WRITTEN = Knowledge(_FOLDER, ("*/*.toml",), parsed)
"""The entries as they are written."""
_LIST = "@"
_STEP = re.compile(r'"([^"]+)"|[^."]+')


@dataclass(frozen=True, kw_only=True)
class Demand:
    """What a value is held to; each part that is given has to hold."""

    one_of: tuple[str, ...] = ()
    """Every value is one of these."""
    any_of: tuple[str, ...] = ()
    """Some value is one of these."""
    none_of: tuple[str, ...] = ()
    """No value is one of these."""
    beyond: tuple[str, ...] = ()
    """Some value is none of these."""
    has: tuple[str, ...] = ()
    """Each of these is among the values."""
    matches: str = ""
    """Every value is as the regular expression says, from end to end."""
    lacks: tuple[str, ...] = ()
    """Nothing in a value is as one of these regular expressions says."""
    secret: bool | None = None
    """Whether a value is a secret that is written out; what stands there is masked."""
    at_least: int | None = None
    at_most: int | None = None
    covers: tuple[str, ...] = ()
    """Some value is a port or a range of ports that holds one of these."""
    avoids: tuple[str, ...] = ()
    """No value is a port or a range of ports that holds one of these."""
    present: bool | None = None
    """Whether there is a value at all."""

    @classmethod
    def parse(cls, text: str) -> "Demand":
        """The one value that is meant."""
        return cls(one_of=(text,))

    def __post_init__(self) -> None:
        """Put lists in the place of their names."""
        for name in ("one_of", "any_of", "none_of", "beyond", "has", "covers", "avoids", "lacks"):
            if values := getattr(self, name):
                object.__setattr__(self, name, _written_out(values))


@dataclass(frozen=True, kw_only=True)
class Condition(Demand):
    """What another setting beside the judged one has to be."""

    setting: str
    to: str = ""
    """With ``covers``: the setting that holds the range's other end."""
    absent: bool = False
    """Whether the condition holds where the setting is absent."""
    partly: bool = False
    """Whether what is known of a value that is decided elsewhere is enough: the parts of a text
    that are written here, or the address of the resource that provides it."""


@dataclass(frozen=True, kw_only=True)
class Companion:
    """A resource that decides the matter by standing beside the judged one."""

    kinds: tuple[str, ...]
    through: str = ""
    """Its setting that refers to the judged resource; without one it concerns all beside it."""
    name: str = ""
    """The way in the judged resource to the value by which the companion may name it."""
    only_where: tuple[Condition, ...] = ()
    """What the companion's own settings have to be."""


class Absent(StrEnum):
    """What the provider does where a setting is absent."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Settings of one or several kinds of resource, and what each of them has to be."""

    kinds: tuple[str, ...]
    """Types, of which the settings mean the same: of one dialect, or of several whose rule has one
    id."""
    settings: tuple[str, ...]
    """The ways to the settings: names of blocks and attributes joined by dots."""
    each: str = ""
    """The blocks that are judged one by one: every other way begins in such a block."""
    safe: Demand
    absent: Absent
    only_where: tuple[Condition, ...] = ()
    unless_beside: tuple[Companion, ...] = ()
    only_beside: tuple[Companion, ...] = ()
    """Resources of which one has to stand beside it: else what is missing may be elsewhere."""
    once: bool = False
    """Whether one finding a file is enough: of a habit that a team has or has not."""
    written_here: bool = False
    """Whether a policy of a data block is left to where it stands."""
    severity: Severity | None = None
    """The severity of these settings, where it is milder than the entry says."""
    value: str = ""
    """What a fix sets, where several values are safe."""
    bad: tuple[str, ...]
    """Bodies of resources that are told."""
    good: tuple[str, ...]
    """Bodies of resources that are not."""

    @property
    def dialect(self) -> Dialect:
        """What the kinds are of."""
        return dialect_of(self.kinds[0])

    @property
    def ways(self) -> Iterator[str]:
        """Every way that is looked at."""
        yield from (self.each, *self.settings)
        for condition in self.only_where:
            yield from (condition.setting, condition.to)

    @property
    def wanted(self) -> str:
        """The one value that a fix sets; empty where there is not one."""
        only = self.safe.one_of[0] if len(self.safe.one_of) == 1 else ""
        return self.value or only


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One rule about settings."""

    id: str
    title: str
    severity: Severity
    """The worst that a finding of it can have."""
    milder: Mapping[Severity, str] = field(default_factory=dict)
    by_purpose: Mapping[str, Severity] = field(default_factory=dict)
    """The severity in a Dockerfile whose image is for something else than to serve."""
    confidence: Confidence = Confidence.HIGH
    cwe: str
    wrong: str
    """What is wrong and what follows, a sentence without its full stop."""
    remedy: str
    """What to do, in whole sentences."""
    references: tuple[str, ...]
    cloudformation: str = ""
    """The rule's id in templates of CloudFormation, where that is another one."""
    does: str = ""
    """What the fix does, as a sentence; empty where none is proposed."""
    caution: str = ""
    """What else the fix changes that somebody may rely on, as a sentence."""
    unless: str = ""
    """What in a resource tells that the fix would break it, as a regular expression."""
    subjects: tuple[Subject, ...]

    def rule_id(self, dialect: Dialect) -> str:
        """The id under which it is told."""
        is_other = dialect is Dialect.CLOUDFORMATION and self.cloudformation
        return self.cloudformation if is_other else self.id


@cache
def steps(way: str) -> tuple[str, ...]:
    """The names of a way; one that has dots itself stands in quotes, as in TOML."""
    return tuple(match[1] or match[0] for match in _STEP.finditer(way))


@cache
def _lists() -> Mapping[str, tuple[str, ...]]:
    return read_lists(_FOLDER / "lists.toml")


def listed_values(name: str) -> tuple[str, ...]:
    """The values of one of the lists."""
    return _lists()[name]


def _written_out(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values as they are compared; one that begins with ``@`` is a list's name."""
    return tuple(
        text
        for one in values
        for text in (listed_values(one.removeprefix(_LIST)) if one.startswith(_LIST) else (one,))
    )


@cache
def entries() -> Mapping[str, Entry]:
    """Every entry, by its id."""
    return joined(WRITTEN.said(), Entry)


@cache
def subjects() -> Mapping[str, tuple[tuple[Entry, Subject], ...]]:
    """What is judged of each kind of resource."""
    by_kind: dict[str, list[tuple[Entry, Subject]]] = defaultdict(list)
    for entry in entries().values():
        for subject in entry.subjects:
            for kind in subject.kinds:
                by_kind[kind].append((entry, subject))
    return {kind: tuple(each) for kind, each in by_kind.items()}


@cache
def by_rule() -> Mapping[str, Entry]:
    """The entries by every id under which they are told."""
    return {one.rule_id(dialect): one for one in entries().values() for dialect in Dialect}
