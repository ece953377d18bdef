"""What users copy is valid, pinned and minimal, and says the same everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml
from check_jsonschema.cli import main as check_jsonschema  # type: ignore[import-untyped]
from click.testing import CliRunner
from release.recipes import pin
from release.settings import NotReleased

from mergegate import __version__
from mergegate.cli.main import main
from mergegate.doctor.predict import recipes
from mergegate.doctor.predict.logic import UNKNOWN, Language, holds
from mergegate.forges.github.verdicts import NAME
from tests.conftest import Mergegate
from tests.recipes.documents import RECIPES, ROOT, WORKFLOWS, document, filled, inputs, steps
from tests.sandbox.git.test_repository import commit, git

SCHEMAS = {
    "github-*.yml": ("vendor.github-workflows",),
    "gitlab*.yml": ("vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
    "bitbucket-pipelines.yml": ("vendor.bitbucket-pipelines",),
}
GITHUB = sorted(RECIPES.glob("github-*.yml"))
OURS = sorted(WORKFLOWS.glob("*.yml"))
ACTIONS = [ROOT / "action.yml", ROOT / "publish" / "action.yml"]
COMPONENT = ROOT / "templates" / "mergegate" / "template.yml"
SETTINGS = list(inputs(ACTIONS[0]))
ONLY_GITHUB = {"sarif", "token", "commands", "api-key"}
VARIABLES = {"api-url": "MERGEGATE_REMOTE"}
"""Where the usual one is taken: MERGEGATE_API_URL is the forge's own address."""
ONLY_GITLAB = {"stage", "job", "image"}
CRITICAL = (
    "import os\n\nfrom flask import request\n\n\n"
    "def run():\n    os.system(request.args['command'])\n"
)
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
LOCAL = re.compile(r"uses: \./(publish)? ")


def valid(path: Path, *schema: str) -> None:
    done = CliRunner().invoke(check_jsonschema, ["--builtin-schema", *schema, str(path)])
    assert done.exit_code == 0, done.output


def test_every_recipe_is_valid_for_its_platform(tmp_path: Path) -> None:
    checked = set()
    for pattern, schema in SCHEMAS.items():
        for recipe in RECIPES.glob(pattern):
            copy = tmp_path / recipe.name
            copy.write_text(filled(recipe.read_text()))
            valid(copy, *schema)
            checked.add(recipe.name)
    assert {one.name for one in RECIPES.glob("*.yml")} - checked == {"pre-commit.yml"}


@pytest.mark.parametrize("workflow", OURS, ids=lambda path: path.stem)
def test_our_own_workflows_are_valid(workflow: Path) -> None:
    valid(workflow, "vendor.github-workflows")


@pytest.mark.parametrize("action", ACTIONS, ids=lambda path: path.parent.name)
def test_the_actions_are_valid_and_explain_every_input(action: Path) -> None:
    valid(action, "vendor.github-actions")
    for name, one in inputs(action).items():
        assert len(one["description"]) > 20, name
        assert isinstance(one["default"], str), f"{name}: inputs are text"


