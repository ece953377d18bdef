"""Prove a proposed edit in a scratch copy: applied, parsed and scanned again."""

import ast
import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import tree_sitter
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_typescript
import yaml

from mergegate.core.finding import Edit, Finding
from mergegate.core.report import Fix
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.sandbox.files.checkout import source_file
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line

_Parser = Callable[[str], None]


def _python(text: str) -> None:
    ast.parse(text)


def _json(text: str) -> None:
    json.loads(text)


def _yaml(text: str) -> None:
    """Events only: nothing is constructed, no alias is expanded."""
    for _ in yaml.parse(text, Loader=yaml.SafeLoader):
        pass


def _toml(text: str) -> None:
    tomllib.loads(text)


def _grammar(language: Callable[[], object]) -> _Parser:
    def parse(text: str) -> None:
        parser = tree_sitter.Parser(tree_sitter.Language(language()))
        if parser.parse(text.encode()).root_node.has_error:
            raise ValueError("syntax error")

    return parse


def _plain(_: str) -> None:
    """A list of lines has no syntax to break."""


@cache
def _parsers() -> Mapping[str, _Parser]:
    return {
        "python": _python,
        "json": _json,
        "yaml": _yaml,
        "javascript": _grammar(tree_sitter_javascript.language),
        "typescript": _grammar(tree_sitter_typescript.language_typescript),
        ".tsx": _grammar(tree_sitter_typescript.language_tsx),
        "java": _grammar(tree_sitter_java.language),
        "go": _grammar(tree_sitter_go.language),
        ".toml": _toml,
        ".txt": _plain,
        ".mod": _plain,
    }


