"""How long a scan takes, and what it holds, where every package of an ecosystem is vulnerable.

    python -m bench.dependencies DUMPS [--rounds N]     DUMPS: a folder with PyPI.zip, Go.zip…

Prints JSON, for all vulnerable packages of each ecosystem and for half of them: the seconds of the
whole command, reports of three formats written, and the most memory; of its main process and of its
children apart.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
from tests.packages.real_pins import ORDERS, Pins, pinned, records_of, verdict, write_lock

from mergegate.packages.advisories import update

_LOOK_EVERY_S = 0.02
_FORMATS = ("json", "html", "sarif")


def vulnerable(dumps: Path, ecosystem: str) -> Pins:
    """Each package at a version that some record affects."""
    records, order = records_of(dumps, ecosystem), ORDERS[ecosystem]
    return {
        name: version
        for name, version in pinned(records, ecosystem)[0].items()
        if any(verdict(one, version, order) for one in records[name])
    }


def measured(root: Path, data: Path) -> dict[str, float]:
    """One scan, from the start of its process to the end."""
    reports = root.parent / "reports"
    reports.mkdir(exist_ok=True)
    program = Path(sys.executable).with_name("mergegate")
    order: list[str | Path] = [program, "scan", "--offline", "--no-cache", root]
    for name in _FORMATS:
        order += ["--format", f"{name}={reports / name}"]
    started = time.monotonic()
    with subprocess.Popen(
        order, env={**os.environ, "MERGEGATE_DATA_DIR": str(data)}, stderr=subprocess.DEVNULL
    ) as scan:
        found = _watched(scan)
    wall = time.monotonic() - started
    if scan.returncode not in (0, 1):
        raise SystemExit(f"the scan of {root} ended with {scan.returncode}")
    told = json.loads((reports / "json").read_text())
    return {"findings": len(told["dependencyVulns"]), "wall_s": wall, **found}


def _watched(scan: "subprocess.Popen[bytes]") -> dict[str, float]:
    main, found = psutil.Process(scan.pid), {"main_mib": 0.0, "children_mib": 0.0}
    while scan.poll() is None:
        try:
            held = sum(one.memory_info().rss for one in main.children(recursive=True)) / 2**20
            found["children_mib"] = max(found["children_mib"], held)
            found["main_mib"] = max(found["main_mib"], main.memory_info().rss / 2**20)
            spent = main.cpu_times()
            found["main_cpu_s"] = spent.user + spent.system
            found["children_cpu_s"] = spent.children_user + spent.children_system
        except psutil.Error:
            continue  # it has just ended
        time.sleep(_LOOK_EVERY_S)
    return found


def median(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.median(one[name] for one in rounds), 1) for name in rounds[0]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("dumps", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data")
        update(asked.dumps, data / "advisories.sqlite")
        for ecosystem in ORDERS:
            pins = vulnerable(asked.dumps, ecosystem)
            for part, count in (("all", len(pins)), ("half", len(pins) // 2)):
                root = Path(folder, f"{ecosystem}-{part}", "tree")
                write_lock(root, ecosystem, dict(islice(pins.items(), count)))
                rounds = [measured(root, data) for _ in range(asked.rounds)]
                found[f"{ecosystem}, {part}"] = {"packages": count, **median(rounds)}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
