"""Where a Chromium lies on this machine."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.core.errors import EngineMissing
from mergegate.sandbox.process.account import Account, engines_account

_LISTS = read_lists(Path(__file__).with_name("chromium.toml"))
GUARD = _LISTS["guard"]
"""Without any one of them pages reach what they must not."""
NETWORK = _LISTS["network"]
QUIET = _LISTS["quiet"]
NO_FEATURES = _LISTS["no-features"]
NO_SANDBOX = "--no-sandbox"
NO_SHARED_MEMORY = "--disable-dev-shm-usage"
_OURS = _LISTS["ours"]
"""How flags begin that ``extra`` may not hold: the last one on a command line wins."""


def flags(proxy: str, room: Path, extra: Sequence[str]) -> Iterator[str]:
    """All that stands behind the program, its sandbox aside; raises ValueError on a bad ``extra``.

    ``extra`` adds flags, one ``--name`` or ``--name=value`` each, and opens nothing.
    """
    bad = next((flag for flag in extra if not flag.startswith("--") or flag.startswith(_OURS)), "")
    if bad:
        raise ValueError(f"{bad} is not for callers to give")
    yield from extra
    yield from NETWORK
    yield from QUIET
    yield f"--disable-features={','.join(NO_FEATURES)}"
    yield f"--user-data-dir={room}"
    yield from (flag.replace("{proxy}", proxy) for flag in GUARD)


VARIABLE = "MERGEGATE_CHROMIUM"
"""Environment variable that names the program."""
REMEDY = "Run `mergegate doctor --fix`, or install Debian's package: `apt-get install chromium`."
_KNOWN = _LISTS["known-programs"]
_ON_PATH = _LISTS["on-path"]
_BUILDS = _LISTS["playwright-builds"]
_REVISION = re.compile(r"chromium-(\d+)")


def executable() -> Path:
    """The program to start, absolute; raises EngineMissing.

    ``MERGEGATE_CHROMIUM`` decides alone where it is set; else Debian's Chromium, Google Chrome,
    the first on PATH, and what Playwright has installed, its newest first. Those that the engines'
    account may not read are passed over, and so is Ubuntu's snap: it sees no profile of ours.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return _named(named)
    account = engines_account()
    found = next((path for path in _candidates() if _fits(path, account)), None)
    if found is None:
        raise EngineMissing("there is no Chromium", remedy=REMEDY)
    return found


def playwright_folder() -> Path:
    """Where Playwright keeps its browsers (its documentation: "Managing browser binaries")."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named and named != "0":
        return Path(named)
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    return Path.home() / caches / "ms-playwright"


def _named(name: str) -> Path:
    found = shutil.which(name)
    if found is None:
        raise EngineMissing(
            f"{VARIABLE} names no program", remedy="Give the path of a Chromium, or unset it."
        )
    return Path(found).resolve()


def _candidates() -> Iterator[Path]:
    yield from map(Path, _KNOWN)
    yield from (Path(found) for name in _ON_PATH if (found := shutil.which(name)))
    builds = (path for build in _BUILDS for path in playwright_folder().glob(build))
    yield from sorted(builds, key=_revision, reverse=True)


def _revision(path: Path) -> int:
    return max((int(number) for number in _REVISION.findall(str(path))), default=0)


def _fits(path: Path, account: Account | None) -> bool:
    if not path.is_file() or not os.access(path, os.R_OK | os.X_OK) or _is_snap(path):
        return False
    return account is None or account.can_read(path.resolve())


def _is_snap(path: Path) -> bool:
    if path.resolve().name == "snap" or "snap" in path.parts:
        return True
    with path.open("rb") as program:  # Ubuntu's package is a script that calls the snap
        return b"/snap/bin/" in program.read(4096)
