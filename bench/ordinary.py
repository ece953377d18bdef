"""Ordinary changes to a real project, each tried alone: its exit code, and that of a second try.

python -m bench.ordinary [NAME...]
"""

import sys
import tempfile
from pathlib import Path

from tests.repo.ordinary import ASKING, EDITS, MOVES, tried


def main() -> None:
    for name in sys.argv[1:] or [*EDITS, *ASKING, *MOVES]:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {tried(name, Path(folder))}", flush=True)


if __name__ == "__main__":
    main()
