"""What all that visitors get holds: secrets and libraries, from the texts and the addresses."""

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from mergegate.core.errors import EngineError, EngineFailed
from mergegate.core.web_address import origin
from mergegate.sandbox.engines.worker import run_worker
from mergegate.sandbox.fetched import Fetched
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import MEBIBYTE, Limits
from mergegate.site.security.facts import (
    ExposedSecret,
    LoadedScript,
    RenderedPage,
    SourceText,
    UsedLibrary,
)
from mergegate.site.security.gather.bounds import Bounds
from mergegate.site.security.gather.exposures import Exposure
from mergegate.site.security.gather.libraries import by_address, used
from mergegate.site.security.gather.scripts import Scripts, has_content
from mergegate.site.security.origins import plain

_WORKER = "mergegate.site.security.gather.worker"
_LIMITS = Limits(memory_bytes=1200 * MEBIBYTE, output_bytes=64 * MEBIBYTE)
_MOST_RESTARTS = 4
_SUFFIXES = {"html": ".html", "json": ".json"}
"""File name suffixes by kind of text; everything else is a script."""
_WITH_LIBRARIES = frozenset({"script", "inline-script", "html"})


class Found(BaseModel):
    """What one text holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    secrets: tuple[Exposure, ...] = ()
    libraries: tuple[tuple[str, str], ...] = ()
    """Name and version."""
    problems: tuple[str, ...] = ()
    """Why there may be more, each one clause of our own words."""


def search(
    texts: Sequence[SourceText], room: Path, now: float, seconds: float
) -> tuple[Found, ...]:
    """One answer a text, in their order, within ``seconds``.

    ``room`` is a private folder, ``now`` in seconds since 1970. Raises EngineMissing when no
    process can be started, EngineFailed when it answers nonsense.
    """
    listed = [_laid_down(text, number, room) for number, text in enumerate(texts)]
    found: list[Found] = []
    until = time.monotonic() + seconds
    for attempt in range(_MOST_RESTARTS):
        rest, left = listed[len(found) :], until - time.monotonic()
        if not rest or left <= 0:
            break
        job, limits = room / f"job-{attempt}", replace(_LIMITS, timeout_s=left)
        told = {"texts": rest, "now": now}
        lines, death = run_worker(_WORKER, job, told, limits, name="the search")
        found += _answered(lines, len(rest), death)
    lost = Found(problems=("the search took too long, or ended too often",))
    return (*found, *[lost] * (len(texts) - len(found)))


def _laid_down(text: SourceText, number: int, room: Path) -> dict[str, Any]:
    path = room / f"text-{number}"
    path.write_text(text.text, encoding="utf-8", errors="replace")
    return {
        "path": str(path),
        "suffix": _SUFFIXES.get(text.kind, ".js"),
        "libraries": text.kind in _WITH_LIBRARIES,
    }


def _answered(
    lines: Sequence[dict[str, Any]], asked: int, death: EngineError | None
) -> list[Found]:
    """One a text that was begun; the last of them is the one the worker died on."""
    found = [_found(line) for line in lines if "ended" in line]
    begun = sum("begun" in line for line in lines)
    if death and begun > len(found):
        return [*found, Found(problems=(f"searching it failed: {death.what}",))]
    if death and not found:
        raise death
    if death:
        return found
    if len(found) < asked:
        raise EngineFailed("the search did not answer for every text")
    return found


def _found(line: dict[str, Any]) -> Found:
    try:
        return Found.model_validate({key: one for key, one in line.items() if key != "ended"})
    except ValidationError as error:
        raise EngineFailed("the search's answer has another shape") from error


_SHORTEST = 20
"""Letters of an inline script that are worth a look."""
_MOST_LATE = 500
"""Inline scripts of a rendered page, looked for in the page as it was sent."""
_MOST_NOTES = 10


@dataclass(frozen=True, slots=True)
class Contents:
    """What the texts hold."""

    texts: tuple[SourceText, ...]
    secrets: tuple[ExposedSecret, ...]
    libraries: tuple[UsedLibrary, ...]
    notes: tuple[str, ...]


def contents(
    pages: Sequence[Fetched],
    loaded: Scripts,
    rendered: RenderedPage | None,
    bounds: Bounds,
    *,
    now: float,
    seconds: float,
) -> Contents:
    """Raises EngineError when the search cannot be started.

    The first of ``pages`` is the page itself, the others are errors of its site. ``now`` is in
    seconds since 1970; ``seconds`` is how long the search may take.
    """
    texts = tuple(_texts(pages, loaded, rendered, bounds.inline_scripts))
    with Stage() as stage:
        answers = search(texts, stage.room("texts"), now, seconds)
    return Contents(
        texts=texts,
        secrets=_secrets(texts, answers),
        libraries=_libraries(texts, answers, loaded.loaded),
        notes=_notes(texts, answers),
    )


def _texts(
    pages: Sequence[Fetched], loaded: Scripts, rendered: RenderedPage | None, most_inline: int
) -> Iterator[SourceText]:
    """The page, its scripts, what a browser saw beyond them, what they were made of, and errors."""
    page, *errors = pages
    own = origin(page.final_url)
    yield SourceText(url=page.final_url, kind="html", text=page.text, whole=page.whole)
    for one in loaded.loaded:
        if one.fetched and has_content(one):
            yield _script(one.url, one.fetched, own=origin(one.fetched.final_url) == own)
    if rendered:
        yield from _late(page, rendered, most_inline)
    yield from loaded.sources
    for error in errors:  # by design no more of one is read than its bound
        yield SourceText(url=error.final_url, kind="html", text=error.text)


def _script(url: str, fetched: Fetched, *, own: bool) -> SourceText:
    return SourceText(url=url, kind="script", text=fetched.text, whole=fetched.whole, own=own)


def _late(page: Fetched, rendered: RenderedPage, most: int) -> Iterator[SourceText]:
    """Inline scripts that only came about in the browser."""
    long = (one for one in rendered.document.scripts if len(one.text) >= _SHORTEST)
    for one in islice((one for one in islice(long, _MOST_LATE) if one.text not in page.text), most):
        yield SourceText(url=page.final_url, kind="inline-script", text=one.text, name=one.selector)


def _secrets(texts: Sequence[SourceText], answers: Sequence[Found]) -> tuple[ExposedSecret, ...]:
    """The secrets, each value once, where it was met first."""
    kept: dict[tuple[str, str], ExposedSecret] = {}
    for text, found in zip(texts, answers, strict=True):
        for one in found.secrets:
            key = (one.detector, one.identity)
            known = kept.get(key)
            kept[key] = replace(known, count=known.count + 1) if known else _secret(text, one)
    return tuple(kept.values())


def _secret(text: SourceText, found: Exposure) -> ExposedSecret:
    return ExposedSecret(url=text.url, kind=text.kind, name=text.name, **asdict(found))


def _libraries(
    texts: Sequence[SourceText], answers: Sequence[Found], loaded: Iterable[LoadedScript]
) -> tuple[UsedLibrary, ...]:
    """The libraries, each once; what the content says counts more than what the address does."""
    held = {
        recognised: used(recognised, text.url, "content")
        for text, found in reversed(list(zip(texts, answers, strict=True)))
        for recognised in found.libraries
    }
    told = {(name, one.url) for (name, _), one in held.items()}
    for script in loaded:
        named = by_address(script.url)
        if named and named[0] not in held and (named[0][0], script.url) not in told:
            held[named[0]] = used(named[0], script.url, named[1])
    return tuple(sorted(held.values(), key=lambda one: (one.name.lower(), one.version)))


def _notes(texts: Sequence[SourceText], answers: Sequence[Found]) -> tuple[str, ...]:
    """The first notes, each once; a site can cause hundreds."""
    each = zip(texts, answers, strict=True)
    notes = list(dict.fromkeys(note for text, found in each for note in _note(text, found)))
    more = len(notes) - _MOST_NOTES
    rest = [f"{more} more texts were not searched to their end."] if more > 0 else []
    return (*notes[:_MOST_NOTES], *rest)


def _note(text: SourceText, found: Found) -> Iterator[str]:
    address = plain(text.url)
    where = f"a file of the source map {address}" if text.kind == "source-map" else address
    yield from (f"Not all of {where} was searched: {reason}." for reason in found.problems)
    if not text.whole:
        yield f"Only the beginning of {where} was read."
