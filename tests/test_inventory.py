"""No check, rule, format or setting is lost when files move."""

import subprocess
import sys
from pathlib import Path

COMMITTED = Path(__file__).with_name("inventory.txt")


def test_nothing_that_was_offered_is_lost() -> None:
    """What is new enters the list with the next ``python -m tests.inventory``."""
    command = (sys.executable, "-m", "tests.inventory")
    made = subprocess.run(
        command, cwd=COMMITTED.parents[1], capture_output=True, text=True, timeout=120, check=True
    )
    found, known = set(made.stdout.splitlines()), set(COMMITTED.read_text().splitlines())
    assert sorted(known - found) == []
