import errno
import multiprocessing
import os
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError
from mergegate.host.store.key_file import kept_key
from mergegate.host.store.sealing import Sealer

ALONGSIDE = 8


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "secret.key"
    key = kept_key(file)
    assert Sealer([key])
    assert kept_key(file) == key
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_processes_that_start_together_get_one_key(tmp_path: Path) -> None:
    forked = multiprocessing.get_context("fork")
    gate = forked.Barrier(ALONGSIDE)
    started = [
        forked.Process(target=_note_key, args=(gate, tmp_path, number))
        for number in range(ALONGSIDE)
    ]
    for one in started:
        one.start()
    for one in started:
        one.join()
    assert len({(tmp_path / f"{number}").read_text() for number in range(ALONGSIDE)}) == 1


def _note_key(gate: Barrier, folder: Path, number: int) -> None:
    gate.wait()
    (folder / f"{number}").write_text(kept_key(folder / "secret.key"))


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be kept") as refused:
        kept_key(tmp_path / "file" / "secret.key")
    assert "MERGEGATE_SECRET_KEYS" in refused.value.remedy


@pytest.mark.parametrize(
    ("number", "reason", "remedy"),
    [
        (errno.ENOSPC, "No space left on device", "Free disk space, or set"),
        (errno.EDQUOT, "Disk quota exceeded", "Free disk space, or set"),
        (errno.EACCES, "Permission denied", "Let this account read the file and write its folder"),
        (errno.EROFS, "Read-only file system", "Let this account read the file and write"),
    ],
)
def test_why_a_key_cannot_be_kept_is_told_and_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, reason: str, remedy: str
) -> None:
    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StoreError, match=reason) as refused:
        kept_key(tmp_path / "secret.key")
    assert refused.value.remedy.startswith(remedy)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_is_on_the_disk_too_before_the_key_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []

    def note(descriptor: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))

    monkeypatch.setattr(os, "fsync", note)
    kept_key(tmp_path / "secret.key")
    assert len(synced) == 2
    assert synced[1] == str(tmp_path)


@pytest.mark.parametrize("content", [b"", b" \n", b"half-of-a-k", b"\xff\xfe"])
def test_a_file_without_a_key_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret.key").write_bytes(content)
    with pytest.raises(StoreError, match=r"secret\.key") as refused:
        kept_key(tmp_path / "secret.key")
    assert "backup" in refused.value.remedy
