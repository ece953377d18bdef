"""What a scan saw: its receipt, and why that may be too little for a verdict."""

import datetime as dt
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from mergegate.core.check import Unrun
from mergegate.core.data_table import read_lists
from mergegate.core.languages import LANGUAGES, is_code, language_of
from mergegate.core.report import FRESH_DAYS, Coverage, LanguageCoverage, Package, Unassessed
from mergegate.core.severity import Aspect, Category
from mergegate.core.tree import Link, Reason, Role, Skipped, SourceFile, Tree
from mergegate.packages.dependencies import (
    EPSS,
    KEV,
    AdvisorySource,
    Dependencies,
    Unresolved,
    Vulnerabilities,
)
from mergegate.repo.examine import Examined
from mergegate.repo.facts.code import Marker, MarkerKind, Markers
from mergegate.repo.policy import matches
from mergegate.repo.search_map import Gap, SearchMap, has_rules, known
from mergegate.repo.settings import POLICY_FILE
from mergegate.sandbox.files.stage import read_regular

LARGEST_SETTINGS_BYTES = 1024 * 1024
"""Larger files of values are data: what runs settings takes none of that size."""
_MOST_NAMED = 5
_NOT_OURS = frozenset({Role.VENDORED, Role.GENERATED})
_NAMED_ONLY = frozenset({Reason.LANGUAGE, Reason.POLICY, Reason.SYNTAX})
"""Causes that no file alone makes a scan incomplete for."""
_KNOWN_BY_READERS = frozenset({Aspect.DEPENDENCIES, Aspect.IAC})
_CATEGORIES = {
    Category.SECURITY: (frozenset({Aspect.CODE, Aspect.SECRETS}), "no file was searched for it"),
    Category.DEPENDENCY: (
        frozenset({Aspect.DEPENDENCIES}),
        "no lock file or manifest was read",
    ),
    Category.QUALITY: (frozenset({Aspect.QUALITY}), "no source file was measured"),
    Category.IAC: (frozenset({Aspect.IAC}), "no file of infrastructure was read"),
}
_UNREAD = {
    name: re.compile("|".join(f"(?:{one})" for one in patterns), re.IGNORECASE)
    for name, patterns in read_lists(Path(__file__).with_name("unread.toml")).items()
}

# A lock file that a tool generated is as real as one written by hand.
_SHIPPED = frozenset({Role.SOURCE, Role.GENERATED})


def coverage(examined: Examined, aspects: frozenset[Aspect], today: dt.date) -> Coverage:
    """The receipt of one tree that was examined for ``aspects``."""
    tree, facts, seen = examined.tree, examined.gathered.facts, examined.map
    scanned = seen.paths
    here, asked = in_line(examined), known(facts, Vulnerabilities)
    resolved = known(facts, Dependencies)
    return Coverage(
        files_seen=len({*_paths(tree.files), *_paths(tree.skipped), *_paths(tree.links)}),
        files_scanned=len(scanned),
        bytes_scanned=sum(file.size for file in tree.files if file.path in scanned),
        skipped=tree.skipped,
        limited=examined.gathered.limited,
        limits=(*tree.limits, *asked.guesses, *_staleness(asked.sources, today)),
        languages=_languages(tree, seen),
        unread=_unread(tree, seen, examined.gathered.limited),
        unassessed=_unassessed(seen, aspects),
        unresolved=tuple(map(_unresolved, resolved.unresolved)),
        inline_suppressions=len({(path, one.line) for path, on in here.items() for one in on}),
        lowered=_lowered(tree),
        advisories_date=asked.data_date[:10] or None,
        advisories_age_days=_age(asked.data_date, today),
    )


def _paths(known: Sequence[SourceFile | Skipped | Link]) -> Iterator[str]:
    return (one.path for one in known)


def _lowered(tree: Tree) -> Mapping[str, int]:
    """How many files have which role but source, in order of roles."""
    counts = Counter(file.role for file in tree.files)
    return {role.value: counts[role] for role in Role if role is not Role.SOURCE and counts[role]}


def inventory(examined: Examined) -> tuple[Package, ...]:
    """Every package the repository resolves, in order of files; empty when no engine read them."""
    resolved = known(examined.gathered.facts, Dependencies)
    return tuple(
        Package(
            file=one.file,
            ecosystem=one.ecosystem,
            name=one.written,
            version=one.version,
            direct=one.direct,
            shipped=one.role in _SHIPPED and not one.dev,
            licence=one.licence,
        )
        for one in resolved.packages
    )


