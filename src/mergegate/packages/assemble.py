"""Joins files to one fact: which lock covers which manifest, and what stays unresolved."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from mergegate.core.tree import Role
from mergegate.packages.dependencies import Dependencies, Manifest, Package, Pin, Unresolved, Why
from mergegate.packages.ecosystems import Ecosystem, LockFormat, ManifestFormat
from mergegate.packages.readers.documents import sanitised
from mergegate.packages.readers.reading import ManifestReading, Reading, Requirement

_PinKey = tuple[str, str, str]
"""Lock file, package and version."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock file; without a reading when it could not be read."""

    path: str
    ecosystem: Ecosystem
    format: LockFormat
    role: Role
    reading: Reading | None

    @property
    def folder(self) -> str:
        """Where it lies; empty at the root."""
        return posixpath.dirname(self.path)

    @property
    def packages(self) -> tuple[Package, ...]:
        """What it fixes."""
        return self.reading.packages if self.reading else ()

    @property
    def loose(self) -> tuple[Unresolved, ...]:
        """What it leaves open."""
        return self.reading.loose if self.reading else ()

    @property
    def floating(self) -> int:
        """How many of its lines leave the version open."""
        return sum(entry.why is Why.RANGE for entry in self.loose)


@dataclass(frozen=True, slots=True)
class ReadManifest:
    """A manifest and what it says."""

    path: str
    ecosystem: Ecosystem
    format: ManifestFormat
    role: Role
    reading: ManifestReading

    @property
    def folder(self) -> str:
        """Where it lies; empty at the root."""
        return posixpath.dirname(self.path)

    @property
    def floating(self) -> int:
        """How many requirements leave the version open, and not to a file that fixes it."""
        return sum(not r.version and r.why is not Why.CODE for r in self.reading.requirements)


def assembled(
    locks: Sequence[Lock], manifests: Sequence[ReadManifest], sums: frozenset[str]
) -> Dependencies:
    """The fact; ``sums`` are the paths of files that prove what another fixes."""
    packages = [package for lock in locks for package in lock.packages]
    unresolved = [entry for lock in locks for entry in lock.loose]
    told = [*_lists(locks), *_modules(locks, sums)]
    cover = _Cover(locks, manifests)
    pins: dict[_PinKey, list[Pin | None]] = {}
    own = frozenset(one.reading.name for one in manifests)
    for manifest in manifests:
        lock = cover.lock_of(manifest)
        told.append(_manifest(manifest, lock))
        if lock is None:
            packages += _pinned(manifest)
            unresolved += (*manifest.reading.loose, *_unpinned(manifest))
        else:
            for key, pin in _pins(manifest, lock):
                pins.setdefault(key, []).append(pin)
            local = lock.reading.local_names if lock.reading else frozenset()
            missed = _out_of_step(manifest, lock, own | local)
            packages += _pinned(missed)
            unresolved += _unpinned(missed)
    return Dependencies(
        packages=tuple(sorted((_with_pin(package, pins) for package in packages), key=place_of)),
        unresolved=tuple(sorted(set(unresolved))),
        manifests=tuple(sorted(told)),
    )


def place_of(package: Package) -> tuple[str, str, str, int]:
    """What packages of a fact are sorted by."""
    return (package.file, package.name, package.version, package.line)


class _Cover:
    """Which lock file fixes what a manifest names: its own, or a workspace's above it."""

    def __init__(self, locks: Sequence[Lock], manifests: Sequence[ReadManifest]) -> None:
        self._real: dict[tuple[Ecosystem, str], list[Lock]] = {}
        self._lists: dict[tuple[Ecosystem, str], list[Lock]] = {}
        self._globs: dict[tuple[Ecosystem, str], list[str]] = {}
        for lock in locks:
            kind = self._lists if lock.format.is_list else self._real
            kind.setdefault((lock.ecosystem, lock.folder), []).append(lock)
        for manifest in manifests:
            globs = [glob.removeprefix("./").rstrip("/") for glob in manifest.reading.members]
            self._globs.setdefault((manifest.ecosystem, manifest.folder), []).extend(globs)

    def lock_of(self, manifest: ReadManifest) -> Lock | None:
        """A real lock file before a list of pins."""
        here = (manifest.ecosystem, manifest.folder)
        lists = self._lists.get(here, [])
        if suffix := manifest.format.lock_suffix:
            compiled = posixpath.splitext(manifest.path)[0] + suffix
            return next((lock for lock in lists if lock.path == compiled), None)
        for folder in _upwards(manifest.folder):
            for lock in self._real.get((manifest.ecosystem, folder), ()):
                if self._covers(lock, manifest):
                    return lock
        return next((lock for lock in lists if lock.packages and not lock.floating), None)

    def _covers(self, lock: Lock, manifest: ReadManifest) -> bool:
        if lock.folder == manifest.folder or lock.reading is None:
            return True  # what an unreadable one locks cannot be told; it is reported as unread
        inner = manifest.folder[len(lock.folder) :].lstrip("/")
        name = manifest.reading.name
        listed = inner in lock.reading.members or (name and name in lock.reading.local_names)
        globs = self._globs.get((lock.ecosystem, lock.folder), ())
        return bool(listed) or any(fnmatchcase(inner, glob) for glob in globs)


