"""``mergegate lsp`` with a real client, on real files."""

import asyncio
import datetime as dt
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from lsprotocol import types

from mergegate.sandbox.process.process_tree import descendants
from tests.conftest import Mergegate
from tests.editor.client import FULL, LONGEST_S, Editor, carried_out, edited, editor, marked
from tests.ready import PROGRAM
from tests.sandbox.git.test_repository import commit, git

FLAW = (
    "import yaml\n\n\ndef read(text):\n    a = '🙂é'; return yaml.load(text, Loader=yaml.Loader)\n"
)
CALL = "yaml.load(text, Loader=yaml.Loader)"
MENDED = FLAW.replace(CALL, "yaml.safe_load(text)")
APP = "in a folder/app.py"
SQL = """\
from flask import request


def user(db):
    name = request.args["name"]
    return db.execute("SELECT * FROM users WHERE name = '" + name + "'")
"""


def rules(diagnostics: list[types.Diagnostic]) -> list[object]:
    return [one.code for one in diagnostics]


def test_a_flaw_is_shown_where_it_stands_and_gone_once_it_is_mended(repo: Path) -> None:
    (repo / "app.py").write_bytes(FLAW.replace("\n", "\r\n").encode())

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            assert marked((repo / "app.py").read_bytes().decode(), found.range) == CALL
            assert found.range.start == types.Position(4, 22)  # the smile counts twice
            assert (found.code, found.source) == ("python-yaml-load", "mergegate")
            assert found.severity is types.DiagnosticSeverity.Error
            told = await one.hover("app.py", 4, 25)
            assert told.startswith("**YAML loaded with an unsafe loader**")
            assert "Call yaml" in told
            assert await one.hover("app.py", 0, 0) == ""
            one.save("app.py", MENDED)
            assert await one.told("app.py", 2) == []
            assert await one.hover("app.py", 4, 25) == ""

    carried_out(scenario())


def test_columns_are_bytes_for_an_editor_that_says_so(repo: Path) -> None:
    (repo / "app.py").write_text(FLAW)
    utf_8 = types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf8])
    (repo / "sql.py").write_text(SQL)

    async def scenario() -> None:
        async with editor(repo, capabilities=replace_general(utf_8)) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            assert found.range.start == types.Position(4, 25)
            one.open("sql.py")
            (found,) = await one.told("sql.py")
            (step,) = found.related_information or ()
            assert (step.message, step.location.range.start.line) == ("the data enters here", 4)

    carried_out(scenario())


def replace_general(general: types.GeneralClientCapabilities) -> types.ClientCapabilities:
    return types.ClientCapabilities(
        general=general, workspace=FULL.workspace, text_document=FULL.text_document
    )


def test_a_fix_that_is_applied_and_saved_leaves_nothing(repo: Path) -> None:
    (repo / "app.py").write_bytes(FLAW.replace("\n", "\r\n").encode())

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            fix, dismiss, explain = await one.actions("app.py", found)
            assert (fix.is_preferred, fix.command) == (True, None)
            assert await one.actions("app.py", found, only=["refactor"]) == []
            assert explain.command
            await run(one, explain.command)
            await one.message("python-yaml-load: YAML loaded")
            assert fix.edit and one.apply(fix.edit) == ["app.py"]
            held = (repo / "app.py").read_bytes()
            assert held == MENDED.replace("\n", "\r\n").encode()
            one.save("app.py", held.decode())
            assert await one.told("app.py", 2) == []
            assert await one.actions("app.py", found) == []
            assert dismiss.title == "Dismiss in .mergegate.yml: YAML loaded with an unsafe loader"

    carried_out(scenario())


async def run(one: Editor, command: types.Command) -> None:
    await one.client.workspace_execute_command_async(
        types.ExecuteCommandParams(command.command, command.arguments)
    )


