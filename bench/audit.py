"""How fast and how steady the website audit is, beside Lighthouse's own command line.

    python bench/audit.py [--rounds N] [--site NAME]      warm and cold take turns on one page
    python bench/audit.py --equality [NAME...]            every fixture site, once each way
    python bench/audit.py --soak N                        N audits in a row with one worker

Prints JSON. Cold is the command line with a browser of its own, started anew each time; warm is
our worker with a Chromium that is started for the run too, and counts.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil

from mergegate.errors import MergegateError
from mergegate.gather.lighthouse import Lighthouse
from mergegate.model.facts.lighthouse import Area, Scores
from mergegate.model.site.visit import Visit
from mergegate.world import node
from mergegate.world.browser import chromium, executable
from mergegate.world.egress import egress
from mergegate.world.process import MEBIBYTE, Limits, run
from mergegate.world.stage import Stage

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sites import Sites, serve

CHROME_FLAGS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
INTERNAL = {"arrived", "vendor-scripts"}
"""Sites that others refer to."""
STEADY = [area for area in Area if area is not Area.PERFORMANCE]


class Setting:
    """The sites, the way out and a warm worker."""

    def __init__(self, held: ExitStack) -> None:
        self.sites: Sites = held.enter_context(serve())
        self.stage = held.enter_context(Stage())
        self.lighthouse = held.enter_context(Lighthouse())
        self.folder = Path(held.enter_context(tempfile.TemporaryDirectory()))

    def warm(self, site: str) -> Scores:
        """One audit as a scan makes it: a way out and a Chromium of its own, and the worker."""
        with (
            egress(self.sites.policy, lookup=self.sites.lookup) as way,
            chromium(
                way.url, self.stage.room("browser"), extra=self.sites.chromium_flags
            ) as running,
        ):
            return self.lighthouse.measure(Visit(url=self.sites.url(site)), running).run.scores

    def cold(self, site: str) -> dict[str, int | None]:
        """One run of the command line; empty when it gives no scores."""
        flags = " ".join(
            [CHROME_FLAGS, "--host-resolver-rules='MAP * 127.0.0.1'", *self.sites.chromium_flags]
        )
        done = run(
            [
                *(node.node(), node.packaged("lighthouse", "cli/index.js"), self.sites.url(site)),
                *("--output=json", "--quiet", "--no-enable-error-reporting"),
                f"--chrome-flags={flags}",
            ],
            cwd=self.folder,
            environment={"CHROME_PATH": str(executable())},
            network=True,
            limits=Limits(timeout_s=180, memory_bytes=4096 * MEBIBYTE),
        )
        categories = json.loads(done.stdout or b"{}").get("categories", {})
        return {id: percent(one["score"]) for id, one in categories.items()}


def percent(score: float | None) -> int | None:
    return None if score is None else round(score * 100)


def timed(work: Callable[[], Any]) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started


def race(setting: Setting, site: str, rounds: int) -> dict[str, Any]:
    """Seconds of each; the first of each is thrown away."""
    warm, cold = [], []
    for _ in range(rounds + 1):
        warm.append(timed(lambda: setting.warm(site)))
        cold.append(timed(lambda: setting.cold(site)))
    middle_warm, middle_cold = statistics.median(warm[1:]), statistics.median(cold[1:])
    return {
        "site": site,
        "warm_s": [round(one, 2) for one in warm],
        "cold_s": [round(one, 2) for one in cold],
        "ratio": round(middle_warm / middle_cold, 3),
    }


def equality(setting: Setting, names: list[str]) -> dict[str, Any]:
    """By site: whether both give the same scores outside of performance, and each performance."""
    known = sorted(set(setting.sites.addresses) - INTERNAL)
    return {name: compared(setting, name) for name in names or known}


def compared(setting: Setting, site: str) -> dict[str, Any]:
    try:
        theirs = setting.cold(site)
    except MergegateError:  # it hangs where a page does
        theirs = {}
    try:
        ours = setting.warm(site)
    except MergegateError as error:
        given = [score for id, score in theirs.items() if id in STEADY and score is not None]
        return {"refused": error.what, "command_line": given}
    return {
        "equal": all(ours.of(area) == theirs.get(area) for area in STEADY),
        "steady": [ours.of(area) for area in STEADY],
        "performance": [ours.performance, theirs.get(Area.PERFORMANCE)],
    }


def soak(setting: Setting, count: int) -> dict[str, Any]:
    """Memory in MiB after each tenth of the audits; processes that are left in the end."""
    me = psutil.Process()
    before = set(me.children(recursive=True))
    worker, ours = [], []
    started = time.monotonic()
    for done in range(1, count + 1):
        setting.warm("fast")
        if done % max(1, count // 10) == 0:
            worker.append(setting.lighthouse.resident_bytes() // MEBIBYTE)
            ours.append(me.memory_info().rss // MEBIBYTE)
    left = [one for one in set(me.children(recursive=True)) - before if one.is_running()]
    return {
        "audits": count,
        "seconds_each": round((time.monotonic() - started) / count, 2),
        "worker_mib": worker,
        "our_mib": ours,
        "orphans": len(left),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--site", default="fast")
    parser.add_argument("--equality", nargs="*", metavar="NAME")
    parser.add_argument("--soak", type=int, default=0)
    given = parser.parse_args()
    with ExitStack() as held:
        setting = Setting(held)
        if given.soak:
            found = soak(setting, given.soak)
        elif given.equality is not None:
            found = equality(setting, given.equality)
        else:
            found = race(setting, given.site, given.rounds)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
