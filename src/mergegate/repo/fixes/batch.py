"""Several fixes of one file at once: those that fit together, proved as one change."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mergegate.core.finding import Finding
from mergegate.core.report import Fix, Mended
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.fixes import gates
from mergegate.repo.fixes.candidate import Told
from mergegate.repo.fixes.edits import fit, together
from mergegate.repo.fixes.proof import FixVerifier
from mergegate.repo.fixes.syntax import parses

_ROUNDS = 6
"""How often what fails together is halved; a fix that is left alone was proved before."""

_OF_OTHERS = frozenset({"missing-lock-file"})
"""Told for want of another file: nothing stands beside the copy of a manifest."""


def mended(
    fixes: Sequence[Fix], before: Sequence[Finding], tree: Tree, verifier: FixVerifier
) -> tuple[Mended, ...]:
    """Each file after its ``fixes``, worst first, as far as they fit and are proved together."""
    files = {file.path: file for file in tree.files}
    found = {one.id: one for one in before}
    waiting: dict[str, list[list[Fix]]] = defaultdict(list)
    for path, group in _by_file(fixes).items():
        waiting[path].append(group)
    kept: dict[str, list[Fix]] = defaultdict(list)
    bench = _Bench(files, verifier, gates.told(before), found)
    for _ in range(_ROUNDS):
        tried = {path: [*kept[path], *groups[0]] for path, groups in waiting.items() if groups}
        if not tried:
            break
        held = bench.prove(tried)
        for path, all_of in tried.items():
            group = waiting[path].pop(0)
            if path in held:
                kept[path] = all_of
            elif len(group) > 1:
                half = len(group) // 2
                waiting[path] = [group[:half], group[half:], *waiting[path]]
    return tuple(bench.mended(path, kept[path]) for path in sorted(kept) if kept[path])


def _by_file(fixes: Iterable[Fix]) -> dict[str, list[Fix]]:
    """The fixes of each file that fit the worse ones: none changes a line that one of them does."""
    chosen: dict[str, list[Fix]] = defaultdict(list)
    for fix in fixes:
        here = chosen[fix.edits[0].path]
        if all(fit(one, other) for each in here for one in each.edits for other in fix.edits):
            here.append(fix)
    return chosen


class _Bench:
    def __init__(
        self,
        files: Mapping[str, SourceFile],
        verifier: FixVerifier,
        was: Mapping[str, Told],
        found: Mapping[str, Finding],
    ) -> None:
        self.files = files
        self.verifier = verifier
        self.was = was
        self.found = found
        self._copies = 0

    def prove(self, tried: Mapping[str, Sequence[Fix]]) -> frozenset[str]:
        """The files in which all of the fixes hold together."""
        copies = {}
        for path, fixes in tried.items():
            text = self._after(path, fixes)
            file = self.files[path]
            if text is not None and parses(text, file.language, file.suffix):
                copies[path] = self._copy(file, text)
        after = gates.told(self.verifier.rescan(Tree(tuple(copies.values())))) if copies else {}
        return frozenset(
            path
            for path, copy in copies.items()
            if self._holds(path, tried[path], after.get(copy.path, Told()))
        )

    def _holds(self, path: str, fixes: Sequence[Fix], now: Told) -> bool:
        """Whether what each fix answers is gone, and nothing came instead."""
        was = self.was.get(path, Told())
        answered = [self.found[id] for fix in fixes for id in fix.finding_ids]
        gone = Counter(one.rule_id for one in answered if one.kind is not Kind.DEPENDENCY)
        return all(now[rule] <= was[rule] - gone[rule] for rule in {*now, *gone} - _OF_OTHERS)

    def _copy(self, file: SourceFile, text: str) -> SourceFile:
        """Under ``together/<number>/<path>``."""
        self._copies += 1
        location = self.verifier.folder / f"together-{self._copies}"
        location.write_bytes(text.encode())
        name = f"together/{self._copies}/{file.path}"
        copy = self.verifier.record(name, location, text.encode())
        return replace(copy, role=file.role)

    def _text(self, path: str) -> str:
        return self.verifier.read(self.files[path]).decode("utf-8")

    def _after(self, path: str, fixes: Iterable[Fix]) -> str | None:
        return together(self._text(path), (edit for fix in fixes for edit in fix.edits))

    def mended(self, path: str, fixes: Sequence[Fix]) -> Mended:
        """The file after ``fixes``, which hold together."""
        return Mended(
            path=path,
            fix_ids=tuple(fix.id for fix in fixes),
            before=self._text(path),
            after=self._after(path, fixes) or "",
        )
