"""Which report goes where, for formats of one file and of several."""

import json
from pathlib import Path

import pytest

from mergegate.cli.output import Output, outputs, write
from mergegate.errors import UsageError
from tests.conftest import Mergegate
from tests.report import samples
from tests.world.test_git import commit

GITLAB = {
    "gl-sast-report.json",
    "gl-secret-detection-report.json",
    "gl-dependency-scanning-report.json",
    "gl-code-quality-report.json",
}
# Put together here, so that no scanner takes this file for a leak.
SECRET = "AKIA" + "Z7QH3N5T" + "KJ2WXR4P"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("codequality", "mergegate.codequality.json"),
        ("junit", "mergegate.junit.xml"),
        ("cyclonedx", "mergegate.cdx.json"),
    ],
)
def test_a_folder_gets_a_file_by_the_formats_name(name: str, file: str, tmp_path: Path) -> None:
    assert outputs([name], tmp_path) == (Output(name, tmp_path / file),)


def test_gitlab_lays_its_files_into_the_folder(tmp_path: Path) -> None:
    for one in outputs(["gitlab", "junit"], tmp_path / "reports"):
        write(samples.failed(), one, verbose=False)
    assert names(tmp_path / "reports") == GITLAB | {"mergegate.junit.xml"}


def test_gitlab_makes_the_folder_it_is_given(tmp_path: Path) -> None:
    (one,) = outputs([f"gitlab={tmp_path / 'a' / 'b'}"], None)
    write(samples.failed(), one, verbose=False)
    assert names(tmp_path / "a" / "b") == GITLAB


def test_gitlab_on_standard_output_is_the_sast_report(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = outputs(["gitlab"], None)
    write(samples.failed(), one, verbose=False)
    assert json.loads(capsys.readouterr().out)["scan"]["type"] == "sast"


def test_a_file_where_the_folder_should_be_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write(samples.failed(), Output("gitlab", tmp_path / "taken"), verbose=False)


def test_a_scan_writes_every_machine_format_and_no_secret(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "requirements.txt").write_text("requests==2.31.0\n")
    (repo / "settings.py").write_text(f'AWS_ACCESS_KEY_ID = "{SECRET}"\n')
    commit(repo, "settings")
    formats = [f"--format={name}" for name in ("gitlab", "codequality", "junit", "cyclonedx")]
    mergegate(
        *("scan", repo, "--offline", "--only", "secrets,dependencies"),
        *(*formats, "--output", tmp_path / "out"),
    )
    written = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert set(written) == GITLAB | {
        *("mergegate.codequality.json", "mergegate.junit.xml", "mergegate.cdx.json"),
    }
    assert [name for name, text in written.items() if SECRET in text] == []
    (leak,) = json.loads(written["gl-secret-detection-report.json"])["vulnerabilities"]
    assert leak["location"]["file"] == "settings.py"
    (package,) = json.loads(written["mergegate.cdx.json"])["components"]
    assert package["purl"] == "pkg:pypi/requests@2.31.0"
    (file,) = json.loads(written["gl-dependency-scanning-report.json"])["dependency_files"]
    assert file["path"] == "requirements.txt"
