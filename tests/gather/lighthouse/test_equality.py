"""Our warm run says what the command line of Lighthouse says of the same page."""

import json
from pathlib import Path

import pytest

from mergegate.gather.lighthouse import Lighthouse
from mergegate.model.budget import Device
from mergegate.model.facts.lighthouse import Area
from mergegate.model.site.visit import Visit
from mergegate.world import node
from mergegate.world.browser import chromium, executable
from mergegate.world.egress import egress
from mergegate.world.process import Limits, run
from mergegate.world.stage import Stage
from tests.sites import Sites

FLAGS = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
LIMITS = Limits(timeout_s=120)
STEADY = [area for area in Area if area is not Area.PERFORMANCE]


def by_the_command_line(url: str, device: Device, folder: Path) -> dict[str, float]:
    argv = [
        *(node.node(), node.packaged("lighthouse", "cli/index.js"), url),
        *("--output", "json", "--quiet", "--no-enable-error-reporting"),
        f"--chrome-flags={FLAGS}",
        *(("--preset", "desktop") if device is Device.DESKTOP else ()),
    ]
    chrome = {"CHROME_PATH": str(executable())}
    # Its launcher gives up on a browser that a busy machine starts slowly.
    answers = (
        run(argv, cwd=folder, environment=chrome, network=True, limits=LIMITS) for _ in range(3)
    )
    stdout = next(one.stdout for one in answers if one.stdout)
    categories = json.loads(stdout)["categories"]
    return {area: round(categories[area]["score"] * 100) for area in STEADY}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("site", "device"),
    [("fast", Device.MOBILE), ("shifting", Device.DESKTOP), ("restless", Device.MOBILE)],
)
def test_scores_other_than_performance_are_those_of_the_command_line(
    sites: Sites, tmp_path: Path, site: str, device: Device
) -> None:
    url = sites.url(site)
    with (
        egress(sites.policy, lookup=sites.lookup) as way,
        Stage() as stage,
        chromium(way.url, stage.room("browser")) as fresh,
        Lighthouse() as lighthouse,
    ):
        ours = lighthouse.measure(Visit(url=url, device=device), fresh).run.scores
    theirs = by_the_command_line(url, device, tmp_path)
    assert {area: ours.of(area) for area in STEADY} == theirs
