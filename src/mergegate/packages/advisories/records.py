"""One OSV record (schema 1.x) as the few values that Mergegate keeps of it."""

import datetime as dt
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mergegate.packages.advisories import cvss
from mergegate.packages.advisories.flaw import flaw
from mergegate.packages.dependencies import AdvisoryRecord, AffectedRange
from mergegate.packages.ecosystems import package_key
from mergegate.packages.readers.documents import items, text_of, words

MAX_SUMMARY = 200
MAX_REFERENCES = 6
MAX_EVENTS = 2_000
MAX_VERSIONS = 20_000
MAX_IMPORTS = 100
"""A record that names more may as well mean all of the package."""

MAX_SYMBOLS = 500

_ECOSYSTEM = re.compile(r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,60}\Z")
_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9:._-]{1,120}\Z")
_IMPORT = re.compile(r"^[\w.~/-]{1,300}\Z", re.ASCII)
_FUNCTION = re.compile(r"^(?:[a-z_]\w*::)*\w{1,200}\Z")
"""A function of a Go package, or of a Rust module: the name before it begins in lower case."""
_DATE = re.compile(r"^[12]\d{3}-\d\d-\d\dT")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_EVENTS = ("introduced", "fixed", "last_affected", "limit")
_LABELS = {
    "CRITICAL": "critical",
    "HIGH": "high",
    "MODERATE": "medium",
    "MEDIUM": "medium",
    "LOW": "low",
}
# CWE-506 "Embedded Malicious Code" and its kinds: Trojan horses, worms, trapdoors, bombs, spyware.
_MALWARE_CWE = frozenset(f"CWE-{number}" for number in range(506, 513))
_MALWARE_CATEGORY = "malicious"
"""RustSec's."""
_MALWARE_ORIGINS = "malicious-packages-origins"
"""The OpenSSF's list of malicious packages says by it who reported one."""
# How databases without such a mark begin: all of these, and no flaw, among 15,000 real records.
_MALWARE_WORDS = re.compile(
    r"^(?:embedded )?(?:malware|malicious (?:code|package|crate|version|release)s?)\b"
    r"|\bremoved from \S+ (?:for|due to) (?:malicious|malware)"
    r"|\bnew malicious (?:release|version)s?\b"
    r"|\b(?:releases|versions)(?: of \S+)?(?: were)?(?: published)? contain(?:ed|ing)?"
    r"(?: [\w-]+){0,3} mal(?:ware|icious)\b",
    re.IGNORECASE,
)
_EXPLOITED_LIST = "/known-exploited-vulnerabilities"
_SAFE_LINK = re.compile(r"^https?://[\w.-]+(/[^\s<>\"'`|]*)?\Z")
# The advisory and its fix tell more than a list of mentions.
_LINK_ORDER = {"ADVISORY": 0, "FIX": 1, "REPORT": 2, "WEB": 3, "ARTICLE": 3}


@dataclass(frozen=True, slots=True)
class Imported:
    """A record as it concerns one package."""

    ecosystem: str
    name: str
    """The name as ``package_key`` spells it."""
    record: AdvisoryRecord


class MalformedError(ValueError):
    """A record that is not of OSV's shape."""


def read_record(document: object) -> tuple[Imported, ...]:
    """One entry a package of the record; none when it was withdrawn; raises MalformedError."""
    record = _table(document)
    if not _ID.match(text_of(record.get("id"))) or not _version_1(record):
        raise MalformedError("it has no id, or is not of OSV's schema 1")
    affected = record.get("affected", [])
    if not isinstance(affected, list):
        raise MalformedError("its affected is no list")
    if record.get("withdrawn"):
        return ()
    groups: dict[tuple[str, str], list[dict[str, object]]] = {}
    for part in affected:
        entry = _table(part)
        ecosystem, name = _package(entry)
        if ecosystem:
            groups.setdefault((ecosystem, package_key(ecosystem, name)), []).append(entry)
    return tuple(
        Imported(ecosystem, name, _record(record, parts))
        for (ecosystem, name), parts in sorted(groups.items())
    )


def is_withdrawn(document: object) -> bool:
    """Whether the database took the record back."""
    return isinstance(document, dict) and bool(document.get("withdrawn"))


