import errno
import multiprocessing
import os
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from mergegate.core.errors import StoreError, UsageError
from mergegate.host.store.sealing import Place, Sealer, kept_key, new_key

ALONGSIDE = 8
OLD, NEW, OTHER = new_key(), new_key(), new_key()
HERE: Place = ("connection", "acc_1", "gitlab", "https://gitlab.example.org")


def test_what_is_sealed_opens_and_shows_nothing() -> None:
    sealer = Sealer([NEW])
    sealed = sealer.seal("glpat-sesame", HERE)
    assert sealer.open(sealed, HERE) == "glpat-sesame"
    assert "sesame" not in sealed
    assert sealed != sealer.seal("glpat-sesame", HERE)


@pytest.mark.parametrize(
    "elsewhere",
    [
        ("connection", "acc_2", "gitlab", "https://gitlab.example.org"),
        ("connection", "acc_1", "github", "https://gitlab.example.org"),
        ("connection", "acc_1", "gitlab", "https://thief.example.org"),
        ("hook", "acc_1", "gitlab", "https://gitlab.example.org"),
        ("connection", "acc_1", "gitlab https://gitlab.example.org"),
        (),
    ],
)
def test_a_secret_opens_nowhere_but_where_it_belongs(elsewhere: Place) -> None:
    sealer = Sealer([NEW, OLD])
    with pytest.raises(StoreError, match="opens with none of the keys"):
        sealer.open(sealer.seal("token", HERE), elsewhere)


def test_the_given_key_itself_opens_no_secret_that_belongs_somewhere() -> None:
    """Else who takes the binding off a secret could pass it as one of an earlier release."""
    sealed = Sealer([NEW]).seal("token", HERE)
    with pytest.raises(StoreError):
        Sealer([OLD, NEW]).open(sealed, ())


def test_a_secret_of_an_earlier_release_opens_until_its_key_is_let_go() -> None:
    earlier = Fernet(OLD).encrypt(b"token").decode()
    assert Sealer([NEW, OLD]).open(earlier, HERE) == "token"
    with pytest.raises(StoreError):
        Sealer([NEW]).open(earlier, HERE)


def test_the_first_key_seals_and_every_key_opens() -> None:
    sealed = Sealer([OLD]).seal("token", HERE)
    both = Sealer([NEW, OLD])
    assert both.open(sealed, HERE) == "token"
    assert Sealer([NEW]).open(both.seal("token", HERE), HERE) == "token"
    with pytest.raises(StoreError):
        Sealer([OLD]).open(both.seal("token", HERE), HERE)


@pytest.mark.parametrize("sealed", ["", "token", "gAAAA", "\N{SNOWMAN}"])
def test_what_nobody_sealed_does_not_open(sealed: str) -> None:
    with pytest.raises(StoreError, match="opens with none of the keys"):
        Sealer([NEW]).open(sealed, HERE)


def test_a_secret_that_was_tampered_with_does_not_open() -> None:
    sealed = Sealer([NEW]).seal("token", HERE)
    flipped = sealed[:40] + ("A" if sealed[40] != "A" else "B") + sealed[41:]
    with pytest.raises(StoreError):
        Sealer([NEW]).open(flipped, HERE)


@pytest.mark.parametrize("keys", [[], [""], ["short"], [OLD, "not a key"], ["\N{SNOWMAN}" * 44]])
def test_a_key_that_is_none_is_refused_without_being_told(keys: list[str]) -> None:
    with pytest.raises(UsageError, match="key") as refused:
        Sealer(keys)
    assert OLD not in str(refused.value)
    assert "MERGEGATE_SECRET_KEYS" in refused.value.remedy


def test_no_key_stands_in_a_representation() -> None:
    assert OTHER not in repr(Sealer([OTHER]))


def test_new_keys_are_keys_of_fernet_and_differ() -> None:
    assert Fernet(OLD)
    assert OLD != NEW


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
