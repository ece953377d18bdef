"""Files and folders that alone are searched and judged: as in a scan of the whole, and no more."""

from pathlib import Path
from typing import Any

import pytest

from mergegate.core import score
from tests.conftest import Mergegate
from tests.sandbox.git.test_repository import commit, git

SECRET = "AKIA" + "Z7QH3N5T" + "KJ2WXR4P"
ALIKE = Path(score.__file__).read_text()
FILES = {
    "app/settings.py": f'AWS_ACCESS_KEY_ID = "{SECRET}"\n',
    "app/one.py": ALIKE,
    "app/two.py": ALIKE,
    "other/leak.py": f'AWS_ACCESS_KEY_ID = "{SECRET[:-1]}Q"\n',
    "shop/package.json": '{"name": "shop", "version": "1.0.0", "dependencies": {"a": "^1.0.0"}}\n',
    "shop/package-lock.json": '{"name": "shop", "version": "1.0.0", "lockfileVersion": 3,'
    ' "packages": {"": {"name": "shop", "dependencies": {"a": "^1.0.0"}}, "node_modules/a":'
    ' {"version": "1.0.0", "resolved": "https://registry.npmjs.org/a/-/a-1.0.0.tgz",'
    ' "integrity": "sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    'AAAAAAAAAAAAAAAAAAAA=="}}}\n',
    "lonely/package.json": '{"name": "lonely", "dependencies": {"b": "^1.0.0"}}\n',
    "deploy/Dockerfile": "FROM alpine\nRUN apk add curl\n",
    "deploy/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n"
    "    - {name: a, image: a:latest, securityContext: {privileged: true}}\n",
    "README.md": "# Shop\n",
}


@pytest.fixture
def town(repo: Path) -> Path:
    for name, text in FILES.items():
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).write_text(text)
    (repo / ".gitignore").write_text("built.js\n")
    (repo / "built.js").write_text("eval(location.hash)\n")
    commit(repo, "town")
    return repo


Told = set[tuple[str, str, str, str]]


def findings(answer: dict[str, Any]) -> Told:
    """Rule, file, severity and id of each."""
    groups = (answer["issues"], answer["riskFindings"], answer["dependencyVulns"])
    return {(o["ruleId"], o["file"], o["severity"], o["id"]) for group in groups for o in group}


def test_of_each_file_is_told_what_a_scan_of_the_whole_tells(
    mergegate: Mergegate, town: Path
) -> None:
    whole = findings(mergegate("scan", town, "--offline", "--json").json)
    of = {file: {one for one in whole if one[1] == file} for file in FILES}
    for file in ("app/settings.py", "app/one.py", "shop/package.json", "deploy/Dockerfile"):
        assert (file, findings(mergegate("scan", town / file, "--offline", "--json").json)) == (
            *(file, of[file]),
        )
    assert of["app/settings.py"]
    assert of["app/one.py"] | of["app/two.py"]
    assert "missing-lock-file" not in {rule for rule, *_ in of["shop/package.json"]}
    several = mergegate(
        *("scan", town / "deploy", town / "lonely", town / "README.md", "--offline", "--json")
    ).json
    files = {"deploy/Dockerfile", "deploy/pod.yaml", "lonely/package.json"}
    assert findings(several) == set[tuple[str, str, str, str]]().union(*(of[one] for one in files))


def test_every_report_says_that_it_is_of_a_part(mergegate: Mergegate, town: Path) -> None:
    ended = mergegate("scan", "app/one.py", "deploy", "--offline", "--only", "code", cwd=town)
    assert ended.code == 0
    assert "only app/one.py, deploy" in " ".join(ended.out.splitlines()[:3])
    told = mergegate("scan", "app/one.py", "--offline", "--only", "code", "--json", cwd=town).json
    assert told["coverage"]["limits"][0] == "only what was asked for was scanned: app/one.py"
    assert (told["coverage"]["filesSeen"], told["coverage"]["filesScanned"]) == (1, 1)


def test_no_engine_is_asked_about_other_files(mergegate: Mergegate, town: Path) -> None:
    told = mergegate("scan", "app/one.py", "--offline", "--json", cwd=town).json
    files = {one["name"]: one["files"] for one in told["engines"]}
    assert (files["semgrep"], files["detect-secrets"], files["advisories"]) == (1, 1, 0)
    assert told["qualityGate"] == "passed"  # there is no advisory store, and nothing to look up


def test_of_a_change_only_its_part_is_judged(mergegate: Mergegate, town: Path) -> None:
    git(town, "mv", "app/settings.py", "app/moved.py")
    (town / "other" / "new.py").write_text(f'AWS_ACCESS_KEY_ID = "{SECRET[:-1]}R"\n')
    commit(town, "move")
    options = ("--base", "HEAD~1", "--offline", "--only", "secrets", "--json")
    moved = mergegate("scan", "app/moved.py", *options, cwd=town).json
    assert (moved["comparison"]["new"], moved["comparison"]["existing"]) == (0, 1)
    assert moved["comparison"]["fixed"] == []
    new = mergegate("scan", "other", "README.md", *options, cwd=town).json
    assert (new["comparison"]["new"], new["comparison"]["existing"]) == (1, 1)
    clean = mergegate("scan", "README.md", "--fail-on", "new", *options, cwd=town)
    assert (clean.code, findings(clean.json)) == (0, set())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.py",), "there is no file or folder gone.py. Name some that exist."),
        (("built.js",), "built.js is no file of the repository, or Git ignores it. Name files"),
        (("README.md", "/etc/hostname"), "/etc/hostname is not in"),
        (("README.md", "--format", "bundle"), "Scan the whole repository"),
        (("README.md", "--format", "attestation"), "Scan the whole repository"),
    ],
)
def test_what_is_no_part_of_the_repository_is_refused(
    arguments: tuple[str, ...], said: str, mergegate: Mergegate, town: Path
) -> None:
    ended = mergegate("scan", *arguments, "--offline", cwd=town)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_all_that_there_is_is_the_whole(mergegate: Mergegate, town: Path) -> None:
    told = mergegate("scan", ".", "README.md", "--offline", "--only", "code", "--json", cwd=town)
    assert told.json["coverage"]["limits"] == []


def test_without_a_repository_the_current_folder_is_one(
    mergegate: Mergegate, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.py").write_text(FILES["app/settings.py"])
    (folder / "b.py").write_text(FILES["other/leak.py"])
    told = mergegate("scan", "a.py", "--offline", "--only", "secrets", "--json", cwd=folder).json
    assert {file for _, file, *_ in findings(told)} == {"a.py"}
