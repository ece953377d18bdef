"""Secrets that commits of a change brought and its last one no longer holds, and their messages.

Each version of a file that a commit left, and that does not stand in the tree, is searched as a
file is: in the same process with limits, whole, whatever its lines look like. Of a merge those
versions count that none of its parents has.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mergegate.core.errors import EngineFailed, TargetError
from mergegate.core.languages import language_of
from mergegate.core.report import EngineStatus
from mergegate.core.severity import Confidence
from mergegate.core.tree import Reason, Role, Skipped, SourceFile, Tree, display
from mergegate.sandbox.engines.engine import Answers, EngineContext, Gathered, Memory, ask
from mergegate.sandbox.engines.runner import Facts
from mergegate.sandbox.files.record import source_file
from mergegate.sandbox.git.brought import Brought
from mergegate.sandbox.git.entries import Entry
from mergegate.sandbox.git.repository import Repository
from mergegate.secrets.detectors import DETECTORS
from mergegate.secrets.engine import SecretsEngine
from mergegate.secrets.fact import fact, role_by_name, weighed
from mergegate.secrets.found import FileSecrets, PastSecret, SecretMatch
from mergegate.secrets.places import shown_name
from mergegate.secrets.scan import LARGEST_BYTES

MOST_BYTES = 512 * 1024 * 1024
"""All versions together; they lie on the disk while they are searched."""
_SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class _Version:
    """A text that a commit left."""

    commit: str
    file: SourceFile
    change: Brought | None = None
    """None for the commit's message."""