def test_a_dismissal_is_a_policy_that_the_next_scan_follows(
    repo: Path, mergegate: Mergegate
) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / ".mergegate.yml").write_text("version: 1 # ours\npaths:\n  exclude: [clean.py]\n")
    (repo.parent / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            dismiss = (await one.actions("app.py", found))[1]
            assert dismiss.edit and dismiss.command
            assert one.apply(dismiss.edit) == [".mergegate.yml"]
            await run(one, dismiss.command)
            (shown,) = one.opened
            policy = (repo / ".mergegate.yml").read_text()
            assert shown.selection and marked(policy, shown.selection) == "…"
            assert (shown.uri, shown.external) == (one.uri(".mergegate.yml"), False)
            one.save(".mergegate.yml")
            assert await one.told("app.py", 2) == []

    carried_out(scenario())
    written = (repo / ".mergegate.yml").read_text()
    assert written.startswith("version: 1 # ours\npaths:\n  exclude: [clean.py]\nsuppressions:\n")
    owner = "ada@example.org" if os.geteuid() else ""
    assert f"owner: {owner}" in written
    until = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=90)
    assert f"expires: {until.isoformat()}" in written
    checked = mergegate("policy", ".mergegate.yml", cwd=repo)
    assert (checked.code, checked.out) == (0, ".mergegate.yml is valid: 1 suppression.\n")
    scanned = mergegate("scan", "app.py", "--only", "code", "--json", cwd=repo)
    assert (scanned.code, scanned.json["issues"]) == (0, [])


def test_a_first_dismissal_makes_the_policy(repo: Path) -> None:
    (repo / "in a folder").mkdir()
    (repo / APP).write_text(FLAW)
    link = repo.parent / "link"
    link.symlink_to(repo)

    async def scenario() -> None:
        async with editor(link) as one:
            one.open(APP)
            (found,) = await one.told(APP)
            one.type(APP, "\n" + FLAW)
            explained = await one.actions(APP, found)
            assert [str(each.title).split()[0] for each in explained] == ["Dismiss", "Explain"]
            assert explained[0].edit
            created, _ = explained[0].edit.document_changes or ()
            assert isinstance(created, types.CreateFile)
            assert created.uri == one.uri(".mergegate.yml")  # as the editor came to it
            assert one.apply(explained[0].edit) == [".mergegate.yml"]
            one.close(APP)
            one.open(APP, "\n" + FLAW)  # again version 1, of another text
            assert (await one.hover(APP, 5, 25)).startswith("**YAML loaded")
            assert await one.hover(APP, 4, 25) == ""
            assert len(await one.actions(APP, found)) == 2
            one.save(APP, FLAW)
            assert await one.told(APP, 2) == []

    carried_out(scenario())
    assert (repo / ".mergegate.yml").read_text().startswith("suppressions:\n  - id: ")


def test_of_two_quick_saves_the_newest_counts(repo: Path) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / "sql.py").write_text(SQL)

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            await one.told("app.py")
            one.save("app.py", FLAW + "# 1\n")
            one.save("app.py", MENDED)
            assert await one.told("app.py", 2) == []
            assert [each.version for each in one.of(one.uri("app.py"))] == [1, 3]
            one.save("app.py", FLAW + "# 2\n")
            one.type("app.py", MENDED)  # and goes on before that is scanned
            for times in (1, 2):  # what is ordered last is scanned first
                one.save("sql.py") if times > 1 else one.open("sql.py")
                assert rules(await one.told("sql.py", times)) == ["python-sql-injection"]
            assert [each.version for each in one.of(one.uri("app.py"))] == [1, 3]

    carried_out(scenario())


def test_what_is_closed_stays_and_what_is_gone_goes(repo: Path) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / "clean.txt").write_text("nothing\n")

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            await one.told("app.py")
            one.close("app.py")
            (repo / "app.py").write_text(MENDED)  # by another program
            changed = [types.FileEvent(one.uri("app.py"), types.FileChangeType.Changed)]
            one.client.workspace_did_change_watched_files(
                types.DidChangeWatchedFilesParams(changed)
            )
            assert await one.told("app.py", 2) == []
            (repo / "app.py").write_text(FLAW)
            one.open("app.py")
            assert len(await one.told("app.py", 3)) == 1
            (repo / "app.py").write_text(MENDED)  # by another program, as by a checkout
            one.client.workspace_did_change_watched_files(
                types.DidChangeWatchedFilesParams(changed)
            )
            one.type("app.py", MENDED)  # the editor reads it again
            assert await one.told("app.py", 4) == []
            one.close("app.py")
            (repo / "app.py").unlink()
            one.client.workspace_did_delete_files(
                types.DeleteFilesParams([types.FileDelete(one.uri("app.py"))])
            )
            assert await one.told("app.py", 5) == []
            assert [each.method for each in one.watched] == ["workspace/didChangeWatchedFiles"]

    carried_out(scenario())


