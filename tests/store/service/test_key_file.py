import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from mergegate.errors import StoreError
from mergegate.store.service.key_file import kept_key
from mergegate.store.service.sealing import Sealer

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
