"""A bundle holds everything that a verdict rests on, so that anyone can draw it again.

It holds facts, not sources: what engines told, with secrets masked, as the scan had it. A report
that is drawn from it needs no engine, no network and no repository.
"""

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from mergegate import __version__
from mergegate.core.check import Missing
from mergegate.core.errors import UsageError
from mergegate.core.finding import Finding
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import (
    EngineRun,
    Fix,
    PolicyInForce,
    Proofs,
    RefusedFix,
    Report,
    Section,
    Target,
)
from mergegate.core.score import FailOn, decided, held_to
from mergegate.core.severity import Aspect, Severity
from mergegate.core.strict_json import strict_json
from mergegate.core.tree import Link, Skipped, SourceFile, Tree
from mergegate.packages.dependencies import Dependencies, PythonAudit, Vulnerabilities
from mergegate.repo import rules
from mergegate.repo.assemble import Assembly
from mergegate.repo.checks import all_checks
from mergegate.repo.examine import Examined, examined, is_asked
from mergegate.repo.facts.code import CodeFile, CodeMatches, CodeMetrics, Duplication, Markers
from mergegate.repo.facts.documents import Documents, Rendered, Workflows
from mergegate.repo.facts.imported import Imported
from mergegate.repo.facts.policy import PolicyFiles
from mergegate.repo.facts.resources import Resources
from mergegate.repo.imported import check as imported_check
from mergegate.repo.settings import Policy
from mergegate.repo.summary import Said
from mergegate.repo.wire import SectionReader, no_section, to_json
from mergegate.sandbox.engines.runner import Gatherings, Search
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.found import Secrets

LARGEST_BYTES = 512 << 20
FACTS: Mapping[str, type] = {
    one.__name__: one
    for one in (
        CodeMatches,
        CodeMetrics,
        Dependencies,
        Documents,
        Duplication,
        Imported,
        Markers,
        PolicyFiles,
        PythonAudit,
        Rendered,
        Resources,
        Secrets,
        Vulnerabilities,
        Workflows,
    )
}
"""Every fact that a check may need, by its name in a bundle; that of the tree is its files."""
_NOWHERE = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """A :class:`Search`, sorted."""

    engine: str
    aspects: tuple[Aspect, ...]
    searched: tuple[str, ...]
    limited: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One examined tree."""

    files: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    links: tuple[Link, ...]
    limits: tuple[str, ...]
    facts: Mapping[str, Any]
    missing: Mapping[str, Missing]
    runs: tuple[EngineRun, ...]
    limited: tuple[Skipped, ...]
    searches: tuple[_Search, ...]
    marks: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bundle:
    mergegate_bundle: Literal[1]
    """The version of the format."""
    tool_version: str
    result: str
    """The report as the API's JSON, the site of a change included."""
    fail_on: FailOn | None
    """What was asked to stop the merge; None where nobody asked."""
    target: Target
    aspects: tuple[Aspect, ...]
    policy: Mapping[str, Any]
    in_force: PolicyInForce
    today: dt.date
    base_date: str
    renames: Mapping[str, str]
    change: Mapping[str, int] | None
    stops_at: Severity | None
    fixes: tuple[Fix, ...]
    refused_fixes: tuple[RefusedFix, ...]
    summary: str | None
    """In a model's words; None where code's own stand."""
    head: _Side
    before: _Side | None


_ADAPTER = TypeAdapter(_Bundle)


def render(report: Report) -> str:
    """The bundle of ``report``, one line of JSON; raises UsageError for one that was read."""
    basis = report.basis
    if not isinstance(basis, Assembly):
        raise UsageError(
            "a report of another machine holds no facts, so there is no bundle of it",
            remedy="Scan here, without --remote.",
        )
    if basis.target.only:
        raise UsageError(
            "a bundle holds what the verdict on a repository rests on, and only a part was scanned",
            remedy="Scan the whole repository.",
        )
    if basis.known is not None:
        raise UsageError(
            "a bundle holds what a verdict rests on, and whoever wrote the baseline file does not"
            " tell what that rests on",
            remedy="Scan without --baseline, or measure the change with --base.",
        )
    bundle = _Bundle(
        mergegate_bundle=1,
        tool_version=__version__,
        result=to_json(report),
        fail_on=FailOn(report.decided.fail_on) if report.decided else None,
        target=basis.target,
        aspects=tuple(sorted(basis.aspects)),
        policy=basis.policy.model_dump(mode="json", by_alias=True),
        in_force=basis.in_force,
        today=basis.today,
        base_date=basis.base_date,
        renames=basis.renames,
        change=None if basis.change is None else dict(sorted(basis.change.items())),
        stops_at=report.comparison.stops_at if report.comparison else None,
        fixes=report.fixes,
        refused_fixes=report.refused_fixes,
        summary=report.summary if report.summary_source == "model" else None,
        head=_side(basis.head),
        before=_side(basis.before) if basis.before else None,
    )
    return _ADAPTER.dump_json(bundle).decode() + "\n"


def digest(bundle: str) -> str:
    """The SHA-256 of a bundle, hexadecimal: what an attestation names it by."""
    return hashlib.sha256(bundle.encode()).hexdigest()


def _placeless(file: SourceFile) -> SourceFile:
    """``file``, and the programs in it, without their places on this machine."""
    return replace(file, location=_NOWHERE, programs=tuple(map(_placeless, file.programs)))