def test_zizmor_finds_nothing_even_as_auditor(tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    for recipe in GITHUB:
        (folder / recipe.name).write_text(filled(recipe.read_text()))
    program = Path(sys.executable).with_name("zizmor")
    command: list[str | Path] = [program, "--offline", "--no-config", "--persona=auditor"]
    done = subprocess.run(
        [*command, tmp_path, ROOT / ".github", *ACTIONS],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.count("completed") == len(GITHUB) + len(OURS) + len(ACTIONS) + 1


def test_every_action_is_pinned_by_commit_and_names_its_release() -> None:
    pins: dict[str, str] = {}
    for path in (*GITHUB, *OURS):
        for line in filled(path.read_text()).splitlines():
            if line.lstrip(" -").startswith("uses:"):
                assert PINNED.search(line) or LOCAL.search(line), f"{path.name}: {line.strip()}"
                name, _, pin = line.split("uses: ")[1].partition("@")
                assert pins.setdefault(name, pin) == pin, f"{name} is pinned in two ways"


@pytest.mark.parametrize("path", [*GITHUB, *OURS], ids=lambda path: path.stem)
def test_every_workflow_starts_without_rights_and_ends_in_time(path: Path) -> None:
    workflow = document(path)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert job["permissions"]
        assert 0 < job["timeout-minutes"] <= 60
        assert "write-all" not in str(job["permissions"])


@pytest.mark.parametrize("path", [*GITHUB, *OURS], ids=lambda path: path.stem)
def test_nothing_of_an_event_reaches_a_shell(path: Path) -> None:
    for step in steps(path):
        assert "${{" not in step.get("run", "")


def test_the_half_that_may_write_neither_checks_out_nor_runs_the_change() -> None:
    for path in (RECIPES / "github-fork-publish.yml", WORKFLOWS / "mergegate-publish.yml"):
        first = {"docs/ci": "github-fork-scan.yml"}.get(
            str(path.parent.relative_to(ROOT)), "mergegate.yml"
        )
        scanning = document(path.with_name(first))
        workflow = document(path)
        assert workflow["on"]["workflow_run"]["workflows"] == [scanning["name"]]
        for step in steps(path):
            assert "run" not in step
            assert "ref" not in step.get("with", {}), "the default branch is what stays"
    assert not any("write" in str(job["permissions"]) for job in scanning["jobs"].values())


def test_the_half_that_may_write_reads_the_change_and_answers_without_the_report() -> None:
    for path in (RECIPES / "github-fork-publish.yml", WORKFLOWS / "mergegate-publish.yml"):
        (job,) = document(path)["jobs"].values()
        assert job["permissions"]["contents"] == "read"
        downloads = [one for one in steps(path) if "download-artifact" in one["uses"]]
        assert [one["continue-on-error"] for one in downloads] == [True]


def test_every_job_but_a_forks_may_post_the_check() -> None:
    mute = {RECIPES / "github-fork-scan.yml"}
    for path in sorted({*GITHUB, WORKFLOWS / "mergegate-watch.yml"} - mute):
        for job in document(path)["jobs"].values():
            assert job["permissions"].get("checks") == "write", path.name
    assert all(
        "checks" not in job["permissions"] for one in mute for job in document(one)["jobs"].values()
    )


OF_CHANGES = {"pull_request", "workflow_run", "issue_comment", "deployment_status"}


@pytest.mark.parametrize("path", GITHUB, ids=lambda path: path.stem)
def test_a_recipe_has_the_rights_that_its_features_need_and_no_more(path: Path) -> None:
    workflow = document(path)
    [job] = workflow["jobs"].values()
    used = " ".join(step.get("uses", "") for step in job["steps"])
    settings = [step.get("with", {}) for step in job["steps"]]
    needed = {"contents": "read"}
    if path.name != "github-fork-scan.yml":
        needed["checks"] = "write"
        if OF_CHANGES & set(workflow["on"]):
            needed["pull-requests"] = "write"
        if "schedule" in workflow["on"]:
            needed["issues"] = "write"
    if "download-artifact" in used:
        needed["actions"] = "read"
    if any(one.get("sarif") == "true" for one in settings):
        needed["security-events"] = "write"
    assert job["permissions"] == needed


def test_no_job_is_called_as_the_check_that_it_posts() -> None:
    text = (ROOT / "README.md").read_text()
    readme = re.search(r"```yaml\n(name: Mergegate.*?)```", text, re.DOTALL)
    assert readme is not None
    for workflow in (yaml.safe_load(readme[1]), *map(document, GITHUB)):
        for job in workflow["jobs"].values():
            posts = "write" in str(job.get("permissions", workflow["permissions"]))
            assert not (posts and job["name"] == NAME), workflow["name"]


def test_every_recipe_ends_in_time_on_every_platform() -> None:
    """GitHub's are looked at above; else a job may hold a machine for hours."""
    jobs = [
        document(COMPONENT)["$[[ inputs.job ]]"],
        document(RECIPES / "gitlab-image.yml")["mergegate"],
        yaml.safe_load(recipes.pipeline("gitlab"))["mergegate"],
    ]
    assert {job["timeout"] for job in jobs} == {"30 minutes"}
    stated = document(RECIPES / "bitbucket-pipelines.yml")["definitions"]["steps"][0]["step"]
    [offered] = yaml.safe_load(recipes.pipeline("bitbucket"))["pipelines"]["pull-requests"]["**"]
    assert {stated["max-time"], offered["step"]["max-time"]} == {30}
    assert "timeout(time: 30, unit: 'MINUTES')" in (RECIPES / "Jenkinsfile").read_text()


INSTALLED = re.compile(
    r"\b(?:pip3?|pipx|uvx?)\s[^\n;&|`]*?(?<![\w./-])mergegate\b|(?<![\w./-])mergegate\[[a-z]"
)


@pytest.mark.parametrize("said", ["pipx run mergegate==1.0 ci", "It needs mergegate[site]."])
def test_a_name_on_an_index_is_seen(said: str) -> None:
    assert INSTALLED.search(said)


def test_nothing_that_users_read_names_a_package_on_an_index_that_is_not_ours() -> None:
    """Whoever takes the name there would get what the command is given."""
    pages = [ROOT / "README.md", ROOT / ".pre-commit-hooks.yaml", *ACTIONS, COMPONENT]
    pages += [ROOT / "hatch_build.py"]
    pages += [one for one in (ROOT / "docs").rglob("*") if one.suffix in {".md", ".yml", ""}]
    pages += (ROOT / "src" / "mergegate").rglob("*.py")
    pages += (ROOT / "src" / "mergegate" / "doctor").rglob("*.*ml")
    for page in pages:
        if page.is_file():
            assert not INSTALLED.search(page.read_text()), page


def test_the_required_check_has_one_name_in_the_queue_and_outside() -> None:
    alone, halves = RECIPES / "github-merge-queue.yml", RECIPES / "github-fork-scan.yml"
    for path in (alone, halves, WORKFLOWS / "mergegate.yml"):
        workflow = document(path)
        assert {"pull_request", "merge_group"} <= set(workflow["on"])
        assert not any("paths" in (event or {}) for event in workflow["on"].values())
        (job,) = workflow["jobs"].values()
        required = "Mergegate scan" if path == alone else "Mergegate"
        assert _called(job["name"], "merge_group") == required
        assert _called(job["name"], "pull_request") == "Mergegate scan", "the check is not the job"


def _called(name: str, event: str) -> str:
    """What GitHub makes of a job's name."""
    if "${{" not in name:
        return name
    language = Language(lambda _: event, lambda _: UNKNOWN, ignores_case=True)
    condition, _, words = name.removeprefix("${{").removesuffix("}}").partition("&&")
    first, second = re.findall(r"'([^']+)'", words)
    return str(first if holds(condition, language) else second)


def test_settings_have_the_same_names_and_defaults_everywhere() -> None:
    action, component = inputs(ACTIONS[0]), inputs(COMPONENT)
    assert set(component) - ONLY_GITLAB == set(action) - ONLY_GITHUB
    for name in set(component) - ONLY_GITLAB:
        as_text = str(component[name]["default"])
        as_text = as_text.lower() if isinstance(component[name]["default"], bool) else as_text
        also = ",gitlab" if name == "formats" else ""
        assert action[name]["default"] + also == as_text, name


def test_the_component_hands_every_input_over_as_a_variable() -> None:
    job = document(COMPONENT)["$[[ inputs.job ]]"]
    for name in set(inputs(COMPONENT)) - ONLY_GITLAB:
        usual = f"MERGEGATE_{name.upper().replace('-', '_')}"
        variable = VARIABLES.get(name, usual)
        assert job["variables"][variable] == f"$[[ inputs.{name} ]]"
    assert job["script"] == ["mergegate ci"]


def test_the_page_of_recipes_lists_every_setting_and_every_recipe() -> None:
    page = (RECIPES / "README.md").read_text()
    assert re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE) == SETTINGS
    for recipe in RECIPES.iterdir():
        assert recipe.name == "README.md" or f"({recipe.name})" in page, recipe.name
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page):
        assert (RECIPES / target).exists(), target


