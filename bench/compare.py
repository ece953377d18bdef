"""What a scan costs beside another version of Mergegate: CPU seconds on the same bytes.

    python bench/compare.py OTHER PATH [--rounds N] [--only ASPECTS]

OTHER is the program ``mergegate`` of the other version, in an environment of its own; PATH a tree
of which both search every file, for instance a source distribution without its tests. Prints JSON.
The two take turns without a cache, children included; the least of ``--rounds`` turns of each
counts, for whatever else runs on the machine only adds to it.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = str(Path(sys.executable).with_name("mergegate"))


def cpu_seconds(program: str, root: Path, only: str) -> float:
    """User and system seconds of a scan of ``root`` and of every child it waited for."""
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(
            [program, "scan", root, "--offline", "--no-cache", "--format", "json", "--only", only],
            env={"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": data},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1, 3}:
        raise RuntimeError(f"{program} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other")
    parser.add_argument("path", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="code,secrets,iac,quality")
    asked = parser.parse_args()
    least = dict.fromkeys((asked.other, PROGRAM), math.inf)
    for _ in range(asked.rounds):
        for program in least:
            least[program] = min(least[program], cpu_seconds(program, asked.path, asked.only))
    told = {
        "other_cpu_seconds": round(least[asked.other], 2),
        "this_cpu_seconds": round(least[PROGRAM], 2),
        "ratio": round(least[PROGRAM] / least[asked.other], 3),
    }
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
