"""Where a dump comes from: download it by https alone, and tell when it is to be imported anew.

A download has one host, and is capped in bytes and time; the rest are decisions alone.
"""

import datetime as dt
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx

from mergegate.core.errors import StoreError
from mergegate.packages.dependencies import AdvisorySource
from mergegate.packages.ecosystems import ECOSYSTEMS

MAX_BYTES = 2 * 1024 * 1024 * 1024
MAX_SECONDS = 1800.0
MAX_REDIRECTS = 5

_AS_IT_IS = {"Accept-Encoding": "identity"}
_OFFLINE = (
    "Where the network is out of reach, carry the dump over and name it: "
    "`mergegate advisories update FOLDER_OR_ZIP`."
)


class Unreachable(StoreError):
    """Nothing answers where advisories come from."""


def download(url: str, target: Path, client: httpx.Client | None = None) -> None:
    """Write what ``url`` answers to ``target``; raises StoreError: Unreachable for no answer."""
    with _client(client) as session, target.open("wb") as file:
        try:
            for chunk in _chunks(session, url):
                file.write(chunk)
        except httpx.HTTPError as error:
            what = f"{shown(url)} could not be downloaded ({type(error).__name__})"
            kind = Unreachable if isinstance(error, httpx.TransportError) else StoreError
            raise kind(what, remedy=_OFFLINE) from error


def path_of(source: str) -> Path | None:
    """Where ``source`` lies on this machine; None for an address."""
    if source.startswith("file://"):
        return Path(httpx.URL(source).path)
    return None if "://" in source else Path(source)


def is_base(source: str) -> bool:
    """Whether ``source`` is an address below which each ecosystem has a zip of its own."""
    return path_of(source) is None and not shown(source).endswith(".zip")


def shown(url: str) -> str:
    """``url`` without credentials, query or fragment."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return "the address"
    return str(parsed.copy_with(userinfo=b"", query=None, fragment=None))


@contextmanager
def _client(given: httpx.Client | None) -> Iterator[httpx.Client]:
    if given is not None:
        yield given
        return
    with httpx.Client(timeout=httpx.Timeout(30.0), follow_redirects=False) as client:
        yield client


def _chunks(client: httpx.Client, url: str) -> Iterator[bytes]:
    """The body, redirects within the host followed by hand."""
    deadline = time.monotonic() + MAX_SECONDS
    here = _https(url)
    for _ in range(MAX_REDIRECTS):
        with client.stream("GET", here, headers=_AS_IT_IS, follow_redirects=False) as response:
            if response.next_request is None:
                _refuse_status(response, url)
                yield from _capped(response, url, deadline)
                return
            there = _https(str(response.next_request.url))
            if there.host != here.host:
                raise StoreError(f"{shown(url)} redirects to another host, {there.host}")
            here = there
    raise StoreError(f"{shown(url)} redirects more than {MAX_REDIRECTS} times")


def _https(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise StoreError("the address of the advisory dump is not valid") from error
    if parsed.scheme != "https" or not parsed.host:
        raise StoreError(f"{shown(url)} is not an https address")
    return parsed


def _refuse_status(response: httpx.Response, url: str) -> None:
    if response.status_code != httpx.codes.OK:
        what = f"{shown(url)} answered {response.status_code}"
        raise StoreError(what, remedy=_OFFLINE)


def _capped(response: httpx.Response, url: str, deadline: float) -> Iterator[bytes]:
    """Raw bytes: a zip needs no content encoding, and so none can swell."""
    received = 0
    for chunk in response.iter_raw():
        received += len(chunk)
        if received > MAX_BYTES:
            raise StoreError(f"{shown(url)} is larger than {MAX_BYTES // 1024**2} MiB")
        if time.monotonic() > deadline:
            raise StoreError(f"{shown(url)} did not arrive within {MAX_SECONDS:.0f} s")
        yield chunk


_FIRST_PAUSE_S, _LAST_PAUSE_S = 600.0, 6 * 3600.0
_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


def named(source: str, held: Sequence[AdvisorySource]) -> tuple[str, ...]:
    """What to ask ``source`` for: the usual ecosystems, and what came from there before.

    That is what scans have fetched besides, which ages as well. None for a folder or a zip, which
    is taken as a whole.
    """
    if not is_base(source):
        return ()
    base = f"{shown(source).rstrip('/')}/"
    from_there = (one.ecosystem for one in held if one.source.startswith(base))
    return tuple(sorted({*ECOSYSTEMS, *from_there}))


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
