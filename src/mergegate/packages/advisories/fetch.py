"""Where a dump comes from, and when it is to be imported anew: decisions alone."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from mergegate.core.errors import StoreError
from mergegate.packages.dependencies import EPSS, KEV, AdvisorySource
from mergegate.packages.ecosystems import ECOSYSTEMS


class Unreachable(StoreError):
    """Nothing answers where advisories come from."""


class Absent(StoreError):
    """What answers has no such dump."""


def path_of(source: str) -> Path | None:
    """Where ``source`` lies on this machine; None for an address."""
    if source.startswith("file://"):
        return Path(unquote(urlsplit(source).path))
    return None if "://" in source else Path(source)


def is_base(source: str) -> bool:
    """Whether ``source`` is an address below which each ecosystem has a zip of its own."""
    return path_of(source) is None and not shown(source).endswith(".zip")


def shown(url: str) -> str:
    """``url`` without credentials, query or fragment."""
    if not url.isprintable():
        return "the address"
    try:
        parts = urlsplit(url)
    except ValueError:
        return "the address"
    host = parts.netloc.rpartition("@")[2]
    return SplitResult(parts.scheme, host, parts.path, "", "").geturl()


_FIRST_PAUSE_S, _LAST_PAUSE_S = 600.0, 6 * 3600.0
_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


def named(source: str, held: Sequence[AdvisorySource]) -> tuple[str, ...]:
    """What to ask ``source`` for: the usual ecosystems and lists, and what came from there before.

    That is what scans have fetched besides, which ages as well. None for a folder or a zip, which
    is taken as a whole.
    """
    if not is_base(source):
        return ()
    base = f"{shown(source).rstrip('/')}/"
    from_there = (one.ecosystem for one in held if one.source.startswith(base))
    return tuple(sorted({*ECOSYSTEMS, KEV, EPSS, *from_there}))


def due(
    source: str,
    held: Sequence[AdvisorySource],
    now: dt.datetime,
    limit: dt.timedelta,
    changed: dt.datetime | None = None,
) -> tuple[str, ...] | None:
    """What ``advisories.update`` is to be asked for, None while all is young enough.

    Of a base what the store holds and was imported longer ago than ``limit``, or that long ahead
    by a clock that ran wrong: what it lacks is fetched when a scan needs it. A folder or a zip on
    this machine when it is newer than what was imported from it; it was ``changed`` then.
    """
    if path := path_of(source):
        return () if _is_newer(changed, _from(path.name, held), now, limit) else None
    if is_base(source):
        asked = named(source, held)
        ours = tuple(one for one in held if one.ecosystem in asked)
        return tuple(one.ecosystem for one in ours) if is_old(ours, now, limit) else None
    ours = _from(shown(source), held)
    return () if not ours or is_old(ours, now, limit) else None


def pause_s(failures: int) -> float:
    """How long to wait after so many failures in a row, at least one: ten minutes to six hours."""
    return min(_FIRST_PAUSE_S * 2.0 ** min(failures - 1, 10), _LAST_PAUSE_S)


def oldest(held: Sequence[AdvisorySource]) -> dt.datetime | None:
    """When that was imported which has not been for longest; None of nothing."""
    return min((imported(one) for one in held), default=None)


def imported(one: AdvisorySource) -> dt.datetime:
    """When it was; what does not say so was long ago."""
    try:
        return dt.datetime.fromisoformat(one.imported_at).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return _NEVER


def _from(label: str, held: Sequence[AdvisorySource]) -> tuple[AdvisorySource, ...]:
    return tuple(one for one in held if one.source == label)


def is_old(ours: Sequence[AdvisorySource], now: dt.datetime, limit: dt.timedelta) -> bool:
    """Whether one was imported longer ago than ``limit``, or by a clock that far ahead."""
    return any(abs(now - imported(one)) > limit for one in ours)


def _is_newer(
    changed: dt.datetime | None,
    ours: Sequence[AdvisorySource],
    now: dt.datetime,
    limit: dt.timedelta,
) -> bool:
    """The youngest counts: an import takes what is there, which may lack what was there once.

    What a clock told that ran wrong, a time still to come, tells nothing.
    """
    if changed is None:
        return False
    told = (when for one in ours if (when := imported(one)) <= now + limit)
    last = max(told, default=_NEVER)
    return changed > last if changed <= now else now - last > limit
