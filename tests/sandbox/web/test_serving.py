"""A built folder is served as static hosts do, and a team's command while it is needed."""

import gzip
import os
import socket
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from mergegate.core.errors import EngineMissing, TargetError, TargetUnreachable
from mergegate.sandbox.web.serving import command_served, folder_served


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    for name, text in {
        "index.html": "<h1>home</h1>",
        "about/index.html": "<h1>about</h1>",
        "team.html": "<h1>team</h1>",
        "404.html": "<h1>lost</h1>",
        "app.js": "let a = 1;",
    }.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    tmp_path.joinpath("secret.txt").write_text("secret")
    root.joinpath("leak.txt").symlink_to(tmp_path / "secret.txt")
    root.joinpath("up").symlink_to(tmp_path)
    return root


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("", 200, "<h1>home</h1>"),
        ("index.html", 200, "<h1>home</h1>"),
        ("about/", 200, "<h1>about</h1>"),
        ("team", 200, "<h1>team</h1>"),
        ("team.html?x=1", 200, "<h1>team</h1>"),
        ("nothing", 404, "<h1>lost</h1>"),
        ("leak.txt", 404, "<h1>lost</h1>"),
        ("up/secret.txt", 404, "<h1>lost</h1>"),
        ("%2e%2e/secret.txt", 404, "<h1>lost</h1>"),
        ("..%2fsecret.txt", 404, "<h1>lost</h1>"),
        ("%00", 404, "<h1>lost</h1>"),
        ("%ff%fe", 404, "<h1>lost</h1>"),
        ("a" * 3000, 404, "<h1>lost</h1>"),
    ],
)
def test_a_folder_is_served_and_nothing_beside_it(
    site: Path, path: str, status: int, body: str
) -> None:
    with folder_served(site) as url:
        answer = httpx.get(f"{url}{path}", trust_env=False)
    assert (answer.status_code, answer.text) == (status, body)


def test_a_folder_without_its_slash_is_redirected(site: Path) -> None:
    with folder_served(site) as url:
        answer = httpx.get(f"{url}about?a=1", trust_env=False)
    assert (answer.status_code, answer.headers["Location"]) == (301, "/about/?a=1")


def test_text_is_compressed_and_typed(site: Path) -> None:
    with folder_served(site) as url:
        answer = httpx.get(f"{url}app.js", trust_env=False)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "javascript" in answer.headers["Content-Type"]
    assert answer.text == "let a = 1;"


def test_a_browser_that_hangs_up_is_no_news(
    site: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(*_: object) -> None:
        raise ConnectionResetError

    monkeypatch.setattr(gzip, "compress", torn)
    with folder_served(site) as url, pytest.raises(httpx.RemoteProtocolError):
        httpx.get(f"{url}app.js", trust_env=False)
    assert capfd.readouterr() == ("", "")


def test_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="is no folder"), folder_served(tmp_path / "dist"):
        pass


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_command_serves_while_inside_and_leaves_nothing_behind(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MERGEGATE_TOKEN", "secret")
    port = free_port()
    serve = (
        "import os, http.server as h; open('seen', 'w').write(repr(dict(os.environ)));"
        f"h.test(h.SimpleHTTPRequestHandler, port={port}, bind='127.0.0.1')"
    )
    command = [sys.executable, "-c", serve]
    before = {one.pid for one in psutil.Process().children(recursive=True)}
    with command_served(command, site, f"http://127.0.0.1:{port}/"):
        assert "home" in httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).text
    after = {one.pid for one in psutil.Process().children(recursive=True)}
    assert after <= before
    assert "secret" not in site.joinpath("seen").read_text()
    assert os.environ["MERGEGATE_TOKEN"] == "secret"


def test_a_command_that_says_much_is_not_held_up(site: Path) -> None:
    port = free_port()
    serve = (
        "import http.server as h\n"
        "class Talks(h.SimpleHTTPRequestHandler):\n"
        "    def log_message(self, *_): print('x' * 300_000, flush=True)\n"
        f"h.HTTPServer(('127.0.0.1', {port}), Talks).serve_forever()"
    )
    url = f"http://127.0.0.1:{port}/"
    with command_served([sys.executable, "-c", serve], site, url):
        for _ in range(2):
            assert "home" in httpx.get(url, trust_env=False).text


def test_a_command_says_its_last_words_on_either_output(site: Path) -> None:
    command = [sys.executable, "-c", "print('no port given'); raise SystemExit(1)"]
    with (
        pytest.raises(TargetUnreachable, match=r"has ended; it said: 'no port given'"),
        command_served(command, site, f"http://127.0.0.1:{free_port()}/"),
    ):
        pass


def test_what_listens_there_already_is_not_taken_for_the_site(site: Path) -> None:
    command = [sys.executable, "-c", "open('started', 'w')"]
    with (
        folder_served(site) as url,
        pytest.raises(TargetUnreachable, match="something listens at the site's address already"),
        command_served(command, site, url),
    ):
        pass
    assert not site.joinpath("started").exists()


def test_a_command_that_ends_is_told_with_its_last_words(site: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no such port \x1b[31m')"]
    with (
        pytest.raises(TargetUnreachable, match=r"has ended; it said: '.*no such port \\x1b"),
        command_served(command, site, f"http://127.0.0.1:{free_port()}/"),
    ):
        pass


def test_a_command_that_never_listens_is_given_up(site: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with (
        pytest.raises(TargetUnreachable, match="does not listen"),
        command_served(command, site, f"http://127.0.0.1:{free_port()}/", patience_s=0.3),
    ):
        pass


def test_a_command_that_is_not_there_is_told(site: Path) -> None:
    with (
        pytest.raises(EngineMissing, match="not installed"),
        command_served(["no-such-program"], site, "http://127.0.0.1:1/"),
    ):
        pass
