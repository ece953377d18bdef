"""detect-secrets' detectors and ours, in processes with limits, over the files' bytes."""

import base64
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mergegate.core.errors import EngineError, EngineFailed, EngineMissing
from mergegate.core.tree import SourceFile
from mergegate.sandbox.engines.engine import EngineContext, Examination, adapter
from mergegate.sandbox.engines.worker import run_worker
from mergegate.sandbox.files.stage import Stage
from mergegate.secrets.found import FileSecrets

_WORKER = "mergegate.secrets.worker"
_NAME = "the secret detectors"
_WORTH_A_SECOND_PROCESS = 16_000_000
"""Bytes; one process reads them in less than a second, and other engines want the processors."""
_MOST_RESTARTS = 8
_KEYS = frozenset({".jks", ".keystore", ".p12", ".pfx", ".kdbx", ".bks", ".der", ".key", ".pk8"})
_COMPRESSED = frozenset({".gz", ".tgz", ".svgz"})
_NOTHING_FOUND = FileSecrets(())
_CANARY = b"-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n"
"""A known secret that every run is given last: where it is not found, nothing was searched."""


@dataclass(slots=True)
class _Progress:
    """What the worker has said so far."""

    answers: dict[str, FileSecrets] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    done: int = 0
    """How many files, from the first, need no further run."""


class SecretsEngine:
    """A FileEngine; tokens, keys and passwords by shape and context."""

    name = "detect-secrets"
    answer = FileSecrets

    def version(self) -> str:
        """detect-secrets' version; raises EngineMissing."""
        try:
            return version("detect-secrets")
        except PackageNotFoundError as error:
            raise EngineMissing("detect-secrets is not installed") from error

    def identity(self) -> str:
        """A digest of this package and its tables: a changed detector asks every file again."""
        return source_digest()

    def wants(self, file: SourceFile) -> bool:
        """All text, keys and key stores, and what gzip compressed."""
        return file.size > 0 and (not file.binary or file.suffix in _KEYS | _COMPRESSED)

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileSecrets]:
        """Answers for ``files``; a file that cannot be searched becomes a problem by name."""
        shares = _shares(files, context.jobs)
        with ThreadPoolExecutor(max_workers=len(shares)) as pool:
            parts = list(pool.map(lambda share: _search(share, context), shares))
        return Examination(
            {key: found for part in parts for key, found in part.answers.items()},
            {key: reason for part in parts for key, reason in part.problems.items()},
        )


@cache
def source_digest(room: Path = Path(__file__).parent) -> str:
    """A digest of every module and table in ``room`` and below; 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for file in sorted(room.rglob("*")):
        if file.suffix in {".py", ".toml"}:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _shares(files: Sequence[SourceFile], jobs: int) -> list[list[SourceFile]]:
    """About equal in bytes, as many as are worth a process each."""
    total = sum(file.size for file in files)
    count = max(1, min(jobs, total // _WORTH_A_SECOND_PROCESS + 1, len(files)))
    by_size = sorted(files, key=lambda file: (-file.size, file.key))
    return [by_size[start::count] for start in range(count)]


def _search(files: list[SourceFile], context: EngineContext) -> _Progress:
    """Run the worker over ``files``, again without the file it died on, until all are told."""
    room = context.stage.room("secrets")
    listed = [*(_listed(file, context.stage) for file in files), _canary(room)]
    progress = _Progress()
    for attempt in range(_MOST_RESTARTS):
        rest, job = listed[progress.done :], room / f"{attempt}"
        lines, death = run_worker(_WORKER, job, rest, context.limits, name=_NAME)
        _read(lines, files[progress.done :], progress, death)
        if progress.done >= len(files):
            _prove(lines, len(rest) - 1)
            return progress
    raise EngineFailed(f"{_NAME} died on {_MOST_RESTARTS} files")


def _listed(file: SourceFile, stage: Stage) -> dict[str, str | int]:
    """What the worker is told: it is ours and reads plain bytes, so it seldom needs a copy."""
    return {
        "path": str(stage.readable(file)),
        "suffix": file.suffix,
        "digest": file.digest,
        "size": file.size,
    }


def _canary(room: Path) -> dict[str, str | int]:
    """A file with a private key that opens nothing: the worker is told of it as of any other."""
    content = _CANARY % base64.encodebytes(hashlib.shake_256(b"canary").digest(600)).strip()
    path = room / "canary.pem"
    path.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return {"path": str(path), "suffix": path.suffix, "digest": digest, "size": len(content)}


def _prove(lines: Sequence[dict[str, Any]], number: int) -> None:
    """Raise EngineFailed unless a secret was found in the file of that ``number``."""
    told = next((line for line in lines if line.get("ended") == number), {})
    if not told.get("answer", {}).get("matches"):
        raise EngineFailed(f"{_NAME} did not find the known secret")


def _read(
    lines: Sequence[dict[str, Any]],
    files: Sequence[SourceFile],
    progress: _Progress,
    death: EngineError | None,
) -> None:
    """Take over what was answered; the file begun last is the one the worker died on.

    Of the files that were begun, those without an answer of their own hold nothing.
    """
    told = {line["ended"]: line for line in lines if "ended" in line}
    begun = max((line["begun"] for line in lines if "begun" in line), default=-1)
    if death and (begun < 0 or begun in told):
        raise death
    if death:
        told[begun] = {"problem": f"searching it for secrets failed: {death.what}"}
    elif begun + 1 < len(files):
        raise EngineFailed(f"{_NAME} did not answer for every file")
    for number, file in enumerate(files[: begun + 1]):
        _take(file, told.get(number), progress)
    progress.done += begun + 1


def _take(file: SourceFile, line: dict[str, Any] | None, progress: _Progress) -> None:
    if line is None:
        progress.answers[file.key] = _NOTHING_FOUND
        return
    if "problem" in line:
        progress.problems[file.key] = str(line["problem"])
    if "answer" in line:
        try:
            progress.answers[file.key] = adapter(FileSecrets).validate_python(line["answer"])
        except ValidationError as error:
            raise EngineFailed(f"{_NAME}' answer has another shape") from error
