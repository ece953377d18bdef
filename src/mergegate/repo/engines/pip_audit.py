"""pip-audit as a second voice on Python packages.

It gets exact pins only, resolves and installs nothing, has no network, and is answered from our own
advisory store, in the form of OSV's API. Which versions a record affects is decided here by
intervals, apart from :mod:`mergegate.packages.ranges`, so that a mistake of either shows as a
difference. What it was told decides what it says: told the same again, it is not asked.
"""

import hashlib
import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from pydantic import ConfigDict, TypeAdapter, ValidationError

from mergegate.core.errors import EngineFailed, EngineMissing, StoreError
from mergegate.core.report import EngineRun, EngineStatus
from mergegate.packages import known_flaw
from mergegate.packages.advisory_engine import REMEDY, opened, require
from mergegate.packages.dependencies import (
    AdvisoryRecord,
    AffectedRange,
    Dependencies,
    Package,
    PythonAudit,
)
from mergegate.packages.ecosystems import PYPI
from mergegate.packages.match import AdvisoryIndex
from mergegate.packages.readers.documents import sanitised
from mergegate.sandbox.engines.engine import EngineContext, Gathered, Memory
from mergegate.sandbox.process.run import Completed, python_module, run

_NAME = re.compile(r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
_FOUND_OR_NOT = (0, 1)
_REVISION = "1"
"""Changes with how it is run and how its answer is read: an answer is kept by it."""

_Pinned = tuple[str, str]
"""Normalised name and version."""
_KNOWN: _Pinned = (known_flaw.NAME, known_flaw.AFFECTED)
_Replies = Mapping[_Pinned, list[dict[str, object]]]
"""Each package that can be asked about, with its records as OSV's API gives them."""
_Answers = dict[str, tuple[str, ...]]
"""``name==version`` → the advisories that pip-audit names, with their aliases."""
_ANSWERS = TypeAdapter(_Answers, config=ConfigDict(defer_build=True))


class PipAuditEngine:
    """Gathers :class:`PythonAudit`; idle when there is no PyPI package."""

    name = "pip-audit"

    def __init__(self, open_index: Callable[[], AdvisoryIndex | None], memory: Memory) -> None:
        self._open_index = open_index
        self._memory = memory

    def version(self) -> str:
        """The installed package's; raises EngineMissing."""
        try:
            return metadata.version("pip-audit")
        except metadata.PackageNotFoundError as error:
            remedy = "Reinstall Mergegate: pip-audit comes with it."
            raise EngineMissing("pip-audit is not installed", remedy=remedy) from error

    def gather(self, dependencies: Dependencies, context: EngineContext) -> Gathered:
        """Raises EngineMissing without advisories on PyPI, EngineFailed for any odd answer."""
        started = time.monotonic()
        pins = pins_of(dependencies.packages)
        if not pins:
            return Gathered((PythonAudit(),), self._run(EngineStatus.IDLE, started))
        replies = _replies(pins, self._records({name for name, _ in pins}))
        turns = {self._key(turn, replies): turn for turn in _turns(list(replies))}
        known = self._recalled(turns, context)
        learned = {
            key: _audit(turn, replies, context) for key, turn in turns.items() if key not in known
        }
        self._memory.remember(
            {
                key: _ANSWERS.dump_json(found)
                for key, found in learned.items()
                if found.keys() == _spelled(turns[key])
            }
        )
        answers = {**known, **learned}
        audit = PythonAudit({pin: names for key in turns for pin, names in answers[key].items()})
        reused = sum(map(len, known.values()))
        run = self._run(EngineStatus.OK, started, len(audit.answers), reused)
        return Gathered((audit,), run)

    def _key(self, turn: Sequence[_Pinned], replies: _Replies) -> str:
        """A digest of all that decides the answer: both versions, pins, and records."""
        told = [self.name, self.version(), _REVISION, [(*pin, replies[pin]) for pin in turn]]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def _recalled(
        self, turns: Mapping[str, Sequence[_Pinned]], context: EngineContext
    ) -> dict[str, _Answers]:
        """Answers that were given already, each whole.

        Where others can write what is kept and the change touches anything, only of this run.
        """
        doubted: Collection[str] = turns.keys() if context.anew else ()
        kept = self._memory.recall(list(turns), doubted)
        read = {key: _read(text) for key, text in kept.items()}
        return {key: found for key, found in read.items() if found.keys() == _spelled(turns[key])}

    def _records(self, names: Iterable[str]) -> dict[str, Sequence[AdvisoryRecord]]:
        """What the store holds on each of ``names``."""
        try:
            index = opened(self._open_index, [PYPI.name])
            require(PYPI.name, index)
            return {name: index.lookup(PYPI.name, name) for name in names}
        except StoreError as error:
            raise EngineFailed(error.what, remedy=error.remedy or REMEDY) from error

    def _run(
        self, status: EngineStatus, started: float, packages: int = 0, reused: int = 0
    ) -> EngineRun:
        return EngineRun(
            name=self.name,
            version=self.version(),
            status=status,
            duration_ms=round((time.monotonic() - started) * 1000),
            files=packages,
            reused=reused,
        )


def pins_of(packages: Iterable[Package]) -> list[_Pinned]:
    """Normalised name and version of every PyPI package that pip-audit can be asked about."""
    found: set[_Pinned] = set()
    for package in packages:
        version = normalised(package.version)
        is_named = _NAME.match(package.name) and package.name != known_flaw.NAME
        if package.ecosystem == PYPI.name and is_named and version:
            found.add((package.name, version))
    return sorted(found)


def normalised(version: str) -> str:
    """PEP 440's own spelling; empty when it is no such version."""
    found = _version(version)
    return "" if found is None else str(found)


@lru_cache(maxsize=65_536)
def _version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _replies(
    pins: Iterable[_Pinned], records: Mapping[str, Sequence[AdvisoryRecord]]
) -> dict[_Pinned, list[dict[str, object]]]:
    """What pip-audit is to hear."""
    return {
        (name, version): [_osv(r, name) for r in records[name] if _affects(r, Version(version))]
        for name, version in pins
    }


def _affects(record: AdvisoryRecord, version: Version) -> bool:
    """A record with a boundary that is no version is left to the first voice, which names it."""
    if any(_version(text) is None for piece in record.ranges for _, text in piece.events):
        return False
    listed = any(_version(text) == version for text in record.versions)
    return listed or any(
        low <= version and (high is None or version < high or (inclusive and version == high))
        for piece in record.ranges
        for low, high, inclusive in _intervals(piece)
    )


def _intervals(piece: AffectedRange) -> Iterator[tuple[Version, Version | None, bool]]:
    """Each introduction up to the next fix (exclusive) or last affected version (inclusive)."""
    lows = sorted(Version(v) for event, v in piece.events if event == "introduced")
    highs = sorted(
        (Version(v), event == "last_affected")
        for event, v in piece.events
        if event in ("fixed", "last_affected")
    )
    for low in (Version("0.dev0") if str(low) == "0" else low for low in lows):
        # A fix at the introduction itself closes the interval before it, not this one.
        ends = (
            (end, inclusive) for end, inclusive in highs if end > low or (inclusive and end == low)
        )
        high, inclusive = next(ends, (None, False))
        yield low, high, inclusive


def _osv(record: AdvisoryRecord, name: str) -> dict[str, object]:
    """The record as OSV's API gives it, without the dates that pip-audit may stumble over."""
    fixed = [
        {"fixed": version}
        for piece in record.ranges
        for event, version in piece.events
        if event == "fixed" and _version(version)
    ]
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, *fixed]}]
    return {
        "schema_version": "1.7.0",
        "id": record.id,
        "aliases": list(record.aliases),
        "summary": record.summary,
        "affected": [{"package": {"name": name, "ecosystem": PYPI.name}, "ranges": ranges}],
    }


