"""What settings and scripts start: the files that they hand to a program, tests' runners aside."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path

from mergegate.core.data_table import read_lists

_PATTERNS = read_lists(Path(__file__).with_suffix(".toml"))
_LISTS = {name: "|".join(f"(?:{one})" for one in some) for name, some in _PATTERNS.items()}
_FILE = re.compile(_LISTS["files"])
_CHECKING = re.compile(_LISTS["checking"])
_TASKS = re.compile(_LISTS["tasks"])
_LAUNCH = re.compile(
    rf"(?<![\w./-])(?:[\w./-]{{0,99}}/)?(?:{_LISTS['launchers']})(?![\w./-])"
    r"""(?:["']?,?[ \t]*\n[ \t]*-?[ \t]*)?([^\n;&|]*)"""
)
_RUNNER = re.compile(rf"(?<![\w.])(?:{_LISTS['runners']})(?![\w-])")
_OF_TESTS = re.compile(_LISTS["of_tests"], re.IGNORECASE)
_REFERENCES = [re.compile(one, re.MULTILINE) for one in _PATTERNS["references"]]
_BUILD = re.compile(_LISTS["builds"])
_SHIPPED = re.compile(_LISTS["shipped"])
_SOURCE = re.compile(r"<source>([^<]*)")
_ADDED = "<goal>add-source</goal>"
"""Maven's word for more sources, in an execution of a plug-in."""
_HEADING = re.compile(r"^\[?([\w.:-]+)", re.MULTILINE)
_KEY = re.compile(r"""^[ \t]*["']?([\w.:-]+)["']?[ \t]*[:=]|(?<!\\)"([\w.:-]+)"\s*:""")
_MARGIN = 200
"""Letters before a program in which its key is looked for."""
_WORD = re.compile(r"[\w./-]*\w[\w.-]*")


def may_start(path: str) -> bool:
    """Whether the text of the file at ``path`` may start others."""
    return bool(_BUILD.fullmatch(path) or (_FILE.fullmatch(path) and not _CHECKING.fullmatch(path)))


def is_product(path: str) -> bool:
    """Whether what the program at ``path`` imports is in use: not by developers' tasks alone."""
    return _TASKS.fullmatch(path) is None


def started(path: str, text: str) -> Iterator[str]:
    """The paths and dotted modules that ``text`` hands to a program, as it writes them."""
    if not may_start(path):
        return
    # With a bracket behind it, no open one has the rest of the text searched for its end again.
    text = text.replace("\\\n", " ") + "\n]"
    headings = [(match.start(), match[1]) for match in _HEADING.finditer(text)]
    starts = [at for at, _ in headings]
    for match in _LAUNCH.finditer(text):
        line = text[max(match.start() - _MARGIN, 0) : match.start()].rpartition("\n")[2]
        keys = ["".join(found) for found in _KEY.findall(line)]
        above = headings[bisect_right(starts, match.start()) - 1][1] if starts else ""
        names = [*keys[-1:], above]
        if not _RUNNER.search(match[1]) and not any(map(_OF_TESTS.fullmatch, names)):
            yield from _WORD.findall(match[1])
    for pattern in _REFERENCES:
        for match in pattern.finditer(text):
            yield from _WORD.findall(match[1])


def shipped(path: str, text: str) -> frozenset[str]:
    """The folders below that of ``path`` that the build file compiles into the product."""
    if not _BUILD.fullmatch(path):
        return frozenset()
    said = ["".join(filter(None, match.groups())) for match in _SHIPPED.finditer(text)]
    for execution in text.split("</execution>"):
        said += _SOURCE.findall(execution) if _ADDED in execution else ()
    words = (word for one in said for word in _WORD.findall(one))
    return frozenset(word.removeprefix("./").strip("/") for word in words)
