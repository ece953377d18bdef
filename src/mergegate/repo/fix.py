"""Prove a proposed edit in a scratch copy: applied, parsed and scanned again."""

import ast
import hashlib
import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
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
from mergegate.sandbox.files.record import source_file
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
MOST_PROOFS = 100
"""Changed copies that are scanned."""
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
    """Edits of one file that are proved together."""

    edits: Mapping[Edit, tuple[Finding, ...]]
    """Each with the findings that it is to answer, worst first."""
    file: SourceFile
    """The changed copy, under ``<number>/<path>``."""


@dataclass(slots=True)
class Proofs:
    """What came of the edits that were proposed."""

    fixes: tuple[Fix, ...] = ()
    """Those that passed every gate, worst finding first."""
    untried: int = 0
    """Findings whose edit was not tried, because there are too many: their message tells it."""


def verified_fixes(
    findings: Sequence[Finding], before: Sequence[Finding], tree: Tree, verifier: FixVerifier
) -> Proofs:
    """Proves the edits that ``findings`` propose, which come worst first.

    ``before`` holds all findings of the unchanged files, suppressed ones included.
    """
    files = {file.path: file for file in tree.files}
    groups = _groups(findings)
    tried = dict(list(groups.items())[:MOST_PROOFS])
    untried = sum(len(group) for key, group in groups.items() if key not in tried)
    trials = _trials(tried.values(), files, verifier)
    if not trials:
        return Proofs(untried=untried)
    after = verifier.rescan(Tree(tuple(trial.file for trial in trials)))
    was, now = _Told(before), _Told(after)
    fixes = [fix for trial in trials for fix in _proved(trial, was, now)]
    worst = {one.id: number for number, one in enumerate(findings)}
    return Proofs(tuple(sorted(fixes, key=lambda fix: worst[fix.finding_ids[0]])), untried)


def _groups(findings: Iterable[Finding]) -> dict[object, list[Finding]]:
    """Findings whose edits are proved together: packages of one file do not touch one another."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        edit = finding.repair
        if edit is not None and edit.path == finding.place.file:
            together = finding.kind is Kind.DEPENDENCY
            groups.setdefault(edit.path if together else finding.id, []).append(finding)
    return groups


def _trials(
    groups: Iterable[Sequence[Finding]], files: dict[str, SourceFile], verifier: FixVerifier
) -> list[_Trial]:
    trials: list[_Trial] = []
    for group in groups:
        edits = _edits(group)
        path = next(iter(edits)).path
        changed = _changed(files[path], edits, verifier)
        if changed is not None:
            number = len(trials)
            location = verifier.folder / str(number)
            location.write_bytes(changed)
            copy = verifier.record(f"{number}/{path}", location, changed)
            trials.append(_Trial(edits, replace(copy, role=files[path].role)))
    return trials


def _edits(group: Sequence[Finding]) -> dict[Edit, tuple[Finding, ...]]:
    """One edit a line: the worst finding's."""
    by_line: dict[int, Edit] = {}
    edits: dict[Edit, tuple[Finding, ...]] = {}
    for finding in group:
        edit = finding.repair
        if edit is not None and by_line.setdefault(edit.start_line, edit) == edit:
            edits[edit] = (*edits.get(edit, ()), finding)
    return edits


def _changed(file: SourceFile, edits: Iterable[Edit], verifier: FixVerifier) -> bytes | None:
    """The file's bytes after ``edits``; None when one does not apply or it no longer parses.

    An edit of a text that is not the file's own bytes applies nowhere.
    """
    if not file.verbatim:
        return None
    try:
        text = verifier.read(file).decode("utf-8")
    except UnicodeDecodeError:
        return None
    changed = apply(text, *edits)
    if changed is None or changed == text:
        return None
    return changed.encode() if parses(changed, file.language, file.suffix) else None


def apply(text: str, *edits: Edit) -> str | None:
    """``text`` with the lines of each edit replaced; None when a range does not fit."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda one: one.start_line, reverse=True):
        fits = 1 <= edit.start_line <= edit.end_line <= len(lines)
        if not fits or edit.end_line - edit.start_line >= _MOST_LINES:
            return None
        ending = "\r" if lines[edit.end_line - 1].endswith("\r") else ""
        new = [line.removesuffix("\r") + ending for line in edit.replacement.split("\n")]
        lines[edit.start_line - 1 : edit.end_line] = new if edit.replacement else []
    return "\n".join(lines)


class _Told:
    """What one scan says: how often each rule in each file, and what on each line."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.rules: dict[str, Counter[str]] = defaultdict(Counter)
        """By path."""
        self.lines: dict[tuple[str, int], set[str]] = defaultdict(set)
        """Group keys by path and first line."""
        self.known: set[str] = set()
        """Every group key."""
        for one in findings:
            self.rules[one.place.file][one.rule_id] += 1
            self.lines[one.place.file, one.place.start_line].add(one.group_key)
            self.known.add(one.group_key)


def _proved(trial: _Trial, was: _Told, now: _Told) -> Iterator[Fix]:
    """The fixes of the edits after which findings are gone, and nothing is new."""
    for edit, findings in trial.edits.items():
        if findings[0].kind is Kind.DEPENDENCY:
            # Such an edit leaves the lines where they are, and acts on its own alone.
            left = now.lines[trial.file.path, edit.start_line]
            gone = [one for one in findings if one.group_key not in left]
            if gone and left <= was.known:
                yield _fix(edit, gone)
        elif _is_gone(findings[0], was.rules[edit.path], now.rules[trial.file.path]):
            yield _fix(edit, findings)


def _is_gone(finding: Finding, was: Counter[str], now: Counter[str]) -> bool:
    """One finding of the rule less, and of no rule one more."""
    rule = finding.rule_id
    return now[rule] < was[rule] and all(now[id] <= was[id] for id in now)


def _fix(edit: Edit, findings: Sequence[Finding]) -> Fix:
    worst = findings[0]
    from_advisory = worst.kind is Kind.DEPENDENCY
    content = f"{worst.id}\0{edit.start_line}\0{edit.replacement}"
    return Fix(
        id=f"fix-{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:16]}",
        finding_ids=tuple(one.id for one in findings),
        title=worst.title,
        explanation=worst.message,
        edits=(edit,),
        source="advisory" if from_advisory else "rule",
        verified=GATES,
        confidence=worst.confidence.label,
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
    record = partial(source_file, readings=folder)
    bench = FixVerifier(folder=folder, read=_read, record=record, rescan=rescan)

    def verified(counted: Sequence[Finding], all_found: Sequence[Finding]) -> tuple[Fix, ...]:
        secret = _secret_lines(all_found)
        showable = [_without_secrets(one, secret) for one in counted]
        return verified_fixes(showable, all_found, tree, bench).fixes

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
