"""Run semgrep's engine itself, with our rules, on files we chose.

The command-line front end reads ``.semgrepignore`` and starts in seconds; ``semgrep-core``
does neither. Its flags are no public API: the version is pinned and the contract tests hold it.
"""

import importlib.util
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.core.languages import language_of
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, SourceFile
from mergegate.repo import rules
from mergegate.repo.engines.flow import Insertions, followed
from mergegate.repo.facts.code import CodeFile, CodeMatch, CodeMatches, FileMatches
from mergegate.repo.rules.gates import words_in
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination
from mergegate.sandbox.files.programs import programs_in
from mergegate.sandbox.process.run import MEBIBYTE, run
from mergegate.secrets.mask import mask_text

SEARCHES = frozenset({Aspect.CODE, Aspect.IAC})
LARGEST_BYTES = MEBIBYTE
RULE_TIMEOUT_S = 20
"""Time for one rule on one file; generous, so that a busy machine finds what an idle one does."""
RULES_PER_FILE_THAT_MAY_TIME_OUT = 3
_BYTES_PER_WORKER = 64 * 1024
"""How much code is worth a further worker; starting one for less costs more than it saves."""
_LITTLE_BYTES = 512 * 1024
"""Up to so much code all words are looked up: reading every rule would take semgrep longer."""
_REVISION = "8"
_LAST_STEPS = 12
_NOTHING: Examination[FileMatches] = Examination({})


class Semgrep:
    """A file engine: every rule of a language on the code in it that a file holds."""

    name = "semgrep"
    answer = FileMatches

    def __init__(self, aspects: frozenset[Aspect] = SEARCHES) -> None:
        """Languages whose rules are about none of the ``aspects`` are left alone."""
        self._aspects = aspects

    def version(self) -> str:
        """The version of the installed wheel; raises EngineMissing."""
        _core()
        return version("semgrep")

    def identity(self) -> str:
        """Our rules and the limits that decide what is seen."""
        return f"{_REVISION} {rules.catalogue().revision} {RULE_TIMEOUT_S}"

    def wants(self, file: SourceFile) -> bool:
        """Files with code in a language of ours, whatever they are for."""
        about = rules.catalogue().languages
        return any(self._aspects & about[program.language or ""] for program in _searched(file))

    def examine(
        self, files: Sequence[SourceFile], context: EngineContext
    ) -> Examination[FileMatches]:
        """One process for all files; raises EngineError when it gave no trustworthy answer."""
        refused = {file.key: refusal for file in files if (refusal := _refusal(file))}
        wanted = [file for file in files if file.key not in refused]
        found = self._run(wanted, context) if wanted else _NOTHING
        said = {key: f"{why}: not searched for weak code" for key, (_, why) in refused.items()}
        causes = {key: cause for key, (cause, _) in refused.items()}
        return Examination(found.answers, {**found.problems, **said}, causes)

    def _run(self, files: Sequence[SourceFile], context: EngineContext) -> Examination[FileMatches]:
        room = context.stage.room(self.name)
        staged = _staged(files, context, room)
        targets = {path: pieces[0].language for path, pieces in staged.items()}
        canaries = _put_canaries(_canaries(targets.values(), files), room)
        languages = {canary.language for canary in canaries.values()}
        targets |= {path: canary.language for path, canary in canaries.items()}
        size = sum(Path(path).stat().st_size for path in targets)
        words = words_in(map(Path, targets)) if size <= _LITTLE_BYTES else None
        given = rules.catalogue().document(languages, words)
        (room / "rules.json").write_text(given, encoding="utf-8")
        (room / "targets.json").write_text(_targets(targets), encoding="utf-8")
        done = run(_argv(room, context, size), cwd=room, limits=context.limits)
        if done.exit_code != 0:
            raise EngineFailed(f"semgrep-core ended with {done.exit_code}")
        return _examination(_proved(_parse(done.stdout), canaries), staged)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A file's code in one language."""

    file: SourceFile
    program: SourceFile
    copy: Path
    """Its text, as it is."""
    insertions: Insertions = Insertions()
    """What was put into what is searched of it."""

    @property
    def language(self) -> str:
        return self.program.language or ""