def _out_of_step(manifest: ReadManifest, lock: Lock, own: frozenset[str]) -> ReadManifest:
    """``manifest`` with what ``lock`` does not fix: names that it lacks, other exact versions.

    What installs without the lock, or renews it, takes these. ``own`` are the names of the
    repository's own packages.
    """
    key, spelled = manifest.ecosystem.key, manifest.ecosystem.spelled
    fixed: dict[str, set[str]] = {key(one.name): set() for one in lock.loose}
    for package in lock.packages:
        fixed.setdefault(key(package.name), set()).add(spelled(package.version))

    def is_fixed(requirement: Requirement) -> bool:
        versions = fixed.get(key(requirement.name))
        if versions is None:
            return requirement.name in own
        return not requirement.version or not versions or spelled(requirement.version) in versions

    left = tuple(one for one in manifest.reading.requirements if not is_fixed(one))
    return replace(manifest, reading=replace(manifest.reading, requirements=left))


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def _manifest(manifest: ReadManifest, lock: Lock | None) -> Manifest:
    return Manifest(
        file=manifest.path,
        kind=posixpath.basename(manifest.path),
        ecosystem=manifest.ecosystem.name,
        has_lock=lock is not None,
        floating=manifest.floating,
        licence=sanitised(manifest.reading.licence),
        library=manifest.reading.library,
        dev=manifest.reading.dev or all(r.dev for r in manifest.reading.requirements),
        role=manifest.role,
    )


def _lists(locks: Sequence[Lock]) -> Iterator[Manifest]:
    """Manifest and lock in one."""
    real = {(lock.ecosystem, lock.folder) for lock in locks if not lock.format.is_list}
    for lock in locks:
        if lock.format.is_list and lock.reading is not None:
            yield Manifest(
                file=lock.path,
                kind=lock.format.names[0],
                ecosystem=lock.ecosystem.name,
                has_lock=(lock.ecosystem, lock.folder) in real or not lock.floating,
                floating=lock.floating,
                dev=lock.reading.dev,
                role=lock.role,
            )


def _modules(locks: Sequence[Lock], sums: frozenset[str]) -> Iterator[Manifest]:
    """go.mod: exact in itself, but only go.sum tells whether the bytes are the same."""
    for lock in locks:
        if lock.format.sums and lock.reading is not None:
            proof = posixpath.join(lock.folder, lock.format.sums)
            proved = [one for one in lock.packages if one.name != lock.format.platform]
            yield Manifest(
                file=lock.path,
                kind=lock.format.names[0],
                ecosystem=lock.ecosystem.name,
                has_lock=proof in sums or not proved,
                floating=len(proved),
                role=lock.role,
            )


def _pinned(manifest: ReadManifest) -> Iterator[Package]:
    for requirement in manifest.reading.requirements:
        if requirement.version:
            name = manifest.ecosystem.key(requirement.name)
            yield Package(
                ecosystem=manifest.ecosystem.name,
                name=name,
                written=requirement.name,
                version=requirement.version,
                file=manifest.path,
                line=requirement.line,
                role=manifest.role,
                direct=True,
                dev=requirement.dev,
                path=(requirement.name,),
                pin=_pin(requirement, manifest),
            )


def _unpinned(manifest: ReadManifest) -> Iterator[Unresolved]:
    for requirement in manifest.reading.requirements:
        if not requirement.version:
            yield Unresolved(
                file=manifest.path,
                line=requirement.line,
                text=sanitised(requirement.text),
                why=requirement.why,
                ecosystem=manifest.ecosystem.name,
                name=manifest.ecosystem.key(sanitised(requirement.name)),
                role=manifest.role,
            )


def _pin(requirement: Requirement, manifest: ReadManifest) -> Pin | None:
    if not requirement.pin_text or not requirement.line:
        return None
    return Pin(
        manifest.path, requirement.line, requirement.pin_text, requirement.floor, requirement.range
    )


def _pins(manifest: ReadManifest, lock: Lock) -> Iterator[tuple[_PinKey, Pin | None]]:
    """Where ``manifest`` states the version of one of the lock's packages, or the least one.

    Without a version in the key for a range: it means whichever the lock has. None where a line
    cannot be edited by itself.
    """
    for requirement in manifest.reading.requirements:
        name = manifest.ecosystem.key(requirement.name)
        yield (lock.path, name, requirement.version), _pin(requirement, manifest)


def _with_pin(package: Package, pins: dict[_PinKey, list[Pin | None]]) -> Package:
    """A range of several manifests is left alone: the edit of one would not be enough."""
    exact = [pin for pin in pins.get((package.file, package.name, package.version), []) if pin]
    ranges = pins.get((package.file, package.name, ""), []) if package.direct else []
    found = exact[-1] if exact else ranges[0] if len(ranges) == 1 else None
    return replace(package, pin=found) if found else package
