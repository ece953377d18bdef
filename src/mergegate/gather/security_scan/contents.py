"""What all that visitors get holds: secrets and libraries, from the texts and the addresses."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mergegate.gather.security_scan.exposures import Exposure
from mergegate.gather.security_scan.libraries import by_address, used
from mergegate.gather.security_scan.scripts import Scripts, has_content
from mergegate.gather.security_scan.search import Found, search
from mergegate.model.facts.web import Fetched
from mergegate.model.facts.web_security import (
    ExposedSecret,
    LoadedScript,
    RenderedPage,
    SourceText,
    UsedLibrary,
)
from mergegate.world.stage import Stage

_SHORTEST = 20
"""Letters of an inline script that are worth a look."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What the texts hold."""

    texts: tuple[SourceText, ...]
    secrets: tuple[ExposedSecret, ...]
    libraries: tuple[UsedLibrary, ...]
    notes: tuple[str, ...]


def contents(
    page: Fetched,
    loaded: Scripts,
    rendered: RenderedPage | None,
    most_inline: int,
    now: float,
) -> Contents:
    """Raises EngineError when the search cannot be started; ``now`` is in seconds since 1970."""
    texts = tuple(_texts(page, loaded, rendered, most_inline))
    with Stage() as stage:
        answers = search(texts, stage.room("texts"), now)
    return Contents(
        texts=texts,
        secrets=_secrets(texts, answers),
        libraries=_libraries(texts, answers, loaded.loaded),
        notes=tuple(_notes(texts, answers)),
    )


def _texts(
    page: Fetched, loaded: Scripts, rendered: RenderedPage | None, most_inline: int
) -> Iterator[SourceText]:
    """The page, its scripts, what a browser saw beyond them, and what they were made of."""
    yield SourceText(url=page.final_url, kind="html", text=page.text, whole=page.whole)
    for one in loaded.loaded:
        if one.fetched and has_content(one):
            text, whole = one.fetched.text, one.fetched.whole
            yield SourceText(url=one.url, kind="script", text=text, whole=whole)
    if rendered:
        yield from _late(page, rendered, most_inline)
    yield from loaded.sources


def _late(page: Fetched, rendered: RenderedPage, most: int) -> Iterator[SourceText]:
    """Inline scripts that only came about in the browser."""
    late = [
        one
        for one in rendered.document.scripts
        if len(one.text) >= _SHORTEST and one.text not in page.text
    ]
    for one in late[:most]:
        yield SourceText(url=page.final_url, kind="inline-script", text=one.text, name=one.selector)


def _secrets(texts: Sequence[SourceText], answers: Sequence[Found]) -> tuple[ExposedSecret, ...]:
    """Each value once, where it was met first."""
    kept: dict[tuple[str, str], ExposedSecret] = {}
    for text, found in zip(texts, answers, strict=True):
        for one in found.secrets:
            key = (one.detector, one.identity)
            known = kept.get(key)
            kept[key] = replace(known, count=known.count + 1) if known else _secret(text, one)
    return tuple(kept.values())


def _secret(text: SourceText, found: Exposure) -> ExposedSecret:
    return ExposedSecret(
        detector=found.detector,
        url=text.url,
        kind=text.kind,
        name=text.name,
        line=found.line,
        column=found.column,
        label=found.label,
        masked=found.masked,
        identity=found.identity,
        confidence=found.confidence,
        claim=found.claim,
    )


def _libraries(
    texts: Sequence[SourceText], answers: Sequence[Found], loaded: Iterable[LoadedScript]
) -> tuple[UsedLibrary, ...]:
    """Each once; what the content says counts more than what the address does."""
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


def _notes(texts: Sequence[SourceText], answers: Sequence[Found]) -> Iterator[str]:
    for text, found in zip(texts, answers, strict=True):
        where = f"a file of the source map {text.url}" if text.kind == "source-map" else text.url
        yield from (f"Not all of {where} was searched: {reason}." for reason in found.problems)
        if not text.whole:
            yield f"Only the beginning of {where} was read."