def in_line(examined: Examined) -> Mapping[str, tuple[Marker, ...]]:
    """The in-line suppressions of each file that holds any."""
    files = known(examined.gathered.facts, Markers).files
    found = {file.path: file.of(MarkerKind.SUPPRESSION) for file in files}
    return {path: markers for path, markers in found.items() if markers}


def _unresolved(one: Unresolved) -> Skipped:
    where = f"line {one.line}: " if one.line else ""
    return Skipped(one.file, f"{where}{one.text} ({one.why})")


def _age(date: str, today: dt.date) -> int | None:
    """Days since ``date``; None where none is known."""
    return max((today - dt.date.fromisoformat(date[:10])).days, 0) if date else None


def _staleness(sources: Sequence[AdvisorySource], today: dt.date) -> Iterator[str]:
    """A warning for each ecosystem in use whose advisories miss younger ones."""
    for one in sources:
        age = _age(one.newest, today)
        is_list = one.ecosystem in {KEV, EPSS}
        what = f"entries of {one.ecosystem}" if is_list else f"advisories on {one.ecosystem}"
        missed = "attacks" if is_list else "vulnerabilities"
        if age is None:
            yield f"how old the {what} are is not known"
        elif age > FRESH_DAYS:
            yield (
                f"{what} are {age:,} days old: newer {missed} are not known; renew them by"
                " `mergegate advisories update`, or take a newer image"
            )


def _unread(tree: Tree, seen: SearchMap, limited: Iterable[Skipped]) -> tuple[Skipped, ...]:
    """Infrastructure, lock files and manifests that nothing reads and no engine names.

    They are known by name, or are templates of what would be read.
    """
    named = {one.path for one in limited}
    infrastructure = (
        Skipped(file.path, f"{kind}: not read", file.size, Reason.LANGUAGE)
        for file in tree.files
        if (kind := _unread_kind(file.path))
    )
    others = (
        Skipped(gap.path, gap.reason, cause=gap.cause)
        for gap in seen.gaps
        if gap.search in _KNOWN_BY_READERS and gap.cause is Reason.LANGUAGE
        if gap.path not in named
    )
    return tuple(sorted({*infrastructure, *others}))


@cache
def _unread_kind(path: str) -> str | None:
    rooted = f"/{path}"
    return next((name for name, pattern in _UNREAD.items() if pattern.search(rooted)), None)


def _languages(tree: Tree, seen: SearchMap) -> tuple[LanguageCoverage, ...]:
    """The programming languages of ``tree``, most lines first."""
    by_language: dict[str, list[SourceFile]] = defaultdict(list)
    for file in tree.files:
        if file.language and is_code(file.language):
            by_language[file.language].append(file)
    reasons = {gap.path: gap.reason for gap in seen.gaps if gap.search is Aspect.CODE}
    rows = [_language(name, files, seen, reasons) for name, files in by_language.items()]
    return tuple(sorted(rows, key=lambda row: (-row.lines, row.language)))


def _language(
    name: str, files: Sequence[SourceFile], seen: SearchMap, reasons: Mapping[str, str]
) -> LanguageCoverage:
    searched = seen.searched[Aspect.CODE]
    why = Counter(reasons[file.path] for file in files if file.path in reasons)
    return LanguageCoverage(
        language=name,
        files=len(files),
        lines=sum(file.lines for file in files),
        searched=sum(file.path in searched for file in files),
        reason=min(why, key=lambda one: (-why[one], one)) if why else "",
    )


def _unassessed(seen: SearchMap, asked: frozenset[Aspect]) -> tuple[Unassessed, ...]:
    """The categories that nothing was searched for."""
    return tuple(
        Unassessed(
            category=category,
            reason=reason if aspects & asked else "it was not asked for",
        )
        for category, (aspects, reason) in _CATEGORIES.items()
        if not any(seen.searched[one] for one in aspects)
    )


def added_lines(head: Tree, before: Tree, changed: frozenset[str]) -> Mapping[str, int]:
    """Each path of ``changed`` with how many lines of code it has that its base did not have."""
    files, old = ({file.path: file for file in tree.files} for tree in (head, before))
    counts = dict.fromkeys(changed, 0)
    for path in changed & files.keys():
        if is_code(files[path].language):
            counts[path] = (_lines(files[path]) - _lines(old.get(path))).total()
    return counts


def _lines(file: SourceFile | None) -> Counter[bytes]:
    return Counter(read_regular(file.location, file.size).splitlines()) if file else Counter()


