"""Measure functions with lizard (MIT), in child processes that one hostile file cannot stop."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from itertools import zip_longest
from pathlib import Path
from typing import Any

from mergegate.core.data_table import read_lists
from mergegate.core.errors import EngineError, EngineFailed, EngineMissing, EngineTimeout
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.facts.code import (
    FLOOR_COMPLEX_BRANCHES,
    CodeMetrics,
    FileMetrics,
    FunctionMetrics,
    MeasuredFile,
)
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination
from mergegate.sandbox.files.stage import read_answers
from mergegate.sandbox.process import run
from mergegate.secrets.places import shown_name

_REVISION = "4"
"""Raise it when the worker's answers change."""

READERS: Mapping[str, str] = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "java": "java",
    "go": "go",
    "c": "c",
    "cpp": "cpp",
    "csharp": "cs",
    "ruby": "rb",
    "php": "php",
    "rust": "rs",
    "kotlin": "kt",
    "swift": "swift",
    "scala": "scala",
}
"""Language → the extension by which lizard picks its reader."""
_DERIVED = re.compile(r"(?:^|/)(?:dist|dist-\w+|umd|esm\d*|cjs|es5)/|\.d\.[cm]?ts$")
_KNOWN = read_lists(Path(__file__).with_suffix(".toml"))
_SYNTAXES = {".tsx": "tsx", ".jsx": "tsx"}
_WORTH_A_PROCESS_BYTES = 500_000
_CRASHES_ALLOWED = 5


class Lizard:
    """FileEngine: size and complexity of the functions of production code."""

    name = "lizard"
    answer = FileMetrics

    def version(self) -> str:
        """The installed distribution's version; raises EngineMissing."""
        try:
            return installed_version("lizard")
        except PackageNotFoundError as error:
            raise EngineMissing(
                "lizard is not installed", remedy="Run `mergegate doctor`."
            ) from error

    def identity(self) -> str:
        """The revision of our worker."""
        return _REVISION

    def wants(self, file: SourceFile) -> bool:
        """Production code alone: the length of tests or vendored code asks for no action."""
        return file.language in READERS and is_written(file)

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileMetrics]:
        """Measures for ``files``; one that crashes or stalls lizard is a problem of its own.

        Raises EngineFailed when lizard does not start or keeps crashing, EngineTimeout as a whole.
        """
        lanes = _lanes(files, context.jobs)
        with ThreadPoolExecutor(max_workers=len(lanes) or 1) as pool:
            done = list(pool.map(lambda lane: _Lane(context).measure(lane), lanes))
        answers = {key: value for one in done for key, value in one.answers.items()}
        problems = {key: why for one in done for key, why in one.problems.items()}
        return Examination(answers, problems)


def is_written(file: SourceFile) -> bool:
    """Whether people write the file for production: no test, no bundle, no declarations."""
    scripts = ("javascript", "typescript")
    bundled = file.language in scripts and _DERIVED.search(file.path) is not None
    built = bundled or file.minified or file.signs.generated or bool(file.signs.library)
    return file.role is Role.SOURCE and not file.binary and not built


def fact(answers: Answers[FileMetrics]) -> CodeMetrics:
    """What was measured, with paths and roles."""
    return CodeMetrics(
        tuple(
            MeasuredFile(file.path, file.role, file.language or "", metrics)
            for file, metrics in answers.files
        )
    )


