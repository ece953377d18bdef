"""The engine over real files in its own process: canaries, hostile files, death of the worker."""

import hashlib
import json
import random
import shutil
import struct
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from mergegate.core.errors import EngineError
from mergegate.core.tree import SourceFile, Tree
from mergegate.repo.checks.secrets import secrets
from mergegate.sandbox.engines import engine as per_file
from mergegate.sandbox.engines.engine import EngineContext, Examination, Memory
from mergegate.sandbox.files.stage import Stage
from mergegate.sandbox.process import run as process
from mergegate.sandbox.process.run import Limits
from mergegate.secrets import engine
from mergegate.secrets.engine import SecretsEngine
from mergegate.secrets.fact import fact
from mergegate.secrets.found import FileSecrets
from tests.secrets.mint import samples
from tests.secrets.test_assignments import PASSWORD


class Forgetful(Memory):
    def recall(self, keys: object, anew: object = ()) -> dict[str, bytes]:
        return {}

    def remember(self, values: object) -> None:
        return None


def source_file(folder: Path, path: str, data: bytes) -> SourceFile:
    location = folder / hashlib.sha256(path.encode()).hexdigest()
    location.write_bytes(data)
    return SourceFile(
        path=path,
        location=location,
        size=len(data),
        digest=hashlib.sha256(data).hexdigest(),
    )


def examine(files: list[SourceFile], limits: Limits = Limits()) -> Examination[FileSecrets]:
    with Stage() as stage:
        return SecretsEngine().examine(files, EngineContext(stage, limits))


def test_file_is_answered_by_its_key(tmp_path: Path) -> None:
    file = source_file(tmp_path, "a.py", f'password = "{PASSWORD}"'.encode())
    answered = examine([file])
    assert [m.detector for m in answered.answers[file.key].matches] == ["password-literal"]
    assert answered.problems == {}


def test_answer_survives_saving(tmp_path: Path) -> None:
    file = source_file(tmp_path, "a.py", f'password = "{PASSWORD}"'.encode())
    found = examine([file]).answers[file.key]
    adapter = TypeAdapter(FileSecrets)
    assert adapter.validate_json(adapter.dump_json(found)) == found


def test_no_canary_leaves_the_process_that_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canaries = list(samples(0).values())
    assert len(canaries) > 66
    files = [
        source_file(tmp_path, f"src/f{n}.py", f"x = 1\ncall('{value}')\n".encode())
        for n, value in enumerate(canaries)
    ]
    said = _recorded(monkeypatch)
    with Stage() as stage:
        answers = per_file.ask(
            SecretsEngine(), Tree(tuple(files)), Forgetful(), EngineContext(stage)
        )
        said.extend(p.read_text() for p in stage.root.rglob("*.answers"))
    found = fact(answers)
    findings = [asdict(finding) for finding in secrets(found)]
    shown = "\n".join([*said, repr(found), json.dumps(findings, default=str)])
    assert len(found.files) >= len(canaries) - 1
    assert [value for value in canaries if value[-20:] in shown] == []


def _recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What workers write to standard output and standard error."""
    said: list[str] = []
    real = process.run

    def run(*given: Any, **named: Any) -> process.Completed:
        completed = real(*given, **named)
        said.append((completed.stdout + completed.stderr).decode())
        return completed

    monkeypatch.setattr(process, "run", run)
    return said


_DICE = random.Random(5)
HOSTILE = {
    "one-line.js": b"a(" + b"var x=1;" * (50 * 1024 * 128) + b")",
    "dense-names.js": b"password='a1!b2c3d4e5'," * 50_000,
    "dense-keys.txt": b"key" * 750_000,
    "addresses.txt": b"://" * 250_000,
    "evil-address.txt": b"http://a:" + b"b:" * 500_000 + b"@",
    "quotes.py": b"password=" + b'"\\' * 500_000,
    "parentheses.sql": b"insert into users (password) values " + b"('a')," * 200_000,
    "unclosed.sql": b"insert into users (password) values ('" + b"a" * 5_000_000,
    "keys.pem": b"-----BEGIN PRIVATE KEY-----\n" * 25_000,
    "tiny-lines.txt": b"x\n" * 100_000,
    "noise.bin": _DICE.randbytes(2_000_000),
    "nul.txt": b"password\0=\0" * 25_000,
    "broken.txt": b"\xff\xfe\xfd" + b"\xc3" * 100_000,
    "utf16.txt": b"\xff\xfe" + b"\xd8" * 100_001,
    "redos.txt": b"token: " + b"a" * 100_000 + b"!",
    "blanks.yml": b"password:" + b" " * 2_000_000,
    "tokens.txt": b"ghp_" * 1_000_000,
    "words.txt": b"a " * 10_000_000,
}


@pytest.mark.slow
def test_hostile_files_end_by_name_and_the_others_are_answered(tmp_path: Path) -> None:
    files = [source_file(tmp_path, name, data) for name, data in HOSTILE.items()]
    good = source_file(tmp_path, "good.py", f'password = "{PASSWORD}"'.encode())
    answered = examine([*files, good], Limits(timeout_s=300))
    told = set(answered.answers) | set(answered.problems)
    assert {file.path for file in [*files, good] if file.key not in told} == set()
    assert len(answered.answers[good.key].matches) == 1


def test_file_the_worker_dies_on_is_named_and_the_rest_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = [
        source_file(tmp_path, f"{n}.py", f'password = "{PASSWORD}{n}"'.encode()) for n in range(3)
    ]
    bad = source_file(tmp_path, "bad.py", b"deadly" * 100)
    _let_it_die(monkeypatch)
    answered = examine([*good, bad])
    assert answered.problems.keys() == {bad.key}
    assert answered.answers.keys() == {file.key for file in good}


_DYING_WORKER = """
import os, sys
from pathlib import Path
from mergegate.secrets import worker
scan = worker.scan
worker.scan = lambda data, suffix: os._exit(9) if data.startswith(b"deadly") else scan(data, suffix)
worker.main(Path(sys.argv[1]), Path(sys.argv[2]))
"""


def _let_it_die(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real worker, but for the crash that certain bytes bring about."""
    real = process.run

    def run(command: list[str], *, cwd: Path, limits: Limits) -> process.Completed:
        dying = [command[0], "-I", "-c", _DYING_WORKER, *command[-2:]]
        return real(dying, cwd=cwd, limits=limits)

    monkeypatch.setattr(process, "run", run)