_NOTHING = (
    "no file was searched, so there is nothing that a verdict could rest on. Give the folder of a"
    " repository, and see what `paths` in its policy leaves out"
)


def unproved(
    seen: SearchMap,
    tree: Tree,
    aspects: frozenset[Aspect],
    accepted: Sequence[str],
    change: Mapping[str, int] | None,
) -> tuple[Unrun, ...]:
    """Why what was searched for ``aspects`` is too little to pass.

    ``accepted`` holds languages and globs whose gaps the team has accepted; ``change`` the touched
    paths with their added lines, None without a base.
    """
    if not seen.paths:
        return (_unrun(_NOTHING),)
    return (
        *(_blind_languages(tree, accepted, change) if Aspect.CODE in aspects else ()),
        *_touched(seen, accepted, frozenset(change or ()) | _left_behind(seen, tree)),
    )


def _unrun(reason: str) -> Unrun:
    return Unrun("coverage", reason)


def _blind_languages(
    tree: Tree, accepted: Sequence[str], change: Mapping[str, int] | None
) -> Iterator[Unrun]:
    lines, blind = without_rules(tree, accepted, change)
    if 3 * blind.total() <= lines:
        return
    whose = "source lines" if change is None else "source lines that this change adds"
    named = ", ".join(f"{name} ({count:,})" for name, count in blind.most_common() if count)
    yield _unrun(
        f"{blind.total():,} of {lines:,} {whose} are in languages without rules: {named}. "
        + _way_out([name for name, count in blind.most_common() if count], change is not None)
    )


def without_rules(
    tree: Tree, accepted: Sequence[str] = (), change: Mapping[str, int] | None = None
) -> tuple[int, Counter[str]]:
    """The source lines of ``tree``, and those of each language that no rule is for.

    More than a third of them leaves a scan incomplete. Of a ``change`` its added lines count.
    """
    lines, blind = 0, Counter[str]()
    for file in tree.files:
        if file.language is None or not is_code(file.language) or file.role in _NOT_OURS:
            continue
        weight = file.lines if change is None else change.get(file.path, 0)
        lines += weight
        if not has_rules(file) and not _accepts(accepted, file.path):
            blind[file.language] += weight
    return lines, blind


def _left_behind(seen: SearchMap, tree: Tree) -> frozenset[str]:
    """What a commit of the change brought and a later one took away: the history alone names it."""
    here = tree.paths | {one.path for one in tree.skipped}
    return frozenset(gap.path for gap in seen.gaps) - here


def _touched(seen: SearchMap, accepted: Sequence[str], change: frozenset[str]) -> Iterator[Unrun]:
    gaps: dict[str, Gap] = {}
    for gap in _by_file(seen.gaps, change):
        if gap.path in change and _matters(gap) and not _accepts(accepted, gap.path):
            gaps.setdefault(gap.path, gap)
    for gap in list(gaps.values())[:_MOST_NAMED]:
        way_out = _way_out([gap.path], of_base=True)
        yield _unrun(f"{gap.path}, which this change touches: {gap.reason}. {way_out}")
    if len(gaps) > _MOST_NAMED:
        yield _unrun(f"{len(gaps) - _MOST_NAMED:,} more files that this change touches")


def _by_file(gaps: Iterable[Gap], change: frozenset[str]) -> Iterator[Gap]:
    """``gaps``; for a folder the files of ``change`` below it."""
    for gap in gaps:
        if gap.path.endswith("/"):
            below = sorted(path for path in change if path.startswith(gap.path))
            yield from (replace(gap, path=path) for path in below)
        else:
            yield gap


def _matters(gap: Gap) -> bool:
    """Whether what runs or configures something went unsearched, its language aside."""
    language = language_of(gap.path)
    if gap.cause in _NAMED_ONLY or language is None:
        return False
    return is_code(language) or gap.size <= LARGEST_SETTINGS_BYTES


def _accepts(accepted: Sequence[str], path: str) -> bool:
    globs = [one for one in accepted if one not in LANGUAGES]
    return language_of(path) in accepted or matches(path, globs)


def _way_out(names: Sequence[str], of_base: bool) -> str:
    listed = ", ".join(name if name in LANGUAGES else f'"{name}"' for name in names)
    where = f"the base's {POLICY_FILE}" if of_base else POLICY_FILE
    return f"To accept it, add to {where}: `accept-unsearched: [{listed}]`"
