import asyncio
from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.host.database import KEY_FILE, host_settings, opened, sealer
from mergegate.host.store import accounts
from mergegate.host.store.sealing import new_key


def test_without_a_database_it_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    async def listed() -> int:
        async with opened(settings) as database, database.read() as conn:
            return len(await accounts.listed(conn))

    settings = host_settings({"MERGEGATE_DATA_DIR": str(tmp_path / "data")})
    assert asyncio.run(listed()) == 0
    assert (tmp_path / "data" / "service.db").is_file()


def test_keys_of_the_environment_are_taken_and_none_is_made(tmp_path: Path) -> None:
    keys = f"{new_key()},{new_key()}"
    given = {"MERGEGATE_DATA_DIR": str(tmp_path), "MERGEGATE_SECRET_KEYS": keys}
    first = sealer(host_settings(given))
    assert sealer(host_settings(given)).open(first.seal("x", ("here",)), ("here",)) == "x"
    assert not (tmp_path / KEY_FILE).exists()


def test_an_embedded_host_makes_a_key_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    settings = host_settings({"MERGEGATE_DATA_DIR": str(tmp_path)})
    assert sealer(settings).open(sealer(settings).seal("x", ("here",)), ("here",)) == "x"


def test_a_shared_database_needs_shared_keys(tmp_path: Path) -> None:
    given = {
        "MERGEGATE_DATA_DIR": str(tmp_path),
        "MERGEGATE_DATABASE_URL": "postgresql://db.example.org/mergegate",
    }
    with pytest.raises(UsageError, match="MERGEGATE_SECRET_KEYS is missing") as refused:
        sealer(host_settings(given))
    assert "new-key" in refused.value.remedy
    assert not (tmp_path / KEY_FILE).exists()
