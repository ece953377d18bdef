"""What many audits in a row leave behind: processes, memory, files.

    python bench/audit_soak.py [--audits N] [--quick]      --quick: without Lighthouse's throttling

Prints JSON. One toolbox, as ``tools.py`` builds it, audits one fast page again and again,
with a Chromium for each. Of what might grow the medians of the four quarters of the time are shown;
everything that is "left" has to be empty. Temporary files go to a folder of this run's own,
by which its processes are told from others of the machine, whoever their parent has become.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from mergegate.sandbox.process.run import MEBIBYTE
from mergegate.sandbox.visit import Throttling, Visit
from mergegate.site.audit.run import AuditRequest, audit
from mergegate.site.audit.tools import audit_toolbox

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sites import serve

ME = psutil.Process()


@dataclass(frozen=True)
class Sample:
    """What this process and those it started take between two audits."""

    our_mib: float
    their_mib: float
    """Of the warm worker: no browser runs now."""
    our_files: int
    our_threads: int
    their_processes: int
    temporary_files: int


def sample(folder: Path) -> Sample:
    children = ME.children(recursive=True)
    return Sample(
        our_mib=ME.memory_info().rss / MEBIBYTE,
        their_mib=sum(one.memory_info().rss for one in children) / MEBIBYTE,
        our_files=ME.num_fds(),
        our_threads=ME.num_threads(),
        their_processes=len(children),
        temporary_files=sum(1 for _ in folder.rglob("*")),
    )


def soak(folder: Path, audits: int, throttling: Throttling) -> tuple[list[Sample], list[float]]:
    samples, seconds = [], []
    with serve() as sites, audit_toolbox(sites.policy, lookup=sites.lookup) as toolbox:
        page = Visit(url=sites.url("fast"), throttling=throttling)
        for done in range(1, audits + 1):
            started = time.monotonic()
            audit(AuditRequest(visit=page, runs=1), toolbox)
            seconds.append(time.monotonic() - started)
            sites.seen.clear()
            samples.append(sample(folder))
            print(f"\r{done} of {audits}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return samples, seconds


def course(samples: list[Sample]) -> dict[str, list[float]]:
    """By what was counted: the medians of the quarters, first first."""
    bounds = [len(samples) * place // 4 for place in range(5)]
    columns = zip(*map(astuple, samples), strict=True)
    return {
        field.name: [middle(column[start:end]) for start, end in pairwise(bounds)]
        for field, column in zip(fields(Sample), columns, strict=True)
    }


def middle(column: tuple[float, ...]) -> float:
    return round(statistics.median(column), 1)


def left(folder: Path) -> list[str]:
    """Processes that know the folder, and children that nobody has buried."""
    known = [one for one in psutil.process_iter() if one != ME and knows(one, folder)]
    return [one.name() for one in {*known, *ME.children(recursive=True)}]


def knows(process: psutil.Process, folder: Path) -> bool:
    try:
        words = [*process.cmdline(), process.cwd()]
    except psutil.Error:
        return False
    return any(str(folder) in word for word in words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--audits", type=int, default=200, help="4 or more")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    throttling = Throttling.PROVIDED if given.quick else Throttling.SIMULATE
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # engines may run as somebody else
        os.environ["TMPDIR"], tempfile.tempdir = name, name
        samples, seconds = soak(folder, given.audits, throttling)
        found: dict[str, Any] = {
            "audits": len(samples),
            "seconds_each": round(statistics.median(seconds), 2),
            "by_quarter": course(samples),
            "left_processes": left(folder),
            "left_files": sorted(one.name for one in folder.iterdir()),
            "load": psutil.getloadavg(),
        }
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
