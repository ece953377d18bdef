"""Download a dump by https alone, from one host, capped in bytes and time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from mergegate.core.errors import StoreError
from mergegate.packages.advisories.fetch import Absent, Unreachable, shown

MAX_BYTES = 2 * 1024 * 1024 * 1024
MAX_SECONDS = 1800.0
MAX_REDIRECTS = 5

_AS_IT_IS = {"Accept-Encoding": "identity"}
_OFFLINE = (
    "Where the network is out of reach, carry the dump over and name it: "
    "`mergegate advisories update FOLDER_OR_ZIP`."
)


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
    if response.status_code == httpx.codes.NOT_FOUND:
        raise Absent(f"{shown(url)} answered {response.status_code}", remedy=_OFFLINE)
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
