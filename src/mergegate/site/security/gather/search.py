"""Have texts searched for secrets and libraries by the worker: hostile text holds up nobody."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import EngineError, EngineFailed, EngineMissing
from mergegate.sandbox.files.read import read_answers
from mergegate.sandbox.process import run
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.site.security.facts import SourceText
from mergegate.site.security.gather.exposures import Exposure

_WORKER = "mergegate.site.security.gather.worker"
_LIMITS = Limits(memory_bytes=1200 * MEBIBYTE, output_bytes=64 * MEBIBYTE)
_MOST_RESTARTS = 4
_SUFFIXES = {"html": ".html", "json": ".json"}
"""By kind of text; everything else is a script."""
_WITH_LIBRARIES = frozenset({"script", "inline-script", "html"})


class Found(BaseModel):
    """What one text holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    secrets: tuple[Exposure, ...] = ()
    libraries: tuple[tuple[str, str], ...] = ()
    """Name and version."""
    problems: tuple[str, ...] = ()
    """Why there may be more, each one clause of our own words."""


def search(
    texts: Sequence[SourceText], room: Path, now: float, seconds: float
) -> tuple[Found, ...]:
    """One answer a text, in their order, within ``seconds``.

    ``room`` is a private folder, ``now`` in seconds since 1970. Raises EngineMissing when no
    process can be started, EngineFailed when it answers nonsense.
    """
    listed = [_laid_down(text, number, room) for number, text in enumerate(texts)]
    found: list[Found] = []
    until = time.monotonic() + seconds
    for attempt in range(_MOST_RESTARTS):
        rest, left = listed[len(found) :], until - time.monotonic()
        if not rest or left <= 0:
            break
        death = _run(room / f"job-{attempt}", {"texts": rest, "now": now}, left)
        found += _answered(room / f"job-{attempt}.answers", len(rest), death)
    lost = Found(problems=("the search took too long, or ended too often",))
    return (*found, *[lost] * (len(texts) - len(found)))


def _laid_down(text: SourceText, number: int, room: Path) -> dict[str, Any]:
    path = room / f"text-{number}"
    path.write_text(text.text, encoding="utf-8", errors="replace")
    return {
        "path": str(path),
        "suffix": _SUFFIXES.get(text.kind, ".js"),
        "libraries": text.kind in _WITH_LIBRARIES,
    }


def _run(job: Path, told: dict[str, Any], seconds: float) -> EngineError | None:
    """Why the worker ended early; None when it came to its end."""
    job.write_text(json.dumps(told), encoding="utf-8")
    command: list[str | Path] = [*run.python_module(_WORKER), job, job.with_suffix(".answers")]
    try:
        completed = run.run(command, cwd=job.parent, limits=replace(_LIMITS, timeout_s=seconds))
    except EngineMissing:
        raise
    except EngineError as error:
        return error
    if completed.exit_code:
        return EngineFailed(f"the search ended with exit code {completed.exit_code}")
    return None


def _answered(answers: Path, asked: int, death: EngineError | None) -> list[Found]:
    """One a text that was begun; the last of them is the one the worker died on."""
    lines = _lines(answers)
    found = [_found(line) for line in lines if "ended" in line]
    begun = sum("begun" in line for line in lines)
    if death and begun > len(found):
        return [*found, Found(problems=(f"searching it failed: {death.what}",))]
    if death and not found:
        raise death
    if death:
        return found
    if len(found) < asked:
        raise EngineFailed("the search did not answer for every text")
    return found


def _lines(answers: Path) -> list[dict[str, Any]]:
    """The complete lines; a worker that was killed may leave half of one."""
    complete, _, _ = read_answers(answers).rpartition("\n")
    try:
        return [json.loads(line) for line in complete.split("\n") if line]
    except ValueError as error:
        raise EngineFailed("the search's answer is not JSON") from error


def _found(line: dict[str, Any]) -> Found:
    try:
        return Found.model_validate({key: one for key, one in line.items() if key != "ended"})
    except ValidationError as error:
        raise EngineFailed("the search's answer has another shape") from error
