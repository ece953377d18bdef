"""What a clone lacks is brought from its origin, whatever the clone's configuration says."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from mergegate.core.errors import TargetError, UsageError
from mergegate.sandbox.git.fetch import fetching
from mergegate.sandbox.git.origin import Origin, connection
from mergegate.sandbox.git.repository import Repository
from tests.sandbox.git.origins import Home, clone, home, redirecting, served
from tests.sandbox.git.test_repository import canary, git

TOKEN = "Basic eC1hY2Nlc3MtdG9rZW46aHVudGVyMg=="


@pytest.fixture
def there(tmp_path: Path) -> Home:
    return home(tmp_path / "there")


@pytest.fixture
def here(tmp_path: Path, there: Home) -> Path:
    return clone(tmp_path / "here", there, there.head)


def local(there: Home) -> Origin:
    return Origin(url=there.url, local=True)


def count(root: Path) -> int:
    return int(git(root, "rev-list", "--count", "HEAD"))


def test_a_missing_commit_is_brought_with_some_history(here: Path, there: Home) -> None:
    repository = Repository(here)
    assert repository.commit(there.base) is None
    with fetching(repository, local(there)) as fetcher:
        assert fetcher.bring(there.base) == there.base
    assert repository.commit(there.base) == there.base
    assert git(here, "rev-list", "--count", there.base) == "5"


def test_a_branch_is_brought_by_its_full_name(here: Path, there: Home) -> None:
    with fetching(Repository(here), local(there)) as fetcher:
        assert fetcher.bring("refs/heads/main") == there.base
    assert git(here, "for-each-ref", "--format=%(refname)") == "refs/job/head"


@pytest.mark.parametrize("name", ["0123456789012345678901234567890123456789", "refs/heads/none"])
def test_what_the_origin_does_not_have_is_none(here: Path, there: Home, name: str) -> None:
    with fetching(Repository(here), local(there)) as fetcher:
        assert fetcher.bring(name) is None


def test_a_shallow_end_moves_step_by_step_and_then_goes(here: Path, there: Home) -> None:
    repository = Repository(here)
    with fetching(repository, local(there)) as fetcher:
        assert fetcher.deepen([there.head], 1)
        assert count(here) == 2
        assert fetcher.deepen(git(here, "rev-list", "--max-parents=0", "HEAD").split(), None)
    assert count(here) == 4
    assert not (here / ".git" / "shallow").exists()
    git(here, "fsck", "--strict")


def test_a_clone_with_all_its_history_stays_whole(tmp_path: Path, there: Home) -> None:
    whole = clone(tmp_path / "whole", there, there.head, depth=None)
    with fetching(Repository(whole), local(there)) as fetcher:
        assert fetcher.bring(there.base) == there.base
    assert not (whole / ".git" / "shallow").exists()
    git(whole, "fsck", "--strict")


def test_a_clone_of_longer_names_is_deepened_too(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q", "--object-format=sha256", "-b", "main")
    for number in range(3):
        git(work, "commit", "-q", "--allow-empty", "-m", str(number))
    tip = git(work, "rev-parse", "HEAD")
    folder = tmp_path / "here"
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{work}", str(folder))
    with fetching(Repository(folder), Origin(url=f"file://{work}", local=True)) as fetcher:
        assert fetcher.deepen([tip], None)
    assert count(folder) == 3


def test_nothing_that_the_clone_configures_is_run_or_asked(
    tmp_path: Path, here: Path, there: Home
) -> None:
    script = canary(here)
    settings = {
        "remote.origin.url": f"ext::{script}",
        "remote.origin.uploadpack": str(script),
        "remote.origin.proxy": "http://127.0.0.1:1",
        "core.sshCommand": str(script),
        "core.gitProxy": str(script),
        "core.askPass": str(script),
        "core.hooksPath": str(script.parent),
        "core.alternateRefsCommand": str(script),
        "credential.helper": str(script),
        "http.proxy": "http://127.0.0.1:1",
        "http.sslVerify": "false",
        "http.extraHeader": "Authorization: stolen",
        "protocol.allow": "always",
        f"url.ext::{script} %S.insteadOf": "http",
        "fetch.bundleURI": "http://127.0.0.1:1/",
    }
    for key, value in settings.items():
        git(here, "config", key, value)
    (here / ".git" / "hooks" / "reference-transaction").write_text(script.read_text())
    (here / ".git" / "hooks" / "reference-transaction").chmod(0o755)
    (script.parent / "ran").unlink(missing_ok=True)
    with served(there.folder.parent, wanted=TOKEN) as (address, heard):
        origin = Origin(url=f"{address}/home.git", authorization=TOKEN)
        with fetching(Repository(here), origin) as fetcher:
            assert fetcher.bring(there.base) == there.base
            assert fetcher.deepen([there.head], None)
    assert not (script.parent / "ran").exists()
    assert set(heard.headers) == {TOKEN}


def test_only_a_server_that_proves_who_it_is_gets_the_credentials(
    tmp_path: Path, here: Path, there: Home
) -> None:
    certificate = self_signed(tmp_path / "server.pem")
    git(here, "config", "http.sslVerify", "false")
    with served(there.folder.parent, wanted=TOKEN, certificate=certificate) as (address, heard):
        url = f"{address}/home.git"
        unknown = Origin(url=url, authorization=TOKEN)
        with fetching(Repository(here), unknown) as fetcher, pytest.raises(TargetError):
            fetcher.bring(there.base)
        assert heard.headers == []
        job = {"GIT_SSL_CAINFO": str(certificate)}
        known = Origin(url=url, authorization=TOKEN, connection=connection(job))
        with fetching(Repository(here), known) as fetcher:
            assert fetcher.bring(there.base) == there.base


def self_signed(file: Path) -> Path:
    """A certificate of this machine with its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("NOT CHECKED over https: openssl is not installed")
    options = ("-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1")
    place = ("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", f"{file}.crt")
    subprocess.run([program, "req", *options, *place], check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


def test_wrong_credentials_are_said_and_never_shown(here: Path, there: Home) -> None:
    with served(there.folder.parent, wanted=TOKEN) as (address, _):
        origin = Origin(url=f"{address}/home.git", authorization="Basic d3Jvbmc=")
        with (
            fetching(Repository(here), origin) as fetcher,
            pytest.raises(TargetError, match="does not let this job read") as refused,
        ):
            fetcher.bring(there.base)
    assert "MERGEGATE_TOKEN" in refused.value.remedy
    assert "d3Jvbmc=" not in f"{refused.value} {origin!r}"


def test_the_credentials_stand_in_no_argument_list(
    here: Path, there: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    start = subprocess.Popen

    def watch(command: list[str], **options: object) -> object:
        seen.extend(map(str, command))
        return start(command, **options)  # type: ignore[call-overload]

    with served(there.folder.parent, wanted=TOKEN) as (address, _):
        origin = Origin(url=f"{address}/home.git", authorization=TOKEN)
        monkeypatch.setattr("mergegate.sandbox.process.run.subprocess.Popen", watch)
        with fetching(Repository(here), origin) as fetcher:
            fetcher.bring(there.base)
    assert "fetch" in seen
    assert not [word for word in seen if TOKEN.split()[1] in word]


def test_credentials_do_not_follow_to_another_address(here: Path, there: Home) -> None:
    with served(there.folder.parent, wanted=TOKEN) as (address, heard):
        with redirecting(address) as elsewhere:
            origin = Origin(url=f"{elsewhere}/home.git", authorization=TOKEN)
            with fetching(Repository(here), origin) as fetcher, pytest.raises(TargetError):
                fetcher.bring(there.base)
        assert heard.headers == []


def test_an_origin_that_is_not_there_is_said(here: Path) -> None:
    with (
        fetching(Repository(here), Origin(url="http://127.0.0.1:1/home.git")) as fetcher,
        pytest.raises(TargetError, match="cannot be reached"),
    ):
        fetcher.bring("refs/heads/main")


def test_what_the_origin_says_is_not_repeated(here: Path, tmp_path: Path) -> None:
    (tmp_path / "not-git").mkdir()
    origin = Origin(url=f"file://{tmp_path}/not-git", local=True)
    with (
        fetching(Repository(here), origin) as fetcher,
        pytest.raises(TargetError) as refused,
    ):
        fetcher.bring("refs/heads/main")
    assert "\n" not in str(refused.value)


def test_another_git_at_work_is_not_disturbed(here: Path, there: Home) -> None:
    lock = here / ".git" / "shallow.lock"
    lock.write_text("theirs")
    with (
        fetching(Repository(here), local(there)) as fetcher,
        pytest.raises(TargetError, match="cannot be written"),
    ):
        fetcher.deepen([there.head], None)
    assert lock.read_text() == "theirs"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to somebody else")
def test_while_we_are_root_everything_stays_the_owners() -> None:
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        there = home(folder / "there")
        here = clone(folder / "here", there, there.head)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, 4711, 4711, follow_symlinks=False)
        before = {path.name for path in (here / ".git" / "objects").iterdir()}
        with fetching(Repository(here), local(there)) as fetcher:
            assert fetcher.bring(there.base)
            assert fetcher.deepen([there.head], 1)
        assert {path.name for path in (here / ".git" / "objects").iterdir()} == before
        assert {path.lstat().st_uid for path in (here / ".git").rglob("*")} == {4711}


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a/b.git",
        "https://user:secret@example.org/a/b.git",
        "https://example.org",
        "https://example.org/a b",
        "https://example.org/a?upload-pack=x",
        "https://example.org/a\n-x",
        "https://exämple.org/a",
        "https://example.org:port/a",
        "ssh://git@example.org/a/b.git",
        "git@example.org:a/b.git",
        "ext::sh -c id",
        "file:///srv/a.git",
        "--upload-pack=id",
        "",
    ],
)
def test_an_address_that_is_not_safe_is_refused(url: str) -> None:
    with pytest.raises(UsageError):
        Origin(url=url)


def test_a_proxy_that_adds_credentials_is_on_this_machine() -> None:
    Origin(url="http://example.org/a/b", proxy="http://localhost:29418")
    with pytest.raises(UsageError):
        Origin(url="http://example.org/a/b", proxy="http://example.org:29418")
    with pytest.raises(UsageError):
        Origin(url="http://example.org/a/b", proxy="http://localhost:29418", authorization=TOKEN)


def test_credentials_with_a_line_end_are_refused() -> None:
    with pytest.raises(UsageError):
        Origin(url="https://example.org/a/b", authorization="Basic x\nHost: example.org")


def test_only_proxies_and_certificates_of_the_job_reach_git() -> None:
    environment = {
        "HTTPS_PROXY": "http://proxy.example.org:3128",
        "CI_SERVER_TLS_CA_FILE": "/ca.pem",
        "GIT_SSH_COMMAND": "id",
        "GIT_CONFIG_COUNT": "1",
        "GITHUB_TOKEN": "hunter2",
        "NO_PROXY": "",
    }
    assert connection(environment) == {
        "HTTPS_PROXY": "http://proxy.example.org:3128",
        "GIT_SSL_CAINFO": "/ca.pem",
    }
