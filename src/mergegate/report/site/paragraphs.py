"""A Markdown page of the site tools, for a comment, a job's summary or a file."""

import re
from typing import Any

from mergegate.report import templates
from mergegate.report.markdown import DEFAULT_LIMIT, SMALLEST_LIMIT

__all__ = ["DEFAULT_LIMIT", "LENGTHS", "SMALLEST_LIMIT", "checked", "paragraphs"]

LENGTHS = (100, 40, 15, 5, 2, 0)
"""How long a list may be, tried in turn until the page is short enough."""
_GAP = re.compile(r"\n{3,}")


def checked(limit: int) -> int:
    """``limit``; raises ValueError when even a page without any list might be longer."""
    if limit < SMALLEST_LIMIT:
        raise ValueError(f"a report needs {SMALLEST_LIMIT} characters, not {limit}")
    return limit


def paragraphs(template: str, **values: Any) -> str:
    """The page; whatever a value holds shows as text, and one blank line parts paragraphs."""
    text = templates.markdown().get_template(template).render(**values)
    return f"{_GAP.sub(chr(10) * 2, text).strip()}\n"
