"""What gives a technology away, read from the rule files beside this module."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

_VERSION = re.compile(r"[vVr]?(\d[\w.+-]{0,39})", re.ASCII)
_GROUP = re.compile(r"\\(\d)(?:\?([^:]*):(.*))?", re.ASCII)
_MARK = r"\;"


@dataclass(frozen=True, slots=True)
class Name:
    """Something that is there or not (a selector, a host, a technology), and what that means."""

    text: str
    version: str = ""
    """The version that its presence tells."""
    confidence: int = 100
    """1–100."""


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""An expression with tags behind it: ``jquery-([\d.]+)\;version:\1\;confidence:50``."""

    expression: re.Pattern[str]
    """Of lines: ``^``, ``$`` and ``.`` keep to one; addresses stand one a line."""
    version: str = ""
    r"""How to write the version: ``\1``, a constant, or a choice such as ``\1?2:1``."""
    confidence: int = 100
    """1–100."""

    def version_in(self, match: re.Match[str]) -> str:
        """The version that ``match`` tells; empty when it tells none."""
        return clean_version(_GROUP.sub(lambda mark: _written(mark, match), self.version))


def parse_name(written: str) -> Name:
    """The name of ``written``. Raises ValueError when its tags are none."""
    text, *tags = written.split(_MARK)
    return Name(text, *_meaning(written, tags))


def parse(written: str) -> Pattern:
    """The pattern of ``written``. Raises ValueError when it is none."""
    text, *tags = written.split(_MARK)
    try:
        expression = re.compile(text, re.ASCII | re.IGNORECASE | re.MULTILINE)
    except re.error as error:
        raise ValueError(f"{written!r}: {error}") from error
    return Pattern(expression, *_meaning(written, tags))


def clean_version(text: str) -> str:
    """``text`` without a leading ``v`` when it is a plain version, else nothing.

    Pages are hostile: a version is a digit and up to 39 letters, digits, dots, plus signs, hyphens.
    """
    match = _VERSION.fullmatch(text.strip())
    return match[1].rstrip(".-+") if match else ""


def _meaning(written: str, tags: list[str]) -> tuple[str, int]:
    """Version and confidence that ``tags`` tell."""
    said = {name: value for name, _, value in (tag.partition(":") for tag in tags)}
    if unknown := said.keys() - {"version", "confidence"}:
        raise ValueError(f"{written!r}: unknown tags {sorted(unknown)}")
    confidence = int(said.get("confidence", "100"))
    if not 1 <= confidence <= 100:
        raise ValueError(f"{written!r}: confidence is 1-100")
    return said.get("version", ""), confidence


def _written(mark: re.Match[str], match: re.Match[str]) -> str:
    number, present, absent = mark.groups()
    value = (match[int(number)] if int(number) <= match.re.groups else "") or ""
    return value if present is None else (present if value else absent)


FOLDER = Path(__file__).with_name("rules")
_WHOLE_VALUE = r"(.*)\;version:\1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Something to read of the elements that a selector matches."""

    selector: str
    attribute: str = ""
    path: str = ""
    """Of properties, such as ``__vue_app__.version``; a last ``*`` is any ending of the name."""
    pattern: Pattern

    @property
    def key(self) -> str:
        """Its name among the readings of the traces."""
        kind = f"@{self.attribute}" if self.attribute else f"!{self.path}"
        return self.selector + kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The evidence for one technology; any piece of it is enough."""

    name: str
    categories: tuple[str, ...]
    website: str
    headers: Mapping[str, Pattern]
    """By name in small letters; of the main document."""
    cookies: tuple[Pattern, ...]
    """Of whole names."""
    metas: Mapping[str, Pattern]
    addresses: tuple[Pattern, ...]
    """Of anything that was loaded, from wherever."""
    paths: tuple[Pattern, ...]
    """Of what was loaded from the site itself: a picture of someone else's tells nothing."""
    hosts: tuple[Name, ...]
    """Domains from which something was loaded; sub-domains count."""
    sites: tuple[Name, ...]
    """Domains under which the site itself lives."""
    html: tuple[Pattern, ...]
    globals: Mapping[str, Pattern]
    """By JavaScript path; an empty expression asks for existence."""
    selectors: tuple[Name, ...]
    elements: tuple[Element, ...]
    implies: tuple[Name, ...]
    """Names of what comes with it."""
    requires: tuple[str, ...]
    """Names; without one of them this is no evidence."""
    excludes: tuple[str, ...]
    """Names of what it looks like but is not."""


@cache
def rules() -> Mapping[str, Signature]:
    """All rules by name, in the order of the files.

    Raises ValueError on a name that stands twice, or on a pattern that is none.
    """
    found: dict[str, Signature] = {}
    for file in sorted(FOLDER.glob("*.toml")):
        for rule in _read(file):
            if rule.name in found:
                raise ValueError(f"{file.name}: {rule.name} has a rule already")
            found[rule.name] = rule
    return found


def _read(file: Path) -> Iterator[Signature]:
    for name, said in tomllib.loads(file.read_text("utf-8")).items():
        yield _rule(name, said)


def _rule(name: str, said: Mapping[str, object]) -> Signature:
    if unknown := said.keys() - {field.name for field in fields(Signature)} - {"versions"}:
        raise ValueError(f"{name}: unknown {sorted(unknown)}")
    return Signature(
        name=name,
        categories=_words(said.get("categories", ())),
        website=str(said.get("website", "")),
        headers=_by_name(said.get("headers", {})),
        cookies=_patterns(said.get("cookies", ())),
        metas=_by_name(said.get("metas", {})),
        addresses=_patterns(said.get("addresses", ())),
        paths=_patterns(said.get("paths", ())),
        hosts=_names(said.get("hosts", ())),
        sites=_names(said.get("sites", ())),
        html=_patterns(said.get("html", ())),
        globals={**_versions(said.get("versions", ())), **_by_name(said.get("globals", {}))},
        selectors=_names(said.get("selectors", ())),
        elements=_elements(said.get("elements", ())),
        implies=_names(said.get("implies", ())),
        requires=_words(said.get("requires", ())),
        excludes=_words(said.get("excludes", ())),
    )


def _words(said: object) -> tuple[str, ...]:
    if not isinstance(said, list | tuple):
        raise ValueError(f"{said!r} is no list")
    return tuple(str(one) for one in said)


def _patterns(said: object) -> tuple[Pattern, ...]:
    return tuple(parse(one) for one in _words(said))


def _names(said: object) -> tuple[Name, ...]:
    return tuple(parse_name(one) for one in _words(said))


def _by_name(said: object) -> Mapping[str, Pattern]:
    if not isinstance(said, dict):
        raise ValueError(f"{said!r} is no table")
    return {str(name): parse(str(one)) for name, one in said.items()}


def _versions(paths: object) -> Mapping[str, Pattern]:
    """Paths that need no expression: what they hold is the version."""
    return {path: parse(_WHOLE_VALUE) for path in _words(paths)}


def _elements(said: object) -> tuple[Element, ...]:
    if not isinstance(said, list | tuple):
        raise ValueError(f"{said!r} is no list")
    return tuple(
        Element(
            selector=one["selector"],
            attribute=one.get("attribute", ""),
            path=one.get("property", ""),
            pattern=parse(one.get("pattern", "")),
        )
        for one in said
    )
