"""Prove proposed changes: each is applied in a copy, which is parsed and scanned again.

Those of one rule in one file share a copy where each of them is seen to hold in it (`bundles`).
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mergegate.core.finding import Edit, Finding
from mergegate.core.report import Fix, Proofs, RefusedFix
from mergegate.core.severity import Confidence, Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.examine import NOT_SEARCHED
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.bundles import Bundle, bundled
from mergegate.repo.fixes.candidate import MODEL, Candidate, Told
from mergegate.repo.fixes.edits import together
from mergegate.repo.fixes.gates import refusal
from mergegate.repo.fixes.proposals import Propose, proposed

MOST_PROOFS = 100
"""Changed copies that are scanned."""
MOST_PROOF_BYTES = 2_000_000
"""The bytes of all copies: a large file with many flaws would be scanned once for each."""

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
    """Candidates of one file that are proved together, in one copy of it."""

    candidates: tuple[Candidate, ...]
    copy: SourceFile
    """The changed copy, under ``<number>/<path>``."""
    control: SourceFile | None = None
    """Where what is scanned is not the change itself: the same with the versions as they were, of
    which the scan must tell what the change is to answer, or it would prove nothing."""
    answers: Mapping[tuple[Edit, ...], tuple[Finding, ...]] = field(default_factory=dict)
    """The findings that each change is to answer, worst first."""


def verified_fixes(
    findings: Sequence[Finding],
    before: Sequence[Finding],
    tree: Tree,
    verifier: FixVerifier,
    propose: Propose = proposed,
) -> Proofs:
    """Proves what is proposed for ``findings``, which come worst first.

    ``before`` holds all findings of the unchanged files, suppressed ones included.
    """
    files = {file.path: file for file in tree.files}
    shop = _Workshop(files, verifier, gates.told(before), propose)
    groups = shop.groups(findings)
    tried = dict(_affordable(list(groups.items())[:MOST_PROOFS]))
    untried = sum(len(group) for key, group in groups.items() if key not in tried)
    ready = [group for group in tried.values() if shop.passes(group)]
    fixes = list(shop.proved_together(ready, before))
    held = {id for fix in fixes for id in fix.finding_ids}
    trials = [shop.trial(group) for group in ready if group[0].finding.id not in held]
    fixes += _proved_alone(shop, trials, before)
    worst = {one.id: number for number, one in enumerate(findings)}
    fixes.sort(key=lambda fix: worst[fix.finding_ids[0]])
    return Proofs(fixes=tuple(fixes), refused=tuple(shop.refused), untried=untried)


def _proved_alone(
    shop: "_Workshop", trials: Sequence[_Trial], before: Sequence[Finding]
) -> Sequence[Fix]:
    """The fixes of what holds in a copy of its own."""
    if not trials:
        return ()
    controls = (trial.control for trial in trials if trial.control)
    after = shop.verifier.rescan(Tree((*(trial.copy for trial in trials), *controls)))
    now, known = gates.told(after), {one.group_key for one in before}
    left = _lines(after)
    return [
        fix
        for trial in trials
        if trial.candidates[0].finding.kind is not Kind.DEPENDENCY
        or not now.get(trial.copy.path, Told())[NOT_SEARCHED]
        for fix in (
            _upgraded(trial, left, known)
            if trial.candidates[0].finding.kind is Kind.DEPENDENCY
            else shop.proved(trial, now.get(trial.copy.path, Told()))
        )
    ]


def _affordable(
    groups: Iterable[tuple[object, list[Candidate]]],
) -> Iterator[tuple[object, list[Candidate]]]:
    """The first of the groups, and those after it as long as all copies are small enough."""
    spent = 0
    for key, group in groups:
        spent += group[0].file.size
        if spent > MOST_PROOF_BYTES and spent > group[0].file.size:
            return
        yield key, group


class _Workshop:
    """The files whose findings are to be mended, and what was refused on the way."""

    def __init__(
        self,
        files: Mapping[str, SourceFile],
        verifier: FixVerifier,
        was: Mapping[str, Told],
        propose: Propose,
    ) -> None:
        self.files = files
        self.verifier = verifier
        self.was = was
        self.propose = propose
        self.refused: list[RefusedFix] = []
        self._texts: dict[str, str | None] = {}
        self._trials = 0

    def groups(self, findings: Iterable[Finding]) -> dict[object, list[Candidate]]:
        """Candidates that are proved together: packages of one file do not touch one another."""
        groups: dict[object, list[Candidate]] = {}
        for finding in findings:
            file = self.files.get(_edited(finding))
            if file is None or (one := self._candidate(finding, file)) is None:
                continue
            together = finding.kind is Kind.DEPENDENCY
            groups.setdefault(file.path if together else finding.id, []).append(one)
        return groups

    def _candidate(self, finding: Finding, file: SourceFile) -> Candidate | None:
        try:
            made = self.propose(finding, file, self._other)
        except RecursionError:
            self.refused.append(RefusedFix(finding.id, "applies", gates.TOO_DEEP))
            return None
        text = self._text(file) if made and made.edits else None
        if made is None or text is None:
            return None
        was = self.was.get(file.path, Told())
        return Candidate(
            finding, made.edits, file, text, made.recipe, made.source, made.said, was=was
        )

    def _text(self, file: SourceFile) -> str | None:
        if file.path not in self._texts:
            try:
                text = self.verifier.read(file).decode("utf-8")
            except UnicodeDecodeError:
                text = None
            self._texts[file.path] = text
        return self._texts[file.path]

    def _other(self, path: str) -> str | None:
        file = self.files.get(path)
        return self._text(file) if file else None

    def passes(self, group: Sequence[Candidate]) -> bool:
        """Whether no gate stops what was proposed before it is scanned."""
        one = _whole(group)
        if stopped := refusal(one, gates.BEFORE):
            self.refused.append(RefusedFix(one.finding.id, *stopped))
            return False
        return True

    def proved_together(
        self, ready: Iterable[Sequence[Candidate]], before: Iterable[Finding]
    ) -> Iterator[Fix]:
        """The fixes of one rule in one file that hold in one copy; others are left to their own."""
        copies: dict[str, Bundle] = {}
        tree: list[SourceFile] = []
        for bundle in bundled(group[0] for group in ready if len(group) == 1):
            first = bundle.candidates[0]
            if (text := together(first.before, bundle.edits)) is not None:
                tree.append(self._copy(first, text))
                copies[tree[-1].path] = bundle
        after = _by_file(self.verifier.rescan(Tree(tuple(tree)))) if tree else {}
        was = _by_file(before)
        for path, bundle in copies.items():
            if bundle.holds(was[bundle.candidates[0].file.path], after.get(path, ())):
                yield from map(_fix, bundle.candidates)

    def trial(self, group: Sequence[Candidate]) -> _Trial:
        """The changed copy of a file."""
        answers = _answers(group)
        one = _whole(group)
        copy = self._copy(one, _after(one, _tried(answers)))
        before = tuple(_before(answers))
        control = self._copy(one, _after(one, before)) if before else None
        return _Trial(tuple(group), copy, control, answers)

    def _copy(self, one: Candidate, text: str) -> SourceFile:
        """A copy of the file that says ``text``, under a number of its own."""
        number, path = self._trials, one.file.path
        self._trials += 1
        changed = text.encode()
        location = self.verifier.folder / str(number)
        location.write_bytes(changed)
        copy = self.verifier.record(f"{number}/{path}", location, changed)
        return replace(copy, role=one.file.role, copy_of=path)

    def proved(self, trial: _Trial, now: Told) -> Iterator[Fix]:
        """The fix of the one candidate, where it passes what is asked after the scan."""
        one = replace(trial.candidates[0], now=now)
        if stopped := refusal(one, gates.AFTER):
            self.refused.append(RefusedFix(one.finding.id, *stopped))
        else:
            yield _fix(one)


def _whole(group: Sequence[Candidate]) -> Candidate:
    """The first of a group, with the changes of all."""
    return replace(group[0], edits=tuple(edit for edits in _answers(group) for edit in edits))


def _after(one: Candidate, edits: Iterable[Edit]) -> str:
    return replace(one, edits=tuple(edits)).after or ""


def _by_file(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    told: dict[str, list[Finding]] = defaultdict(list)
    for one in findings:
        told[one.place.file].append(one)
    return told


def _edited(finding: Finding) -> str:
    """The file that is edited: a package's version may be asked for beside where it is locked."""
    if finding.kind is Kind.DEPENDENCY and finding.repair is not None:
        return finding.repair.path
    return finding.place.file


