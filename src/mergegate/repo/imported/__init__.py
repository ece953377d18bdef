"""Findings of a team's other scanners, from the SARIF files that the caller names.

They pass through identity, policy, gate and reports as ours do. What cannot be read leaves the
scan incomplete; what the files say of other trees is counted and left out.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mergegate.core.check import Check
from mergegate.core.errors import EngineFailed, UsageError
from mergegate.core.finding import Finding, Place
from mergegate.core.identity import normalised
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.core.severity import Aspect, Category, Kind
from mergegate.core.strict_json import LARGEST_BYTES
from mergegate.core.tree import Reason, Skipped, Tree, display
from mergegate.repo.facts.imported import Imported, ImportedResult
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Source
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository, is_tracked
from mergegate.secrets.places import shown_fact, shown_name
from mergegate.secrets.scan import identity

if TYPE_CHECKING:
    from mergegate.repo.imported.results import RunResults

NAME = "import-sarif"
_CATEGORIES = {
    Kind.QUALITY: Category.QUALITY,
    Kind.IAC: Category.IAC,
    Kind.DEPENDENCY: Category.DEPENDENCY,
}
"""Kind → what its findings count against; all others are about security."""
_MOST_FILES = 50
_LARGEST_FILE = 8 << 20
_MOST_HASHED = 1000


def check(aspects: Iterable[Aspect]) -> Check:
    """What makes findings of the fact; it belongs to whatever part of a scan is asked for."""
    return Check(NAME, min(aspects), (Imported,), _findings, rules=lambda: ())


def _findings(told: Imported) -> Iterator[Finding]:
    for one in told.results:
        yield Finding(
            rule_id=one.rule,
            title=one.title,
            message=one.message,
            severity=one.severity,
            category=_CATEGORIES.get(one.kind, Category.SECURITY),
            kind=one.kind,
            place=one.place,
            evidence=one.evidence,
            confidence=one.confidence,
            cwe=one.cwe,
            references=one.references,
            engine=one.tool,
            aside=one.aside,
        )


@dataclass(frozen=True, slots=True)
class Imports:
    """The files that a scan imports, and what they say of its trees."""

    files: tuple[Path, ...]
    root: Path
    base_files: tuple[Path, ...] = ()
    """What the same scanners say of the base; without any it is told by its lines."""
    _told: list["_Told"] = field(default_factory=list)
    """What the files say of the head."""

    def check(self, *, is_change: bool) -> None:
        """Raise UsageError for too many files, and for one that a change could have written."""
        if len(self.files) > _MOST_FILES or len(self.base_files) > _MOST_FILES:
            raise UsageError(
                f"at most {_MOST_FILES} SARIF files are imported", remedy="Merge some of them."
            )
        for file in (*self.files, *self.base_files) if is_change else ():
            if file.resolve().is_relative_to(self._top()) and is_tracked(file):
                raise UsageError(
                    f"{file} is tracked by the repository, so the change may have written it",
                    remedy="Import what the scanner writes in this run, outside version control.",
                )

    def _top(self) -> Path:
        repository = Repository.around(self.root)
        return (repository.top() if repository else self.root).resolve()

    def checks(self, aspects: Iterable[Aspect]) -> tuple[Check, ...]:
        """What makes findings of what the files say."""
        return (check(aspects),) if self.files else ()

    def left_out(self, tree: Tree) -> Tree:
        """``tree`` without the files that are imported: they are no part of the product."""
        if not self.files:
            return tree
        top = self.root.resolve()
        paths = {
            display(bytes(file.resolve().relative_to(top)))
            for file in (*self.files, *self.base_files)
            if file.resolve().is_relative_to(top) and not is_tracked(file)
        }
        out = [one for one in tree.files if one.path in paths]
        told = (Skipped(one.path, "imported as SARIF", one.size, Reason.TOOL_FOLDER) for one in out)
        kept = tuple(one for one in tree.files if one.path not in paths)
        return replace(tree, files=kept, skipped=tuple(sorted((*tree.skipped, *told))))

    def sources(self) -> tuple[Source, ...]:
        """Where the fact about the head comes from."""

        def gather(tree: Tree, _: EngineContext, __: Facts) -> Gathered:
            gathered = _read(self.files, self.root, tree)
            pages = _Pages(tree)
            for fact in gathered.facts:
                self._told.extend(_Told(one, pages) for one in fact.results)
            return gathered

        return (_source(gather),) if self.files else ()

    def sources_before(
        self, renames: Mapping[str, str], touched: frozenset[str]
    ) -> tuple[Source, ...]:
        """Where the fact about the base comes from; the change has ``touched`` those paths.

        It is what its own files say. Without any, what is said of the head holds of the base as
        well wherever that has the same lines in the same file, or in the one that ``renames`` calls
        it by: a finding on lines that the change leaves alone is none that it brings. What is said
        of a whole file, or of the packages in it, holds only where the file is the same, and what
        is said of no file always.
        """

        def gather(tree: Tree, _: EngineContext, __: Facts) -> Gathered:
            if self.base_files:
                return _read(self.base_files, self.root, tree)
            pages = _Pages(tree)
            results = tuple(_before(self._told, pages, renames, touched))
            return Gathered((Imported(results),), EngineRun(name=NAME))

        return (_source(gather),) if self.files else ()


def _source(gather: Callable[[Tree, EngineContext, Facts], Gathered]) -> Source:
    return Source(NAME, frozenset(Aspect), (Imported,), gather, proves=False)


def _read(files: Sequence[Path], root: Path, tree: Tree) -> Gathered:
    """What all ``files`` tell; what cannot be read of them is named, and the run has failed."""
    from mergegate.repo.imported.document import runs  # noqa: PLC0415 - most scans import nothing
    from mergegate.repo.imported.results import read_run  # noqa: PLC0415

    started = time.monotonic()
    paths = tree.paths | {one.path for one in tree.skipped}
    found: list[RunResults] = []
    broken: list[str] = []
    limited: list[Skipped] = []
    for file in files:
        name = shown_name(display(bytes(file)))
        try:
            read = [read_run(one, root, paths) for one in runs(_content(file))]
        except EngineFailed as error:
            broken.append(f"{name}: {error.what}")
            continue
        found += read
        limited += _left_out(name, read)
    pages = _Pages(tree)
    apart = _Apart(pages)
    fact = Imported(tuple(apart.told(one) for run in found for one in run.found))
    run = EngineRun(
        name=NAME,
        version=shown_fact(", ".join(dict.fromkeys(one.tool for one in found))),
        status=EngineStatus.FAILED if broken else EngineStatus.OK,
        duration_ms=round((time.monotonic() - started) * 1000),
        files=len(files),
        reason="; ".join(broken),
        remedy="Run that scanner again, or import what it writes once it succeeds."
        if broken
        else "",
    )
    return Gathered((shown_fact(fact),), run, tuple(limited))


def _content(file: Path) -> bytes:
    try:
        return read_regular(file, LARGEST_BYTES + 1)
    except OSError as error:
        raise EngineFailed(f"it cannot be read: {error.strerror}") from error


def _left_out(name: str, read: "Sequence[RunResults]") -> Iterator[Skipped]:
    elsewhere, own = sum(one.elsewhere for one in read), sum(one.own for one in read)
    if elsewhere:
        what = "1 result lies" if elsewhere == 1 else f"{elsewhere:,} results lie"
        yield Skipped(name, f"{what} in no file of this tree, and count nowhere")
    if own:
        what = "1 result is" if own == 1 else f"{own:,} results are"
        yield Skipped(name, f"{what} of Mergegate, which looks for itself", cause=Reason.POLICY)


class _Pages:
    """The lines of the files of a tree, each read once."""

    def __init__(self, tree: Tree) -> None:
        self._files = {file.path: file for file in tree.files}
        self._raw: dict[str, list[str]] = {}
        self._plain: dict[str, list[str]] = {}
        self._places: dict[str, Mapping[str, list[int]]] = {}
        self._starts: dict[tuple[str, tuple[str, ...]], list[int]] = {}

    def digest(self, path: str) -> str:
        """The digest of the file at ``path``; empty without one."""
        file = self._files.get(path)
        return file.digest if file else ""

    def raw(self, path: str) -> list[str]:
        """All lines of a file; none of one that is no text."""
        if path not in self._raw:
            file = self._files.get(path)
            is_text = file and not file.binary
            content = read_regular(file.location, _LARGEST_FILE) if file and is_text else b""
            self._raw[path] = content.decode("utf-8", "replace").split("\n") if content else []
        return self._raw[path]

    def plain(self, path: str) -> list[str]:
        """All lines of a file as identity has them: layout aside."""
        if path not in self._plain:
            self._plain[path] = list(map(normalised, self.raw(path)))
        return self._plain[path]

    def starts(self, path: str, lines: tuple[str, ...]) -> list[int]:
        """Where ``lines`` stand in a file, from 1; looked for once, however many ask."""
        if (path, lines) not in self._starts:
            page = self.plain(path)
            if path not in self._places:
                self._places[path] = places = defaultdict(list)
                for number, line in enumerate(page):
                    places[line].append(number)
            self._starts[path, lines] = [
                number + 1
                for number in self._places[path].get(lines[0], ())
                if tuple(page[number : number + len(lines)]) == lines
            ]
        return self._starts[path, lines]


class _Told:
    """A result, with what the head has at its place."""

    def __init__(self, result: ImportedResult, pages: _Pages) -> None:
        place = result.place
        self.result = result
        self.digest = pages.digest(place.file)
        self.lines = tuple(pages.plain(place.file)[max(place.start_line - 1, 0) : place.end_line])

    @property
    def is_of_lines(self) -> bool:
        """Whether it is about its lines, and not about the whole file or the packages in it."""
        return any(self.lines) and self.result.kind is not Kind.DEPENDENCY


def _before(
    told: Iterable[_Told], pages: _Pages, renames: Mapping[str, str], touched: frozenset[str]
) -> Iterator[ImportedResult]:
    """Those of ``told`` that hold of the base, where they stand there."""
    used: Counter[tuple[str, str, tuple[str, ...]]] = Counter()
    for one in sorted(told, key=lambda one: one.result.place):
        place = one.result.place
        path = renames.get(place.file, place.file)
        if not one.is_of_lines:
            # What nobody reads here has no digest: of that Git tells.
            if one.digest == pages.digest(path) and (one.digest or place.file not in touched):
                yield replace(one.result, place=replace(place, file=path))
            continue
        spot = (one.result.rule, path, one.lines)
        starts = pages.starts(path, one.lines)
        if used[spot] < len(starts):
            start = starts[used[spot]]
            used[spot] += 1
            end = start + place.end_line - place.start_line
            moved = replace(place, file=path, start_line=start, end_line=end)
            yield replace(one.result, place=moved)


class _Apart:
    """Gives results the evidence that tells them apart, where their lines do not serve."""

    def __init__(self, pages: _Pages) -> None:
        self._pages = pages
        self._identities: dict[str, str] = {}

    def told(self, result: ImportedResult) -> ImportedResult:
        """``result`` with its evidence; of a secret the whole line is its place.

        Tools count columns in many ways, and what they say of one alone would leave letters of it.
        """
        place = result.place
        if not place.start_line:
            return replace(result, evidence=result.message)
        if result.kind is not Kind.SECRET:
            return result
        page = self._pages.raw(place.file)
        line = next(iter(page[place.start_line - 1 : place.start_line]), "")
        whole = Place(place.file, place.start_line, place.start_line, 1, len(line) + 1)
        return replace(result, place=whole, evidence=self._identity(line))

    def _identity(self, line: str) -> str:
        """The hash of a secret's line, which is slow on purpose; beyond so many one for all."""
        if line not in self._identities and len(self._identities) < _MOST_HASHED:
            self._identities[line] = identity(NAME, line)
        return self._identities.get(line, "one of very many")
