"""``mergegate init`` writes what is not there, and nothing else."""

from pathlib import Path

import pytest
import yaml

from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git

RECIPES = Path(__file__).parents[2] / "docs" / "ci"
PIPELINES = {
    "github": {".github/workflows/mergegate.yml", ".github/workflows/mergegate-publish.yml"},
    "gitlab": {".gitlab-ci.yml"},
    "bitbucket": {"bitbucket-pipelines.yml"},
    "jenkins": {"Jenkinsfile"},
    "none": set(),
}


def written(root: Path) -> set[str]:
    found = (one for one in root.rglob("*") if one.is_file() and ".git" not in one.parts)
    return {one.relative_to(root).as_posix() for one in found} - {"clean.py"}


@pytest.mark.parametrize("forge", PIPELINES)
def test_each_forge_gets_its_file(forge: str, mergegate: Mergegate, repo: Path) -> None:
    ended = mergegate("init", repo, "--forge", forge)
    assert (ended.code, ended.err) == (0, "")
    assert written(repo) == {".mergegate.yml", *PIPELINES[forge]}
    assert all(f"wrote {one}\n" in ended.out for one in written(repo))
    assert mergegate("policy", repo / ".mergegate.yml").code == 0


@pytest.mark.parametrize("forge", ["github", "gitlab", "bitbucket"])
def test_the_doctor_finds_nothing_to_add(forge: str, mergegate: Mergegate, repo: Path) -> None:
    mergegate("init", repo, "--forge", forge)
    assert "ci-runs-no-mergegate" not in mergegate("doctor", repo, "--json").out
    for name in PIPELINES[forge]:
        assert yaml.safe_load((repo / name).read_text())


@pytest.mark.parametrize(
    ("origin", "forge"),
    [
        ("git@gitlab.com:acme/shop.git", "gitlab"),
        ("https://github.com/acme/shop.git", "github"),
        ("https://bitbucket.org/acme/shop.git", "bitbucket"),
        ("https://git.example.org/acme/shop.git", "none"),
    ],
)
def test_the_origin_tells_the_forge(
    origin: str, forge: str, mergegate: Mergegate, repo: Path
) -> None:
    git(repo, "remote", "add", "origin", origin)
    assert mergegate("init", repo).code == 0
    assert written(repo) == {".mergegate.yml", *PIPELINES[forge]}


def test_without_an_origin_the_ci_files_tell_it(mergegate: Mergegate, repo: Path) -> None:
    (repo / "Jenkinsfile").write_text("pipeline { agent any }\n")
    ended = mergegate("init", repo)
    assert "kept Jenkinsfile: it is there, and would need" in ended.out
    assert "sh 'mergegate ci" in ended.out
    assert (repo / "Jenkinsfile").read_text() == "pipeline { agent any }\n"


def test_no_file_that_is_there_is_touched(mergegate: Mergegate, repo: Path) -> None:
    there = {".gitlab-ci.yml": "stages: [test]\nunit:\n  script: [make]\n", ".mergegate.yml": ""}
    for name, text in there.items():
        (repo / name).write_text(text)
    ended = mergegate("init", repo, "--forge", "gitlab")
    assert ended.code == 0
    assert {name: (repo / name).read_text() for name in there} == there
    assert "kept .mergegate.yml: it is there\n" in ended.out
    assert "    - mergegate ci\n" in ended.out
    assert "mergegate doctor --fix-ci" in ended.out


def test_a_link_is_there_too(mergegate: Mergegate, repo: Path, tmp_path: Path) -> None:
    (repo / ".mergegate.yml").symlink_to(tmp_path / "elsewhere.yml")
    assert mergegate("init", repo).code == 0
    assert not (tmp_path / "elsewhere.yml").exists()


def test_a_folder_that_leads_out_is_not_followed(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (repo / ".github").symlink_to(tmp_path / "out")
    assert mergegate("init", repo, "--forge", "github").code == 2
    assert list((tmp_path / "out").iterdir()) == []


def test_twice_is_as_once(mergegate: Mergegate, repo: Path) -> None:
    mergegate("init", repo, "--forge", "github")
    before = {name: (repo / name).read_bytes() for name in written(repo)}
    ended = mergegate("init", repo, "--forge", "github")
    assert ended.code == 0
    assert {name: (repo / name).read_bytes() for name in written(repo)} == before
    assert "wrote" not in ended.out


def test_a_dry_run_writes_nothing(mergegate: Mergegate, repo: Path) -> None:
    ended = mergegate("init", repo, "--forge", "gitlab", "--dry-run")
    assert (ended.code, written(repo)) == (0, set())
    assert "would write .gitlab-ci.yml" in ended.out
    assert "  fail-change-on: high\n" in ended.out


def test_from_a_folder_in_it_the_repository_is_meant(mergegate: Mergegate, repo: Path) -> None:
    (repo / "deep").mkdir()
    mergegate("init", repo / "deep", "--forge", "none")
    assert written(repo) == {".mergegate.yml"}


def test_languages_without_rules_are_offered_to_be_accepted(
    mergegate: Mergegate, repo: Path
) -> None:
    (repo / "app.swift").write_text('print("x")\n' * 50)
    commit(repo, "swift")
    mergegate("init", repo)
    text = (repo / ".mergegate.yml").read_text()
    assert "# 50 of 55 source lines are in languages that no rule is for" in text
    assert "\n# accept-unsearched: [swift]\n" in text
    asked = ("--offline", "--only", "code", "--quiet")
    assert mergegate("scan", repo, *asked).code == 3
    (repo / ".mergegate.yml").write_text(text.replace("# accept-uns", "accept-uns"))
    assert mergegate("scan", repo, *asked).code == 0


def test_the_next_step_is_told(mergegate: Mergegate, repo: Path) -> None:
    ended = mergegate("init", repo, "--forge", "bitbucket")
    told = ended.out.partition("Next:\n")[2]
    assert told.startswith("  mergegate scan ")
    assert "fill in the words in capitals in bitbucket-pipelines.yml" in told


@pytest.mark.parametrize(
    ("forge", "needed"),
    [
        ("github", "into the default branch"),
        ("gitlab", "MERGEGATE_TOKEN"),
        ("bitbucket", "MERGEGATE_TOKEN"),
    ],
)
def test_what_a_comment_takes_is_told(
    forge: str, needed: str, mergegate: Mergegate, repo: Path
) -> None:
    assert needed in mergegate("init", repo, "--forge", forge).out
    assert needed not in mergegate("init", repo, "--forge", forge).out, "the file was there"


def test_the_recipe_for_jenkins_is_the_one_of_the_docs(mergegate: Mergegate, repo: Path) -> None:
    mergegate("init", repo, "--forge", "jenkins")
    _, _, recipe = (repo / "Jenkinsfile").read_text().partition("\n")
    assert recipe == (RECIPES / "Jenkinsfile").read_text()