def test_a_file_that_changed_is_named(tmp_path: Path) -> None:
    file = source_file(tmp_path, "a.py", b"x = 1")
    file.location.write_bytes(b"x = 2")
    answered = examine([file])
    assert answered.problems.keys() == {file.key}
    assert not answered.answers


def test_garbage_from_the_worker_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = source_file(tmp_path, "a.py", b"x = 1")

    def run(command: list[str], **limits: object) -> process.Completed:
        Path(command[-1]).write_text('{"ended": 0, "answer": {"matches": [{}]}}\n')
        return process.Completed(0, b"", b"")

    monkeypatch.setattr(process, "run", run)
    with pytest.raises(EngineError):
        examine([file])


def test_silence_from_the_worker_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = source_file(tmp_path, "a.py", b"x = 1")
    monkeypatch.setattr(process, "run", lambda *a, **k: process.Completed(0, b"", b""))
    with pytest.raises(EngineError):
        examine([file])


def test_same_files_give_the_same_answers(tmp_path: Path) -> None:
    files = [
        source_file(tmp_path, f"{n}.py", f"t = '{value}'".encode())
        for n, value in enumerate(samples(9).values())
    ]
    assert examine(files) == examine(files[::-1])


def test_empty_and_binary_files_are_not_its_business(tmp_path: Path) -> None:
    empty = source_file(tmp_path, "a.py", b"")
    assert not SecretsEngine().wants(empty)


def test_key_store_is_recognised(tmp_path: Path) -> None:
    file = source_file(tmp_path, "release.jks", b"\xfe\xed\xfe\xed" + _DICE.randbytes(100))
    assert [m.detector for m in examine([file]).answers[file.key].matches] == ["java-keystore"]


def java_store(*tags: int) -> bytes:
    """A JKS file of version 2 with an entry of each tag; 1 is a private key, 2 a certificate."""
    entries = b"".join(
        struct.pack(">I", tag) + b"\0\4name" + bytes(8) + b"\0\5X.509\0\0\0\3der" for tag in tags
    )
    return b"\xfe\xed\xfe\xed" + struct.pack(">II", 2, len(tags)) + entries + bytes(20)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (java_store(2, 2), []),
        (java_store(2, 1), ["java-keystore"]),
        (java_store(1), ["java-keystore"]),
        (java_store(2)[:-1], ["java-keystore"]),
        (java_store(2) + java_store(1), ["java-keystore"]),
        (java_store(2)[:20], ["java-keystore"]),
        (java_store(2)[:11], ["java-keystore"]),
    ],
)
def test_a_trust_store_holds_no_key(tmp_path: Path, data: bytes, told: list[str]) -> None:
    file = source_file(tmp_path, "trust.jks", data)
    assert [m.detector for m in examine([file]).answers[file.key].matches] == told


def test_files_that_hold_nothing_are_answered_in_few_words(tmp_path: Path) -> None:
    files = [source_file(tmp_path, f"{n}.py", f"x = {n}\n".encode()) for n in range(5)]
    with Stage() as stage:
        answered = SecretsEngine().examine(files, EngineContext(stage))
        said = [line for p in stage.root.rglob("*.answers") for line in p.read_text().splitlines()]
    assert answered.answers == {file.key: FileSecrets() for file in files}
    assert answered.problems == {}
    assert said[:-1] == [f'{{"begun": {n}}}' for n in range(6)], "the last is the known secret"


def test_a_worker_that_misses_the_known_secret_has_searched_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_CANARY", b"nothing: %s")
    with pytest.raises(EngineError, match="known secret"):
        examine([source_file(tmp_path, "a.py", b"x = 1")])


@pytest.mark.parametrize("changed", ["formats/files.toml", "detectors/clouds.toml"])
def test_a_changed_detector_asks_every_file_again(tmp_path: Path, changed: str) -> None:
    room = Path(engine.__file__).parent
    copy = shutil.copytree(room, tmp_path / "secrets", ignore=shutil.ignore_patterns("*.pyc"))
    assert engine.source_digest(copy) == SecretsEngine().identity()
    again = shutil.copytree(copy, tmp_path / "again")
    with (again / changed).open("a") as file:
        file.write("# another pattern\n")
    assert engine.source_digest(again) != SecretsEngine().identity()
