"""The Node.js that Playwright brings, and the packages that run on it or in a page."""

import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

from mergegate.core.errors import EngineMissing
from mergegate.sandbox.process.run import run

VARIABLE = "PLAYWRIGHT_NODEJS_PATH"
"""Names another Node.js, as it does for Playwright."""
_REMEDY = "Install Mergegate's extra `site`, or run `mergegate doctor --fix`."
_PACKAGE = Path(__file__).parents[2]
_HOMES = (_PACKAGE / "node_modules", _PACKAGE.parents[1] / "node_modules")
"""``node_modules`` of an installed package, and of a checkout."""
OLDEST = (22, 19)
"""The first that Lighthouse 13.5 supports (``engines`` in its package.json)."""
_GUARDS_THE_NETWORK = (25, 0)
"""The first whose permission model denies the network, unless it is asked not to."""


@cache
def node() -> Path:
    """The program; raises EngineMissing."""
    named = os.environ.get(VARIABLE)
    if named and shutil.which(named) is None:
        remedy = "Give the path of a Node.js, or unset it."
        raise EngineMissing(f"{VARIABLE} names no program", remedy=remedy)
    found = named or _of_playwright() or shutil.which("node")
    if found is None:
        raise EngineMissing("there is no Node.js", remedy=_REMEDY)
    return Path(found)


def confined(*readable: Path) -> tuple[str, ...]:
    """The start of an argv: Node.js that reads these folders alone and may use the network.

    It writes no file, starts no process and loads no native code. Raises EngineMissing, for a
    Node.js that is too old as well.
    """
    program, found = node(), version()
    if found < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise EngineMissing(f"the Node.js at {program} is older than {oldest}", remedy=_REMEDY)
    network = ("--allow-net",) if found >= _GUARDS_THE_NETWORK else ()
    reads = (f"--allow-fs-read={folder.resolve()}" for folder in readable)
    return (str(program), "--permission", *reads, *network, "--no-warnings")


def packaged(package: str, file: str) -> Path:
    """A file of an npm package of ours; raises EngineMissing."""
    found = packages(package) / package / file
    if not found.is_file():
        raise EngineMissing(f"{package} is not complete", remedy=_REMEDY)
    return found


def packages(package: str) -> Path:
    """The ``node_modules`` folder that holds ``package``; raises EngineMissing."""
    for home in _HOMES:
        if (home / package / "package.json").is_file():
            return home.resolve()  # Node.js is let into the folder, not through a link to it
    raise EngineMissing(f"{package} is not installed", remedy=_REMEDY)


@cache
def version() -> tuple[int, int, int]:
    """The version of :func:`node`; raises EngineMissing, with the reason, if it does not start."""
    with tempfile.TemporaryDirectory() as nowhere:
        done = run([node(), "--version"], cwd=Path(nowhere))
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", done.stdout.decode("ascii", "replace"))
    if found is None:
        raise _lame(done.stderr.decode("utf-8", "replace"))
    return int(found[1]), int(found[2]), int(found[3])


def _lame(complaint: str) -> EngineMissing:
    """A Debian without it is common: of what Node.js links, only libatomic is no part of libc."""
    reason = complaint.strip().rpartition(": ")[0].rpartition(": ")[2] or "it tells no version"
    remedy = "Install libatomic1." if "libatomic" in complaint else _REMEDY
    return EngineMissing(f"the Node.js at {node()} does not start: {reason[:200]}", remedy=remedy)


def _of_playwright() -> str | None:
    try:
        # Playwright publishes no other way to the Node.js in its wheel.
        from playwright._impl._driver import compute_driver_executable  # noqa: PLC0415
    except ImportError:
        return None
    executable = compute_driver_executable()[0]
    return executable if Path(executable).is_file() else None
