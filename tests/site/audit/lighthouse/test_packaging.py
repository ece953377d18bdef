"""What the wheel carries of the npm packages suffices for a run, is small, and names its owners."""

from pathlib import Path

import pytest
from hatch_build import LOADED, pack

from mergegate.sandbox.browser import Chromium
from mergegate.sandbox.process import node
from mergegate.sandbox.visit import Visit
from mergegate.site.audit.facts import Area, LighthouseRun, Mode
from mergegate.site.audit.lighthouse import Lighthouse
from tests.site.audit.lighthouse.conftest import PATIENCE_S, Once
from tests.sites import Sites

PERMISSIVE = {"MIT", "Apache-2.0", "BSD-3-Clause", "0BSD", "MPL-2.0", "ISC"}


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel") / "node_modules"
    pack(node.packages("lighthouse"), target)
    return target


def test_every_package_brings_a_permissive_licence(packed: Path) -> None:
    notices = (packed / "THIRD_PARTY_NOTICES.md").read_text()
    listed = [line for line in notices.split("\n## ")[0].splitlines() if line.startswith("- ")]
    assert {line.rpartition(": ")[2] for line in listed} <= PERMISSIVE
    assert {line[2:].split(" ")[0] for line in listed} >= set(LOADED)


def test_the_packages_stay_small_and_report_to_nobody(packed: Path) -> None:
    files = [file for file in packed.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 10_000_000
    assert not [file for file in files if file.suffix in {".ts", ".map", ".node"}]
    assert not (packed / "@sentry").exists()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_run_with_them_judges_as_one_with_all_packages(
    packed: Path, once: Once, sites: Sites, browser: Chromium
) -> None:
    with Lighthouse(packages=packed, patience_s=PATIENCE_S) as lean:
        for site in ("vendors", "http2"):
            run = lean.measure(Visit(url=sites.url(site)), browser).run
            full = once(site).run
            assert verdicts(run) == verdicts(full)
            assert run.measured.vendors == full.measured.vendors
            assert not [one.id for one in run.audits if one.mode is Mode.ERROR]


def verdicts(run: LighthouseRun) -> dict[str, tuple[float | None, str]]:
    """Of every audit outside of performance, with its title in words."""
    steady = (one for one in run.audits if Area.PERFORMANCE not in one.areas)
    return {one.id: (one.score, one.title) for one in steady}
