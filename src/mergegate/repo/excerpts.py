"""The lines that a finding points at, as they may be shown: secrets masked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from mergegate.core.finding import Finding, Place
from mergegate.core.identity import Excerpt, scope_of
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import mask_line

MOST_LINES = 8
MOST_COLUMNS = 240
_LARGEST_BYTES = 8 * 1024 * 1024
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY")


def excerpts(findings: Iterable[Finding], tree: Tree) -> list[tuple[Finding, Excerpt]]:
    """Each finding with its excerpt, in the order given; each file is read once."""
    ordered = list(findings)
    files = {file.path: file for file in tree.files}
    by_file: dict[str, list[int]] = defaultdict(list)
    for number, finding in enumerate(ordered):
        by_file[finding.place.file].append(number)
    found: dict[int, Excerpt] = {}
    for path, numbers in by_file.items():
        lines = _lines(files[path]) if path in files else []
        spans = _secret_spans(ordered[number] for number in numbers)
        for number in numbers:
            found[number] = _excerpt(ordered[number].place, lines, spans)
    return [(finding, found[number]) for number, finding in enumerate(ordered)]


def _lines(file: SourceFile) -> list[str]:
    """Split at line feeds alone, as engines count; other separators are content."""
    if file.binary:
        return []
    text = read_regular(Path(file.location), _LARGEST_BYTES).decode("utf-8", "replace")
    return [line.removesuffix("\r") for line in text.split("\n")]


_Spans = dict[int, list[tuple[int, int]]]


def _secret_spans(findings: Iterable[Finding]) -> _Spans:
    spans: _Spans = defaultdict(list)
    for finding in findings:
        if finding.kind is Kind.SECRET:
            place = finding.place
            spans[place.start_line].append((place.start_column, place.end_column))
    return spans


def _excerpt(place: Place, lines: Sequence[str], spans: _Spans) -> Excerpt:
    if not 0 < place.start_line <= len(lines):
        return Excerpt()
    last = min(max(place.end_line, place.start_line), len(lines))
    flagged = lines[place.start_line - 1 : last]
    masked = _mask(lines, place.start_line, min(last, place.start_line + MOST_LINES - 1), spans)
    return Excerpt(scope_of(lines, place.start_line), "\n".join(flagged), "\n".join(masked))


def _mask(lines: Sequence[str], first: int, last: int, spans: _Spans) -> list[str]:
    inside_key = _inside_key(lines[: first - 1])
    shown = []
    for number in range(first, last + 1):
        text = lines[number - 1]
        begins, ends = bool(_KEY_BEGIN.search(text)), bool(_KEY_END.search(text))
        hidden = inside_key and not ends
        shown.append("****" if hidden else _clip(mask_line(_blot(text, spans.get(number, [])))))
        inside_key = (inside_key or begins) and not ends
    return shown


def _inside_key(above: Sequence[str]) -> bool:
    """Whether a private key that began above has not ended there."""
    for text in reversed(above):
        if _KEY_END.search(text):
            return False
        if _KEY_BEGIN.search(text):
            return True
    return False


def _blot(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        length = max(0, min(end, len(text) + 1) - start)
        text = text[: start - 1] + "*" * length + text[start - 1 + length :]
    return text


def _clip(text: str) -> str:
    return text if len(text) <= MOST_COLUMNS else text[: MOST_COLUMNS - 1] + "…"
