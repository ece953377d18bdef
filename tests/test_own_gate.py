"""What we ask of others holds for us: this very tree passes its own gate, with at least 90."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Mergegate, Run
from tests.container.builder import CACHE
from tests.ready import PROGRAM
from tests.recipes.documents import steps

ROOT = Path(__file__).parent.parent
LEAST = 90
_STORE = {name: os.environ[name] for name in ("MERGEGATE_DATA_DIR", "HOME") if name in os.environ}
"""Where this machine keeps its advisories; a test brings none of its own."""

_ANSWERS = {"MERGEGATE_DATA_DIR": str(CACHE / "own-gate")}
"""What engines said of files that are as they were at the last run here: a minute's work."""

pytestmark = pytest.mark.slow


def holds(run: Run) -> dict[str, Any]:
    """What the scan said, which has to have passed."""
    assert run.code == 0, run.out + run.err
    said = run.json
    assert (said["qualityGate"], said["score"] >= LEAST) == ("passed", True), said["verdict"]
    return said


@pytest.mark.parametrize(
    "aspects",
    # Of every change, too, by the job `Our own gate` of ci.yml.
    ["secrets,iac,quality", pytest.param("code", marks=pytest.mark.thorough)],
)
def test_this_tree_passes_its_own_gate(mergegate: Mergegate, aspects: str) -> None:
    only = ("--only", aspects, "--format", "json")
    said = holds(mergegate("scan", ROOT, *only, env=_ANSWERS))
    assert said["coverage"]["filesScanned"] > 1_000, "all of it"


def test_this_trees_dependencies_pass_too(mergegate: Mergegate) -> None:
    status = subprocess.run(
        [PROGRAM, "advisories", "status"], capture_output=True, check=False, env=_STORE
    )
    if status.returncode:
        pytest.skip("this machine has no advisories: the job `Our own gate` of ci.yml has them")
    asked = ("--only", "dependencies", "--offline", "--format", "json")
    holds(mergegate("scan", ROOT, *asked, env=_STORE))


@pytest.mark.parametrize(("score", "code"), [(LEAST, 0), (LEAST - 1, 1)])
def test_continuous_integration_demands_as_much(tmp_path: Path, score: int, code: int) -> None:
    [script] = [
        one["run"]
        for one in steps(ROOT / ".github" / "workflows" / "ci.yml")
        if one.get("name") == "At least 90"
    ]
    (tmp_path / "gate.json").write_text(f'{{"score": {score}}}')
    given = {"PATH": os.environ["PATH"], "RUNNER_TEMP": str(tmp_path)}
    assert subprocess.run(["bash", "-e", "-c", script], env=given, check=False).returncode == code


def test_no_rule_is_switched_off_for_it() -> None:
    policy = yaml.safe_load((ROOT / ".mergegate.yml").read_text())
    assert set(policy) == {"version", "paths", "suppressions"}
    entries = "src/mergegate/repo/infrastructure"
    assert policy["paths"] == {"exclude": ["tests/rules", "tests/fixtures", entries]}