def parses(text: str, language: str | None, suffix: str) -> bool | None:
    """Whether ``text`` is valid; None when no parser here knows the language."""
    parser = _parsers().get(suffix) or _parsers().get(language or "")
    if parser is None:
        return None
    try:
        parser(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True


GATES = ("applies", "parses", "finding gone", "nothing new")
"""The gates in order; a verified fix has passed them all."""
MOST_FIXES = 100
_MOST_LINES = 40

Rescan = Callable[[Tree], Sequence[Finding]]
Read = Callable[[SourceFile], bytes]
Record = Callable[[str, Path, bytes], SourceFile]


@dataclass(frozen=True, slots=True)
class FixVerifier:
    """What proving needs from the outside."""

    folder: Path
    """Scratch; the changed copies are written here."""
    read: Read
    record: Record
    """Path, location and bytes → the record of a file."""
    rescan: Rescan


@dataclass(frozen=True, slots=True)
class _Trial:
    finding: Finding
    edit: Edit
    file: SourceFile
    """The changed copy, under ``<number>/<path>``."""


def verified_fixes(
    findings: Sequence[Finding], before: Sequence[Finding], tree: Tree, verifier: FixVerifier
) -> tuple[Fix, ...]:
    """Fixes for ``findings`` that passed every gate, worst finding first.

    ``before`` holds all findings of the unchanged files, suppressed ones included.
    """
    files = {file.path: file for file in tree.files}
    trials = _trials(findings, files, verifier)
    if not trials:
        return ()
    after = verifier.rescan(Tree(tuple(trial.file for trial in trials)))
    return tuple(_fix(trial) for trial in trials if _proved(trial, before, after))


def _trials(
    findings: Iterable[Finding], files: dict[str, SourceFile], verifier: FixVerifier
) -> list[_Trial]:
    trials: list[_Trial] = []
    for finding in findings:
        edit = finding.repair
        if edit is None or edit.path != finding.place.file or len(trials) == MOST_FIXES:
            continue
        changed = _changed(files[edit.path], edit, verifier)
        if changed is not None:
            number = len(trials)
            location = verifier.folder / str(number)
            location.write_bytes(changed)
            copy = verifier.record(f"{number}/{edit.path}", location, changed)
            trials.append(_Trial(finding, edit, copy))
    return trials


def _changed(file: SourceFile, edit: Edit, verifier: FixVerifier) -> bytes | None:
    """The file's bytes after ``edit``; None when it does not apply or no longer parses."""
    try:
        text = verifier.read(file).decode("utf-8")
    except UnicodeDecodeError:
        return None
    changed = apply(text, edit)
    if changed is None or changed == text:
        return None
    return changed.encode() if parses(changed, file.language, file.suffix) else None


def apply(text: str, edit: Edit) -> str | None:
    """``text`` with the lines replaced; None when the range does not fit."""
    lines = text.split("\n")
    fits = 1 <= edit.start_line <= edit.end_line <= len(lines)
    if not fits or edit.end_line - edit.start_line >= _MOST_LINES:
        return None
    ending = "\r" if lines[edit.end_line - 1].endswith("\r") else ""
    new = [line.removesuffix("\r") + ending for line in edit.replacement.split("\n")]
    kept = new if edit.replacement else []
    return "\n".join([*lines[: edit.start_line - 1], *kept, *lines[edit.end_line :]])


def _proved(trial: _Trial, before: Iterable[Finding], after: Iterable[Finding]) -> bool:
    """One finding of the rule less, and of no rule one more."""
    was = Counter(one.rule_id for one in before if one.place.file == trial.edit.path)
    now = Counter(one.rule_id for one in after if one.place.file == trial.file.path)
    rule = trial.finding.rule_id
    return now[rule] < was[rule] and all(now[id] <= was[id] for id in now)


def _fix(trial: _Trial) -> Fix:
    finding, edit = trial.finding, trial.edit
    from_advisory = finding.kind is Kind.DEPENDENCY
    content = f"{finding.id}\0{edit.start_line}\0{edit.replacement}"
    return Fix(
        id=f"fix-{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:16]}",
        finding_ids=(finding.id,),
        title=finding.title,
        explanation=finding.message,
        edits=(edit,),
        source="advisory" if from_advisory else "rule",
        verified=GATES,
        confidence=finding.confidence.label,
    )


def point_to(findings: Iterable[Finding], fixes: Iterable[Fix]) -> tuple[Finding, ...]:
    """Findings that know the id of their fix."""
    known = {id: fix.id for fix in fixes for id in fix.finding_ids}
    return tuple(replace(one, fix_id=known.get(one.id)) for one in findings)


def repairs(
    tree: Tree, folder: Path, rescan: Callable[[Tree], Sequence[Finding]]
) -> Callable[[Sequence[Finding], Sequence[Finding]], tuple[Fix, ...]]:
    """Proves what can be repaired in ``tree``, in copies in ``folder`` that are scanned again.

    The function takes what counts, and all that was found: no fix repeats a secret among that.
    """
    bench = FixVerifier(folder=folder, read=_read, record=source_file, rescan=rescan)

    def verified(counted: Sequence[Finding], all_found: Sequence[Finding]) -> tuple[Fix, ...]:
        secret = _secret_lines(all_found)
        showable = [_without_secrets(one, secret) for one in counted]
        return verified_fixes(showable, all_found, tree, bench)

    return verified


def _secret_lines(findings: Sequence[Finding]) -> frozenset[tuple[str, int]]:
    return frozenset(
        (one.place.file, line)
        for one in findings
        if one.kind is Kind.SECRET
        for line in range(one.place.start_line, one.place.end_line + 1)
    )


def _without_secrets(finding: Finding, secret: frozenset[tuple[str, int]]) -> Finding:
    """The finding without a repair that would repeat, in its new lines, a secret of the old."""
    repair = finding.repair
    if repair is None:
        return finding
    touched = {(repair.path, line) for line in range(repair.start_line, repair.end_line + 1)}
    plain = all(mask_line(line) == line for line in repair.replacement.split("\n"))
    return finding if plain and not touched & secret else replace(finding, repair=None)


def _read(file: SourceFile) -> bytes:
    return read_regular(file.location, file.size + 1)
