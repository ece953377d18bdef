"""Reads the article in a page: ``python -m mergegate.site.seo.article_worker DAY < PAGE``.

In a process of its own, for extraction libraries walk the tree of a hostile page with patterns of
their own, and some pages hold them up for minutes. Writes one JSON object; DAY is the last that a
date may have.
"""

import io
import json
import logging
import sys
from collections.abc import Callable
from typing import Any

_MOST_LETTERS = 400_000
"""The most characters of the article; no check reads a longer one."""
_MOST_AUTHORS = 10
_LONGEST_AUTHOR = 120
_ENOUGH_LETTERS = 200
"""With fewer characters, a recognised language is a guess."""
_SAMPLE = 20_000


def main(page: str, day: str) -> dict[str, Any]:
    """The fields of the fact; ``unread`` names what the libraries failed at."""
    answer: dict[str, Any] = {"unread": []}
    parts: tuple[tuple[str, Callable[[], dict[str, Any]]], ...] = (
        ("article", lambda: _article(page, day)),
        ("date of change", lambda: _modified(page, day)),
        ("language", lambda: _language(answer.get("text", ""))),
    )
    for name, part in parts:
        try:
            answer |= part()
        except Exception:  # the libraries raise whatever lxml and their own code do
            answer["unread"].append(name)
    return answer


def _article(page: str, day: str) -> dict[str, Any]:
    from trafilatura import bare_extraction  # noqa: PLC0415 - the other parts do without it
    from trafilatura.settings import Document  # noqa: PLC0415

    dates = {"original_date": True, "extensive_search": False, "max_date": day}
    found = bare_extraction(
        page, with_metadata=True, include_comments=False, date_extraction_params=dates
    )
    if not isinstance(found, Document):
        return {}
    authors = [name.strip()[:_LONGEST_AUTHOR] for name in (found.author or "").split(";")]
    return {
        "text": (found.text or "")[:_MOST_LETTERS],
        "published": found.date or "",
        "authors": [name for name in authors if name][:_MOST_AUTHORS],
    }


def _modified(page: str, day: str) -> dict[str, Any]:
    from htmldate import find_date  # noqa: PLC0415

    found = find_date(page, original_date=False, extensive_search=False, max_date=day)
    return {"modified": found or ""}


def _language(text: str) -> dict[str, Any]:
    if sum(map(str.isalpha, text[:_SAMPLE])) < _ENOUGH_LETTERS:
        return {}
    from py3langid import langid  # type: ignore[import-untyped]  # noqa: PLC0415

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    language, certainty = identifier.classify(text[:_SAMPLE])
    return {"language": str(language), "language_certainty": round(float(certainty), 4)}


if __name__ == "__main__":
    logging.disable()
    given = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace").read()
    json.dump(main(given, sys.argv[1]), sys.stdout)