def modified(document: object) -> str:
    """When the record was last changed, else published, ISO 8601; empty if it says neither.

    Go's own repository leaves year 1 for the publisher to fill in.
    """
    record = document if isinstance(document, dict) else {}
    stated = (text_of(record.get("modified")), text_of(record.get("published")))
    return next((when for when in stated if _is_moment(when)), "")


def _is_moment(text: str) -> bool:
    try:
        return bool(_DATE.match(text) and len(text) <= 40 and dt.datetime.fromisoformat(text))
    except ValueError:
        return False


def _version_1(record: dict[str, object]) -> bool:
    return text_of(record.get("schema_version", "1.0.0")).split(".")[0] == "1"


def _package(entry: dict[str, object]) -> tuple[str, str]:
    """Ecosystem without its release (``Debian:12``) and name; empty for commits alone."""
    package = _table(entry.get("package", {}))
    ecosystem = text_of(package.get("ecosystem")).partition(":")[0]
    name = text_of(package.get("name"))
    usable = _ECOSYSTEM.match(ecosystem) and 0 < len(name) <= 300
    return (ecosystem, _plain(name)) if usable else ("", "")


def _record(record: dict[str, object], parts: list[dict[str, object]]) -> AdvisoryRecord:
    ref = text_of(record.get("id"))
    scores = (cvss.score(vector) for vector in _vectors(record, parts))
    score = max((known for known in scores if known is not None), default=None)
    aliases = {a for a in words(record.get("aliases")) if _ID.match(a)}
    return AdvisoryRecord(
        id=ref,
        aliases=tuple(sorted(aliases - {ref})),
        summary=_summary(record),
        severity=_severity(record, parts, score),
        cvss=score,
        cwe=_cwe(record),
        references=_references(record),
        informational=_informational(parts),
        malicious=_malicious(record, parts, (ref, *aliases)),
        known_exploited=_known_exploited(record, parts),
        imprecise=_imprecise(parts),
        published=text_of(record.get("published"))[:40],
        modified=modified(record),
        ranges=tuple(_ranges(parts)),
        versions=_versions(parts),
        imports=_imports(parts),
        symbols=_symbols(parts),
    )


def _vectors(record: dict[str, object], parts: list[dict[str, object]]) -> Iterator[str]:
    for holder in (record, *parts):
        for entry in items(holder.get("severity")):
            yield text_of(_table(entry).get("score"))


def _severity(
    record: dict[str, object], parts: list[dict[str, object]], score: float | None
) -> str:
    """The rating of the score, else the database's own word; empty if neither is stated."""
    if score:
        return cvss.rating(score)
    labels = [_specific(record, "severity"), *(_specific(part, "severity") for part in parts)]
    return next((_LABELS[w.upper()] for w in labels if w.upper() in _LABELS), "")


def _specific(holder: dict[str, object], key: str) -> str:
    return text_of(_specifics(holder).get(key))


def _specifics(holder: dict[str, object], key: str = "database_specific") -> dict[str, object]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _summary(record: dict[str, object]) -> str:
    """One line: the summary, else what of the details says what the flaw is."""
    line = _prose(record, "summary") or flaw(_prose(record, "details"))
    if len(line) <= MAX_SUMMARY:
        return line
    return f"{line[: MAX_SUMMARY - 1].rpartition(' ')[0] or line[: MAX_SUMMARY - 1]}…"


def _prose(record: dict[str, object], key: str) -> str:
    return _plain(re.sub(r"[#*`]+", "", text_of(record.get(key))[:2000]))


def _cwe(record: dict[str, object]) -> tuple[str, ...]:
    ids = words(_specifics(record).get("cwe_ids"))
    return tuple(sorted(cwe for cwe in set(ids) if re.match(r"^CWE-\d{1,5}$", cwe)))


def _references(record: dict[str, object]) -> tuple[str, ...]:
    """Links that are safe to show, the most telling kinds first."""
    links: dict[str, int] = {}
    for entry in items(record.get("references")):
        link, kind = text_of(_table(entry).get("url")), text_of(_table(entry).get("type"))
        if _SAFE_LINK.match(link) and len(link) <= 500:
            links.setdefault(link, _LINK_ORDER.get(kind, 4))
    return tuple(sorted(links, key=lambda link: links[link]))[:MAX_REFERENCES]


