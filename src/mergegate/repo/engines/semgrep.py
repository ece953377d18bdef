"""Run semgrep's engine itself, with our rules, on files we chose.

The command-line front end reads ``.semgrepignore`` and starts in seconds; ``semgrep-core``
does neither. Its flags are no public API: the version is pinned and the contract tests hold it.
"""

import importlib.util
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mergegate.core.errors import EngineFailed, EngineMissing
from mergegate.core.tree import Reason, Role, SourceFile
from mergegate.repo import rules
from mergegate.repo.facts.code import CodeFile, CodeMatch, CodeMatches, FileMatches
from mergegate.sandbox.engines.engine import Answers, EngineContext, Examination
from mergegate.sandbox.process.run import MEBIBYTE, run

LARGEST_BYTES = MEBIBYTE
LARGEST_BUNDLE_BYTES = 64 * 1024
"""A bundler wraps a whole program into one function, which every flow is sought through."""
RULE_TIMEOUT_S = 20
"""Time for one rule on one file; generous, so that a busy machine finds what an idle one does."""
RULES_PER_FILE_THAT_MAY_TIME_OUT = 3
_LEFT_OUT = frozenset({Role.TEST, Role.VENDORED})
"""A finding there would be for information only, at most of the cost of a scan."""
_BUNDLED = frozenset({"javascript", "typescript"})
_REVISION = "1"
_LAST_STEPS = 12
_NOTHING: Examination[FileMatches] = Examination({})


class Semgrep:
    """A file engine: every rule of the file's language on the file's bytes."""

    name = "semgrep"
    answer = FileMatches

    def version(self) -> str:
        """The version of the installed wheel; raises EngineMissing."""
        _core()
        return version("semgrep")

    def identity(self) -> str:
        """Our rules and the limits that decide what is seen."""
        return f"{_REVISION} {rules.catalogue().revision} {RULE_TIMEOUT_S}"

    def wants(self, file: SourceFile) -> bool:
        """Files in a language of ours, but tests and what somebody else wrote."""
        return file.language in rules.catalogue().languages and file.role not in _LEFT_OUT

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
        staged = {str(context.stage.put(file)): file for file in files}
        room = context.stage.room(self.name)
        languages = {file.language for file in files if file.language}
        canaries = _put_canaries(languages, room)
        targets = {path: file.language or "" for path, file in staged.items()}
        targets |= {path: canary.language for path, canary in canaries.items()}
        (room / "rules.json").write_text(rules.catalogue().document(languages), encoding="utf-8")
        (room / "targets.json").write_text(_targets(targets), encoding="utf-8")
        done = run(_argv(room, context), cwd=room, limits=context.limits)
        if done.exit_code != 0:
            raise EngineFailed(f"semgrep-core ended with {done.exit_code}")
        return _examination(_proved(_parse(done.stdout), canaries), staged)


def _refusal(file: SourceFile) -> tuple[Reason, str] | None:
    """Why a file is not searched: its cost has no bound. None when it is."""
    if file.size > LARGEST_BYTES:
        return Reason.SIZE, "larger than 1 MiB"
    if file.minified:
        return Reason.MINIFIED, "minified"
    bundled = file.role is Role.GENERATED and file.language in _BUNDLED
    if bundled and file.size > LARGEST_BUNDLE_BYTES:
        return Reason.GENERATED, "a built bundle"
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