def _spelled(pins: Iterable[_Pinned]) -> set[str]:
    return {f"{name}=={version}" for name, version in pins}


def _read(text: bytes) -> _Answers:
    """What was kept; empty when it is damaged or of another shape: then pip-audit is asked."""
    try:
        return _ANSWERS.validate_json(text)
    except ValidationError:
        return {}


def _turns(pins: Sequence[_Pinned]) -> list[list[_Pinned]]:
    """One run takes one version of a package: the nth version goes to the nth run."""
    turns: list[list[_Pinned]] = []
    seen: dict[str, int] = {}
    for name, version in pins:
        turn = seen[name] = seen.get(name, -1) + 1
        if turn == len(turns):
            turns.append([])
        turns[turn].append((name, version))
    return turns


def _audit(pins: Sequence[_Pinned], replies: _Replies, context: EngineContext) -> _Answers:
    """One run, which is told of a flaw of ours as well and has to find it."""
    room = context.stage.room("pip-audit")
    replies = {**replies, **_replies([_KNOWN], {known_flaw.NAME: [known_flaw.RECORD]})}
    asked = [*pins, _KNOWN]
    told = room / "replies.json"
    told.write_text(json.dumps([(*pin, replies[pin]) for pin in asked]), encoding="utf-8")
    listed = room / "pins.txt"
    listed.write_text("".join(f"{name}=={version}\n" for name, version in asked), encoding="utf-8")
    argv: list[str | Path] = [
        *python_module("mergegate.repo.engines.pip_audit_worker"),
        told,
        "-r",
        listed,
        "--no-deps",
        "--disable-pip",
        "-S",
    ]
    argv += ["-s", "osv", "--cache-dir", room / "cache", "-f", "json"]
    argv += ["--aliases", "on", "--desc", "off", "--progress-spinner", "off"]
    return _answers(run(argv, cwd=room, limits=context.limits), pins)


def _answers(completed: Completed, pins: Sequence[_Pinned]) -> _Answers:
    """The answers, without those of pins that pip-audit skipped or did not mention.

    They have no second voice. Raises EngineFailed when the whole is malformed, empty, or without
    our own flaw.
    """
    if completed.exit_code not in _FOUND_OR_NOT:
        raise EngineFailed(f"pip-audit ended with exit code {completed.exit_code}")
    try:
        listed = json.loads(completed.stdout)["dependencies"]
        answers = dict(_answer(entry) for entry in listed if "skip_reason" not in entry)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"pip-audit's answer is not of its documented form{_last_line(completed)}"
        raise EngineFailed(what) from error
    if known_flaw.RECORD.id not in answers.get("==".join(_KNOWN), ()):
        raise EngineFailed("pip-audit misses a flaw that it was told of")
    known = _spelled(pins) & answers.keys()
    if not known:
        raise EngineFailed("pip-audit gave no answer for any package")
    return {pin: answers[pin] for pin in sorted(known)}


def _answer(entry: dict[str, object]) -> tuple[str, tuple[str, ...]]:
    found = entry["vulns"]
    if not isinstance(found, list):
        raise TypeError("vulns is no list")
    names = {name for vuln in found for name in (vuln["id"], *vuln["aliases"])}
    return f"{canonicalize_name(str(entry['name']))}=={entry['version']}", tuple(sorted(names))


def _last_line(completed: Completed) -> str:
    lines = completed.stderr.decode("utf-8", "replace").strip().splitlines()
    return f" ({sanitised(lines[-1])})" if lines else ""
