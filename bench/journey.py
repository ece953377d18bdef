"""How much a browser test gains from several tabs, as a ratio of one run.

    python bench/journey.py

Twelve pages with script errors, images without alternative texts, unlabelled forms and a server
that takes 150 ms for everything. One tab and four take turns: a busy machine slows both. Prints
JSON; `four_to_one` has to be 0.6 or less.
"""

import json
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mergegate.sandbox.browser import Chromium, chromium
from mergegate.sandbox.egress.policy import Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.visit import Device, Visit
from mergegate.site.browser_test.facts import Journey
from mergegate.site.browser_test.journey.isolated import Bounds
from mergegate.site.browser_test.journey.travel import travel

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.site.browser_test.journey.pages import Answer, Site, pages

PAGES = 12
ROUNDS = 3
WAIT_S = 0.15
PICTURE = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'>"
    "<rect width='300' height='200' fill='teal'/></svg>"
)


def page(number: int) -> str:
    links = "".join(f"<li><a href=/{one}>Page {one}</a>" for one in range(PAGES))
    dead = "".join(f"<li><a href=/dead/{number}/{one}>x</a>" for one in range(10))
    cards = "".join(f"<div class=card><h3>Card {one}</h3><p>Text</div>" for one in range(60))
    return (
        f"<!doctype html><html lang=en><title>Page {number}</title><h1>Page {number}</h1>"
        f"<ul>{links}{dead}</ul><img src=/picture.svg?{number}><img src=/gone/{number}.png alt=x>"
        f"<form action=/send method=post><input name=a><select></select><button></button></form>"
        f"{cards}<button type=button onclick='document.title += 1'>More</button>"
        f"<script>console.error('of page {number}'); Promise.reject(new Error('late'));"
        f"setTimeout(() => {{ throw new TypeError('boom') }}, 50)</script>"
    )


def fill(site: Site) -> None:
    site.pages = {f"/{number}": page(number) for number in range(PAGES)}
    site.pages["/picture.svg"] = Answer(PICTURE, kind="image/svg+xml")
    site.wait_s = WAIT_S


@contextmanager
def browsing(port: int) -> Iterator[Chromium]:
    """A new one each time: nothing of a journey is there for the next."""
    policy = Policy(allowed=frozenset({("127.0.0.1", port)}))
    with (
        Stage() as stage,
        egress(policy) as way,
        chromium(way.url, stage.room("browser")) as running,
    ):
        yield running


def journey(site: Site, tabs: int) -> tuple[float, Journey]:
    """Seconds, without Chromium's start, and what was met."""
    visit = Visit(url=site.url("/0"), device=Device.DESKTOP)
    with browsing(site.port) as running:
        started = time.monotonic()
        found = travel(visit, running, bounds=Bounds(pages=PAGES, tabs=tabs))
        return time.monotonic() - started, found


def told(found: Journey) -> list[tuple[object, ...]]:
    """What must not depend on the number of tabs."""
    return [
        (one.url, one.status, one.title, one.failure, one.faults, one.links, one.violations)
        for one in found.visits
    ]


def main() -> None:
    with pages() as site:
        fill(site)
        rounds, same = [], True
        for _ in range(ROUNDS):
            one, alone = journey(site, 1)
            four, together = journey(site, 4)
            same = same and told(alone) == told(together)
            rounds.append((one, four))
    print(
        json.dumps(
            {
                "pages": len(together.visits),
                "one_tab_s": round(statistics.median(one for one, _ in rounds), 2),
                "four_tabs_s": round(statistics.median(four for _, four in rounds), 2),
                "four_to_one": round(statistics.median(four / one for one, four in rounds), 3),
                "rounds": [[round(one, 2), round(four, 2)] for one, four in rounds],
                "same_result": same,
                "faults": sum(len(one.faults) for one in together.visits),
                "notes": sorted({note for one in together.visits for note in one.notes}),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