_Staged = Mapping[str, Sequence[_Piece]]
"""The copies that are searched, and whose code each is: equal code lies there once."""


def _searched(file: SourceFile) -> Iterator[SourceFile]:
    """The code in ``file`` that there are rules for."""
    languages = rules.catalogue().languages
    return (program for program in file.code if program.language in languages)


def _staged(files: Iterable[SourceFile], context: EngineContext, room: Path) -> _Staged:
    """Named by language, as the same bytes may be two languages' programs.

    What semgrep's flow would not go through lies in ``room``, written so that it does.
    """
    staged: dict[str, list[_Piece]] = defaultdict(list)
    for file in files:
        for program in _searched(file):
            own = language_of(file.path) == program.language
            suffix = file.suffix if own else f".{program.language}"
            copy = context.stage.put(program, suffix)
            text = copy.read_bytes()
            edited, insertions = followed(text, program.language or "")
            target = copy if edited is text else room / copy.name
            if edited is not text:
                target.write_bytes(edited)
            staged[str(target)].append(_Piece(file, program, copy, insertions))
    return staged


def _refusal(file: SourceFile) -> tuple[Reason, str] | None:
    """Why a file is not searched: its cost has no bound. None when it is."""
    programs = list(_searched(file))
    if any(program.size > LARGEST_BYTES for program in programs):
        return Reason.SIZE, f"larger than {LARGEST_BYTES // MEBIBYTE} MiB"
    if any(program.minified for program in programs):
        return Reason.MINIFIED, "minified"
    return None


def fact(answers: Answers[FileMatches]) -> CodeMatches:
    """Files with matches or problems, and all rules that could have matched."""
    return CodeMatches(
        tuple(
            CodeFile(file.path, file.role, found)
            for file, found in answers.files
            if found.matches or found.problems
        ),
        dict(rules.catalogue().rules),
    )


def _core() -> Path:
    package = importlib.util.find_spec("semgrep")
    folder = Path(package.origin).parent if package and package.origin else None
    core = folder / "bin" / "semgrep-core" if folder else None
    if core is None or not core.is_file():
        raise EngineMissing("semgrep is not installed", remedy="Install mergegate again.")
    return core


