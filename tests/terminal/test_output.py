"""Which report goes where, for formats of one file and of several."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.repo.report.formats import FORMATS
from mergegate.terminal.listing import listed
from mergegate.terminal.output import Output, outputs, save, write
from tests.conftest import Mergegate
from tests.repo.report import samples
from tests.sandbox.git.test_repository import commit

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
    assert outputs([name], tmp_path, FORMATS) == (Output(name, tmp_path / file),)


def test_gitlab_lays_its_files_into_the_folder(tmp_path: Path) -> None:
    for one in outputs(["gitlab", "junit"], tmp_path / "reports", FORMATS):
        write(samples.failed(), one, FORMATS)
    assert names(tmp_path / "reports") == GITLAB | {"mergegate.junit.xml"}


def test_gitlab_makes_the_folder_it_is_given(tmp_path: Path) -> None:
    (one,) = outputs([f"gitlab={tmp_path / 'a' / 'b'}"], None, FORMATS)
    write(samples.failed(), one, FORMATS)
    assert names(tmp_path / "a" / "b") == GITLAB


def test_gitlab_on_standard_output_is_the_sast_report(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = outputs(["gitlab"], None, FORMATS)
    write(samples.failed(), one, FORMATS)
    assert json.loads(capsys.readouterr().out)["scan"]["type"] == "sast"


def test_a_file_where_the_folder_should_be_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write(samples.failed(), Output("gitlab", tmp_path / "taken"), FORMATS)


@pytest.mark.parametrize(
    ("formats", "output", "words"),
    [
        (["html=a/x", "json=a/x"], None, "cannot share a/x"),
        (["html=a/x"], "b.html", "--output has nothing to hold"),
        (["html=folder"], None, "folder is a folder"),
        (["html=file/x.html"], None, "file is no folder"),
        (["json"], "file/deep/x.json", "file is no folder"),
        (["json="], None, "names no file"),
        (["json= "], None, "names no file"),
        (["json=new/"], None, "new/ is a folder"),
        (["json", "html"], None, "cannot share standard output"),
        (["json=-", "html=-"], None, "cannot share standard output"),
        (["json=-", "html"], "-", "cannot share standard output"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_scanned(
    formats: list[str],
    output: str | None,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=words):
        outputs(formats, Path(output) if output else None, FORMATS)


def test_what_can_be_written_is_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.html").write_text("old")
    outputs(["html=old.html", "json=new/deep/x.json", "gitlab=."], None, FORMATS)
    assert outputs(["json", "json"], tmp_path, FORMATS) == (
        Output("json", tmp_path / "mergegate.json"),
    )
    assert (tmp_path / "old.html").read_text() == "old"
    assert not (tmp_path / "new").exists()


ESCAPE = "\x1b["


class Terminal(io.StringIO):
    """Standard output that is one."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("variables", "on_a_terminal", "in_a_pipe"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"FORCE_COLOR": ""}, True, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR": "0"}, False, False),
        ({"CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
        ({"TERM": "dumb"}, False, False),
    ],
)
def test_colours_are_where_they_are_wanted(
    variables: dict[str, str], on_a_terminal: bool, in_a_pipe: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for stream, coloured in ((Terminal(), on_a_terminal), (io.StringIO(), in_a_pipe)):
        monkeypatch.setattr(sys, "stdout", stream)
        write(samples.failed(), Output("console", None), FORMATS)
        assert (ESCAPE in stream.getvalue()) == coloured
        begun = len(stream.getvalue())
        listed("console", [1], {"Number": str}, lambda _: {})
        assert (ESCAPE in stream.getvalue()[begun:]) == coloured


@pytest.mark.parametrize("name", ["link/r.json", "link/inner/r.json", "up/../r.json"])
def test_no_spelling_leads_over_a_link(name: str, tmp_path: Path) -> None:
    tree, victim = tmp_path / "tree", tmp_path / "other" / "victim"
    for folder in (tree, victim, victim / "inner"):
        (folder / ".git").mkdir(parents=True)
    (tree / "link").symlink_to(victim)
    (tree / "up").symlink_to(victim)
    with pytest.raises(UsageError, match="is a link in the work tree"):
        save(tree / name, "x")
    assert not list(victim.parent.rglob("r.json"))
    save(tree / "new" / ".." / "r.json", "x")
    assert (tree / "r.json").read_text() == "x"


@pytest.mark.parametrize("name", ["report.json", "out/report.json"])
def test_no_link_of_a_work_tree_is_written_through(
    name: str, mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "report.json").write_text("mine")
    link = repo / Path(name).parts[0]
    link.symlink_to(victim if link.name == "out" else victim / "report.json")
    commit(repo, "link")
    for options in (["--json", "--output", str(repo / name)], ["--write-baseline", repo / name]):
        refused = mergegate("scan", repo, "--offline", "--only", "iac", *options)
        assert refused.code == 2
        assert f"{link.name} is a link in the work tree. Remove the link" in refused.err
    assert (victim / "report.json").read_text() == "mine"
    elsewhere = tmp_path / "latest.json"
    elsewhere.symlink_to(victim / "report.json")
    given = ["--format", f"json={elsewhere}"]
    assert mergegate("scan", repo, "--offline", "--only", "iac", *given).code in {0, 3}
    assert (victim / "report.json").read_text().startswith("{")


def test_a_report_in_a_file_has_no_colours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    write(samples.failed(), Output("console", tmp_path / "x.txt"), FORMATS)
    assert ESCAPE not in (tmp_path / "x.txt").read_text()


def test_a_hyphen_is_standard_output(tmp_path: Path) -> None:
    assert outputs(["json=-"], None, FORMATS) == (Output("json", None),)
    assert outputs(["json"], Path("-"), FORMATS) == (Output("json", None),)
    assert outputs(["json=-", "html"], tmp_path / "x", FORMATS) == (
        *(Output("json", None), Output("html", tmp_path / "x")),
    )


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_output_is_not_the_current_folder(empty: str, mergegate: Mergegate) -> None:
    refused = mergegate("scan", "--json", "--output", empty)
    assert refused.code == 2
    assert "it is empty. Name a file" in refused.err


@pytest.mark.parametrize("command", [["scan"], ["rules"], ["advisories", "status"], ["doctor"]])
def test_json_is_a_short_word_for_its_format(command: list[str], mergegate: Mergegate) -> None:
    help_of = mergegate(*command, "--help").out
    assert "--json" in help_of


def test_the_short_word_and_the_format_are_one(mergegate: Mergegate) -> None:
    short, long = mergegate("rules", "--json"), mergegate("rules", "--format", "json")
    assert short.out == long.out
    assert json.loads(short.out)


def printing(to: int) -> subprocess.CompletedProcess[str]:
    """A report far larger than any buffer, and something said after it."""
    program = (
        "import sys\n"
        "from mergegate.terminal.output import say\n"
        "say('x' * 1_000_000)\n"
        "print('after', file=sys.stderr)"
    )
    return subprocess.run(
        [sys.executable, "-c", program], stdout=to, stderr=subprocess.PIPE, text=True, check=False
    )


def test_a_reader_that_has_seen_enough_changes_nothing() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = printing(writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "after\n")


def test_a_report_that_finds_no_room_is_no_answer() -> None:
    with Path("/dev/full").open("wb") as full:
        done = printing(full.fileno())
    assert done.stderr.splitlines()[-1] == (
        "mergegate.core.errors.UsageError: "
        "standard output cannot be written: No space left on device. Make room, or name a file."
    )
    assert "Exception ignored" not in done.stderr


def test_a_full_disk_is_told_as_one() -> None:
    with pytest.raises(UsageError) as refused:
        save(Path("/dev/full"), "x")
    assert str(refused.value).startswith("/dev/full cannot be written: No space left on device")
    assert refused.value.remedy == "Make room, or name a file on another disk."


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