def _tried(answers: Mapping[tuple[Edit, ...], Sequence[Finding]]) -> Iterator[Edit]:
    """What is scanned for each change."""
    for edits, findings in answers.items():
        yield from edits if findings[0].trial is None else (findings[0].trial,)


def _before(answers: Mapping[tuple[Edit, ...], Sequence[Finding]]) -> Iterator[Edit]:
    """What is scanned for each change, with the versions that are installed."""
    for findings in answers.values():
        edit, advisory = findings[0].trial, findings[0].advisory
        if edit is not None and advisory is not None:
            old = edit.replacement.replace(advisory.upgrade, advisory.installed_version)
            yield replace(edit, replacement=old)


def _answers(group: Sequence[Candidate]) -> dict[tuple[Edit, ...], tuple[Finding, ...]]:
    """One change a line: the worst finding's."""
    by_line: dict[int, tuple[Edit, ...]] = {}
    answers: dict[tuple[Edit, ...], tuple[Finding, ...]] = {}
    for one in group:
        if by_line.setdefault(one.edits[0].start_line, one.edits) == one.edits:
            answers[one.edits] = (*answers.get(one.edits, ()), one.finding)
    return answers


def _lines(findings: Iterable[Finding]) -> Mapping[tuple[str, int], set[str]]:
    """What was told on each line of each file, by its group key."""
    lines: dict[tuple[str, int], set[str]] = defaultdict(set)
    for one in findings:
        lines[one.place.file, one.place.start_line].add(one.group_key)
    return lines