def test_only_what_is_saved_in_the_folder_is_scanned(repo: Path) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / "ignored.py").write_text(FLAW)
    (repo / ".gitignore").write_text("ignored.py\n")
    (repo.parent / "outside.py").write_text(FLAW)

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("../outside.py", FLAW)
            await one.message("outside of the folders")
            one.open("ignored.py")
            await one.message("Not scanned: ignored.py is no file of the repository")
            one.open("app.py", MENDED)  # as after a crash: what is shown was never saved
            one.open("clean.py")
            assert await one.told("clean.py") == []
            assert {each.uri for each in one.published} == {one.uri("clean.py")}
            one.save("app.py", FLAW)
            assert len(await one.told("app.py")) == 1

    carried_out(scenario())


def test_a_broken_policy_is_told_where_it_is_broken(repo: Path) -> None:
    (repo / "app.py").write_text(FLAW)
    (repo / ".mergegate.yml").write_text("version: 1\nrulez: {}\n")

    async def scenario() -> None:
        async with editor(repo) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            assert (found.code, found.range.start.line) == ("incomplete", 0)
            assert found.message.startswith("Not scanned: .mergegate.yml: line 2: ")
            await one.message("Mergegate: .mergegate.yml: line 2")
            assert await one.actions("app.py", found) == []
            one.open(".mergegate.yml")
            (found,) = await one.told(".mergegate.yml")
            assert (found.code, found.range.start.line) == ("policy", 1)
            one.save(".mergegate.yml", "version: 1\nrules: {}\n")
            assert await one.told(".mergegate.yml", 2) == []
            assert rules(await one.told("app.py", 2)) == ["python-yaml-load"]
            assert len(one.messages) == 1

    carried_out(scenario())


def test_what_cannot_be_checked_is_said(repo: Path) -> None:
    (repo / "a.rb").write_text("def read(text)\n  eval(text)\nend\n")
    (repo / "large.py").write_text("x = 1\n" * 200_000)
    (repo / "huge.py").write_text("x = 1\n" * 1_000_000)
    (repo / "empty.py").write_text("")

    async def scenario() -> None:
        async with editor(repo) as one:
            for name, wanted in (
                ("a.rb", "without rules: ruby"),
                ("large.py", "larger than 1 MiB: not searched for weak code"),
                ("huge.py", "larger than 5 MiB"),
            ):
                one.open(name)
                told = [each for each in await one.told(name) if wanted in each.message]
                assert [each.severity for each in told] == [types.DiagnosticSeverity.Warning]
            one.open("empty.py")
            assert await one.told("empty.py") == []

    carried_out(scenario())


def test_nothing_of_the_folder_is_run(repo: Path) -> None:
    mark = repo.parent / "ran"
    evil = f"open({str(mark)!r}, 'w')\n"
    for name in (
        "sitecustomize.py",
        "usercustomize.py",
        "yaml.py",
        "click.py",
        "pygls/__init__.py",
    ):
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).write_text(evil)
    (repo / "app.py").write_text(FLAW)
    commit(repo, "evil")
    git(repo, "config", "core.fsmonitor", f"touch {mark}")
    git(repo, "config", "include.path", str(repo / "evil.cfg"))

    async def scenario() -> None:
        async with editor(repo, cwd=repo) as one:
            one.open("app.py")
            assert len(await one.told("app.py")) == 1

    carried_out(scenario())
    assert not mark.exists()


def test_without_a_repository_the_folder_is_scanned(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "app.py").write_text(FLAW)
    plain = types.ClientCapabilities()

    async def scenario() -> None:
        async with editor(folder, capabilities=plain, folders=False) as one:
            one.open("app.py")
            (found,) = await one.told("app.py")
            assert found.related_information is None
            assert not (await one.hover("app.py", 4, 25)).startswith("*")
            fix, dismiss, _ = await one.actions("app.py", found)
            assert fix.edit and fix.edit.changes
            assert edited(FLAW, list(fix.edit.changes[one.uri("app.py")])) == MENDED
            assert dismiss.edit and dismiss.edit.changes and dismiss.command
            await run(one, dismiss.command)
            await one.message("Give a reason in line 3 of .mergegate.yml")

    carried_out(scenario())


