"""The Node.js that Playwright brings, and the packages that run on it or in a page."""

import os
import shutil
from functools import cache
from pathlib import Path

from mergegate.errors import EngineMissing

VARIABLE = "PLAYWRIGHT_NODEJS_PATH"
"""Names another Node.js, as it does for Playwright."""
_REMEDY = "Install `mergegate[site]`, or run `mergegate doctor --fix`."
_PACKAGE = Path(__file__).parents[1]
_HOMES = (_PACKAGE / "node_modules", _PACKAGE.parents[1] / "node_modules")
"""In an installed package, and in a checkout."""


@cache
def node() -> Path:
    """The program; raises EngineMissing."""
    named = os.environ.get(VARIABLE) or _of_playwright() or shutil.which("node")
    if named is None:
        raise EngineMissing("there is no Node.js", remedy=_REMEDY)
    return Path(named)


def packaged(package: str, file: str) -> Path:
    """A file of an npm package of ours; raises EngineMissing."""
    for home in _HOMES:
        if (found := home / package / file).is_file():
            return found
    raise EngineMissing(f"{package} is not installed", remedy=_REMEDY)


def _of_playwright() -> str | None:
    try:
        # Playwright publishes no other way to the Node.js in its wheel.
        from playwright._impl._driver import compute_driver_executable  # noqa: PLC0415
    except ImportError:
        return None
    executable = compute_driver_executable()[0]
    return executable if Path(executable).is_file() else None