def _informational(parts: Iterable[dict[str, object]]) -> str:
    """RustSec's word when every part of the record says that it is no vulnerability."""
    told = {_specific(part, "informational") for part in parts}
    return _plain(told.pop())[:40] if len(told) == 1 else ""


def _malicious(
    record: dict[str, object], parts: list[dict[str, object]], names: Iterable[str]
) -> bool:
    """Whether the package was made to do harm, by a mark of the database or by its words."""
    if any(name.startswith("MAL-") for name in names) or _MALWARE_CWE & {*_cwe(record)}:
        return True
    for specific in map(_specifics, (record, *parts)):
        if _MALWARE_CATEGORY in words(specific.get("categories")) or _MALWARE_ORIGINS in specific:
            return True
    return bool(_MALWARE_WORDS.search(_prose(record, "summary") or _prose(record, "details")))


def _known_exploited(record: dict[str, object], parts: list[dict[str, object]]) -> bool:
    """Said in so many words, or by a link to the catalogue of exploited vulnerabilities."""
    for specific in map(_specifics, (record, *parts)):
        if specific.get("known_exploited") is True or specific.get("cisa_kev") is True:
            return True
    links = (text_of(_table(entry).get("url")) for entry in items(record.get("references")))
    return any(_EXPLOITED_LIST in link for link in links)


def _imprecise(parts: Iterable[dict[str, object]]) -> bool:
    """Go's database: the versions that are meant are no module versions (``custom_ranges``)."""
    return any(_specifics(part, "ecosystem_specific").get("custom_ranges") for part in parts)


def _ranges(parts: Iterable[dict[str, object]]) -> Iterator[AffectedRange]:
    for part in parts:
        for entry in items(part.get("ranges")):
            piece = _table(entry)
            kind = text_of(piece.get("type"))
            if kind in ("SEMVER", "ECOSYSTEM"):
                yield AffectedRange(kind, tuple(_events(piece)))


def _events(piece: dict[str, object]) -> Iterator[tuple[str, str]]:
    events = items(piece.get("events"))
    if not events or len(events) > MAX_EVENTS:
        raise MalformedError("a range has no events, or too many")
    for entry in events:
        event = _table(entry)
        named = [(name, event[name]) for name in _EVENTS if name in event]
        if len(named) != 1 or not isinstance(named[0][1], str):
            raise MalformedError("an event is none of OSV's four")
        yield named[0][0], named[0][1]


def _versions(parts: Iterable[dict[str, object]]) -> tuple[str, ...]:
    found = sorted({version for part in parts for version in words(part.get("versions"))})
    if len(found) > MAX_VERSIONS:
        raise MalformedError(f"it lists more than {MAX_VERSIONS} versions")
    return tuple(found)


def _imports(parts: Iterable[dict[str, object]]) -> tuple[str, ...]:
    """Go's database: the module's packages that are affected; none where a part names none."""
    told = [items(_specifics(part, "ecosystem_specific").get("imports")) for part in parts]
    if not all(told):
        return ()
    paths = {text_of(_table(one).get("path")) for entries in told for one in entries}
    usable = all(_IMPORT.match(path) for path in paths)
    return tuple(sorted(paths)) if usable and len(paths) <= MAX_IMPORTS else ()


def _symbols(parts: Iterable[dict[str, object]]) -> tuple[str, ...]:
    """The functions that alone are affected, by their last names; none where a part names none.

    None either where methods are among them: an interface, trait or operator calls those unnamed.
    Go's database lists what leads to the flaw from outside as well.
    """
    told: set[str] = set()
    for part in parts:
        specific = _specifics(part, "ecosystem_specific")
        affects = specific.get("affects")
        functions = words(affects.get("functions")) if isinstance(affects, dict) else ()
        lists = [words(_table(one).get("symbols")) for one in items(specific.get("imports"))]
        lists += [functions] if functions else []
        if not lists or not all(lists):
            return ()
        told |= {name for names in lists for name in names}
    if len(told) > MAX_SYMBOLS or not all(map(_FUNCTION.match, told)):
        return ()
    return tuple(sorted({name.rpartition("::")[2] for name in told}))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", _CONTROLS.sub(" ", text)).strip()


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise MalformedError("an object is expected")
    return value
