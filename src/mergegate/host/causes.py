"""Why a scan has no result, or not a whole one: every code that a scan of a host may end with."""

from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_table


@dataclass(frozen=True, slots=True)
class Cause:
    """What a code means, and what to do about it."""

    code: str
    meaning: str
    remedy: str
    """One or two sentences; backticks mark code."""


CAUSES = read_table(Path(__file__).with_suffix(".toml"), Cause, key="code")
"""Code of a scan's ``error`` → what it means and what to do."""


def remedy(code: str) -> str:
    """What to do about a scan that ended with ``code``; empty for a code of another release."""
    known = CAUSES.get(code)
    return known.remedy if known else ""
