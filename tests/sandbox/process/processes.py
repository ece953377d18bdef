"""What runs on this machine, as tests look at it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import psutil


def inhabitants(folder: Path) -> Iterator[int]:
    """Processes whose home, temporary or working folder lies in ``folder``, but ours."""
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error):  # it has ended, or is another account's
            named = [one.environ().get(name) for name in ("HOME", "TMPDIR")]
            if one.pid != os.getpid() and any(
                Path(place).is_relative_to(folder) for place in (*named, one.cwd()) if place
            ):
                yield one.pid
