"""How long a pull request waits, as a ratio of one run.

    python bench/ci.py PATH          PATH: a large repository or an unpacked source distribution

Prints JSON: the wall time of ``mergegate scan --no-cache`` on the whole, and of ``mergegate ci``
on a change of ten files, from the start of the process to its end, without a forge: with the
answers that a job on the default branch has kept, and without them.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scan import change

ROUNDS = 3


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def timed(root: Path, data: Path, *arguments: str) -> float:
    program = Path(sys.executable).with_name("mergegate")
    environment = {"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": str(data)}
    started = time.monotonic()
    done = subprocess.run(
        [program, *arguments], cwd=root, env=environment, capture_output=True, check=False
    )
    if done.returncode not in {0, 1, 3}:
        raise RuntimeError(done.stderr.decode())
    return time.monotonic() - started


def main(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, answers = Path(folder) / "tree", Path(folder) / "answers"
        shutil.copytree(path, root, symlinks=True)
        git(root, "init", "-q", "-b", "main")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "base")
        report = ("--report", str(Path(folder) / "report"), "--offline")
        timed(root, Path(folder) / "warm", "ci", "--cache", str(answers), *report)
        git(root, "switch", "-qc", "topic")
        change(root)
        git(root, "commit", "-qam", "ten files")
        rounds = []
        for number in range(ROUNDS):
            # Each round starts from the default branch's answers, as a fresh job does.
            kept = Path(folder) / f"kept-{number}"
            shutil.copytree(answers, kept)
            empty = Path(folder) / f"empty-{number}"
            full = timed(root, empty, "scan", "--no-cache", "--offline", "--format", "json")
            arguments = ("ci", "--base", "main", *report)
            rounds.append(
                (
                    full,
                    timed(root, empty, *arguments, "--cache", str(kept)),
                    timed(root, empty, *arguments),
                )
            )
    print(
        json.dumps(
            {
                "rounds_s": [[round(one, 2) for one in each] for each in rounds],
                "change_to_full": round(statistics.median(b / a for a, b, _ in rounds), 3),
                "change_without_answers_to_full": round(
                    statistics.median(c / a for a, _, c in rounds), 3
                ),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