def loaded(name: str) -> click.Command:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command


def test_the_commands_know_every_input_by_the_same_name_and_default() -> None:
    for action, command in zip(ACTIONS, ("ci", "publish"), strict=True):
        known = {
            name.removeprefix("--"): one.default
            for one in loaded(command).params
            for name in one.opts
            if name.startswith("--")
        }
        given = {name: one["default"] for name, one in inputs(action).items()}
        assert given.items() >= {name: known[name] for name in known if name in given}.items()
        assert set(given) - set(known) <= {"token", "file", "api-key"}


def test_a_release_pins_action_second_half_and_component(tmp_path: Path) -> None:
    for name in (*ACTIONS, COMPONENT):
        target = tmp_path / name.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(name, target)
    image = "ghcr.io/example/mergegate@sha256:" + "0123456789abcdef" * 4
    pin(tmp_path, image)
    for action in ("action.yml", "publish/action.yml"):
        valid(tmp_path / action, "vendor.github-actions")
        assert document(tmp_path / action)["runs"]["image"] == f"docker://{image}"
    component = tmp_path / "templates" / "mergegate" / "template.yml"
    assert inputs(component)["image"]["default"] == image
    for loose in ("ghcr.io/example/mergegate:latest", "x@sha256:12", f"{image};id", "", image):
        with pytest.raises(NotReleased):
            pin(tmp_path, loose)


