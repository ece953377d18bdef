"""A Markdown page of the site tools, for a comment, a job's summary or a file."""

import re
from typing import Any

from mergegate.core.render import templates
from mergegate.repo.report.markdown import DEFAULT_LIMIT, SMALLEST_LIMIT
from mergegate.site.render import figures, phrases
from mergegate.site.render.fitting import first, fitting
from mergegate.site.render.scanned import Scanned

__all__ = ["DEFAULT_LIMIT", "paragraphs"]

_LENGTHS = (100, 40, 15, 5, 2, 0)
_GAP = re.compile(r"\n{3,}")


def paragraphs(template: str, report: Scanned, limit: int, **values: Any) -> str:
    """The page in at most ``limit`` characters: lists are cut until it fits, and say by how much.

    Whatever a value holds shows as text. Raises ValueError below 10,000 characters: even a page
    without any list might be longer.
    """
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a report needs {SMALLEST_LIMIT} characters, not {limit}")

    def page(most: int) -> str:
        text = templates.markdown().get_template(template)
        return _tidy(
            text.render(
                report=report, first=first(most), figures=figures, phrases=phrases, **values
            )
        )

    return fitting(page, _LENGTHS, limit)


def _tidy(text: str) -> str:
    """One blank line parts paragraphs."""
    return f"{_GAP.sub(chr(10) * 2, text).strip()}\n"
