"""JavaScript libraries with published weaknesses."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mergegate.core.severity import Confidence, Severity
from mergegate.site.security.checks.flaw import RULES, flaw
from mergegate.site.security.facts import LibraryAdvisory, SecurityFacts, UsedLibrary
from mergegate.site.security.report import Flaw
from mergegate.site.words import listed

_RULE = RULES["library-vulnerable"]
_FOUND_BY = {"content": "by its content", "url": "by its address", "file name": "by its file name"}
_NEVER = "999"
"""How the data says that no version is without the weakness."""
_LAST = {"angularjs": (1, 8, 3)}
"""The last version that anyone can get; what is mended later is sold (HeroDevs)."""
_MOST_IDS = 4


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a library and version that something is known against.

    What a library can do wrong need not be reachable in this page, so even a critical advisory
    makes no more than a high flaw.
    """
    return (_flaw(one) for one in facts.libraries if one.advisories)


def _flaw(library: UsedLibrary) -> Flaw:
    worst = library.advisories[0]
    return flaw(
        replace(_RULE, reference=worst.reference or _RULE.reference),
        library.url,
        _message(library),
        key=f"{library.name} {library.version}",
        title=f"{library.name} {library.version} has known weaknesses",
        evidence=f"{library.name} {library.version}, {_FOUND_BY[library.found_by]}",
        severity=min(worst.severity, Severity.HIGH),
        confidence=Confidence.MEDIUM if library.found_by == "file name" else Confidence.HIGH,
        remedy=_remedy(library),
    )


def _message(library: UsedLibrary) -> str:
    known = library.advisories
    count = len({one.ids or one.summary for one in known})  # one may have several lines of versions
    weaknesses = "weakness" if count == 1 else "weaknesses"
    worst = known[0].summary.rstrip(".")
    return f"{count} known {weaknesses}{_named(known)}, the worst: {worst}."


def _named(known: Sequence[LibraryAdvisory]) -> str:
    """The first of their numbers, in brackets; some have none."""
    ids = list(dict.fromkeys(one.ids[0] for one in known if one.ids))
    rest = len(ids) - _MOST_IDS
    shown = [*ids[:_MOST_IDS], f"{rest} more"] if rest > 0 else ids
    return f" ({listed(shown)})" if shown else ""


def _remedy(library: UsedLibrary) -> str:
    """The newest of the versions that end one: an older line may have been mended as well."""
    mended = [one for one in library.advisories if _is_mended(library.name, one)]
    never = len(mended) < len(library.advisories)
    if not mended:
        return f"Replace {library.name}: no version of it is without this."
    newest = max(mended, key=_order).fixed_in
    rest = "; for some of it no version is mended" if never else ""
    return f"Update {library.name} to {newest} or newer{rest}."


def _is_mended(name: str, advisory: LibraryAdvisory) -> bool:
    last = _LAST.get(name)
    never = advisory.fixed_in.startswith(_NEVER)
    return not never and (last is None or _order(advisory) <= last)


def _order(advisory: LibraryAdvisory) -> tuple[int, ...]:
    numbers = advisory.fixed_in.replace("-", ".").split(".")
    return tuple(int(one) for one in numbers if one.isdigit())
