"""Bundle, replay, attestation, verify: a verdict can be drawn again by anyone."""

import json
import shutil
import tempfile
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.packages.advisories import Stock
from mergegate.repo import attestation, bundle
from mergegate.repo.cache import RunMemory
from mergegate.repo.engines.duplication import DuplicationFinder
from mergegate.repo.facts.imported import Imported
from mergegate.repo.facts.policy import PolicyFiles
from mergegate.repo.toolbox import sources
from tests.conftest import Mergegate, command, repository
from tests.repo.report import samples
from tests.sandbox.git.test_repository import commit, git

FLAW = "import os\nfrom flask import request\n\nos.system(request.args['x'])\n"
WORKFLOW = "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n    - run: echo ${{ github.ref }}\n"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a change that brings flaws of several kinds was scanned: ``repo`` and its ``out``."""
    folder = tmp_path_factory.mktemp("bundle")
    mergegate, repo = command(folder, folder / "data"), repository(folder / "repo")
    base = git(repo, "rev-parse", "HEAD")
    for path, text in {
        "app.py": FLAW,
        ".github/workflows/a.yml": WORKFLOW,
        "page.html": "<script>eval(location.hash)</script>\n",
        "Dockerfile": "FROM debian\nRUN curl https://example.org/a | sh\n",
        "key.py": 'password = "' + "hunter" + '2-and-more-of-it"\n',
    }.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    commit(repo, "flaws")
    out = folder / "out"
    formats = [f"--format={name}={out}/{name}" for name in ("json", "bundle", "attestation")]
    only = ("--base", base, "--only", "code,secrets,iac,quality")
    assert mergegate("scan", repo, *only, *formats).code == 1
    return folder


@pytest.fixture
def scanned(once: Path, tmp_path: Path) -> Path:
    """A copy of the folder with its reports."""
    return Path(shutil.copytree(once / "out", tmp_path / "out"))


def test_a_report_is_drawn_again_byte_for_byte(mergegate: Mergegate, scanned: Path) -> None:
    again = mergegate("replay", scanned / "bundle", "--format", "json")
    assert (again.code, again.err) == (1, "")
    assert again.out == (scanned / "json").read_text()


def test_what_was_asked_to_stop_the_merge_is_asked_again(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "old.py").write_text(FLAW)
    base = commit(repo, "weak already")
    (repo / "new.py").write_text("x = 1\n")
    commit(repo, "a good change")
    out = tmp_path / "out"
    formats = [f"--format={name}={out}/{name}" for name in ("markdown", "bundle")]
    asked = ("--base", base, "--only", "code,secrets", "--fail-on", "new", *formats)
    assert mergegate("scan", repo, *asked).code == 0
    again = mergegate("replay", out / "bundle", "--format", "markdown")
    assert (again.code, again.out) == (0, (out / "markdown").read_text())
    other = mergegate("replay", out / "bundle", "--format", "markdown", "--fail-on", "gate")
    assert (other.code, other.err) == (1, "")


def test_a_bundle_holds_no_secret_and_no_place_of_this_machine(once: Path) -> None:
    text = (once / "out" / "bundle").read_text()
    assert "hunter" + "2-and-more" not in text
    assert str(once) not in text
    assert f"{tempfile.gettempdir()}/mergegate-" not in text


def test_what_was_changed_in_a_bundle_is_told(mergegate: Mergegate, scanned: Path) -> None:
    document = json.loads((scanned / "bundle").read_text())
    del document["head"]["facts"]["CodeMatches"]["files"][0]["found"]["matches"][0]
    del document["head"]["marks"][0]
    (scanned / "bundle").write_text(json.dumps(document))
    again = mergegate("replay", scanned / "bundle", "--format", "json")
    assert again.code == 3
    assert "came out otherwise" in again.err


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"mergegate_bundle": 2}', '{"a": 1, "a": 1}'])
def test_anything_else_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(UsageError, match="no bundle"):
        bundle.replay(tmp_path / "file")
    with pytest.raises(UsageError, match="no attestation"):
        attestation.read(tmp_path / "file")


@pytest.mark.parametrize(
    ("where", "what"),
    [
        (("head", "facts", "Nothing"), {}),
        (("head", "facts", "Documents"), {"files": None}),
        (("head", "facts", "CodeMatches", "files", 0, "found", "matches", 0, "rule_id"), "none"),
        (("policy", "version"), "none"),
    ],
)
def test_facts_that_cannot_be_judged_are_refused(
    scanned: Path, where: tuple[str | int, ...], what: object
) -> None:
    document = part = json.loads((scanned / "bundle").read_text())
    for step in where[:-1]:
        part = part[step]
    part[where[-1]] = what
    (scanned / "bundle").write_text(json.dumps(document))
    with pytest.raises(UsageError, match="facts that this version of Mergegate cannot judge"):
        bundle.replay(scanned / "bundle")


def test_a_report_of_another_machine_has_no_bundle() -> None:
    with pytest.raises(UsageError, match="another machine"):
        bundle.render(samples.failed())


def test_every_fact_that_an_engine_gathers_has_a_name_in_a_bundle(tmp_path: Path) -> None:
    stock = Stock(tmp_path / "store", fetch=False)
    made = sources(RunMemory(), stock, DuplicationFinder(), None, None)
    gathered = {fact for source in made for fact in source.provides}
    assert gathered | {PolicyFiles, Imported} == set(bundle.FACTS.values())


def test_an_attestation_says_what_failed_and_what_passed(
    mergegate: Mergegate, once: Path, scanned: Path, tmp_path: Path
) -> None:
    repo = shutil.copytree(once / "repo", tmp_path / "repo", symlinks=True)
    head = git(repo, "rev-parse", "HEAD")
    failed = mergegate("verify", scanned / "attestation", "--commit", head, "--only", "code")
    assert (failed.code, failed.err) == (1, "mergegate: the verdict is not that it passed\n")
    git(repo, "checkout", "-q", "HEAD~1")
    head = git(repo, "rev-parse", "HEAD")
    names = ("--format", f"bundle={scanned}/b", "--format", f"attestation={scanned}/a")
    assert mergegate("scan", repo, "--offline", "--only", "code,secrets", *names).code == 0
    grounds = ("--only", "code", "--bundle", scanned / "b")
    assert mergegate("verify", scanned / "a", "--commit", head, *grounds).code == 0
    whole = mergegate("verify", scanned / "a", "--commit", head)
    told = "mergegate: only a part was scanned: `--only code,secrets` asks for no more\n"
    assert (whole.code, whole.err) == (1, told)
    assert mergegate("verify", scanned / "a", "--commit", "0" * 40).code == 1
    assert mergegate("verify", scanned / "a", "--commit", head, "--policy-digest", "0").code == 1
    other = mergegate("verify", scanned / "a", "--commit", head, "--bundle", scanned / "bundle")
    assert "rests on another bundle" in other.err


@pytest.mark.parametrize(
    ("way", "value", "what"),
    [
        (("subject", 0, "digest", "gitCommit"), "0" * 40, "another commit"),
        (("predicate", "verificationResult"), "PASSED", "another verdict"),
        (("predicate", "verifiedLevels"), [attestation.CHANGE_GATE], "other gates"),
        (("predicate", "verifiedLevels"), [], "other parts"),
        (("predicate", "policy", "digest", "sha256"), "0" * 64, "another policy"),
    ],
)
def test_a_statement_is_held_to_the_bundle_that_it_names(
    way: tuple[str | int, ...], value: object, what: str, mergegate: Mergegate, scanned: Path
) -> None:
    said = json.loads((scanned / "attestation").read_text())
    part = said
    for name in way[:-1]:
        part = part[name]
    assert part[way[-1]] != value
    part[way[-1]] = value
    (scanned / "forged").write_text(json.dumps(said))
    grounds = ("--bundle", scanned / "bundle")
    (commit_said,) = attestation.read(scanned / "forged").commits
    told = mergegate("verify", scanned / "forged", "--commit", commit_said, *grounds)
    assert (told.code, f"the bundle tells of {what}" in told.err) == (1, True)


def test_a_work_tree_that_is_not_its_commit_is_said_to_be_and_attested_by_nobody(
    mergegate: Mergegate, repo: Path, tmp_path: Path
) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / "crlf.py").write_text("A = 1\nB = 2\n")
    commit(repo, "a flaw")
    (repo / "crlf.py").write_bytes(b"A = 1\r\nB = 2\r\n")
    asked = ("scan", repo, "--offline", "--only", "code", "--format")
    assert mergegate(*asked, "json").json["coverage"]["limits"] == []
    (repo / "app.py").write_text("A = 1\n")
    git(repo, "update-index", "--assume-unchanged", "app.py")
    (told,) = mergegate(*asked, "json").json["coverage"]["limits"]
    assert told == ("the work tree was scanned, and 1 file is not as the commit has it: app.py")
    git(repo, "checkout", "-q", "--", ".")
    git(repo, "update-index", "--no-assume-unchanged", "app.py")
    git(repo, "checkout", "-q", "-f", "HEAD")
    (repo / ".gitignore").write_text("app.py\n")
    git(repo, "rm", "-q", "--cached", "app.py")
    (left_out,) = mergegate(*asked, "json").json["coverage"]["limits"]
    assert left_out == told
    said = mergegate(*asked, f"attestation={tmp_path}/a")
    assert (said.code, "an attestation is of a commit" in said.err) == (2, True)
