import stat
from pathlib import Path

import pytest

from mergegate.core.errors import StoreError, UsageError
from mergegate.host.store.address import address, check_sqlite, claim_file


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:////var/lib/mergegate/service.db", "sqlite+aiosqlite"),
        ("postgresql://ada@db.example.org/mergegate", "postgresql+psycopg"),
        ("postgres://ada@db.example.org/mergegate", "postgresql+psycopg"),
        ("postgresql+psycopg://ada@db.example.org/mergegate", "postgresql+psycopg"),
        ("postgresql:///mergegate?host=/run/postgresql", "postgresql+psycopg"),
    ],
)
def test_the_driver_for_an_event_loop_is_chosen_here(url: str, driver: str) -> None:
    assert address(url).asynchronous.drivername == driver


@pytest.mark.parametrize(
    "url",
    [
        "",
        "service.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///relative.db",
        "sqlite+pysqlite:////var/service.db",
        "postgresql+asyncpg://ada@db.example.org/mergegate",
        "mysql://ada@db.example.org/mergegate",
        "postgresql://ada@db.example.org:port/mergegate",
        "postgresql://ada@db.example.org/mergegate?no_such_option=1",
    ],
)
def test_another_url_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(UsageError, match="the database's URL is not understood") as refused:
        address(url)
    assert not url or url not in str(refused.value).replace("sqlite:////absolute/file.db", "")


def test_a_password_is_in_no_representation() -> None:
    found = address("postgresql://ada:sesame@db.example.org/mergegate")
    assert "sesame" not in repr(found)
    assert found.url.password == "sesame"


def test_the_file_of_sqlite_is_known_and_postgresql_has_none() -> None:
    assert address("sqlite:////var/service.db").file == Path("/var/service.db")
    assert address("postgresql://db.example.org/mergegate").file is None


def test_a_parameter_of_the_url_wins_over_ours() -> None:
    patient = address("postgresql://db.example.org/m?connect_timeout=60")
    assert address("postgresql://db.example.org/m").arguments["connect_timeout"] == "5"
    assert "connect_timeout" not in patient.arguments


def test_a_sqlite_that_is_too_old_is_refused_with_a_way_out() -> None:
    with pytest.raises(StoreError, match=r"SQLite 3\.34\.1 is too old") as refused:
        check_sqlite((3, 34, 1))
    assert "SQLite 3.35" in refused.value.remedy
    check_sqlite((3, 35, 0))


def test_file_and_folder_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "service.db"
    claim_file(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_file_that_is_there_keeps_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "service.db"
    file.write_text("kept")
    claim_file(file)
    assert file.read_text() == "kept"


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be opened"):
        claim_file(tmp_path / "file" / "service.db")
