"""The doctor's command: what it prints, writes and exits with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mergegate.cli import doctor as command
from mergegate.cli.doctor import doctor
from mergegate.core.errors import MergegateError, TargetError
from mergegate.doctor.machine import Sign
from mergegate.doctor.predict import KINDS
from mergegate.doctor.printing import predictions_list
from tests.doctor.predict.scenes import ANSWER, ANSWER_TEXT, LONE_TEXT, SCAN, SCAN_TEXT

WELL = Sign("git", "/usr/bin/git")
SICK = Sign("semgrep", "not installed", "Install it.")
BROKEN = SCAN_TEXT.replace("        if: always()\n", "")


@pytest.fixture
def healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "signs", lambda *_: (WELL,))


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    def make(files: dict[str, str]) -> Path:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(text.encode())
        return tmp_path

    return make


Make = Callable[[dict[str, str]], Path]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(doctor, [str(one) for one in arguments])


@pytest.mark.usefixtures("healthy")
def test_a_sound_repository_passes(repository: Make) -> None:
    done = run(repository({SCAN: SCAN_TEXT, ANSWER: ANSWER_TEXT}))
    assert done.exit_code == 0
    assert "Nothing is predicted to go wrong" in done.output


@pytest.mark.usefixtures("healthy")
def test_what_breaks_is_printed_with_its_place_and_correction(repository: Make) -> None:
    done = run(repository({SCAN: BROKEN, ANSWER: ANSWER_TEXT}))
    assert done.exit_code == 1
    line = BROKEN[: BROKEN.index("actions/upload")].count("\n") + 1
    assert f"{SCAN}:{line}  github-report-lost-on-failure" in done.output
    assert "+        if: ${{ !cancelled() }}" in done.output
    assert (repository({}) / SCAN).read_text() == BROKEN


@pytest.mark.usefixtures("healthy")
def test_corrections_are_written_on_request_and_then_all_is_well(repository: Make) -> None:
    folder = repository({SCAN: BROKEN, ANSWER: ANSWER_TEXT})
    (folder / SCAN).chmod(0o640)
    done = run(folder, "--fix-ci")
    assert done.exit_code == 0
    assert f"written: {SCAN}" in done.output
    assert "if: ${{ !cancelled() }}" in (folder / SCAN).read_text()
    assert (folder / SCAN).stat().st_mode & 0o777 == 0o640
    assert [one.name for one in (folder / SCAN).parent.iterdir() if one.name.startswith(".")] == []


@pytest.mark.usefixtures("healthy")
def test_a_missing_second_half_is_written_as_a_new_file(repository: Make) -> None:
    folder = repository({SCAN: LONE_TEXT.replace("\n", "\r\n")})
    assert run(folder, "--fix-ci").exit_code == 0
    assert b"\r\n" in (folder / SCAN).read_bytes()
    assert "workflow_run" in (folder / ".github/workflows/mergegate-publish.yml").read_text()
    assert run(folder).output.count("github-") == 0


def test_a_sick_machine_weighs_more_than_broken_wiring(
    repository: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "signs", lambda *_: (WELL, SICK))
    assert run(repository({SCAN: BROKEN, ANSWER: ANSWER_TEXT})).exit_code == 3


@pytest.mark.usefixtures("healthy")
def test_machines_get_the_same_as_json(repository: Make) -> None:
    done = run(repository({SCAN: BROKEN, ANSWER: ANSWER_TEXT}), "--format", "json")
    told = json.loads(done.output)
    assert [one["id"] for one in told["predictions"]] == ["github-report-lost-on-failure"]
    assert told["predictions"][0]["corrected"] == told["corrected"]
    assert told["environment"][0]["healthy"] is True


@pytest.mark.usefixtures("healthy")
def test_settings_sharpen_the_predictions(repository: Make, tmp_path: Path) -> None:
    folder = repository({SCAN: SCAN_TEXT, ANSWER: ANSWER_TEXT})
    settings = tmp_path / "settings.json"
    settings.write_text('{"required_status_checks": {"contexts": ["scan"]}}')
    done = run(folder, "--settings", settings)
    assert done.exit_code == 1
    assert "github-check-name-never-reported" in done.output


@pytest.mark.usefixtures("healthy")
def test_included_files_of_gitlab_are_found(repository: Make) -> None:
    folder = repository(
        {
            ".gitlab-ci.yml": "include:\n  - local: /ci/*.yml\n",
            "ci/gate.yml": "gate:\n  script: mergegate ci || true\n",
            "other/gate.yml": "gate2:\n  script: mergegate ci || true\n",
        }
    )
    done = run(folder)
    assert "ci/gate.yml:2  gitlab-exit-code-ignored" in done.output
    assert "other/gate.yml" not in done.output


@pytest.mark.usefixtures("healthy")
def test_a_link_out_of_the_repository_is_neither_read_nor_written(
    repository: Make, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "mergegate.yml").write_text(BROKEN)
    folder = repository({".github/README.md": ""})
    (folder / ".github/workflows").symlink_to(outside)
    (folder / ".gitlab-ci.yml").symlink_to(outside / "mergegate.yml")
    run(folder, "--fix-ci")
    assert (outside / "mergegate.yml").read_text() == BROKEN
    assert [one.name for one in outside.iterdir()] == ["mergegate.yml"]


@pytest.mark.usefixtures("healthy")
def test_hostile_names_and_texts_command_no_runner(repository: Make) -> None:
    name = ".github/workflows/::error file=x::\x1b[31m.yml"
    text = BROKEN.replace("name: Scan", "name: Scan # ##[error]x\n    # ::error::y \u202e")
    done = run(repository({name: text, ANSWER: ANSWER_TEXT}))
    assert "github-report-lost-on-failure" in done.output
    assert not [line for line in done.output.split("\n") if line.strip().startswith("::")]
    assert "##[" not in done.output
    assert "\x1b" not in done.output
    assert "\u202e" not in done.output


@pytest.mark.usefixtures("healthy")
def test_files_that_are_no_text_are_named_and_left_alone(repository: Make) -> None:
    folder = repository({SCAN: SCAN_TEXT})
    (folder / SCAN).write_bytes(b"name: \xff\n")
    done = run(folder, "--fix-ci")
    assert "ci-file-unreadable" in done.output
    assert (folder / SCAN).read_bytes() == b"name: \xff\n"


def test_a_file_that_changed_meanwhile_is_not_written(repository: Make) -> None:
    from mergegate.doctor.files import Checkout  # noqa: PLC0415

    folder = repository({SCAN: SCAN_TEXT})
    with pytest.raises(TargetError, match="changed"):
        Checkout.at(folder).write({SCAN: "x"}, {SCAN: "something else"})


@pytest.mark.parametrize("arguments", [("nowhere",), (".", "--settings", "nowhere")])
def test_bad_arguments_are_refused(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(run(*arguments).exception, MergegateError)


def test_the_list_is_the_documented_one() -> None:
    assert run("--list").output == predictions_list(KINDS.values())