def server(folder: Path) -> subprocess.Popen[bytes]:
    environment = {"PATH": "/usr/bin:/bin", "MERGEGATE_DATA_DIR": str(folder / "data")}
    return subprocess.Popen(
        [PROGRAM, "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=folder,
    )


def framed(message: str) -> bytes:
    body = message.encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def initialize(pid: int | str = "null") -> bytes:
    return framed(
        '{"jsonrpc": "2.0", "id": 1, "method": "initialize",'
        f' "params": {{"processId": {pid}, "rootUri": null, "capabilities": {{}}}}}}'
    )


SHUTDOWN = framed('{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}')
EXIT = framed('{"jsonrpc": "2.0", "method": "exit"}')


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (initialize() + SHUTDOWN + EXIT, 0),
        (initialize() + EXIT, 1),
        (initialize(), 1),
        (b"", 1),
    ],
)
def test_it_ends_as_the_protocol_wants(said: bytes, code: int, tmp_path: Path) -> None:
    with server(tmp_path) as process:
        out, err = process.communicate(said, LONGEST_S)
    assert (process.returncode, err) == (code, b"")
    assert out.count(b"Content-Length") >= said.count(b'"id"')


def test_what_is_no_message_is_survived(tmp_path: Path) -> None:
    said = (
        b"what\r\n\r\n" + b"x" * 200_000 + b"\n",
        framed("{"),
        framed("[1, 2]"),
        framed('"text"'),
        framed('{"jsonrpc": "2.0"}'),
        framed('{"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": {"a": 1}}'),
        framed('{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": []}'),
        framed('{"jsonrpc": "2.0", "id": 8, "method": "no/such"}'),
        framed('{"jsonrpc": "2.0", "id": 9, "result": null}'),
        framed('{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 99}}'),
        framed(
            '{"jsonrpc": "2.0", "method": "textDocument/didSave",'
            ' "params": {"textDocument": {"uri": "file:///%00/../x"}}}'
        ),
    )
    with server(tmp_path) as process:
        out, err = process.communicate(b"".join((initialize(), *said, SHUTDOWN, EXIT)), LONGEST_S)
    assert (process.returncode, err) == (0, b"")
    for answered in (1, 7, 8, 2):
        assert b'"id": %d' % answered in out


def until(holds: Callable[[], object]) -> None:
    async def look() -> None:
        while not holds():
            await asyncio.sleep(0.02)

    asyncio.run(asyncio.wait_for(look(), LONGEST_S))


def test_it_ends_with_the_editor_that_started_it(tmp_path: Path) -> None:
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as parent,
        server(tmp_path) as process,
    ):
        assert process.stdin and process.stdout
        process.stdin.write(initialize(parent.pid))
        process.stdin.flush()
        process.stdout.readline()
        parent.kill()  # while the pipe stays open
        assert process.wait(LONGEST_S) == 1


def test_a_scan_that_runs_is_ended_with_it(repo: Path) -> None:
    (repo / "app.py").write_text("".join(FLAW.replace("read", f"r{n}") for n in range(500)))
    opened = (
        '{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument":'
        f' {{"uri": "{(repo / "app.py").as_uri()}", "languageId": "python", "version": 1,'
        f' "text": "?"}}}}}}'
    ).replace('"?"', '""')
    saved = opened.replace("didOpen", "didSave")
    with server(repo) as process:
        assert process.stdin
        process.stdin.write(initialize() + framed(opened) + framed(saved))
        process.stdin.flush()
        until(lambda: descendants(process.pid))
        engines = descendants(process.pid)
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONGEST_S) == 128 + signal.SIGTERM
        until(lambda: not any(map(psutil.pid_exists, engines)))


@pytest.mark.parametrize("given", ["a terminal", "a file", os.devnull])
def test_without_an_editor_it_tells_what_it_is_for(given: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    (tmp_path / "a file").touch()
    stdin = theirs if given == "a terminal" else os.open(tmp_path / given, os.O_RDONLY)
    done = subprocess.run(
        [PROGRAM, "lsp"], stdin=stdin, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    for one in {ours, theirs, stdin}:
        os.close(one)
    assert (done.returncode, done.stdout) == (2, "")
    assert "an editor starts `mergegate lsp`" in done.stderr