def _argv(room: Path, context: EngineContext) -> list[str | Path]:
    limits = context.limits
    return [
        _core(),
        "-json_nodots",
        *("-rules", room / "rules.json"),
        *("-targets", room / "targets.json"),
        # Forked workers: its threads take a third more CPU and longer for the same answer.
        *("-use_parmap", "-j", str(context.jobs)),
        *("-timeout", str(RULE_TIMEOUT_S)),
        *("-timeout_threshold", str(RULES_PER_FILE_THAT_MAY_TIME_OUT)),
        *("-max_memory", str(limits.memory_bytes // MEBIBYTE * 2 // 3)),
    ]


def _put_canaries(languages: Iterable[str], room: Path) -> dict[str, rules.Canary]:
    """The known flaw of each of ``languages``, by the path that it was written to."""
    put = {}
    for language in sorted(languages):
        canary, path = rules.catalogue().canaries[language], room / f"canary-{language}"
        path.write_text(canary.text, encoding="utf-8")
        put[str(path)] = canary
    return put


def _proved(answer: dict[str, Any], canaries: Mapping[str, rules.Canary]) -> dict[str, Any]:
    """``answer`` without the canaries; raises EngineFailed when one of them was not found."""
    found = {(result["path"], result["check_id"]) for result in answer["results"]}
    blind = [one.language for path, one in canaries.items() if (path, one.rule) not in found]
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


def _examination(
    answer: Mapping[str, Any], staged: Mapping[str, SourceFile]
) -> Examination[FileMatches]:
    _refuse_broken_rules(answer)
    matches: dict[str, list[CodeMatch]] = defaultdict(list)
    for path, results in _by_path(answer["results"]).items():
        source = Path(path).read_bytes()
        matches[path] = [_match(result, source) for result in results]
    parse_problems, passing_problems = _problems(_errors(answer), staged)
    return Examination(
        {
            staged[path].key: FileMatches(
                tuple(sorted(matches[path], key=_order)), tuple(parse_problems.get(path, ()))
            )
            for path in sorted(staged.keys() & set(answer["paths"]["scanned"]))
        },
        {staged[path].key: reason for path, reason in passing_problems.items()},
    )


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


def _match(result: Mapping[str, Any], source: bytes) -> CodeMatch:
    extra, start, end = result["extra"], result["start"], result["end"]
    fix = extra.get("fix")
    return CodeMatch(
        rule_id=result["check_id"],
        message=" ".join(extra["message"].split()),
        start_line=start["line"],
        end_line=end["line"],
        start_column=_column(source, start),
        end_column=_column(source, end),
        fix=None if fix is None else _fixed_lines(source, start, end, fix),
        ignored=bool(extra.get("is_ignored")),
        trace=_trace(extra.get("dataflow_trace") or {}),
    )


def _column(source: bytes, place: Mapping[str, int]) -> int:
    """The column in characters, from 1: the core counts bytes."""
    first = source.rfind(b"\n", 0, place["offset"]) + 1
    return len(source[first : place["offset"]].decode("utf-8", "replace")) + 1


def _fixed_lines(source: bytes, start: Mapping[str, int], end: Mapping[str, int], fix: str) -> str:
    """The lines of the match after the fix; offsets count bytes."""
    first = source.rfind(b"\n", 0, start["offset"]) + 1
    newline = source.find(b"\n", end["offset"])
    last = len(source) if newline < 0 else newline
    fixed = source[first : start["offset"]] + fix.encode() + source[end["offset"] : last]
    return fixed.decode("utf-8", "replace").rstrip("\r")


def _trace(flow: Mapping[str, Any]) -> tuple[int, ...]:
    """Lines from source to sink: a call trace nests, so every location of it is collected."""
    steps = (flow.get("taint_source"), flow.get("intermediate_vars"), flow.get("taint_sink"))
    lines = [line for step in steps for line in _lines(step)]
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


_PASSING = re.compile("timeout|memory|stack overflow|fatal", re.IGNORECASE)


def _problems(
    errors: Iterable[Mapping[str, Any]], staged: Mapping[str, SourceFile]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """What was not seen, by path: for good (the file does not parse) and this time (time-out)."""
    lasting: dict[str, list[str]] = defaultdict(list)
    passing: dict[str, str] = {}
    for error in errors:
        location = error.get("location") or {}
        path = os.fspath(location.get("path", ""))
        kind = _kind(error)
        if path not in staged:
            raise EngineFailed(f"semgrep-core reported: {kind}")
        if _PASSING.search(kind):
            rule = error.get("rule_id")
            passing[path] = f"{kind} of {rule}" if rule else kind
        else:
            lasting[path].append(f"{kind} at line {location.get('start', {}).get('line', 0)}")
    return {path: sorted(set(said)) for path, said in lasting.items()}, passing


def _kind(error: Mapping[str, Any]) -> str:
    kind = error.get("error_type", "error")
    return str(kind[0] if isinstance(kind, list) else kind)
