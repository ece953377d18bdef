"""The code cells of a Jupyter notebook as one program, with the line of the file for each line."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from mergegate.core.data_table import read_lists
from mergegate.core.languages import LANGUAGES

_LISTS = read_lists(Path(__file__).with_name("programs.toml"))
_OTHER_CELLS, _CODE_LINES = frozenset(_LISTS["other-cells"]), frozenset(_LISTS["code-lines"])
_SOURCE = re.compile(r'(?<!\\)"source"\s*:')
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CELL_MAGIC = re.compile(r"\s*%%(\w*)")
_WRITTEN = re.compile(r"\s*%%(?:writefile|file)\b.*\.py\s*")
_LINE_MAGIC = re.compile(r"(?P<indent>\s*)(?:%(?P<name>\w+)\s+(?P<code>\S.*)|[%!?].*|[\w.]+\?+)")
_ASSIGNED = re.compile(r"(\s*[\w., ]+=\s*)[!%]\w.*")


@dataclass(frozen=True, slots=True)
class NotebookCode:
    """The code of all cells, one below the other."""

    language: str
    text: tuple[str, ...]
    """Line by line."""
    lines: tuple[int, ...]
    """The file's line of each."""


def code_of(notebook: bytes) -> NotebookCode | None:
    """The code of ``notebook``; None where there is none, or nothing that Jupyter could open."""
    try:
        said = json.loads(notebook)
        cells = [cell for cell in said["cells"] if "source" in cell]
        language = _language(said.get("metadata", {}))
        rows = list(_rows(notebook.decode(), cells, language))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if language not in LANGUAGES or not rows:
        return None
    lines, text = zip(*rows, strict=True)
    return NotebookCode(language, text, lines)


def _language(metadata: dict[str, Any]) -> str:
    named = metadata.get("kernelspec", {}).get("language") or metadata.get("language_info", {}).get(
        "name", "python"
    )
    return str(named).lower()


def _rows(
    notebook: str, cells: Sequence[dict[str, Any]], language: str
) -> Iterator[tuple[int, str]]:
    """The file's line and the text of each line of code."""
    starts = _starts(notebook, len(cells))
    written = notebook.split("\n")
    for start, cell in zip(starts, cells, strict=True):
        if cell.get("cell_type") != "code":
            continue
        rows = list(_placed(cell["source"], start, written))
        yield from _python(rows) if language == "python" else rows


def _starts(notebook: str, cells: int) -> list[int]:
    """The line on which each cell's source begins; the first line where they cannot be told."""
    places = [found.start() for found in _SOURCE.finditer(notebook)]
    if len(places) != cells:
        return [1] * cells
    ends = list(accumulate(len(line) + 1 for line in notebook.split("\n")))
    return [bisect_right(ends, place) + 1 for place in places]


def _placed(
    source: str | Sequence[str], start: int, written: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Each line of ``source`` where Jupyter writes it: one a line, below the first."""
    if isinstance(source, str):
        yield from ((start, line) for line in source.split("\n"))
        return
    below = [_text(line) for line in written[start : start + len(source)]]
    lines = _LINE.findall("".join(source))
    first, step = (start + 1, 1) if below == lines == list(source) else (start, 0)
    yield from ((first + step * n, line.removesuffix("\n")) for n, line in enumerate(lines))


def _text(line: str) -> str | None:
    try:
        said = json.loads(line.strip().removesuffix(","))
    except ValueError:
        return None
    return said if isinstance(said, str) else None


def _python(rows: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """``rows`` without what IPython takes for itself; nothing of a cell in another language."""
    first = next((text for _, text in rows if text.strip()), "")
    magic = _CELL_MAGIC.match(first)
    if magic and magic[1] in _OTHER_CELLS and not _WRITTEN.fullmatch(first):
        return
    for line, text in rows:
        yield line, "" if _CELL_MAGIC.match(text) else _plain(text)


def _plain(text: str) -> str:
    if assigned := _ASSIGNED.fullmatch(text):
        return f"{assigned[1]}None"
    magic = _LINE_MAGIC.fullmatch(text)
    if magic is None:
        return text
    runs = magic["name"] in _CODE_LINES
    return magic["indent"] + (magic["code"] if runs else "pass")
