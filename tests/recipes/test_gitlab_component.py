"""The GitLab component, expanded and run by gitlab-ci-local."""

import json
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from tests.recipes.documents import ROOT
from tests.recipes.gitlab_ci_local import Pipeline, pipeline
from tests.sandbox.git.test_repository import commit, git
from tests.test_recipes import CRITICAL, valid

IMAGE = "registry.example.org/mergegate@sha256:" + "0" * 64


@pytest.fixture
def including(repo: Path) -> Pipeline:
    """A repository of a project on GitLab that includes the component."""
    component = repo / "templates" / "mergegate" / "template.yml"
    component.parent.mkdir(parents=True)
    shutil.copy(ROOT / "templates" / "mergegate" / "template.yml", component)
    git(repo, "remote", "add", "origin", "https://gitlab.example.org/group/project.git")
    include(repo)
    commit(repo, "include the component")
    return pipeline(repo)


def include(root: Path, **inputs: object) -> None:
    given = {"image": IMAGE, **{name.replace("_", "-"): one for name, one in inputs.items()}}
    one = {"local": "templates/mergegate/template.yml", "inputs": given}
    (root / ".gitlab-ci.yml").write_text(yaml.safe_dump({"include": [one]}))


def expanded(including: Pipeline, tmp_path: Path) -> dict[str, object]:
    done = including.run("--preview")
    assert done.returncode == 0, done.stderr
    preview = tmp_path / "preview.yml"
    preview.write_text(done.stdout)
    valid(preview, "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
    return dict(yaml.safe_load(done.stdout))


def test_the_expanded_component_is_a_valid_pipeline(including: Pipeline, tmp_path: Path) -> None:
    job = expanded(including, tmp_path)["mergegate"]
    assert isinstance(job, dict)
    assert job["image"]["name"] == IMAGE
    assert job["variables"]["MERGEGATE_FAIL_ON"] == "auto"
    assert job["variables"]["MERGEGATE_COMMENT"] == "true"


def test_inputs_reach_the_job_and_its_artifacts(including: Pipeline, tmp_path: Path) -> None:
    include(including.root, job="gate", comment=False, review=0, report="out/gate", path="web")
    job = expanded(including, tmp_path)["gate"]
    assert isinstance(job, dict)
    chosen = {name: job["variables"][f"MERGEGATE_{name}"] for name in ("COMMENT", "REVIEW", "PATH")}
    assert chosen == {"COMMENT": "false", "REVIEW": "0", "PATH": "web"}
    assert job["artifacts"]["reports"]["sast"] == "out/gate/gl-sast-report.json"


@pytest.mark.parametrize("wrong", [{"fail_on": "maybe"}, {"review": "many"}, {"comment": "yes!"}])
def test_a_wrong_input_stops_the_pipeline(including: Pipeline, wrong: dict[str, str]) -> None:
    include(including.root, **wrong)
    assert including.run("--preview").returncode != 0


@pytest.mark.parametrize(("weak", "code"), [(False, 0), (True, 1)])
def test_the_job_runs_and_leaves_its_reports(including: Pipeline, weak: bool, code: int) -> None:
    root = including.root
    base = git(root, "rev-parse", "HEAD")
    include(root, only="code,secrets", offline=True, report="out/gate")
    if weak:
        (root / "run.py").write_text(CRITICAL)
        secret = "".join(("AK", "IA", "QX7PLM2ZRT5VWN3K"))
        (root / "settings.py").write_text(f'KEY = "{secret}"\n')
    commit(root, "to be judged")
    done = including.run(
        "mergegate",
        path=f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        GITLAB_CI="true",
        CI_PROJECT_DIR=str(root / ".gitlab-ci-local" / "builds" / "mergegate"),
        CI_MERGE_REQUEST_PROJECT_PATH="group/project",
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH="group/project",
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME="change",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME="main",
        CI_MERGE_REQUEST_DIFF_BASE_SHA=base,
    )
    assert done.returncode == code, done.stdout + done.stderr
    kept = root / ".gitlab-ci-local" / "artifacts" / "mergegate" / "out" / "gate"
    for name in ("sast", "secret-detection"):
        report = json.loads((kept / f"gl-{name}-report.json").read_text())
        assert bool(report["vulnerabilities"]) is weak
    assert bool(json.loads((kept / "gl-code-quality-report.json").read_text())) is weak
