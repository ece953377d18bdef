"""Our warm run says what the command line of Lighthouse says of the same page."""

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.process import node
from mergegate.sandbox.process.run import Limits, run
from mergegate.sandbox.visit import Device
from mergegate.site.audit.facts import Area
from tests.site.audit.lighthouse.conftest import Audit, Once
from tests.sites import Sites

LIMITS = Limits(timeout_s=120)
STEADY = [area for area in Area if area is not Area.PERFORMANCE]


def by_the_command_line(
    url: str, device: Device, browser: Chromium, folder: Path
) -> dict[str, float]:
    """In a browser that runs already: its own launcher gives up on a busy machine."""
    argv = [
        *(node.node(), node.packaged("lighthouse", "cli/index.js"), url),
        *("--output", "json", "--quiet", "--no-enable-error-reporting"),
        f"--port={urlsplit(browser.endpoint).port}",
        *(("--preset", "desktop") if device is Device.DESKTOP else ()),
    ]
    done = run(argv, cwd=folder, network=True, limits=LIMITS)
    assert done.exit_code == 0, done.stderr.decode()[-2000:]
    categories = json.loads(done.stdout)["categories"]
    return {area: round(categories[area]["score"] * 100) for area in STEADY}


@pytest.mark.slow
def test_scores_other_than_performance_are_those_of_the_command_line(
    once: Once, sites: Sites, browser: Chromium, tmp_path: Path
) -> None:
    ours = once("fast").run.scores
    theirs = by_the_command_line(sites.url("fast"), Device.MOBILE, browser, tmp_path)
    assert {area: ours.of(area) for area in STEADY} == theirs


@pytest.mark.slow
@pytest.mark.thorough
def test_they_are_on_a_desktop_too(
    audit: Audit, sites: Sites, browser: Chromium, tmp_path: Path
) -> None:
    ours = audit("shifting", device=Device.DESKTOP).run.scores
    theirs = by_the_command_line(sites.url("shifting"), Device.DESKTOP, browser, tmp_path)
    assert {area: ours.of(area) for area in STEADY} == theirs
