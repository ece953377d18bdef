"""One request to a host and its answer, bounded in size and time; what it says is hostile.

What a host says instead of a result becomes an error that tells the caller what to do.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import httpx

from mergegate import __version__
from mergegate.core.data_table import read_table
from mergegate.core.errors import (
    EngineFailed,
    EngineTimeout,
    MergegateError,
    TargetNotAllowed,
    TargetNotAnalysable,
    TargetUnreachable,
    UnsupportedBudgetVersion,
    UsageError,
)
from mergegate.core.strict_json import LARGEST_BYTES, foreign_json
from mergegate.remote.host import Host
from mergegate.sandbox.web.decode import Unpacking

_CONNECT_S = 20.0
_CODE = re.compile(r"[A-Z][A-Z0-9_]{0,63}", re.ASCII)
_LONGEST = 500
"""Characters of a host's own words that are repeated."""
_HIDDEN = "***"


class NoAnswer(Exception):
    """No whole answer came; why, in a clause of our own words."""

    def __init__(self, why: str, *, reached: bool) -> None:
        super().__init__(why)
        self.reached = reached
        """Whether somebody listened there."""


class TooLarge(Exception):
    """The answer is larger than any result."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    content: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Names in small letters."""

    def document(self) -> dict[str, object]:
        """The object that it holds; empty when it holds none."""
        try:
            found = foreign_json(self.content)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Problem:
    """What a host says of a request that it does not fulfil (RFC 9457, decisions)."""

    status: int
    code: str
    """Upper snake case; empty where it says none."""
    detail: str
    """Hostile text, shortened, without the key."""
    elsewhere: str = ""
    """The host that a redirect names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRequest:
    """A request, as it is said again after a break."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class HostClient:
    """The way to one host; an asynchronous context.

    No redirect is followed: the key would go along.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self._client = httpx.AsyncClient(
            headers={
                "X-API-Key": host.key,
                "Accept": "application/json",
                "Accept-Encoding": "gzip",
                "User-Agent": f"mergegate/{__version__}",
            },
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=_CONNECT_S),
            # A proxy of the environment would read a key that goes over http; nor does http need
            # the certificates that take a while to load.
            trust_env=host.is_secure,
            verify=host.is_secure,
        )

    async def __aenter__(self) -> "HostClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def exchange(self, request: HostRequest, patience_s: float) -> Answer:
        """The answer to ``saying``; raises NoAnswer, also after ``patience_s``, and TooLarge."""
        try:
            async with asyncio.timeout(patience_s):
                return await self._exchanged(request)
        except TimeoutError:
            raise NoAnswer("it did not answer in time", reached=True) from None
        except httpx.ConnectTimeout:
            raise NoAnswer("it cannot be reached", reached=False) from None
        except httpx.ConnectError as error:
            raise NoAnswer(_unreachable(error), reached=False) from None
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL):
            raise NoAnswer("it broke off the connection", reached=True) from None

    async def _exchanged(self, request: HostRequest) -> Answer:
        built = self._client.build_request(
            request.method,
            f"{self.host.url}{request.path}",
            params=dict(request.query) or None,
            content=request.body,
            headers=dict(request.headers),
        )
        response = await self._client.send(built, stream=True)
        try:
            content = await _content(response)
        finally:
            await response.aclose()
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, content, headers)

    def problem(self, answer: Answer) -> Problem:
        """What ``answer``, which is no result, says."""
        document = answer.document()
        return Problem(
            status=answer.status,
            code=code_in(document.get("code")),
            detail=self.quoted(_detail(document)),
            elsewhere=self.quoted(_elsewhere(answer)),
        )

    def quoted(self, text: object) -> str:
        """``text`` of the host's as it may be repeated: short, and without our key."""
        if not isinstance(text, str):
            return ""
        # The letter case of a host's name is lost.
        shown = re.sub(re.escape(self.host.key), _HIDDEN, text, flags=re.IGNORECASE)[:_LONGEST]
        return " ".join(shown.split()).rstrip(".")


def code_in(given: object) -> str:
    """``given`` as a code of the API; empty when it is none."""
    return given if isinstance(given, str) and _CODE.fullmatch(given) else ""


