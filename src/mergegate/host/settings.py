"""How one host is set up: what its operator states in the environment, read once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from mergegate.core.errors import UsageError
from mergegate.core.plans import Lane
from mergegate.repo.settings import ADVISORIES, advisory_source

DATABASE_URL = "MERGEGATE_DATABASE_URL"
SECRET_KEYS = "MERGEGATE_SECRET_KEYS"
APP_URL = "MERGEGATE_APP_URL"
ALLOW_HOSTS = "MERGEGATE_ALLOW_HOSTS"
RETENTION_DAYS = "MERGEGATE_RETENTION_DAYS"
METRICS = "MERGEGATE_METRICS"
SLOTS = "MERGEGATE_SLOTS"
MOST_WAITING = "MERGEGATE_MOST_WAITING"
ADVISORIES_HOURS = "MERGEGATE_ADVISORIES_HOURS"
OFFLINE = "MERGEGATE_OFFLINE"
AUTHORITIES = "MERGEGATE_PROVIDER_CA_FILE"
"""Certificates that vouch for providers of one's own."""

_SLOTS: Mapping[Lane, int] = MappingProxyType(
    {Lane.REPOSITORY: 1, Lane.BROWSER: 1, Lane.LIGHT: 2, Lane.WAITED: 2}
)
_MOST_WAITING: Mapping[Lane, int] = MappingProxyType(
    {Lane.REPOSITORY: 1_000, Lane.BROWSER: 500, Lane.LIGHT: 1_000, Lane.WAITED: 32}
)
_MOST = 1_000_000
_LONGEST_RETENTION_DAYS = 36_500
_MOST_HOURS = 24 * 365
_YES, _NO = frozenset({"1", "true", "yes", "on"}), frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """What a host is started with."""

    data: Path
    """The folder of the embedded database and of the key that seals tokens."""
    database_url: str
    """``sqlite:////absolute/path.db`` or ``postgresql://…``; it may hold a password."""
    secret_keys: tuple[str, ...] = ()
    """Fernet keys, the current one first; none: the embedded host makes one in ``data``."""
    app_url: str = ""
    """Where people reach this host, without a final slash; empty: where it listens."""
    allow_hosts: tuple[str, ...] = ()
    """``HOST`` or ``HOST:PORT`` that scans may reach beyond the public address space."""
    retention_days: int = 90
    metrics: bool = False
    """Whether ``/metrics`` answers; it asks for no key."""
    slots: Mapping[Lane, int] = field(default_factory=lambda: _SLOTS)
    """How many scans of each lane a worker process carries at a time; 0 leaves it to others."""
    most_waiting: Mapping[Lane, int] = field(default_factory=lambda: _MOST_WAITING)
    """How many scans of each lane may wait for a slot before the host says that it is full."""
    advisories: str = ""
    """The address, or the absolute path, that advisories come from; empty: OSV's public dumps."""
    advisories_hours: int = 24
    """How old they may become before this host's workers import them anew; 0: for ever."""
    offline: bool = False
    """Whether advisories are never fetched; what lies on this machine is read all the same."""


def service_settings(environment: Mapping[str, str], data: Path) -> ServiceSettings:
    """The settings in ``environment``; raises UsageError that names the variable at fault.

    ``data`` is where the database lies when the environment names no other.
    """
    days = _number(environment.get(RETENTION_DAYS) or "90", RETENTION_DAYS, _LONGEST_RETENTION_DAYS)
    if not days:
        raise UsageError(f"{RETENTION_DAYS} is nothing: no result could ever be read")
    return ServiceSettings(
        data=data.absolute(),
        # From a file, as secrets come, it ends with a line.
        database_url=environment.get(DATABASE_URL, "").strip() or _embedded(data),
        secret_keys=_listed(environment, SECRET_KEYS),
        app_url=_address(environment),
        allow_hosts=_listed(environment, ALLOW_HOSTS),
        retention_days=days,
        metrics=_is_on(environment, METRICS),
        slots=_by_lane(environment, SLOTS, _SLOTS),
        most_waiting=_by_lane(environment, MOST_WAITING, _MOST_WAITING),
        advisories=_address_or_path(environment),
        advisories_hours=_number(
            environment.get(ADVISORIES_HOURS) or "24", ADVISORIES_HOURS, _MOST_HOURS
        ),
        offline=_is_on(environment, OFFLINE),
    )


def _embedded(data: Path) -> str:
    return f"sqlite:///{data.absolute()}/service.db"


def _listed(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(filter(None, (one.strip() for one in environment.get(name, "").split(","))))


def _address(environment: Mapping[str, str]) -> str:
    address = environment.get(APP_URL, "").strip().rstrip("/")
    if address and not address.startswith(("http://", "https://")):
        raise UsageError(f"{APP_URL} is no http or https address")
    return address


def _address_or_path(environment: Mapping[str, str]) -> str:
    source = advisory_source(environment)
    if not source or source.startswith(("https://", "file://")):
        return source
    if "://" in source:
        raise UsageError(f"{ADVISORIES} is neither an https address nor a path")
    return str(Path(source).absolute())


def _is_on(environment: Mapping[str, str], name: str) -> bool:
    value = environment.get(name, "").strip().lower()
    if value not in _YES | _NO:
        raise UsageError(f"{name} is neither 1 nor 0")
    return value in _YES


def _by_lane(
    environment: Mapping[str, str], name: str, otherwise: Mapping[Lane, int]
) -> Mapping[Lane, int]:
    """``repository=2,browser=1``: what is not named stays as it is."""
    chosen = dict(otherwise)
    for one in _listed(environment, name):
        lane, _, number = one.partition("=")
        if lane not in set(Lane):
            raise UsageError(f"{name} names no lane", remedy=f"The lanes are {', '.join(Lane)}.")
        chosen[Lane(lane)] = _number(number, name, _MOST)
    return MappingProxyType(chosen)


def _number(text: str, name: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        raise UsageError(f"{name} holds something else than a whole number")
    if int(text) > most:
        raise UsageError(f"{name} holds a number beyond {most}")
    return int(text)
