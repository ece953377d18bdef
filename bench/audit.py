"""How fast the website audit is, and how true, beside Lighthouse's own command line.

    python bench/audit.py [--rounds N] [SITE...]      every fixture site, or these

Prints JSON: one entry a site, which standard error has at once, and what holds for all. Cold is
the command line with a browser of its own, started anew each time. Warm is our worker, asked for
the page's technologies too, with a way out and a Chromium that are started for the run, and count.
They take turns, and so does who begins; the first of each does not count in the ratio: nobody had
read the machine's files yet.

Scores of performance agree when their medians lie no further apart than the command line's own
scores of the same page, or than five points. Of what one side refuses to judge the other may give
no score either; such a page is asked for once.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from mergegate.core.errors import MergegateError
from mergegate.sandbox.browser import chromium, executable
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import node
from mergegate.sandbox.process.run import MEBIBYTE, Limits, run
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.facts import Area
from mergegate.site.audit.lighthouse import Lighthouse, Probe
from mergegate.site.stack import SOURCE, argument

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sites import Sites, serve

CHROME_FLAGS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
INTERNAL = {"arrived", "vendor-scripts"}
"""Sites that others refer to."""
STEADY = [area for area in Area if area is not Area.PERFORMANCE]
FEW_POINTS = 5
FAST_ENOUGH = 0.55
"""Of the command line's time."""

Scored = dict[str, int | None]


class Setting:
    """The sites, the way out and a warm worker."""

    def __init__(self, held: ExitStack) -> None:
        self.sites: Sites = held.enter_context(serve())
        self.lighthouse = held.enter_context(Lighthouse())
        self.folder = Path(held.enter_context(tempfile.TemporaryDirectory()))

    def warm(self, site: str) -> Scored:
        """One audit as a scan makes it; raises TargetError or EngineError."""
        with (
            egress(self.sites.policy, lookup=self.sites.lookup) as way,
            Stage() as stage,
            chromium(way.url, stage.room("browser"), extra=self.sites.chromium_flags) as browser,
        ):
            visit = Visit(url=self.sites.url(site))
            loaded = self.lighthouse.measure(visit, browser, Probe(SOURCE, argument()))
        return {area: loaded.run.scores.of(area) for area in Area}

    def cold(self, site: str) -> Scored:
        """One run of the command line; scores are None where it gives none."""
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
        return {area: percent(categories.get(area, {}).get("score")) for area in Area}


def percent(score: float | None) -> int | None:
    return None if score is None else round(score * 100)


@dataclass
class Side:
    """What one of the two took and gave, round by round."""

    seconds: list[float] = field(default_factory=list)
    scores: list[Scored] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def goes(self, work: Callable[[], Scored]) -> None:
        started = time.monotonic()
        try:
            self.scores.append(work())
        except MergegateError as error:
            self.refusals.append(error.what)
        self.seconds.append(round(time.monotonic() - started, 2))

    @property
    def middle_s(self) -> float:
        return statistics.median(self.seconds[1:] or self.seconds)

    def of(self, area: Area) -> list[int]:
        return [score for one in self.scores if (score := one[area]) is not None]


def race(setting: Setting, site: str, rounds: int) -> dict[str, Any]:
    warm, cold = Side(), Side()
    turns = [(warm, setting.warm), (cold, setting.cold)]
    for _ in range(rounds + 1):
        for side, work in turns:
            side.goes(lambda work=work: work(site))  # type: ignore[misc]
        if warm.refusals:
            return refused(warm, cold)
        turns.reverse()
    return judged(warm, cold)


def refused(warm: Side, cold: Side) -> dict[str, Any]:
    theirs = {area.value: cold.of(area) for area in Area if cold.of(area)}
    return {"refused": warm.refusals, "command_line_scores": theirs, "agree": not theirs}


def judged(warm: Side, cold: Side) -> dict[str, Any]:
    ours, theirs = warm.of(Area.PERFORMANCE), cold.of(Area.PERFORMANCE)
    noise = max(FEW_POINTS, max(theirs) - min(theirs)) if theirs else 0
    apart = abs(statistics.median(ours) - statistics.median(theirs)) if theirs else 100
    unequal = [area.value for area in STEADY if set(warm.of(area)) != set(cold.of(area))]
    return {
        "ratio": round(warm.middle_s / cold.middle_s, 3),
        "warm_s": warm.seconds,
        "cold_s": cold.seconds,
        "unequal": unequal,
        "performance": {"ours": ours, "theirs": theirs, "apart": apart, "noise": noise},
        "agree": not unequal and apart <= noise,
    }


def whole(sites: dict[str, dict[str, Any]]) -> dict[str, Any]:
    ratios = [one["ratio"] for one in sites.values() if "ratio" in one]
    return {
        "sites": len(sites),
        "refused": sorted(name for name, one in sites.items() if "refused" in one),
        "disagree": sorted(name for name, one in sites.items() if not one["agree"]),
        "ratio": round(statistics.median(ratios), 3) if ratios else None,
        "too_slow": sorted(
            name for name, one in sites.items() if one.get("ratio", 0) > FAST_ENOUGH
        ),
        "load": psutil.getloadavg(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", nargs="*", metavar="SITE")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with ExitStack() as held:
        setting = Setting(held)
        known = sorted(set(setting.sites.addresses) - INTERNAL)
        found = {}
        for name in given.sites or known:
            found[name] = race(setting, name, given.rounds)
            print(name, json.dumps(found[name]), file=sys.stderr, flush=True)
    print(json.dumps({**found, "all": whole(found)}, indent=2))


if __name__ == "__main__":
    main()