def _lanes(files: Sequence[SourceFile], jobs: int) -> list[list[SourceFile]]:
    """Equal shares of the bytes; no second process where one is done in a moment."""
    count = min(max(jobs, 1), 1 + sum(file.size for file in files) // _WORTH_A_PROCESS_BYTES)
    lanes: list[list[SourceFile]] = [[] for _ in range(count)]
    loads = [0] * count
    for file in sorted(files, key=lambda file: (-file.size, file.key)):
        lightest = loads.index(min(loads))
        lanes[lightest].append(file)
        loads[lightest] += file.size + 1
    return [lane for lane in lanes if lane]


@dataclass
class _Lane:
    """One worker after another, each going on behind the file that ended the one before."""

    context: EngineContext
    answers: dict[str, FileMetrics] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def measure(self, files: Sequence[SourceFile]) -> "_Lane":
        crashes = 0
        while files:
            answered, crash = self._attempt(files)
            if crash is not None:
                crashes += 1
                if crashes > _CRASHES_ALLOWED:
                    raise crash
                self.problems[files[answered].key] = f"lizard: {crash.what}"
                answered += 1
            files = files[answered:]
        return self

    def _attempt(self, files: Sequence[SourceFile]) -> tuple[int, EngineError | None]:
        room = self.context.stage.room("lizard")
        tasks, answers = room / "tasks.json", room / "answers.jsonl"
        known = [_known_task(reader, room) for reader in sorted(set(map(_reader, files)))]
        listed = [*map(self._task, files), *known]
        tasks.write_text(json.dumps(listed), encoding="utf-8")
        crash = _run(tasks, answers, self.context.limits)
        lines = _complete_lines(answers)
        if not lines:
            raise crash or EngineFailed("lizard did not start")
        for file, line in zip(files, lines[1:], strict=False):
            self._record(file, line)
        answered = min(len(lines) - 1, len(files))
        if answered < len(files):
            return answered, crash or EngineFailed("it stopped early")
        _prove(lines[1 + answered :], [str(task[-1]) for task in known])
        return answered, None

    def _task(self, file: SourceFile) -> list[str | int]:
        location = self.context.stage.readable(file)
        return [file.key, str(location), file.digest, file.size, _reader(file)]

    def _record(self, file: SourceFile, line: str) -> None:
        try:
            said = json.loads(line)
            if said["key"] != file.key:
                raise EngineFailed("lizard's answers are out of step")
            if "problem" in said:
                self.problems[file.key] = str(said["problem"])
            else:
                self.answers[file.key] = _metrics(said)
        except (ValueError, KeyError, TypeError) as error:
            raise EngineFailed("lizard's answer cannot be read") from error


def _known_task(reader: str, room: Path) -> list[str | int]:
    """The function of many branches, which is given last in each language that is asked about."""
    begin, branch, end = _KNOWN[reader]
    code = f"{begin}{branch * FLOOR_COMPLEX_BRANCHES}{end}".encode()
    path = room / f"canary.{reader}"
    path.write_bytes(code)
    return ["", str(path), hashlib.sha256(code).hexdigest(), len(code), reader]


def _prove(lines: Sequence[str], readers: Sequence[str]) -> None:
    """Raise EngineFailed unless the known function was measured by each of ``readers``."""
    for reader, line in zip_longest(readers, lines):
        measured = json.loads(line or "{}").get("functions", ())
        if not any(row[-1] > FLOOR_COMPLEX_BRANCHES for row in measured):
            raise EngineFailed(f"lizard did not measure the known function in {reader}")


def _run(tasks: Path, answers: Path, limits: run.Limits) -> EngineError | None:
    """Why the worker ended before its time, None when it did not."""
    worker = run.python_module("mergegate.repo.engines.lizard_worker")
    try:
        ended = run.run([*worker, str(tasks), str(answers)], cwd=tasks.parent, limits=limits)
    except EngineTimeout:
        raise
    except EngineFailed as error:
        return error
    if ended.exit_code:
        return EngineFailed(f"it ended with exit code {ended.exit_code}")
    return None


def _complete_lines(answers: Path) -> list[str]:
    return read_answers(answers).split("\n")[:-1]


def _reader(file: SourceFile) -> str:
    return _SYNTAXES.get(file.suffix) or READERS[file.language or ""]


def _metrics(said: dict[str, Any]) -> FileMetrics:
    if said.get("minified"):
        return FileMetrics(minified=True)
    if said.get("plain"):
        return FileMetrics()
    functions = tuple(FunctionMetrics(shown_name(name), *row) for name, *row in said["functions"])
    return FileMetrics(int(said["nloc"]), functions)
