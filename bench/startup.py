"""How long a command takes to start: CPU seconds beside those of two libraries it needs anyway.

    python bench/startup.py [--rounds N]

Prints JSON. Each command is measured in turn with ``import pydantic, httpx`` in a fresh process,
children included; of ``--rounds`` turns the least of each counts, for whatever else runs on the
machine only adds to it. The repository is one small file whose answers are kept: what is left is
ours.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

REFERENCE = (sys.executable, "-c", "import pydantic, httpx")
PROGRAM = str(Path(sys.executable).with_name("mergegate"))
COMMANDS = {
    "--version": ("--version",),
    "--help": ("--help",),
    "scan --help": ("scan", "--help"),
    "ci --help": ("ci", "--help"),
    "security-scan --help": ("security-scan", "--help"),
    "doctor": ("doctor",),
    "explain": ("explain", "python-sql-injection"),
    "scan, nothing changed": ("scan", "--offline"),
    "scan, code and secrets": ("scan", "--offline", "--only", "code,secrets"),
    "ci, nothing changed": ("ci", "--offline", "--base", "HEAD"),
    "ci, code and secrets": ("ci", "--offline", "--base", "HEAD", "--only", "code,secrets"),
    "ci, without a base": ("ci", "--offline"),
}


def cpu_seconds(command: Sequence[str], root: Path) -> float:
    """User and system seconds of the process and of every child it waited for."""
    environment = {"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": str(root / ".git" / "data")}
    process = subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in {0, 1, 3}:
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def repository(folder: Path) -> Path:
    root = folder / "repository"
    root.mkdir()
    (root / "small.py").write_text("def add(a: int, b: int) -> int:\n    return a + b\n")
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "small"]):
        subprocess.run(["git", *identity, *step], cwd=root, check=True)
    return root


def measured(root: Path, rounds: int) -> dict[str, object]:
    commands = {name: (PROGRAM, *arguments) for name, arguments in COMMANDS.items()}
    for command in commands.values():  # fills the answers and the compiled modules
        cpu_seconds(command, root)
    least: dict[str, float] = {}
    for _ in range(rounds):
        for name, command in {"": REFERENCE, **commands}.items():
            least[name] = min(least.get(name, math.inf), cpu_seconds(command, root))
    return {
        "reference_cpu_seconds": round(least[""], 3),
        "ratios": {name: round(least[name] / least[""], 1) for name in commands},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(repository(Path(folder)), arguments.rounds), indent=2))


if __name__ == "__main__":
    main()
