"""Annotations as a check run wants them, and what of them has to stay out."""

from collections.abc import Iterator, Sequence
from typing import Any

from mergegate.core.severity import Severity
from mergegate.forges.github.lengths import cut, encodable
from mergegate.forges.publication import Annotation

BATCH = 50
"""As many as one request takes; later requests append."""
MOST = 250
"""Five requests; nobody reads more of them, and each costs a write."""
_TITLE = 255
_MESSAGE = 8_000
"""GitHub takes 64 KB each; 50 of those would make a request of 3 MB."""
_LEVELS = {
    Severity.CRITICAL: "failure",
    Severity.HIGH: "failure",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
    Severity.INFO: "notice",
}


def shown(annotations: Sequence[Annotation]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The worst of them for GitHub, and what was left out, in at most two sentences."""
    placed = [one for one in annotations if one.path and encodable(one.path)]
    said = []
    if len(placed) > MOST:
        said.append(f"Shown {MOST:,} of {len(placed):,} annotations, worst first")
    if homeless := len(annotations) - len(placed):
        said.append(f"{homeless:,} findings have no annotation: no file that GitHub can name")
    return [_shape(one) for one in placed[:MOST]], tuple(said)


def batches(annotations: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """At least one, perhaps empty: a check without annotations is a check."""
    yield annotations[:BATCH]
    for start in range(BATCH, len(annotations), BATCH):
        yield annotations[start : start + BATCH]


def _shape(one: Annotation) -> dict[str, Any]:
    start = max(1, one.start_line)
    message = cut(one.message.strip() or one.title, _MESSAGE)
    return {
        "path": one.path,
        "start_line": start,
        "end_line": max(start, one.end_line),
        "annotation_level": _LEVELS[one.severity],
        "title": cut(one.title, _TITLE),
        "message": f"{message}\n{one.rule_id} {one.url}".rstrip(),
    }