async def _content(response: httpx.Response) -> bytes:
    """Unpacked as it comes: a few bytes may be gigabytes. Raises NoAnswer and TooLarge."""
    unpacking = Unpacking(response.headers.get("content-encoding", ""), LARGEST_BYTES)
    async for part in response.aiter_raw():
        unpacking.take(part)
        if not unpacking.wants_more:
            break
    if unpacking.complete:
        return unpacking.body
    if len(unpacking.body) == LARGEST_BYTES or unpacking.wire_bytes > LARGEST_BYTES:
        raise TooLarge
    raise NoAnswer("what it sends cannot be unpacked", reached=True)


def _detail(document: Mapping[str, object]) -> str:
    """``detail``, and of a request that is not valid what is wrong with it first."""
    said = document.get("detail")
    detail = said if isinstance(said, str) else ""
    errors = document.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    if isinstance(first, dict) and isinstance(first.get("message"), str):
        return f"{first.get('path', '')}: {first['message']}"
    return detail


def _elsewhere(answer: Answer) -> str:
    try:
        return (urlsplit(answer.headers.get("location", "")).hostname or "")[:_LONGEST]
    except ValueError:
        return ""


def _unreachable(error: httpx.ConnectError) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not trusted here (SSL_CERT_FILE names another authority)"
    return "it cannot be reached"


_AGAIN = "Scan again; if it stays so, ask whoever runs the host."
_ERRORS = (
    *(EngineFailed, EngineTimeout, UsageError, UnsupportedBudgetVersion),
    *(TargetNotAllowed, TargetNotAnalysable, TargetUnreachable),
)
_KINDS: Mapping[str, type[MergegateError]] = {one.__name__: one for one in _ERRORS}


@dataclass(frozen=True, slots=True)
class _Refusal:
    """What a code means to the caller."""

    code: str
    kind: str
    """The class of the error, by its name."""
    what: str
    """``{host}`` is the host's name, ``{detail}`` what it says of it, after a colon."""
    remedy: str = ""
    statuses: tuple[int, ...] = ()
    """Those that mean the same where the host gives no code."""

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise ValueError(f"{self.code}: {self.kind} is no error of a host")

    def error(self, problem: Problem, host: str) -> MergegateError:
        """The error that ``problem``, which ``host`` told of, is."""
        detail = f": {problem.detail}" if problem.detail else ""
        what = self.what.format(host=host, detail=detail)
        return _KINDS[self.kind](what, remedy=self.remedy)


_BY_CODE = read_table(Path(__file__).with_name("refusals.toml"), _Refusal, key="code")
_BY_STATUS = {status: one for one in _BY_CODE.values() for status in one.statuses}
_SERVER_ERRORS = 500
_REDIRECTS = range(300, 400)


def refusal(problem: Problem, host: str) -> MergegateError:
    """The error that ``problem`` is; ``host`` names who said it."""
    if problem.status in _REDIRECTS:
        where = f" to {problem.elsewhere}" if problem.elsewhere else ""
        return UsageError(
            f"{host} redirects{where}, and the key goes to no other address",
            remedy="Give --remote the address that answers itself.",
        )
    known = _BY_CODE.get(problem.code) or _BY_STATUS.get(problem.status)
    return known.error(problem, host) if known else _unknown(problem, host)


def failure(code: str, detail: str, host: str) -> MergegateError:
    """The error that a scan, which was accepted, ended with."""
    known = code if code in _BY_CODE else "SCAN_FAILED"
    return refusal(Problem(0, known, detail), host)


def cooldown(name: str, wait_s: float | None, *, asked: bool) -> EngineFailed:
    """The error for a free plan's cooldown; ``asked`` when its end was to be waited for."""
    when = f"in {minutes(wait_s)}" if wait_s is not None else "later"
    remedy = "Raise --timeout to wait for it." if asked else "Add --wait to wait for it."
    return EngineFailed(
        f"{name} audits this site again {when}: the account has used up its audits of the month "
        "without waiting",
        remedy=remedy,
    )


def minutes(seconds: float) -> str:
    """``a minute``, ``12 minutes``."""
    number = max(1, round(seconds / 60))
    return "a minute" if number == 1 else f"{number} minutes"


def _unknown(problem: Problem, host: str) -> MergegateError:
    why = f": {problem.detail}" if problem.detail else ""
    if problem.status >= _SERVER_ERRORS:
        return EngineFailed(f"{host} answers {problem.status}{why}", remedy=_AGAIN)
    return UsageError(f"{host} refuses the request ({problem.status}){why}")