@pytest.mark.parametrize(
    ("tag", "changelog", "merged", "owner", "released"),
    [
        ("release/v{}", "## [{}] - 2027-01-01\n", True, "Example", True),
        ("release/v9.9.9", "## [{}] - 2027-01-01\n", True, "Example", False),
        ("release/v{}", "## [Unreleased]\n", True, "Example", False),
        ("release/v{}", "## [{}] - 2027-01-01\n", False, "Example", False),
        ("release/v{}", "## [{}] - 2027-01-01\n", True, "", False),
        ("release/v{}", "## [{}] - 2027-01-01\n", True, "somebody-else", False),
    ],
)
def test_a_release_needs_one_version_a_merged_commit_and_its_own_owner(
    tmp_path: Path, tag: str, changelog: str, merged: bool, owner: str, released: bool
) -> None:
    script = next(step["run"] for step in steps(WORKFLOWS / "release.yml") if "run" in step)
    git(tmp_path, "init", "-q", "-b", "main")
    package = tmp_path / "src" / "mergegate"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "src" / "mergegate" / "__init__.py", package)
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changelog.format(__version__)}- new\n")
    shutil.copytree(ROOT / "release", tmp_path / "release")
    named = (
        (ROOT / "release" / "settings.toml").read_text().replace('owner = ""', f'owner = "{owner}"')
    )
    (tmp_path / "release" / "settings.toml").write_text(named)
    commit(tmp_path, "release")
    git(tmp_path, "update-ref", "refs/remotes/origin/main", "HEAD")
    if not merged:
        (tmp_path / "more").touch()
        commit(tmp_path, "not merged")
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "GITHUB_REF_NAME": tag.format(__version__),
            "GITHUB_REPOSITORY": "Example/mergegate",
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        },
        capture_output=True,
        check=False,
    )
    assert (done.returncode == 0) is released
    if released:
        told = (tmp_path / "output").read_text()
        assert told == f"image=ghcr.io/example/mergegate\nversion={__version__}\n"


@pytest.mark.parametrize("missing", [False, True])
def test_a_release_needs_every_rule_in_the_reference(tmp_path: Path, missing: bool) -> None:
    [script] = [
        step["run"]
        for step in steps(WORKFLOWS / "release.yml")
        if step.get("name") == "The rules reference lists every rule"
    ]
    for folder in ("docs", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "mergegate").symlink_to(
        Path(sys.executable).with_name("mergegate")
    )
    page = (ROOT / "docs" / "rules.md").read_text()
    (tmp_path / "docs" / "rules.md").write_text(page.replace("| `go-sql", "| `no-sql", missing))
    done = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, check=False, stdout=-3)
    assert bool(done.returncode) is missing


def test_the_hook_stops_what_a_commit_would_add_and_nothing_older(
    mergegate: Mergegate, repo: Path
) -> None:
    [hook] = [one for one in _hooks() if one["id"] == "mergegate"]
    program, *arguments = hook["entry"].split()
    assert program == "mergegate"
    (repo / "old.py").write_text(CRITICAL)
    commit(repo, "weak already")
    assert mergegate(*arguments, cwd=repo).code == 0
    (repo / "new.py").write_text(CRITICAL.replace("run", "also"))
    git(repo, "add", "new.py")
    stopped = mergegate(*arguments, cwd=repo)
    assert stopped.code == 1, stopped.out


def _hooks() -> list[dict[str, str]]:
    return list(yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()))


def test_pre_commit_accepts_manifest_and_recipe(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(filled((RECIPES / "pre-commit.yml").read_text()))
    program = Path(sys.executable).with_name("pre-commit")
    for verb, file in (
        ("validate-manifest", ROOT / ".pre-commit-hooks.yaml"),
        ("validate-config", config),
    ):
        done = subprocess.run([program, verb, file], capture_output=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    offered = {one["id"] for one in _hooks()}
    assert {one["id"] for one in document(config)["repos"][0]["hooks"]} <= offered


def test_the_image_is_pinned_ends_slim_and_starts_with_an_absolute_path() -> None:
    recipe = (ROOT / "Dockerfile").read_text()
    assert re.search(r"^ARG PYTHON=\S+@sha256:[0-9a-f]{64}$", recipe, re.MULTILINE)
    stages = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", recipe, re.MULTILINE)
    names = ["runtime", "packages", "builder", "slim", "site", "full", ""]
    assert [name for _, name in stages] == names
    assert stages[-1][0] == "slim", "GitHub builds the last stage"
    assert 'ENTRYPOINT ["/usr/local/bin/mergegate"]' in recipe
    assert "--require-hashes" in recipe
    admitted = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", recipe, re.MULTILINE):
        assert set(copied.split()) <= set(admitted)