def _argv(room: Path, context: EngineContext, size: int) -> list[str | Path]:
    """The command for ``size`` bytes of code."""
    limits = context.limits
    jobs = min(context.jobs, 1 + size // _BYTES_PER_WORKER)
    return [
        _core(),
        "-json_nodots",
        *("-rules", room / "rules.json"),
        *("-targets", room / "targets.json"),
        # Forked workers: its threads take a third more CPU and longer for the same answer.
        *("-use_parmap", "-j", str(jobs)),
        *("-timeout", str(RULE_TIMEOUT_S)),
        *("-timeout_threshold", str(RULES_PER_FILE_THAT_MAY_TIME_OUT)),
        *("-max_memory", str(limits.memory_bytes // MEBIBYTE * 2 // 3)),
    ]


def _canaries(
    languages: Iterable[str], files: Iterable[SourceFile]
) -> Iterator[tuple[str, bytes, rules.Canary]]:
    """Name, text and known flaw for each of ``languages``, and inside each kind that ``files`` are.

    Raises EngineFailed when a known text yields no code.
    """
    known = rules.catalogue()
    for language in sorted(set(languages)):
        yield language, known.canaries[language].content, known.canaries[language]
    for kind in sorted({file.language or "text" for file in files if file.programs}):
        if canary := known.hosts.get(kind):
            pieces = programs_in(canary.content, kind if kind != "text" else None)
            texts = [piece.text for piece in pieces if piece.language == canary.language]
            if not texts:
                raise EngineFailed(f"no code was found in a known text of {kind}")
            yield f"in-{kind}", texts[-1], canary


def _put_canaries(
    canaries: Iterable[tuple[str, bytes, rules.Canary]], room: Path
) -> dict[str, rules.Canary]:
    """The known flaws by the paths that they were written to."""
    put = {}
    for name, text, canary in canaries:
        path = room / f"canary-{name}"
        path.write_bytes(text)
        put[str(path)] = canary
    return put


def _proved(answer: dict[str, Any], canaries: Mapping[str, rules.Canary]) -> dict[str, Any]:
    """``answer`` without the canaries; raises EngineFailed when one of them was not found."""
    found = {(result["path"], result["check_id"]) for result in answer["results"]}
    missed = (one for path, one in canaries.items() if (path, one.rule) not in found)
    blind = [f"{one.language} in {one.host}" if one.host else one.language for one in missed]
    if blind:
        raise EngineFailed(f"semgrep did not find the known flaw in {', '.join(blind)}")
    results = [result for result in answer["results"] if result["path"] not in canaries]
    return {**answer, "results": results}


def _targets(languages: Mapping[str, str]) -> str:
    """What semgrep-core is to search, in its own form; ``languages`` by path."""
    targets = [
        [
            "CodeTarget",
            {
                "path": {"fpath": path, "ppath": f"/{Path(path).name}"},
                "analyzer": language,
                "products": ["sast"],
            },
        ]
        for path, language in languages.items()
    ]
    return json.dumps(["Targets", targets])


def _parse(output: bytes) -> dict[str, Any]:
    try:
        # It copies bytes of the scanned file as they are, also those that are no UTF-8.
        answer = json.loads(output.decode("utf-8", "replace"))
    except ValueError as error:
        raise EngineFailed("semgrep-core answered no JSON") from error
    if not isinstance(answer, dict) or not {"results", "errors", "paths"} <= answer.keys():
        raise EngineFailed("semgrep-core answered another shape than expected")
    return answer


def _examination(answer: Mapping[str, Any], staged: _Staged) -> Examination[FileMatches]:
    _refuse_broken_rules(answer)
    results = _by_path(answer["results"])
    problems = _problems(_errors(answer), staged)
    scanned = frozenset(answer["paths"]["scanned"])
    unseen = staged.keys() - scanned - problems.keys()
    silent = {piece.file.key for path in unseen for piece in staged[path]}
    found: dict[str, _Found] = defaultdict(_Found)
    for path in sorted(staged):
        for piece in staged[path]:
            found[piece.file.key].take(piece, results[path], problems[path])
    return Examination(
        {key: one.answer() for key, one in found.items() if key not in silent},
        {key: one.given_up() for key, one in found.items() if one.passing},
    )


@dataclass(slots=True)
class _Found:
    """What was found in a file, piece by piece, and what was not seen in it."""

    matches: set[CodeMatch] = field(default_factory=set)
    lasting: set[str] = field(default_factory=set)
    """What will not be seen next time either: the file does not parse."""
    passing: set[str] = field(default_factory=set)

    def take(
        self,
        piece: _Piece,
        results: Sequence[Mapping[str, Any]],
        problems: "Iterable[_Problem]",
    ) -> None:
        source = piece.copy.read_bytes() if results else b""
        self.matches.update(_match(result, source, piece) for result in results)
        for problem in problems:
            if problem.is_passing:
                self.passing.add(problem.kind)
            elif not piece.program.spare:
                self.lasting.add(f"{problem.kind} at line {_line(piece.program, problem.line)}")

    def answer(self) -> FileMatches:
        return FileMatches(tuple(sorted(self.matches, key=_order)), tuple(sorted(self.lasting)))

    def given_up(self) -> str:
        return ", ".join(sorted(self.passing))


def _errors(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Flows that were given up are filed apart from the errors, among the timings."""
    return [*answer["errors"], *answer.get("time", {}).get("fixpoint_timeouts", ())]


def _refuse_broken_rules(answer: Mapping[str, Any]) -> None:
    """A rule that does not parse is an error of ours: semgrep-core itself still exits with 0."""
    broken = sorted({str(skipped["rule_id"]) for skipped in answer.get("skipped_rules", ())})
    if broken:
        raise EngineFailed(f"semgrep refused the rules {', '.join(broken)}")


def _by_path(results: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    grouped: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for result in results:
        grouped[result["path"]].append(result)
    return grouped


def _match(result: Mapping[str, Any], source: bytes, piece: _Piece) -> CodeMatch:
    extra, start, end = result["extra"], result["start"], result["end"]
    program, put_in = piece.program, piece.insertions
    first, last = put_in.origin(start["offset"]), put_in.origin(end["offset"])
    fix = extra.get("fix") if program.verbatim else None
    if put_in.within(start["offset"], end["offset"]):
        fix = None
    return CodeMatch(
        rule_id=result["check_id"],
        message=" ".join(extra["message"].split()),
        start_line=_line(program, start["line"]),
        end_line=_line(program, end["line"]),
        start_column=_column(source, first),
        end_column=_column(source, last),
        fix=None if fix is None else _fixed_lines(source, first, last, fix),
        ignored=bool(extra.get("is_ignored")),
        trace=_trace(extra.get("dataflow_trace") or {}, program),
    )


def _line(program: SourceFile, line: int) -> int:
    """The file's line for a line of ``program``; semgrep-core names 0 where it knows none."""
    return program.line_map[line - 1] if 0 < line <= len(program.line_map) else line


def _column(source: bytes, offset: int) -> int:
    """The column in characters, from 1: the core counts bytes."""
    first = source.rfind(b"\n", 0, offset) + 1
    return len(source[first:offset].decode("utf-8", "replace")) + 1


def _fixed_lines(source: bytes, start: int, end: int, fix: str) -> str | None:
    """The lines of the match after the fix; None where they would repeat a secret.

    Offsets count bytes.
    """
    first = source.rfind(b"\n", 0, start) + 1
    newline = source.find(b"\n", end)
    last = len(source) if newline < 0 else newline
    fixed = source[first:start] + fix.encode() + source[end:last]
    lines = fixed.decode("utf-8", "replace").rstrip("\r")
    return lines if mask_text(lines) == lines else None


def _trace(flow: Mapping[str, Any], program: SourceFile) -> tuple[int, ...]:
    """Lines from source to sink: a call trace nests, so every location of it is collected."""
    steps = (flow.get("taint_source"), flow.get("intermediate_vars"), flow.get("taint_sink"))
    lines = [_line(program, line) for step in steps for line in _lines(step)]
    return tuple(dict.fromkeys(lines))[:_LAST_STEPS]


def _lines(step: Any) -> list[int]:
    if isinstance(step, dict):
        if isinstance(step.get("start"), dict):
            return [int(step["start"]["line"])]
        return [line for value in step.values() for line in _lines(value)]
    if isinstance(step, list):
        return [line for value in step for line in _lines(value)]
    return []


def _order(match: CodeMatch) -> tuple[int, int, int, int, str]:
    return (
        match.start_line,
        match.start_column,
        match.end_line,
        match.end_column,
        match.rule_id,
    )


_PASSING = re.compile("timeout|memory|stack overflow|fatal|many matches", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Problem:
    """What semgrep-core says that it did not see."""

    kind: str
    line: int = 0

    @property
    def is_passing(self) -> bool:
        """Whether it may see it the next time: nothing of it is kept."""
        return _PASSING.search(self.kind) is not None


def _problems(errors: Iterable[Mapping[str, Any]], staged: _Staged) -> Mapping[str, list[_Problem]]:
    """By path; raises EngineFailed for what is no problem of a file."""
    found: dict[str, list[_Problem]] = defaultdict(list)
    for error in errors:
        location = error.get("location") or {}
        path = os.fspath(location.get("path", ""))
        kind = _kind(error)
        if path not in staged:
            raise EngineFailed(f"semgrep-core reported: {kind}")
        rule, line = error.get("rule_id"), location.get("start", {}).get("line", 0)
        problem = _Problem(kind, line)
        named = rule and problem.is_passing
        found[path].append(_Problem(f"{kind} of {rule}", line) if named else problem)
    return found


def _kind(error: Mapping[str, Any]) -> str:
    kind = error.get("error_type", "error")
    return str(kind[0] if isinstance(kind, list) else kind)
