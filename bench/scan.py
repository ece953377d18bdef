"""How fast the repository scan is, as ratios of one run.

    python bench/scan.py PATH          PATH: a large repository or an unpacked source distribution

Prints JSON: the wall time of each engine alone, of a full scan without a cache, of an unchanged
rescan and of a rescan after ten files changed; the share of CPU that is neither an engine's
process nor an engine's own thread; and the peak memory of all processes together.
"""

import json
import resource
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from mergegate.core.progress import silent
from mergegate.core.tree import Tree
from mergegate.packages.advisories import Stock
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.scan import Request, Toolbox, scan
from mergegate.repo.settings import folders
from mergegate.repo.toolbox import scan_toolbox, sources
from mergegate.repo.wire import to_json
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from mergegate.sandbox.engines.runner import Facts, Source, gather_all
from mergegate.sandbox.files.checkout import read_tree
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process.run import cores

CHANGED_FILES = 10
ROUNDS = 3
"""The slowest engine alone and the full scan take turns: a busy machine slows both."""


def timed(work: Callable[[], Any]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def engines_alone(root: Path, only: str = "") -> dict[str, float]:
    """Seconds of each engine, or of one, on the same files and rules, nothing else running."""
    tree = read_tree(root)
    found = {}
    facts: dict[type, Any] = {}
    for source in scan_toolbox(fetch=False, cached=False).sources(None, None):
        if only not in {"", source.name}:
            continue
        with Stage() as stage:
            started = time.monotonic()
            context = EngineContext(stage, jobs=cores())
            gathered = gather_all([handed(source, facts)], tree, context, silent)
            found[source.name] = time.monotonic() - started
        facts |= gathered.facts
    return found


def handed(source: Source, known: Facts) -> Source:
    """The source with the facts of those that ran before it."""

    def gather(tree: Tree, context: EngineContext, _: Facts) -> Gathered:
        return source.gather(tree, context, {need: known[need] for need in source.needs})

    return replace(source, gather=gather, needs=())


class Meter:
    """CPU seconds that engines spend in our own process."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = threading.Lock()

    def watch(self, source: Source) -> Source:
        def gather(tree: Tree, context: EngineContext, facts: Facts) -> Gathered:
            started = time.thread_time()
            try:
                return source.gather(tree, context, facts)
            finally:
                with self._lock:
                    self.seconds += time.thread_time() - started

        return replace(source, gather=gather)


class Peak:
    """The most memory that this process and its children held together."""

    def __init__(self) -> None:
        self.bytes = 0
        self.seconds = 0.0
        """CPU that watching itself took."""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        me = psutil.Process()
        while not self._stop.wait(0.25):
            total = 0
            for process in [me, *me.children(recursive=True)]:
                try:
                    total += process.memory_info().rss
                except psutil.Error:
                    continue
            self.bytes = max(self.bytes, total)
        self.seconds = time.thread_time()


def cpu() -> tuple[float, float]:
    """CPU seconds of this process and of its children."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def full_scan(root: Path, toolbox: Toolbox) -> dict[str, float]:
    meter = Meter()
    watched = replace(
        toolbox,
        sources=lambda repository, base: [
            meter.watch(one) for one in toolbox.sources(repository, base)
        ],
    )
    own, children = cpu()
    with Peak() as peak:
        wall = timed(lambda: to_json(scan(Request(root), watched)))
    own, children = cpu()[0] - own - peak.seconds, cpu()[1] - children
    return {
        "wall_s": wall,
        "cpu_s": own + children,
        "own_cpu_share": (own - meter.seconds) / (own + children),
        "peak_mib": peak.bytes / 2**20,
    }


def change(root: Path) -> None:
    """Append a line to ten source files."""
    sources = [
        path for path in sorted(root.rglob("*.py")) or sorted(root.rglob("*.js")) if path.is_file()
    ]
    step = max(1, len(sources) // CHANGED_FILES)
    for path in sources[::step][:CHANGED_FILES]:
        path.write_bytes(
            path.read_bytes() + b"\n# changed\n"
            if path.suffix == ".py"
            else path.read_bytes() + b"\n// changed\n"
        )


def remembering(toolbox: Toolbox) -> Toolbox:
    """The toolbox with one memory for all scans of this process, and none beyond it."""
    stock = Stock(folders().advisories, fetch=False)
    return replace(toolbox, sources=partial(sources, RunMemory(), stock, DuplicationFinder()))


def main(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(path, root, symlinks=True)
        alone = engines_alone(root)
        slowest = max(alone, key=lambda name: alone[name])
        rounds = []
        for _ in range(ROUNDS):
            kept = remembering(scan_toolbox(fetch=False, cached=False))
            only = engines_alone(root, slowest)[slowest]
            rounds.append((only, full_scan(root, kept)))
        full = {name: statistics.median(one[name] for _, one in rounds) for name in rounds[0][1]}
        unchanged = timed(lambda: scan(Request(root), kept))
        change(root)
        ten = timed(lambda: scan(Request(root), kept))
    print(
        json.dumps(
            {
                "files": len(read_tree(path).files),
                "engines_alone_s": {name: round(s, 2) for name, s in sorted(alone.items())},
                "slowest": slowest,
                "full": {name: round(value, 3) for name, value in full.items()},
                "full_to_slowest": round(
                    statistics.median(one["wall_s"] / only for only, one in rounds), 3
                ),
                "rounds": [[round(only, 2), round(one["wall_s"], 2)] for only, one in rounds],
                "unchanged_to_full": round(unchanged / full["wall_s"], 3),
                "ten_files_to_full": round(ten / full["wall_s"], 3),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
