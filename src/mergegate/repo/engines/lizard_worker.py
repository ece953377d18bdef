"""The child process that drives lizard: ``lizard_worker TASKS ANSWERS``.

TASKS is a JSON list of ``[key, path, digest, size, reader's extension]``; ANSWERS gets one JSON
object a line, flushed at once, so that a crash is the fault of the first task without an answer.
"""

import json
import re
import resource
import signal
import sys
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import lizard
from lizard_ext.lizardmodified import LizardExtension as SwitchCountsOnce

from mergegate.core.errors import MergegateError
from mergegate.repo.facts.code import (
    FLOOR_BRANCHES,
    FLOOR_COMPLEX_BRANCHES,
    FLOOR_FILE_LINES,
    FLOOR_FUNCTION_LINES,
)
from mergegate.sandbox.files.stage import same_bytes

CPU_BUDGET_S = 10.0
"""What a single file may take; a file of a megabyte needs less than one."""
MEMORY_BYTES = 1 << 30
MAX_BYTES = 2 << 20
"""Larger sources are data or amalgamations; measuring them says nothing."""
LONG_LINE = 5_000
_BRANCH = re.compile(
    rb"\b(?:if|elif|else?if|elsif|for|foreach|while|until|do|case|when|match|catch|except|finally"
    rb"|rescue|ensure|guard|where|and|or)\b|&&|\|\||\?"
)
_DEFINITION = re.compile(rb"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+\w", re.MULTILINE)
_MAX_NAME = 120
_WORTH_A_LOOK = 60
_SLACK = 2


class OverBudget(BaseException):
    """The file took too long; no ``except Exception`` inside lizard may swallow it."""


def main(tasks: Path, answers: Path) -> None:
    """Answer every task; raises nothing that a single file can cause."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGPROF, _stop)
    with answers.open("w", encoding="utf-8") as out:
        _say(out, {"ready": lizard.version})
        for key, path, digest, size, extension in json.loads(tasks.read_text(encoding="utf-8")):
            _say(out, {"key": key, **_answer(Path(path), digest, size, extension)})


def _say(out: TextIO, answer: dict[str, Any]) -> None:
    out.write(json.dumps(answer) + "\n")
    out.flush()


def _answer(path: Path, digest: str, size: int, extension: str) -> dict[str, Any]:
    try:
        data = same_bytes(path, digest, size)
    except (OSError, MergegateError) as error:
        return {"problem": f"it could not be read ({type(error).__name__})"}
    if is_minified(data):
        return {"minified": True}
    if is_plain(data, extension):
        return {"plain": True}
    if len(data) > MAX_BYTES:
        return {"problem": f"larger than {MAX_BYTES >> 20} MiB: its functions were not measured"}
    return _measured(data.decode("utf-8", "replace"), extension)


def _measured(code: str, extension: str) -> dict[str, Any]:
    try:
        signal.setitimer(signal.ITIMER_PROF, CPU_BUDGET_S)
        return measure(code, extension)
    except OverBudget:
        return {"problem": f"lizard gave up after {CPU_BUDGET_S:.0f} s"}
    except Exception as error:
        return {"problem": f"lizard could not read it ({type(error).__name__})"}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def is_plain(data: bytes, extension: str = "") -> bool:
    """Whether no function of the file can be complex, and neither it nor they long.

    Every word or sign that lizard counts as a branch in some language is counted, in comments and
    texts too: never fewer than lizard finds. Most files of a repository are plain.
    """
    if data.count(b"\n") >= FLOOR_FILE_LINES:
        return False
    places = [match.start() for match in _BRANCH.finditer(data)]
    spans = _definitions(data) if extension == "py" else ((0, len(data)),)
    return all(_is_small(data, start, end, places) for start, end in spans)


def _is_small(data: bytes, start: int, end: int, places: list[int]) -> bool:
    """``places`` are those of the branches, in order."""
    count = bisect_left(places, end) - bisect_left(places, start)
    if count < FLOOR_BRANCHES:
        return True
    lines = data.count(b"\n", start, end) + 1
    return count < FLOOR_COMPLEX_BRANCHES and lines < FLOOR_FUNCTION_LINES


def _definitions(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each Python function can reach at most: to the next definition that is not in it."""
    open_ones: list[tuple[int, int, bool]] = []
    for match in _DEFINITION.finditer(data):
        margin = len(match[1].expandtabs())
        while open_ones and open_ones[-1][0] >= margin:
            _, start, is_function = open_ones.pop()
            if is_function:
                yield start, match.start()
        open_ones.append((margin, match.start(), match[2] == b"def"))
    yield from ((start, len(data)) for _, start, is_function in open_ones if is_function)


def is_minified(data: bytes) -> bool:
    """Whether lines longer than LONG_LINE hold most of the bytes."""
    if len(data) <= LONG_LINE:
        return False
    long = sum(len(line) for line in data.splitlines() if len(line) > LONG_LINE)
    return long * 2 > len(data)


def measure(code: str, extension: str) -> dict[str, Any]:
    """``nloc`` and ``functions`` of ``code``, by the reader that lizard has for ``extension``.

    lizard's own comment step obeys ``#lizard forgive`` and stops at ``GENERATED CODE``: the
    measured code must not choose what is measured, so :func:`_without_comments` replaces it.
    A switch counts as one branch (lizard's "modified" number): a table of cases is easy to read.
    """
    name = f"file.{extension}"
    context = lizard.FileInfoBuilder(name)
    reader = lizard.get_reader_for(name)(context)
    tokens = lizard.preprocessing(reader.generate_tokens(code), reader)
    tokens = lizard.line_counter(_without_comments(tokens, reader), reader)
    tokens = SwitchCountsOnce()(lizard.condition_counter(tokens, reader), reader)
    for _ in reader(tokens, reader):
        pass
    lines = code.split("\n")
    kept = [one for one in context.fileinfo.function_list if _ends_where_it_seems(one, lines)]
    return {"nloc": context.fileinfo.nloc, "functions": [_row(one) for one in kept]}


def _without_comments(tokens: Iterator[str], reader: Any) -> Iterator[str]:
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from "\n" * (len(comment.splitlines()) - 1)


def _ends_where_it_seems(function: Any, lines: list[str]) -> bool:
    """False where layout closes the function long before lizard does: it lost track of a bracket.

    Seen with regular expressions that hold quotes in JavaScript (lodash, axios): one function then
    swallows the rest of the file.
    """
    if function.nloc < _WORTH_A_LOOK:
        return True
    head, *body = lines[function.start_line - 1 : function.end_line - _SLACK]
    margin = _indent(head)
    first = next((line for line in body if line.strip()), "")
    if _indent(first) <= margin and not first.lstrip().startswith(("{", ")")):
        return False
    return not any(line.rstrip() in _closers(margin) for line in body)


@cache
def _closers(margin: int) -> frozenset[str]:
    endings = ("}", "};", "},", "})", "});", "}),")
    return frozenset(blank * margin + ending for ending in endings for blank in " \t")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _row(function: Any) -> list[str | int]:
    return [
        function.name[:_MAX_NAME],
        function.start_line,
        function.end_line,
        function.nloc,
        function.cyclomatic_complexity,
    ]


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise OverBudget


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