def _side(one: Examined) -> _Side:
    tree, gathered = one.tree, one.gathered
    facts = {kind.__name__: fact for kind, fact in gathered.facts.items() if kind is not Tree}
    return _Side(
        files=tuple(map(_placeless, tree.files)),
        skipped=tree.skipped,
        links=tree.links,
        limits=tree.limits,
        facts={
            name: TypeAdapter(FACTS[name]).dump_python(_plain(fact), mode="json")
            for name, fact in sorted(facts.items())
            if not isinstance(fact, Missing)
        },
        missing={name: fact for name, fact in sorted(facts.items()) if isinstance(fact, Missing)},
        runs=gathered.runs,
        limited=gathered.limited,
        searches=tuple(
            _Search(
                engine=search.engine,
                aspects=tuple(sorted(search.aspects)),
                searched=tuple(sorted(search.searched)),
                limited=search.limited,
            )
            for search in gathered.searches
        ),
        marks=one.marks,
    )


def _plain(fact: Any) -> Any:
    """Without rules, which are the product's, and proposed edits, which may repeat a secret."""
    if not isinstance(fact, CodeMatches):
        return fact
    files = tuple(
        CodeFile(
            file.path,
            file.role,
            replace(
                file.found, matches=tuple(replace(one, fix=None) for one in file.found.matches)
            ),
        )
        for file in fact.files
    )
    return CodeMatches(files)


@dataclass(frozen=True, slots=True)
class Replay:
    """A report that was drawn again."""

    report: Report
    differences: tuple[str, ...]
    """What is not as the bundle says, a sentence each; empty when every byte is."""


def replay(
    file: Path, section: SectionReader = no_section, fail_on: FailOn | None = None
) -> Replay:
    """Draw the report of the bundle in ``file`` again; raises UsageError where it is none.

    ``section`` reads what the site of a change came to, ``fail_on`` stands in for what was asked.
    """
    bundle = _read(file)
    try:
        return _drawn(bundle, section, fail_on)
    except (LookupError, TypeError, ValueError) as error:  # pydantic's among them
        raise UsageError(
            f"{file} holds facts that this version of Mergegate cannot judge",
            remedy="`mergegate scan --format bundle=FILE` writes others.",
        ) from error


def _drawn(bundle: _Bundle, section: SectionReader, fail_on: FailOn | None) -> Replay:
    assembly = Assembly(
        bundle.target,
        _examined(bundle.head, bundle),
        _examined(bundle.before, bundle) if bundle.before else None,
        frozenset(bundle.aspects),
        Policy.model_validate(bundle.policy),
        REPOSITORY,
        bundle.today,
        lambda *_: Proofs(fixes=bundle.fixes, refused=bundle.refused_fixes),
        bundle.base_date,
        bundle.renames,
        bundle.in_force,
        bundle.change,
        lambda said: Said(bundle.summary, "model") if bundle.summary else Said(said),
    )
    said = strict_json(bundle.result.encode())
    report = replace(assembly.report(said["createdAt"], said["completedAt"]), basis=assembly)
    report = held_to(report, bundle.stops_at, REPOSITORY)
    report = replace(report, site=_site(said.get("site"), section))
    differences = tuple(_differences(bundle, said, report))
    asked = fail_on or bundle.fail_on
    return Replay(decided(report, asked, REPOSITORY) if asked else report, differences)


def _site(said: Mapping[str, Any] | None, section: SectionReader) -> Section | None:
    try:
        return None if said is None else section(said)
    except ValueError as error:  # pydantic's among them
        raise UsageError("what the bundle says of the site cannot be read") from error


def _read(file: Path) -> _Bundle:
    try:
        content = read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}", remedy="Name a file that you may read."
        ) from error
    try:
        bundle = _ADAPTER.validate_python(strict_json(content))
        strict_json(bundle.result.encode())["createdAt"]
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{file} is no bundle of this version of Mergegate",
            remedy="`mergegate scan --format bundle=FILE` writes one.",
        ) from error
    return bundle


def _examined(side: _Side, bundle: _Bundle) -> Examined:
    tree = Tree(side.files, side.skipped, side.links, side.limits)
    facts: dict[type, Any] = {Tree: tree}
    for name, said in side.facts.items():
        fact: Any = TypeAdapter(FACTS[name]).validate_python(said)
        is_code = isinstance(fact, CodeMatches)
        facts[FACTS[name]] = replace(fact, rules=dict(rules.catalogue().rules)) if is_code else fact
    facts |= {FACTS[name]: missing for name, missing in side.missing.items()}
    searches = tuple(
        Search(one.engine, frozenset(one.aspects), frozenset(one.searched), one.limited)
        for one in side.searches
    )
    checks = [one for one in all_checks() if is_asked(one, frozenset(bundle.aspects))]
    if Imported in facts:
        checks.append(imported_check(bundle.aspects))

    def mark(found: Any) -> list[Finding]:
        if len(found) != len(side.marks):
            raise UsageError("the facts of the bundle and its findings do not belong together")
        return [
            replace(one, group_key=key, snippet=snippet)
            for one, (key, snippet) in zip(found, side.marks, strict=True)
        ]

    gathered = Gatherings(facts, side.runs, side.limited, searches)
    return examined(tree, gathered, checks, Policy.model_validate(bundle.policy), mark)


def _differences(bundle: _Bundle, said: Mapping[str, Any], report: Report) -> list[str]:
    again = to_json(report)
    if again == bundle.result:
        return []
    drawn = json.loads(again)
    names = sorted(name for name in drawn.keys() | said.keys() if drawn.get(name) != said.get(name))
    told = [f"{', '.join(names) or 'its layout'} came out otherwise"]
    if bundle.tool_version != __version__:
        told.append(f"the bundle is of Mergegate {bundle.tool_version}, this is {__version__}")
    return told