@dataclass(slots=True)
class ChangeSearch:
    """A source's ``gather``: the secrets of the tree, and of the commits since ``base``."""

    repository: Repository
    base: str
    memory: Memory
    engine: SecretsEngine = field(default_factory=SecretsEngine)
    _past: tuple[tuple[PastSecret, ...], tuple[Skipped, ...]] | None = None

    def gather(self, tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        """The fact; commits are searched once, however many trees are looked at after them.

        Raises EngineFailed when Git does not tell what the commits brought.
        """
        try:
            return self._gather(tree, context)
        except TargetError as error:
            raise EngineFailed(f"the commits of the change: {error.what}") from error

    def _gather(self, tree: Tree, context: EngineContext) -> Gathered:
        if self._past is not None:
            return _gathered(ask(self.engine, tree, self.memory, context), *self._past)
        store = _Store(self.repository, context.stage.room("commits"))
        changes = [
            one
            for one in self.repository.brought(self.base)
            if not context.excludes(_shown(one.raw_path))
        ]
        standing = {file.digest for file in tree.files}
        versions = [
            *(one for one in store.versions(changes) if one.file.digest not in standing),
            *store.messages(self.base),
        ]
        ahead = (*context.ahead, *(one.file for one in versions))
        anew = context.anew | {one.file.key for one in versions}
        context = replace(context, ahead=ahead, anew=anew)
        answers = ask(self.engine, tree, self.memory, context)
        alone = replace(context, ahead=())
        found = self._ask(versions, alone, store)
        past = tuple(self._brought(found, changes, alone, store))
        self._past = past, tuple(store.limited)
        return _gathered(answers, *self._past)

    def _ask(
        self, versions: Sequence[_Version], context: EngineContext, store: "_Store"
    ) -> list[tuple[_Version, FileSecrets]]:
        """Each version in which something was found; what was not searched is noted."""
        files = {one.file.key: one.file for one in versions}
        answers = ask(self.engine, Tree(tuple(files.values())), self.memory, context)
        store.limited.extend(
            replace(one, reason=f"as an earlier commit left it: {one.reason}")
            for one in answers.limited
        )
        found = {file.key: answer for file, answer in answers.files if answer.matches}
        return [(one, found[one.file.key]) for one in versions if one.file.key in found]

    def _brought(
        self,
        found: Sequence[tuple[_Version, FileSecrets]],
        changes: Sequence[Brought],
        context: EngineContext,
        store: "_Store",
    ) -> Iterator[PastSecret]:
        """What the version holds and nothing held that its commit changed or took away."""
        former = _former([one.change for one, _ in found if one.change], changes)
        for version, answer in found:
            oids = former.get((version.commit, version.file.path), ())
            before = self._ask(store.former(version, oids), context, store)
            known = {_value(match) for _, held in before for match in held.matches}
            new = tuple(match for match in answer.matches if _value(match) not in known)
            yield from _told(version, FileSecrets(new))


def _gathered(
    answers: Answers[FileSecrets], past: tuple[PastSecret, ...], limited: tuple[Skipped, ...]
) -> Gathered:
    status = EngineStatus.LIMITED if limited else answers.run.status
    run = replace(answers.run, status=status)
    return Gathered((fact(answers, past),), run, (*answers.limited, *limited), answers.searched)


def _former(
    searched: Sequence[Brought], changes: Sequence[Brought]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Commit and path → what stood there before, and what the commit took away elsewhere.

    So a file that was moved brings nothing.
    """
    gone: dict[str, list[str]] = {one.commit: [] for one in searched}
    for one in changes:
        if not one.oid and one.commit in gone:
            gone[one.commit].extend(one.before)
    return {
        (one.commit, _shown(one.raw_path)): (*one.before, *gone[one.commit]) for one in searched
    }


def _shown(raw_path: bytes) -> str:
    return shown_name(display(raw_path))


def _value(match: SecretMatch) -> tuple[str, str]:
    return match.detector, match.identity


def _told(version: _Version, found: FileSecrets) -> Iterator[PastSecret]:
    path, role = version.file.path, role_by_name(version.file.path, version.file.role)
    if version.change is None:
        plain = (_in_message(match) for match in found.matches)
        yield from (PastSecret(version.commit, "", Role.SOURCE, match) for match in plain if match)
        return
    for match in weighed(path, found).matches:
        yield PastSecret(version.commit, path, role, match)


def _in_message(match: SecretMatch) -> SecretMatch | None:
    """A sentence may speak of passwords: what names and context make one is less sure there."""
    if not DETECTORS[match.detector].by_context:
        return match
    sure = match.confidence is Confidence.HIGH
    return replace(match, confidence=Confidence.MEDIUM) if sure else None


@dataclass(slots=True)
class _Store:
    """Objects of the repository as files that an engine can read; each is written once."""

    repository: Repository
    room: Path
    limited: list[Skipped] = field(default_factory=list)
    _bytes: int = 0
    _places: dict[str, Path | None] = field(default_factory=dict)

    def versions(self, changes: Iterable[Brought]) -> list[_Version]:
        """What ``changes`` left; the first commit that brought a version counts."""
        first: dict[tuple[str, bytes], Brought] = {}
        for one in changes:
            if one.oid and one.mode != _SUBMODULE:
                first.setdefault((one.oid, one.raw_path), one)
        self._write((one.oid, one.raw_path) for one in first.values())
        files = ((one, self._file(one.oid, _shown(one.raw_path))) for one in first.values())
        found = [_Version(one.commit, file, one) for one, file in files if file]
        self.limited.extend(
            Skipped(one.file.path, "an earlier version is no text", one.file.size, Reason.ENCODING)
            for one in found
            if one.file.binary and language_of(one.file.path)
        )
        return found

    def former(self, version: _Version, oids: Sequence[str]) -> list[_Version]:
        """Other objects as they would be under the path of ``version``."""
        self._write((oid, version.file.path.encode()) for oid in oids)
        files = (self._file(oid, version.file.path) for oid in oids)
        return [_Version(version.commit, file, version.change) for file in files if file]

    def messages(self, base: str) -> Iterator[_Version]:
        """The message of every commit since ``base``."""
        for commit, text in self.repository.messages(base):
            place = self.room / f"message-{commit}"
            place.write_bytes(text)
            name = f"message of commit {commit[:12]}"
            yield _Version(commit, source_file(name, place, text))

    def _file(self, oid: str, path: str) -> SourceFile | None:
        place = self._places.get(oid)
        return source_file(path, place, place.read_bytes()) if place else None

    def _write(self, wanted: Iterable[tuple[str, bytes]]) -> None:
        """Write what is not here yet; what cannot be is named."""
        paths = {oid: path for oid, path in wanted if oid not in self._places}
        sizes = self.repository.sizes(paths)
        self._places |= dict.fromkeys(paths)
        fitting = [
            Entry("", oid, sizes[oid], path)
            for oid, path in paths.items()
            if self._fits(_shown(path), sizes.get(oid))
        ]
        for entry, content in self.repository.blobs(fitting):
            place = self.room / entry.oid
            place.write_bytes(content)
            self._places[entry.oid] = place

    def _fits(self, path: str, size: int | None) -> bool:
        if size is None:
            what, cause = "the clone does not hold an earlier version", Reason.NOT_CHECKED_OUT
        elif size > LARGEST_BYTES:
            most = LARGEST_BYTES >> 20
            what, cause = f"an earlier version is larger than {most} MiB", Reason.SIZE
        elif self._bytes + size > MOST_BYTES:
            most = MOST_BYTES >> 20
            what, cause = f"earlier versions hold more than {most} MiB in all", Reason.LIMIT
        else:
            self._bytes += size
            return True
        self.limited.append(Skipped(path, what, size or 0, cause))
        return False
