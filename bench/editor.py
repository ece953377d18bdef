"""How long an editor waits for findings: from the save of a file to its diagnostics.

    python bench/editor.py [FILE] [--rounds N]

Prints JSON, seconds. ``FILE`` lies in a Git work tree and is copied with all that Git lists there;
without it the project is three small files. Each save has new bytes, so that every engine is asked
anew; beside it stands a save without a change, and the command `mergegate scan` on the same bytes,
from its start to its end. The first findings come from a server that was just started.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

PROGRAM = str(Path(sys.executable).with_name("mergegate"))
FLAW = """import yaml
from flask import request


def read(text):
    return yaml.load(text, Loader=yaml.Loader)


def user(db):
    name = request.args["name"]
    return db.execute("SELECT * FROM users WHERE name = '" + name + "'")
"""


class Server:
    """The installed command, spoken to in as few words as do."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [PROGRAM, "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=root,
        )
        self._version = 1
        capabilities: dict[str, Any] = {}
        self._say(
            "initialize",
            {"processId": None, "rootUri": root.as_uri(), "capabilities": capabilities},
            1,
        )
        self._hear(lambda said: said.get("id") == 1)
        self._say("initialized", {})

    def open(self, file: Path) -> int:
        """Open, and tell how many findings there are."""
        text = file.read_text(encoding="utf-8")
        document = {"uri": file.as_uri(), "languageId": "any", "version": 1, "text": text}
        self._say("textDocument/didOpen", {"textDocument": document})
        return self._findings(file)

    def save(self, file: Path) -> int:
        """Save what is on disk, and tell how many findings there are."""
        self._version += 1
        document = {"uri": file.as_uri(), "version": self._version}
        changes = [{"text": file.read_text(encoding="utf-8")}]
        self._say("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        self._say("textDocument/didSave", {"textDocument": {"uri": file.as_uri()}})
        return self._findings(file)

    def end(self) -> None:
        """End it as the protocol wants."""
        self._say("shutdown", None, 2)
        self._say("exit", None)
        self._process.wait()

    def _findings(self, file: Path) -> int:
        published = self._hear(
            lambda said: (
                said.get("method") == "textDocument/publishDiagnostics"
                and said["params"]["uri"] == file.as_uri()
            )
        )
        return len(published["params"]["diagnostics"])

    def _say(self, method: str, params: object, id: int | None = None) -> None:
        said = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(said if id is None else said | {"id": id}).encode()
        stream = self._pipe(self._process.stdin)
        stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        stream.flush()

    def _hear(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        stream = self._pipe(self._process.stdout)
        while True:
            lines = list(iter(stream.readline, b"\r\n"))
            length = next(
                int(line.split(b":")[1]) for line in lines if line[:14] == b"Content-Length"
            )
            said: dict[str, Any] = json.loads(stream.read(length))
            if wanted(said):
                return said

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        if stream is None:
            raise RuntimeError("a pipe is missing")
        return stream


def project(folder: Path, file: Path | None) -> tuple[Path, Path]:
    """A work tree of its own: its root, and the file that is edited."""
    root = folder / "project"
    if file is None:
        root.mkdir()
        edited = root / "app.py"
        edited.write_text(FLAW)
        (root / "clean.py").write_text("def add(a: int, b: int) -> int:\n    return a + b\n")
        (root / "README.md").write_text("# A project\n")
    else:
        top = Path(_git(file.parent, "rev-parse", "--show-toplevel").strip())
        for name in _git(top, "ls-files", "-z").split("\0"):
            if name and (top / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(top / name, root / name)
        edited = root / file.resolve().relative_to(top)
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for command in (("init", "-q"), ("add", "-A"), (*identity, "commit", "-qm", "all")):
        _git(root, *command)
    return root, edited


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout


def timed(do: Callable[[], object]) -> float:
    """Seconds that it took."""
    started = time.monotonic()
    do()
    return time.monotonic() - started


def _scan(root: Path, edited: Path, environment: dict[str, str]) -> None:
    aspects = "code,secrets,iac,quality"
    command = [PROGRAM, "scan", str(edited), "--offline", "--only", aspects, "--quiet"]
    subprocess.run(command, cwd=root, env=environment, check=False, stdout=subprocess.DEVNULL)


def measured(root: Path, edited: Path, rounds: int, data: Path) -> Iterator[tuple[str, object]]:
    environment = {"PATH": os.environ["PATH"], "MERGEGATE_DATA_DIR": str(data)}
    started = time.monotonic()
    server = Server(root, environment)
    found = server.open(edited)
    yield "findings", found
    yield "start to first findings", round(time.monotonic() - started, 2)
    text = edited.read_text(encoding="utf-8")
    changed, unchanged, command = list[float](), list[float](), list[float]()
    for number in range(rounds):
        edited.write_text(f"{text}\n# {number}\n", encoding="utf-8")
        changed.append(timed(lambda: server.save(edited)))
        unchanged.append(timed(lambda: server.save(edited)))
        edited.write_text(f"{text}\n# {number} once more\n", encoding="utf-8")
        command.append(timed(partial(_scan, root, edited, environment)))
    server.end()
    for name, seconds in (
        ("save with a change", changed),
        ("save without a change", unchanged),
        ("mergegate scan FILE with a change", command),
    ):
        yield (
            name,
            {"median": round(statistics.median(seconds), 2), "least": round(min(seconds), 2)},
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        root, edited = project(folder, asked.file and asked.file.resolve())
        figures = dict(measured(root, edited, asked.rounds, folder / "data"))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
