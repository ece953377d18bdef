"""Ask zizmor about GitHub workflows and composite actions: offline, without their configuration."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import AliasPath, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from mergegate.core.errors import EngineFailed
from mergegate.core.severity import Confidence
from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents.nodes import Unreadable, masked_text, parse
from mergegate.repo.facts.documents import (
    ABSENT,
    FileWorkflow,
    Node,
    WorkflowFile,
    WorkflowHit,
    WorkflowKind,
    Workflows,
)
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination
from mergegate.sandbox.process.run import Completed, find_program, run

_REVISION = 3
"""Counts up with every change that lets zizmor's answer read differently."""
_FLAGS = (
    # Ignored findings are wanted too: `--no-ignores` reports them, marked.
    *("--offline", "--no-config", "--no-ignores", "--persona", "pedantic"),
    *("--no-progress", "--color", "never", "--format", "json-v1"),
)
_FINDINGS = frozenset({0, 10, 11, 12, 13, 14})
"""Success; above 10 the code tells the worst finding's severity."""
_BATCH = 200
_SIZE_BUDGET = 1024 * 1024
_WORKFLOW = re.compile(r"\.github/workflows/[^/]+\.ya?ml")
_ACTION = re.compile(r"(?:.*/)?action\.ya?ml")
_COMPLETED = re.compile(r"\bcompleted (\d+/(?:workflow|action)\.yml)\b")


def _at(*path: str) -> Any:
    """A field that stands deeper in zizmor's answer."""
    return Field(validation_alias=AliasPath(*path))


class _Location(BaseModel, defer_build=True):
    """A place of a finding; rows and columns count from 0."""

    path: str = _at("symbolic", "key", "Local", "verbatim_path")
    annotation: str = _at("symbolic", "annotation")
    kind: str = _at("symbolic", "kind")
    feature_kind: Any = _at("symbolic", "feature_kind")
    feature: str = _at("concrete", "feature")
    start_row: int = _at("concrete", "location", "start_point", "row")
    start_column: int = _at("concrete", "location", "start_point", "column")
    end_row: int = _at("concrete", "location", "end_point", "row")
    end_column: int = _at("concrete", "location", "end_point", "column")


class _Finding(BaseModel, defer_build=True):
    ident: str
    desc: str
    confidence: str = _at("determinations", "confidence")
    severity: str = _at("determinations", "severity")
    persona: str = _at("determinations", "persona")
    locations: list[_Location]
    ignored: bool

    @property
    def is_wanted(self) -> bool:
        """Pedantry is left out, but for jobs that may do everything: there zizmor is lenient."""
        return self.persona == "Regular" or "write-all" in self.primary.annotation

    @property
    def primary(self) -> _Location:
        """The place the finding is about."""
        return next(one for one in self.locations if one.kind == "Primary")


_OUTPUT = TypeAdapter(list[_Finding], config=ConfigDict(defer_build=True))


@dataclass(frozen=True, slots=True)
class _Candidate:
    key: str
    content: bytes
    kind: WorkflowKind
    root: Node = ABSENT


_STEP = b"- {shell: bash, run: 'echo ${{ github.event.issue.title }}'}"
_CANARIES = (
    _Candidate(
        "",
        b"on: issues\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n    %s\n" % _STEP,
        WorkflowKind.WORKFLOW,
    ),
    _Candidate(
        "",
        b"name: a\ndescription: a\nruns:\n  using: composite\n  steps:\n  %s\n" % _STEP,
        WorkflowKind.ACTION,
    ),
)
"""Known flaws that every run is given: where they are not found, nothing was audited."""


@dataclass(frozen=True, slots=True)
class _Refused:
    key: str
    reason: str


@cache
def _version(program: Path) -> str:
    completed = run([program, "--version"], cwd=program.parent)
    words = completed.stdout.decode("utf-8", "replace").split()
    if completed.exit_code != 0 or not words:
        raise EngineFailed("zizmor does not tell its version")
    return words[-1]


class ZizmorEngine:
    """Answers with zizmor's findings and the workflow itself."""

    name = "zizmor"
    answer = FileWorkflow

    def version(self) -> str:
        """The installed version; raises EngineMissing."""
        return _version(find_program("zizmor"))

    def identity(self) -> str:
        """Our flags and the revision of our reading."""
        return f"{_REVISION} {' '.join(_FLAGS)}"

    def wants(self, file: SourceFile) -> bool:
        """Workflows where GitHub looks for them, and actions anywhere."""
        path = file.copy_of or file.path
        named = _WORKFLOW.fullmatch(path) or _ACTION.fullmatch(path)
        return named is not None and not file.binary

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileWorkflow]:
        """One answer a file; what zizmor cannot read, GitHub cannot run, and is a problem."""
        sorted_out = [_candidate(file) for file in files]
        candidates = [one for one in sorted_out if isinstance(one, _Candidate)]
        answers = {file.key: FileWorkflow() for file in files}
        problems = {one.key: one.reason for one in sorted_out if isinstance(one, _Refused)}
        for start in range(0, len(candidates), _BATCH):
            batch = candidates[start : start + _BATCH]
            hits = _audit([*batch, *_CANARIES], context)
            for number, canary in enumerate(_CANARIES, start=len(batch)):
                if not any(hit.audit == "template-injection" for hit in hits.get(number, ())):
                    raise EngineFailed(f"zizmor did not find the known flaw in a {canary.kind}")
            for number, one in enumerate(batch):
                answers[one.key] = FileWorkflow(one.kind, one.root, hits.get(number, ()))
                if number not in hits:
                    problems[one.key] = f"zizmor does not accept it as a {one.kind}"
        return Examination(answers, problems)


