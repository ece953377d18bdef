"""What a competitor's page has and ours has not, or has far less of; nothing of it is copied.

Terms are runs of one to three words, weighed by how often and how prominently they stand.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mergegate.site.facts.document import Document, Region
from mergegate.site.seo import urls
from mergegate.site.seo.checks import languages, readability
from mergegate.site.seo.checks.tokens import Haystack, has_spaces, length, tokens
from mergegate.site.seo.facts import SearchFacts
from mergegate.site.seo.report import Gap
from mergegate.site.words import counted, cut, duration

_LONGEST_RUN = 3
_TIMES = 3
"""A term that stands less often is a word in passing."""
_MOST_TERMS, _MOST_HEADINGS, _MOST_TYPES = 20, 10, 10
_MOST_LETTERS, _MOST_CANDIDATES = 120_000, 500
_PAUSE = re.compile(r"[.!?…;:,()\[\]\"“”„«»。、，！？：；]+(?:\s+|$)|\s[–—-]\s|[。、，！？：；]")
_PREPOSITIONS = "of for to in de du des d la del della di da do dos das von van für à"
_JOINING = frozenset(_PREPOSITIONS.split())
"""A cup of tea is one thing, tea and coffee are two."""
_IN_TITLE, _IN_HEADING = 5, 3
"""What standing there adds to the weight of a term, in times that it stands in the text."""
_SAME_RUN = 0.8
"""A shorter run that stands alone less often than this is a part of the longer one."""
_SHORTEST = 3
_LABEL_WORDS = 15
"""A heading with less below it is the name of a box."""
_LONGEST_HEADING, _LONGEST_TERM = 150, 80
_DEPTH_RATIO, _DEPTH_WORDS = 1.5, 150
_MORE_IMAGES, _MORE_LINKS = 3, 5
_LINKS = "links of the main text within the site"
_SPEED_RATIO, _SPEED_MS = 1.5, 200
"""The least ratio and difference of two single timings; less may be chance."""
_PLAYERS = ("youtube.com/embed", "youtube-nocookie.com/embed", "player.vimeo.com", "wistia.")

Run = tuple[str, ...]


def gaps(ours: SearchFacts, theirs: SearchFacts) -> tuple[Gap, ...]:
    """What theirs has more of, by kind, the heaviest first; nothing when theirs did not answer.

    Terms and headings are compared when both pages are in one language.
    """
    if not theirs.page.ok:
        return ()
    return (
        *_depth(ours.best, theirs.best),
        *(_words(ours, theirs) if _speak_alike(ours, theirs) else ()),
        *_types(ours.best, theirs.best),
        *_media(ours.best, theirs.best),
        *_more("links", _LINKS, _internal(ours.best), _internal(theirs.best), _MORE_LINKS),
        *_speed(ours, theirs),
    )


def _speak_alike(ours: SearchFacts, theirs: SearchFacts) -> bool:
    one, other = readability.language(ours), readability.language(theirs)
    return not one or not other or one == other


def _depth(ours: Document, theirs: Document) -> Iterator[Gap]:
    mine, other = length(readability.said(ours)), length(readability.said(theirs))
    if other > _DEPTH_RATIO * mine and other - mine > _DEPTH_WORDS:
        yield Gap(
            kind="depth",
            what="words of the main text",
            ours=counted(mine, "word"),
            theirs=counted(other, "word"),
        )


def _words(ours: SearchFacts, theirs: SearchFacts) -> Iterator[Gap]:
    text = Haystack(f"{ours.best.title} {ours.best.text}")
    yield from islice(_missing_terms(text, theirs), _MOST_TERMS)
    yield from islice(_missing_headings(text, theirs), _MOST_HEADINGS)


def _missing_terms(text: Haystack, theirs: SearchFacts) -> Iterator[Gap]:
    shown: list[Run] = []
    for run, times in _terms(theirs)[:_MOST_CANDIDATES]:
        if not text.holds(run) and not any(_overlap(run, other) for other in shown):
            shown.append(run)
            yield Gap(kind="term", what=_written(run), ours="not at all", theirs=f"{times} times")


def _terms(facts: SearchFacts) -> list[tuple[Run, int]]:
    """What the page says again and again, and how often; the heaviest first."""
    page, skipped = (
        facts.best,
        languages.stop_words(readability.language(facts)) | _own_names(facts),
    )
    headings = [one.text for one in page.headings if one.region is Region.MAIN]
    times: Counter[Run] = Counter()
    for text in _pieces(headings, page):
        times.update(_runs(tokens(text), skipped))
    often = {run: number for run, number in times.items() if number >= _TIMES}
    parts, weigh = _parts(often), _Scale(Haystack(page.title), Haystack("\n".join(headings)))
    whole = [one for one in often.items() if one[0] not in parts]
    return sorted(whole, key=lambda one: (-weigh(*one), -len(one[0]), one[0]))


@dataclass(frozen=True, slots=True)
class _Scale:
    """Weighs terms by where they stand besides the text."""

    title: Haystack
    headings: Haystack

    def __call__(self, run: Run, times: int) -> int:
        """How often it stands in the text, as it were."""
        return times + _IN_TITLE * self.title.holds(run) + _IN_HEADING * self.headings.holds(run)


def _pieces(headings: Sequence[str], page: Document) -> Iterator[str]:
    """Clauses, up to a number of letters: runs do not reach from one into another."""
    left = _MOST_LETTERS
    for text in (*headings, *(one.text for one in readability.main(page))):
        left -= len(text)
        if left < 0:
            return
        yield from _PAUSE.split(text)


def _runs(words: Sequence[str], skipped: frozenset[str]) -> Iterator[Run]:
    """The runs of words that say something; a joining word may stand between two others."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST_RUN, len(words)) + 1):
            run = tuple(words[start:end])
            inner = (word for word in run[1:-1] if word not in _JOINING)
            if _is_term(run) and all(_tells(word, skipped) for word in (run[0], *inner, run[-1])):
                yield run


