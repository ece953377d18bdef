"""Rendered pages as files, to be read as prose whenever they change.

After a change that is meant, write them anew and review the difference:

    REFRESH_GOLDENS=1 .venv/bin/pytest tests/report -q
    git diff tests/golden/report
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "golden" / "report"


def expected(name: str, actual: str) -> str:
    """The kept page called ``name``; with REFRESH_GOLDENS set it is ``actual`` from now on."""
    path = FOLDER / name
    if os.environ.get("REFRESH_GOLDENS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(actual, "utf-8")
    return path.read_text("utf-8")