def fact(answers: Answers[FileWorkflow], owner: str = "") -> Workflows:
    """The workflows and actions with their paths, in a repository of ``owner``."""
    return Workflows(
        tuple(
            WorkflowFile(file.path, file.role, found)
            for file, found in answers.files
            if found.root.present
        ),
        owner.lower(),
    )


def _candidate(file: SourceFile) -> _Candidate | _Refused | None:
    """The file as zizmor may see it; None when it is neither workflow nor action."""
    if file.size > _SIZE_BUDGET:
        return _Refused(file.key, "it is larger than 1 MiB")
    content = file.location.read_bytes()
    try:
        parsed = parse(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _Refused(file.key, "it is not valid UTF-8")
    except Unreadable as error:
        return _Refused(file.key, error.what)
    root = parsed.roots[0] if parsed.roots else ABSENT
    if root["jobs"].present:
        return _Candidate(file.key, content, WorkflowKind.WORKFLOW, root)
    if root["runs"].present:
        return _Candidate(file.key, content, WorkflowKind.ACTION, root)
    return None


def _audit(
    batch: Sequence[_Candidate], context: EngineContext
) -> Mapping[int, tuple[WorkflowHit, ...]]:
    """Hits by the candidate's position; positions zizmor could not read are absent."""
    room = context.stage.room("zizmor")
    names = [f"{number}/{candidate.kind}.yml" for number, candidate in enumerate(batch)]
    for name, candidate in zip(names, batch, strict=True):
        copy = room / name
        copy.parent.mkdir()
        copy.write_bytes(candidate.content)
    argv: list[str | Path] = [find_program("zizmor"), *_FLAGS, "--", *names]
    completed = run(argv, cwd=room, limits=context.limits)
    found = _hits(completed, names)
    return {
        number: tuple(_by_characters(hit, batch[number].content.split(b"\n")) for hit in hits)
        for number, hits in found.items()
    }


def _hits(completed: Completed, names: Sequence[str]) -> Mapping[int, tuple[WorkflowHit, ...]]:
    if completed.exit_code not in _FINDINGS:
        raise EngineFailed(f"zizmor ended with exit code {completed.exit_code}")
    audited = set(_COMPLETED.findall(completed.stderr.decode("utf-8", "replace")))
    if not audited:
        raise EngineFailed("zizmor does not tell which files it audited")
    found: dict[str, list[WorkflowHit]] = {name: [] for name in names if name in audited}
    for name, hit in _parsed(completed.stdout):
        if name not in found:
            raise EngineFailed("zizmor names a file that it did not audit")
        found[name].append(hit)
    positions = {name: number for number, name in enumerate(names)}
    return {positions[name]: tuple(sorted(hits, key=_order)) for name, hits in found.items()}


def _by_characters(hit: WorkflowHit, lines: Sequence[bytes]) -> WorkflowHit:
    """``hit`` with columns that count characters: zizmor counts bytes."""

    def column(line: int, column: int) -> int:
        before = lines[line - 1][: column - 1] if line <= len(lines) else b""
        return len(before.decode("utf-8", "replace")) + 1

    return replace(
        hit,
        start_column=column(hit.start_line, hit.start_column),
        end_column=column(hit.end_line, hit.end_column),
    )


def _parsed(output: bytes) -> Iterator[tuple[str, WorkflowHit]]:
    try:
        findings = _OUTPUT.validate_json(output)
        for finding in filter(lambda one: one.is_wanted, findings):
            yield finding.primary.path, _hit(finding)
    except (ValidationError, StopIteration, KeyError) as error:
        raise EngineFailed("zizmor's answer is not in the form json-v1") from error


def _hit(finding: _Finding) -> WorkflowHit:
    place = finding.primary
    return WorkflowHit(
        audit=finding.ident,
        description=finding.desc,
        annotation=masked_text(place.annotation),
        severity=finding.severity,
        confidence=Confidence[finding.confidence.upper()],
        start_line=place.start_row + 1,
        end_line=place.end_row + (1 if place.end_column else 0),
        start_column=place.start_column + 1,
        end_column=place.end_column + 1,
        feature=_feature(place),
        ignored=finding.ignored,
    )


def _feature(place: _Location) -> str:
    """The part of the text that is meant, when it is a single line."""
    kind = place.feature_kind
    if isinstance(kind, dict):
        fragment = kind.get("Subfeature", {}).get("fragment", {})
        raw = fragment.get("Raw", "") if isinstance(fragment, dict) else ""
        return masked_text(raw)[:200]
    return "" if "\n" in place.feature else masked_text(place.feature)[:200]


def _order(hit: WorkflowHit) -> tuple[int, int, str, str]:
    return hit.start_line, hit.start_column, hit.audit, hit.feature
