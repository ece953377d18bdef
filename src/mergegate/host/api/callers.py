"""Who asks, whether they may, and whether they ask too often."""

from starlette.requests import Request

from mergegate.core.plans import Scope
from mergegate.host.account import Caller
from mergegate.host.api.problems import Code, Refusal
from mergegate.host.api.service import Service
from mergegate.host.api.trail import trail_of
from mergegate.host.scan import Scan
from mergegate.host.store import keys
from mergegate.host.store.keys import Authenticated

HEADER = "x-api-key"
_LONGEST_KEY = 200
_NO_SCAN = ""
"""The identifier of none."""


async def caller_of(request: Request, service: Service, scope: Scope) -> Caller:
    """Whose key this is; raises Refusal for none, for one without ``scope``, for one in a hurry."""
    return _admitted(request, service, scope, await _look(request, service, _NO_SCAN))


async def scan_of(
    request: Request, service: Service, scope: Scope, scan_id: str
) -> tuple[Caller, Scan | None]:
    """The caller, whose key is judged as above, and their scan of that identifier."""
    seen = await _look(request, service, scan_id)
    return _admitted(request, service, scope, seen), seen.scan


def no_key() -> Refusal:
    """Whatever is wrong with it: missing, unknown, expired, revoked."""
    what = "Send a valid API key in the header X-API-Key of the request."
    return Refusal(Code.UNAUTHORIZED, what)


async def _look(request: Request, service: Service, scan_id: str) -> Authenticated:
    """Key and scan in one question to the database."""
    async with service.database.read() as connection:
        return await keys.authenticate(connection, _key(request), service.now(), scan_id)


def _admitted(request: Request, service: Service, scope: Scope, seen: Authenticated) -> Caller:
    caller = seen.caller
    if caller is None:
        raise no_key()
    trail_of(request).key_id = caller.key_id
    if not {scope, Scope.ADMIN} & caller.scopes:
        raise Refusal(Code.FORBIDDEN, f"The key lacks the scope `{scope}`.")
    _pace(caller, service)
    return caller


def _key(request: Request) -> str:
    """What was sent as a key; nothing where it is missing, sent twice or far too long.

    Nothing is looked up like every other key: all that fail look and take alike.
    """
    given = request.headers.getlist(HEADER)
    return given[0] if len(given) == 1 and len(given[0]) <= _LONGEST_KEY else ""


def _pace(caller: Caller, service: Service) -> None:
    limit = caller.plan.requests_a_minute
    wait_s = service.rates.wait_s(caller.key_id, limit, service.monotonic())
    if wait_s:
        raise Refusal(
            Code.RATE_LIMITED, f"The key may make {limit} requests a minute.", retry_after_s=wait_s
        )
