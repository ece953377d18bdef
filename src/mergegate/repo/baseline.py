"""A baseline file: the findings that are known, for repositories without a history to ask.

It holds who each finding is (rule, file, fingerprint) and how bad it was, and neither source nor
message. Against it a finding is new, existing or fixed as it is against a base.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from mergegate.core.check import Unrun
from mergegate.core.errors import EngineFailed, UsageError
from mergegate.core.finding import Finding, Place
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.strict_json import LARGEST_BYTES, MOST_ELEMENTS, foreign_json
from mergegate.repo.policy import matches, weigh
from mergegate.repo.settings import Label, Policy
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.places import shown_fact

_FORMAT = "mergegateBaseline"
_VERSION = 1
_REMEDY = "`mergegate scan --write-baseline FILE` writes one."

_Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{20}$")]
_Text = Annotated[str, StringConstraints(max_length=4096)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Known(_Strict):
    """Who one finding is, and how bad it was."""

    rule: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    file: _Text
    id: _Digest
    key: _Digest
    """What equal findings share (``Finding.group_key``)."""
    severity: Label
    confidence: Literal["high", "medium", "low"]
    anywhere: bool = False
    lines: Annotated[list[_Text], Field(min_length=2, max_length=10_000)] | None = None
    """The lines of evidence that is a list: of it some may go without its being another."""


class _Baseline(_Strict):
    version: Annotated[int, Field(alias=_FORMAT)]
    aspects: Annotated[list[Annotated[Aspect, Field(strict=False)]], Field(min_length=1)]
    findings: Annotated[list[_Known], Field(max_length=MOST_ELEMENTS)]


def write(findings: Iterable[Finding], unrun: Collection[Unrun], aspects: Iterable[Aspect]) -> str:
    """The text of the baseline that knows ``findings``: one line each, the same for the same ones.

    Raises EngineFailed where something did not run, and UsageError where there are too many.
    """
    if unrun:
        raise EngineFailed(
            f"no baseline is written, for not all was looked at: {next(iter(unrun)).reason}",
            remedy="Mend that, or leave the part out with --only.",
        )
    known = [json.dumps(_said(one), ensure_ascii=False) for one in _ordered(findings)]
    if len(known) > MOST_ELEMENTS:
        raise UsageError(
            f"a baseline holds at most {MOST_ELEMENTS:,} findings, and there are {len(known):,}",
            remedy="Exclude what is not yours with `paths: exclude:` in the policy.",
        )
    parts = json.dumps(sorted(aspects))
    lines = ",\n".join(f"    {one}" for one in known)
    inside = f"\n{lines}\n  " if known else ""
    return f'{{\n  "{_FORMAT}": {_VERSION},\n  "aspects": {parts},\n  "findings": [{inside}]\n}}\n'


def _ordered(findings: Iterable[Finding]) -> list[Finding]:
    """By file and rule, so that a difference of two baselines reads well; then worst first."""
    return sorted(findings, key=lambda one: (one.place.file, one.rule_id, one.order))


def _said(one: Finding) -> Mapping[str, object]:
    lines = one.evidence.split("\n")
    said = {
        "rule": one.rule_id,
        "file": one.place.file,
        "id": one.id,
        "key": one.group_key,
        "severity": one.severity.label,
        "confidence": one.confidence.label,
        "anywhere": one.anywhere,
        "lines": list(shown_fact(tuple(lines))) if len(lines) > 1 else None,
    }
    return _Known.model_validate(said).model_dump(mode="json", exclude_defaults=True)


def read(
    file: Path,
    aspects: frozenset[Aspect],
    policy: Policy,
    rules: Mapping[str, Rule],
    *,
    imports: bool,
) -> tuple[Finding, ...]:
    """The findings that the baseline in ``file`` knows, as a scan for ``aspects`` would find them.

    Left out is what such a scan cannot find: of another part, of a rule that is off or is no more,
    in files that ``policy`` excludes, and what another scanner told, unless the scan ``imports``.
    Raises UsageError for a file that is no baseline, and for one that knows less of the repository
    than is asked for.
    """
    baseline = _parsed(file)
    unknown = aspects - frozenset(baseline.aspects)
    if unknown:
        raise UsageError(
            f"{file} was written of {', '.join(sorted(baseline.aspects))} alone, and does not know"
            f" {', '.join(sorted(unknown))}",
            remedy=f"Scan with --only {','.join(sorted(baseline.aspects))}, or write it anew.",
        )
    found = _found(baseline.findings, aspects, rules, imports)
    kept = [one for one in found if not matches(one.place.file, policy.paths.exclude)]
    return weigh(kept, policy)


def _parsed(file: Path) -> _Baseline:
    try:
        content = read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}",
            remedy=f"Name a file that you may read. {_REMEDY}",
        ) from error
    try:
        document = foreign_json(content)
    except ValueError as error:
        raise UsageError(f"{file} is no baseline: {error}", remedy=_REMEDY) from error
    version = document.get(_FORMAT) if isinstance(document, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise UsageError(f"{file} is no baseline of Mergegate", remedy=_REMEDY)
    if version > _VERSION:
        raise UsageError(
            f"{file} was written by a newer Mergegate (format {version}, this one reads"
            f" {_VERSION})",
            remedy="Update Mergegate, or write it anew.",
        )
    try:
        return _Baseline.model_validate(document)
    except ValidationError as error:
        raise UsageError(
            f"{file} is damaged: {_where(error)} is not as a scan writes it",
            remedy="Take it from where it was whole, or write it anew.",
        ) from error


def _where(error: ValidationError) -> str:
    """The way to the first mistake, of names and positions of ours alone."""
    names = _Known.model_fields.keys() | _Baseline.model_fields.keys()
    way = [one for one in error.errors()[0]["loc"] if isinstance(one, int) or one in names]
    return ".".join(map(str, way)) or "the document"


def _found(
    known: Iterable[_Known], aspects: frozenset[Aspect], rules: Mapping[str, Rule], imports: bool
) -> Iterator[Finding]:
    for one in known:
        rule = rules.get(one.rule)
        if rule is not None and rule.aspect in aspects:
            yield _finding(one, rule.finding(rule.message))
        elif imports and "/" in one.rule:
            yield _finding(one, _told_elsewhere(one.rule))


def _finding(known: _Known, kind: Finding) -> Finding:
    return replace(
        kind,
        severity=Severity.named(known.severity),
        place=Place(known.file),
        evidence="\n".join(known.lines or ()),
        anywhere=known.anywhere,
        confidence=Confidence.named(known.confidence),
        group_key=known.key,
        id=known.id,
    )


def _told_elsewhere(rule: str) -> Finding:
    """A finding of another scanner, of which a baseline says no more than its rule."""
    return Finding(
        rule_id=rule,
        title=rule,
        message="Another scanner told it.",
        severity=Severity.INFO,
        category=Category.SECURITY,
        kind=Kind.CODE,
    )
