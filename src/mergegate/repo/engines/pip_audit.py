"""pip-audit as a second voice on Python packages.

It gets exact pins only, resolves and installs nothing, and asks our own advisory store, served in
the form of OSV's API on the loopback device. Which versions a record affects is decided here by
intervals, apart from :mod:`mergegate.packages.match`, so that a mistake of either
shows as a difference.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from mergegate.core.errors import EngineFailed, EngineMissing, StoreError
from mergegate.core.report import EngineRun, EngineStatus
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
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.process.run import Completed, python_module, run

MAX_QUERY_BYTES = 64 * 1024

_NAME = re.compile(r"^[a-z0-9]([a-z0-9-]*[a-z0-9])?$")
_FOUND_OR_NOT = (0, 1)

_Pinned = tuple[str, str]
"""Normalised name and version."""


class PipAuditEngine:
    """Gathers :class:`PythonAudit`; idle when there is no PyPI package."""

    name = "pip-audit"

    def __init__(self, open_index: Callable[[], AdvisoryIndex | None]) -> None:
        self._open_index = open_index

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
            return Gathered((PythonAudit(),), self._run(EngineStatus.IDLE, started, 0))
        records = self._records({name for name, _ in pins})
        with served(records) as address:
            answers = [_audit(turn, address, context) for turn in _turns(pins)]
        audit = PythonAudit({pin: names for part in answers for pin, names in part.items()})
        return Gathered((audit,), self._run(EngineStatus.OK, started, len(pins)))

    def _records(self, names: Iterable[str]) -> dict[str, Sequence[AdvisoryRecord]]:
        """What the store holds on each of ``names``, taken out before the server starts."""
        try:
            index = opened(self._open_index)
            require(PYPI.name, index)
            return {name: index.lookup(PYPI.name, name) for name in names}
        except StoreError as error:
            raise EngineFailed(error.what, remedy=error.remedy or REMEDY) from error

    def _run(self, status: EngineStatus, started: float, packages: int) -> EngineRun:
        return EngineRun(
            name=self.name,
            version=self.version(),
            status=status,
            duration_ms=round((time.monotonic() - started) * 1000),
            files=packages,
        )


def pins_of(packages: Iterable[Package]) -> list[_Pinned]:
    """Normalised name and version of every PyPI package that pip-audit can be asked about."""
    found: set[_Pinned] = set()
    for package in packages:
        version = normalised(package.version)
        if package.ecosystem == PYPI.name and _NAME.match(package.name) and version:
            found.add((package.name, version))
    return sorted(found)


def normalised(version: str) -> str:
    """PEP 440's own spelling; empty when it is no such version."""
    try:
        return str(Version(version))
    except InvalidVersion:
        return ""


@contextmanager
def served(records: Mapping[str, Sequence[AdvisoryRecord]]) -> Iterator[str]:
    """OSV's ``/v1/query`` over ``records`` alone, on a free port of 127.0.0.1, as an address."""

    class Handler(_Query):
        known = records

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Query(BaseHTTPRequestHandler):
    """Answers one package and version; any other request is refused."""

    known: Mapping[str, Sequence[AdvisoryRecord]]
    timeout = 30

    def do_POST(self) -> None:  # the name that http.server calls
        try:
            answer = self._answer()
        except (ValueError, KeyError, TypeError):
            self.send_error(400)
            return
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self) -> dict[str, object]:
        length = int(self.headers["Content-Length"])
        if self.path != "/v1/query" or not 0 < length <= MAX_QUERY_BYTES:
            raise ValueError("no such query")
        query = json.loads(self.rfile.read(length))
        name, version = query["package"]["name"], Version(query["version"])
        found = [r for r in self.known[name] if _affects(r, version)]
        return {"vulns": [_osv(record, name) for record in found]} if found else {}

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: standard error is for progress."""


def _affects(record: AdvisoryRecord, version: Version) -> bool:
    listed = any(normalised(text) == str(version) for text in record.versions)
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
        if event == "fixed" and normalised(version)
    ]
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, *fixed]}]
    return {
        "schema_version": "1.7.0",
        "id": record.id,
        "aliases": list(record.aliases),
        "summary": record.summary,
        "affected": [{"package": {"name": name, "ecosystem": PYPI.name}, "ranges": ranges}],
    }


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


def _audit(
    pins: Sequence[_Pinned], address: str, context: EngineContext
) -> dict[str, tuple[str, ...]]:
    room = context.stage.room("pip-audit")
    listed = room / "pins.txt"
    listed.write_text("".join(f"{name}=={version}\n" for name, version in pins), encoding="utf-8")
    argv: list[str | Path] = [
        *python_module("pip_audit"),
        "-r",
        listed,
        "--no-deps",
        "--disable-pip",
        "-S",
    ]
    argv += ["-s", "osv", "--osv-url", address, "--cache-dir", room / "cache"]
    argv += ["-f", "json", "--aliases", "on", "--desc", "off", "--progress-spinner", "off"]
    # The loopback device is all of the network that it needs, and all that it is told of.
    return _answers(run(argv, cwd=room, limits=context.limits, network=True), pins)


def _answers(completed: Completed, pins: Sequence[_Pinned]) -> dict[str, tuple[str, ...]]:
    """Every pin's answer; raises EngineFailed when one is missing, skipped or malformed."""
    if completed.exit_code not in _FOUND_OR_NOT:
        raise EngineFailed(f"pip-audit ended with exit code {completed.exit_code}")
    try:
        listed = json.loads(completed.stdout)["dependencies"]
        answers = dict(_answer(entry) for entry in listed)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"pip-audit's answer is not of its documented form{_last_line(completed)}"
        raise EngineFailed(what) from error
    silent = [f"{name}=={version}" for name, version in pins if f"{name}=={version}" not in answers]
    if silent:
        raise EngineFailed(f"pip-audit gave no answer for {', '.join(silent[:5])}")
    return dict(sorted(answers.items()))


def _answer(entry: dict[str, object]) -> tuple[str, tuple[str, ...]]:
    if "skip_reason" in entry:
        raise EngineFailed(f"pip-audit skipped {entry['name']}: {entry['skip_reason']}")
    found = entry["vulns"]
    if not isinstance(found, list):
        raise TypeError("vulns is no list")
    names = {name for vuln in found for name in (vuln["id"], *vuln["aliases"])}
    return f"{canonicalize_name(str(entry['name']))}=={entry['version']}", tuple(sorted(names))


def _last_line(completed: Completed) -> str:
    lines = completed.stderr.decode("utf-8", "replace").strip().splitlines()
    return f" ({sanitised(lines[-1])})" if lines else ""
