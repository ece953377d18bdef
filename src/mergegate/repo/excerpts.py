"""The lines that a finding points at, as they may be shown: secrets masked."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from mergegate.core.finding import Finding, Place
from mergegate.core.identity import Excerpt, Scopes
from mergegate.core.severity import Kind
from mergegate.core.tree import SourceFile, Tree
from mergegate.sandbox.files.stage import read_regular
from mergegate.secrets.mask import LITERAL_WEAKNESSES, Span, mask_line, spans_across
from mergegate.secrets.names import QUOTED_ONLY

MOST_LINES = 8
MOST_COLUMNS = 240
_AROUND = 8
"""Lines above and below that may hold other pieces of a secret."""
_LARGEST_BYTES = 8 * 1024 * 1024
_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
_KEY_END = re.compile(r"-----END [A-Z0-9 ]*PRIVATE KEY")


def excerpts(
    findings: Iterable[Finding], tree: Tree, *, shown: bool = True
) -> list[tuple[Finding, Excerpt]]:
    """Each finding with its excerpt, in the order given; each file is read once.

    What is not ``shown`` has no snippet, which takes longer than all the rest.
    """
    ordered = list(findings)
    files = {file.path: file for file in tree.files}
    by_file: dict[str, list[int]] = defaultdict(list)
    for number, finding in enumerate(ordered):
        by_file[finding.place.file].append(number)
    found: dict[int, Excerpt] = {}
    for path, numbers in by_file.items():
        here = [ordered[number] for number in numbers]
        lines = _lines(files[path]) if path in files else []
        spans, literals = _secret_spans(here), literal_lines(here)
        page = _Page(lines, spans, literals, bare=stand_bare(path), shown=shown)
        for number in numbers:
            found[number] = page.excerpt(ordered[number].place)
    return [(finding, found[number]) for number, finding in enumerate(ordered)]


def masked_lines(path: str, text: str, findings: Iterable[Finding]) -> frozenset[int]:
    """The numbers of the lines of a file of which something is masked, given what it was told."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    shown = masked_text(lines, list(findings), bare=stand_bare(path))
    return frozenset(
        n for n, pair in enumerate(zip(lines, shown, strict=True), 1) if len({*pair}) > 1
    )


def stand_bare(path: str) -> bool:
    """Whether a value of the file stands there without quotes, as in settings."""
    return PurePosixPath(path).suffix.lower() not in QUOTED_ONLY


def masked_text(
    lines: Sequence[str], findings: Sequence[Finding] = (), *, bare: bool = False
) -> list[str]:
    """The lines as they may be shown, given what was told of them."""
    spans = _secret_spans(findings)
    for number, across in spans_across(lines).items():
        spans[number + 1].extend(across)
    page = _Page(lines, spans, literal_lines(findings), bare=bare)
    return [page.masked(number) for number in range(1, len(lines) + 1)]


def _lines(file: SourceFile) -> list[str]:
    """Split at line feeds alone, as engines count; other separators are content."""
    if file.binary:
        return []
    text = read_regular(Path(file.location), _LARGEST_BYTES).decode("utf-8", "replace")
    return [line.removesuffix("\r") for line in text.split("\n")]


_Spans = dict[int, list[Span]]


def _secret_spans(findings: Iterable[Finding]) -> _Spans:
    spans: _Spans = defaultdict(list)
    for finding in findings:
        place = finding.place
        if finding.kind is Kind.SECRET and place.start_column:
            spans[place.start_line].append((place.start_column - 1, place.end_column - 1))
    return spans


def literal_lines(findings: Iterable[Finding]) -> frozenset[int]:
    """The lines of whose literals a rule says that they should be none.

    The one below belongs to them: a value may stand under its name.
    """
    return frozenset(
        line
        for finding in findings
        if finding.kind is not Kind.SECRET and LITERAL_WEAKNESSES & {*finding.cwe}
        for line in range(finding.place.start_line, finding.place.end_line + 2)
    )


class _Page:
    """The lines of one file; each is looked at once, however many findings point at it."""

    def __init__(
        self,
        lines: Sequence[str],
        spans: _Spans,
        literals: frozenset[int],
        *,
        bare: bool,
        shown: bool = True,
    ) -> None:
        self._lines, self._spans, self._literals, self._bare = lines, spans, literals, bare
        self._is_shown = shown
        self._scopes = Scopes(lines)
        self._in_key = [False]
        """By line: whether a private key that began above has not ended there."""
        self._shown: dict[int, str] = {}
        self._excerpts: dict[tuple[int, int], Excerpt] = {}

    def excerpt(self, place: Place) -> Excerpt:
        """What stands there; nothing for a place that the file does not have."""
        first, lines = place.start_line, self._lines
        if not 0 < first <= len(lines):
            return Excerpt()
        last = min(max(place.end_line, first), len(lines))
        if (first, last) not in self._excerpts:
            self._excerpts[first, last] = self._excerpt(first, last)
        return self._excerpts[first, last]

    def _excerpt(self, first: int, last: int) -> Excerpt:
        lines = self._lines
        flagged = "\n".join(lines[first - 1 : last])
        if not self._is_shown:
            return Excerpt(self._scopes.of(first), flagged)
        last_shown = min(last, first + MOST_LINES - 1)
        above = max(0, first - 1 - _AROUND)
        for number, spans in spans_across(lines[above : last_shown + _AROUND]).items():
            self._spans[above + 1 + number].extend(spans)
        shown = map(self._masked, range(first, last_shown + 1))
        return Excerpt(self._scopes.of(first), flagged, "\n".join(shown))

    def _masked(self, line: int) -> str:
        if line not in self._shown:
            self._shown[line] = _clip(self.masked(line))
        return self._shown[line]

    def masked(self, line: int) -> str:
        """The whole line without what is secret in it."""
        text = self._lines[line - 1]
        hidden = self._is_in_key(line) and not _KEY_END.search(text)
        known, literals = self._spans.get(line, ()), line in self._literals
        return "****" if hidden else mask_line(text, known, literals=literals, bare=self._bare)

    def _is_in_key(self, line: int) -> bool:
        for text in self._lines[len(self._in_key) - 1 : line - 1]:
            goes_on = self._in_key[-1] or bool(_KEY_BEGIN.search(text))
            self._in_key.append(goes_on and not _KEY_END.search(text))
        return self._in_key[line - 1]


def _clip(text: str) -> str:
    return text if len(text) <= MOST_COLUMNS else text[: MOST_COLUMNS - 1] + "…"
