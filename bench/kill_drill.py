"""Nothing is lost and nothing doubled, whatever is killed.

    python bench/kill_drill.py [--sqlite] [--scans N] [--workers N] [--kills N] [--seed N]

Prints JSON, and exits with 1 unless it is as wanted. Starts a PostgreSQL of its own (needs its
server programs), or takes a SQLite file; worker processes at the pace of a real host, and a
process that submits scans as the API does. Then it kills workers, freezes one, restarts the
submitting process and the database, and counts.
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.host.jobs.drill import Drill, Found, run
from tests.postgres import new_server

WANTED_S = 60


def as_wanted(found: Found) -> bool:
    return not found.lost and not found.doubled and found.settled_s <= WANTED_S


@contextmanager
def ground(*, sqlite: bool) -> Iterator[Drill]:
    """A database of the drill's own, gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="drill-") as name:
        folder = Path(name)
        if sqlite:
            yield Drill(url=f"sqlite:///{folder}/service.db", folder=folder)
            return
        server = new_server()
        try:
            server.start()
            yield Drill(url=server.url(), folder=folder, server=server)
        finally:
            server.stop()
            shutil.rmtree(server.folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--scans", type=int, default=200)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with ground(sqlite=given.sqlite) as drill:
        wanted = vars(given)
        del wanted["sqlite"]
        found = asyncio.run(run(replace(drill, **wanted)))
    print(json.dumps({**asdict(found), "as_wanted": as_wanted(found)}, indent=2))
    sys.exit(not as_wanted(found))


if __name__ == "__main__":
    main()
