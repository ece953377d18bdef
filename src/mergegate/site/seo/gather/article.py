"""Have the article in a page read by extraction libraries, in a process with limits."""

import datetime as dt
from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import EngineError, EngineFailed
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import run
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.site.seo.facts import Reading

_WORKER = "mergegate.site.seo.article_worker"
_MEMORY = 900 * MEBIBYTE
_MOST_OUTPUT = 256 * MEBIBYTE
"""Of one file: py3langid unpacks its model into one."""


class _Answer(BaseModel):
    """The worker's: it read hostile text, and may have been taken over by it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str = ""
    language: str = ""
    language_certainty: float = 0.0
    published: str = ""
    modified: str = ""
    authors: list[str] = []
    unread: list[Literal["article", "date of change", "language"]] = []


def reading(
    html: str, now: dt.datetime, most_bytes: int, limit_s: float
) -> tuple[Reading, tuple[str, ...]]:
    """The article, and what could not be done, each a sentence; of no bytes nothing is read.

    Nothing of a page makes it fail.
    """
    if not html.strip() or not most_bytes:
        return Reading(), ()
    page = html.encode("utf-8", "replace")
    try:
        answer = _ask(page[:most_bytes], now, limit_s)
    except EngineError as error:
        return Reading(), (f"The article in the page was not read: {error.what}.",)
    return _reading(answer), tuple(_notes(answer, len(page) > most_bytes))


def _notes(answer: _Answer, cut: bool) -> Iterator[str]:
    if cut:
        yield "Only the beginning of the page was searched for its article."
    if answer.unread:
        yield f"The page could not be read for its {', '.join(answer.unread)}."


def _ask(page: bytes, now: dt.datetime, limit_s: float) -> _Answer:
    """Raises EngineError."""
    limits = Limits(timeout_s=limit_s, memory_bytes=_MEMORY, output_bytes=_MOST_OUTPUT)
    day = now.astimezone(dt.UTC).date().isoformat()
    with Stage() as stage:
        completed = run.run(
            [*run.python_module(_WORKER), day],
            cwd=stage.room("article"),
            limits=limits,
            stdin=page,
        )
    if completed.exit_code:
        raise EngineFailed(f"the extraction ended with exit code {completed.exit_code}")
    try:
        return _Answer.model_validate_json(completed.stdout)
    except ValidationError as error:
        raise EngineFailed("the extraction's answer has another shape") from error


def _reading(answer: _Answer) -> Reading:
    return Reading(
        text=answer.text,
        language=answer.language,
        language_certainty=answer.language_certainty,
        published=answer.published,
        modified=answer.modified,
        authors=tuple(answer.authors),
    )