def _upgraded(
    trial: _Trial, left: Mapping[tuple[str, int], set[str]], known: set[str]
) -> Iterator[Fix]:
    """Upgrades after which advisories are gone and none is new: each leaves the other lines."""
    for edits, findings in trial.answers.items():
        here = left.get((trial.copy.path, edits[0].start_line), set())
        gone = [one for one in findings if one.group_key not in here]
        if trial.control and findings[0].trial:
            told = left.get((trial.control.path, edits[0].start_line), set())
            gone = [one for one in gone if one.group_key in told]
        if gone and here <= known:
            mended = next(one for one in trial.candidates if one.finding is gone[0])
            yield _fix(mended, gone)


def _fix(one: Candidate, findings: Sequence[Finding] = ()) -> Fix:
    worst = one.finding
    content = "\0".join(
        (worst.id, *(f"{edit.start_line}\0{edit.replacement}" for edit in one.edits))
    )
    cautious = one.source == MODEL or bool(one.recipe and one.recipe.caution) or _is_major(worst)
    return Fix(
        id=f"fix-{hashlib.sha256(content.encode('utf-8', 'replace')).hexdigest()[:16]}",
        finding_ids=tuple(each.id for each in findings or (worst,)),
        title=worst.title,
        explanation=one.said,
        edits=one.edits,
        source=one.source,
        verified=tuple(gates.NAMES),
        confidence=Confidence.MEDIUM.label if cautious else worst.confidence.label,
    )


def _is_major(finding: Finding) -> bool:
    """Whether the fix is an upgrade that may break what uses the package."""
    from mergegate.packages import ecosystems  # noqa: PLC0415 - slower to load than all this

    advisory = finding.advisory
    if advisory is None or not advisory.upgrade:
        return False
    line = ecosystems.ECOSYSTEMS[advisory.ecosystem].line
    return line(advisory.installed_version) != line(advisory.upgrade)