def _tells(word: str, skipped: frozenset[str]) -> bool:
    return word not in skipped and not word.isdigit()


def _is_term(run: Run) -> bool:
    """A letter of a script without spaces is no term; neither are two letters of another."""
    letters = "".join(run)
    return len(letters) >= _SHORTEST if has_spaces(letters) else len(run) > 1


def _parts(often: Mapping[Run, int]) -> set[Run]:
    """Runs that hardly ever stand but within a longer one."""
    return {
        part
        for run, number in often.items()
        for part in _inner(run)
        if number >= _SAME_RUN * often.get(part, 0)
    }


def _inner(run: Run) -> Iterator[Run]:
    """The shorter runs within one."""
    for size in range(1, len(run)):
        for start in range(len(run) - size + 1):
            yield run[start : start + size]


def _overlap(run: Run, other: Run) -> bool:
    """Whether one holds the other."""
    return run == other or run in _inner(other) or other in _inner(run)


def _own_names(facts: SearchFacts) -> frozenset[str]:
    """The competitor's own names, which our page need not mention."""
    host = urls.site(facts.url).rpartition(".")[0]
    named = facts.best.meta("og:site_name")
    return frozenset((*tokens(host), *tokens(named), host.replace(".", "").replace("-", "")))


def _written(run: Run) -> str:
    return cut(" ".join(run) if has_spaces("".join(run)) else "".join(run), _LONGEST_TERM)


def _missing_headings(text: Haystack, theirs: SearchFacts) -> Iterator[Gap]:
    """Headings of which less than half of what they say stands on our page."""
    page, skipped = (
        theirs.best,
        languages.stop_words(readability.language(theirs)) | _own_names(theirs),
    )
    below: Counter[int] = Counter()
    for block in readability.main(page):
        below[block.heading] += length(block.text)
    for number, heading in enumerate(page.headings):
        words = [word for word in tokens(heading.text) if _tells(word, skipped)]
        if heading.level == 1 or not words or len(heading.text) > _LONGEST_HEADING:
            continue
        known = sum(text.holds((word,)) for word in words)
        if below[number] >= _LABEL_WORDS and 2 * known < len(words):
            shown = cut(heading.text, _LONGEST_HEADING)
            yield Gap(kind="heading", what=shown, ours="", theirs=f"h{heading.level}")


def _types(ours: Document, theirs: Document) -> Iterator[Gap]:
    mine = {name for one in readability.things(ours) for name in one.types}
    other = Counter(name for one in readability.things(theirs) for name in one.types)
    for name in islice((one for one in other if one not in mine), _MOST_TYPES):
        yield Gap(kind="schema", what=cut(name, _LONGEST_TERM), ours="0", theirs=str(other[name]))


def _media(ours: Document, theirs: Document) -> Iterator[Gap]:
    yield from _more(
        "media", "images of the main part", _images(ours), _images(theirs), _MORE_IMAGES
    )
    if _videos(theirs) and not _videos(ours):
        yield Gap(kind="media", what="videos", ours="0", theirs=str(_videos(theirs)))


def _images(page: Document) -> int:
    return sum(
        one.region is Region.MAIN and not one.decorative and one.alt != "" for one in page.images
    )


def _videos(page: Document) -> int:
    return sum(
        one.kind == "video"
        or (one.kind == "iframe" and any(player in one.url for player in _PLAYERS))
        for one in page.resources
    )


def _more(kind: str, what: str, mine: int, other: int, least: int) -> Iterator[Gap]:
    """A gap where theirs has more than twice as many, and at least so many more."""
    if other > 2 * mine and other - mine >= least:
        yield Gap(kind=kind, what=what, ours=str(mine), theirs=str(other))


def _internal(page: Document) -> int:
    here = urls.site(page.url)
    own = (one.href for one in page.anchors if one.region is Region.MAIN)
    return len({urls.plain(href) for href in own if urls.site(href) == here})


def _speed(ours: SearchFacts, theirs: SearchFacts) -> Iterator[Gap]:
    mine, other = ours.page.final, theirs.page.final
    if not mine or not other or not other.took_ms or ours.local or theirs.local:
        return
    slower = mine.took_ms - other.took_ms
    if slower >= _SPEED_MS and mine.took_ms > _SPEED_RATIO * other.took_ms:
        yield Gap(
            kind="speed",
            what="time to the first byte",
            ours=duration(mine.took_ms),
            theirs=duration(other.took_ms),
        )
