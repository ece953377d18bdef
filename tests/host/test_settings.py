"""How a host is set up by its environment."""

from pathlib import Path

import pytest

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane
from mergegate.host.settings import ServiceSettings, service_settings

DATA = Path("/var/lib/mergegate")


def read(**environment: str) -> ServiceSettings:
    return service_settings(
        {f"MERGEGATE_{name}": value for name, value in environment.items()}, DATA
    )


def test_a_host_without_any_setting_keeps_all_in_one_folder() -> None:
    settings = read()
    assert settings.database_url == "sqlite:////var/lib/mergegate/service.db"
    assert settings.secret_keys == settings.allow_hosts == ()
    assert (settings.retention_days, settings.metrics) == (90, False)
    assert (settings.advisories, settings.advisories_hours, settings.offline) == ("", 24, False)
    assert set(settings.slots) == set(settings.most_waiting) == set(Lane)


def test_secrets_may_come_from_files_whose_last_line_ends() -> None:
    settings = read(DATABASE_URL="postgresql://db/x\n", SECRET_KEYS="new,old\n")
    assert (settings.database_url, settings.secret_keys) == ("postgresql://db/x", ("new", "old"))
    assert read(DATABASE_URL=" \n").database_url == read().database_url


def test_every_setting_is_read() -> None:
    settings = read(
        DATABASE_URL="postgresql://db/x",
        SECRET_KEYS="new, old,",
        APP_URL="https://scan.example.org/",
        ALLOW_HOSTS="127.0.0.1:8000,shop.internal",
        RETENTION_DAYS="30",
        METRICS="on",
        SLOTS="browser=3, light=0",
        MOST_WAITING="waited=7",
        ADVISORIES="https://mirror.example.org/osv",
        ADVISORIES_HOURS="0",
        OFFLINE="1",
    )
    assert settings.database_url == "postgresql://db/x"
    assert settings.secret_keys == ("new", "old")
    assert settings.app_url == "https://scan.example.org"
    assert settings.allow_hosts == ("127.0.0.1:8000", "shop.internal")
    assert (settings.retention_days, settings.metrics) == (30, True)
    assert (settings.slots[Lane.BROWSER], settings.slots[Lane.LIGHT]) == (3, 0)
    assert settings.slots[Lane.WAITED] == read().slots[Lane.WAITED]
    assert settings.most_waiting[Lane.WAITED] == 7
    assert settings.advisories == "https://mirror.example.org/osv"
    assert (settings.advisories_hours, settings.offline) == (0, True)


@pytest.mark.parametrize(
    ("stated", "read_as"),
    [
        (" /mnt/osv\n", "/mnt/osv"),
        ("osv.zip", str(Path.cwd() / "osv.zip")),
        ("file:///mnt/osv", "file:///mnt/osv"),
    ],
)
def test_advisories_may_lie_on_this_machine(stated: str, read_as: str) -> None:
    """A child that reads them works in another folder."""
    assert read(ADVISORIES=stated).advisories == read_as


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("APP_URL", "scan.example.org"),
        ("RETENTION_DAYS", "0"),
        ("RETENTION_DAYS", "-1"),
        ("RETENTION_DAYS", "1e3"),
        ("RETENTION_DAYS", "９"),
        ("RETENTION_DAYS", "9" * 5_000),
        ("METRICS", "perhaps"),
        ("OFFLINE", "perhaps"),
        ("ADVISORIES", "http://mirror.example.org/osv"),
        ("ADVISORIES_HOURS", "1.5"),
        ("ADVISORIES_HOURS", "99999"),
        ("SLOTS", "browser"),
        ("SLOTS", "browser=many"),
        ("SLOTS", "kitchen=1"),
        ("MOST_WAITING", "light=1000001"),
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"MERGEGATE_{name}"):
        read(**{name: value})
