"""What a signed token (JWT) says of itself, without a look at its signature."""

import json
from typing import Any

from mergegate.secrets.checksums import decoded

ROLES = frozenset({"anon", "service_role"})
"""Supabase's: what such a token may do is certain."""
_LASTING_S = 90 * 24 * 3600
"""A session is over long before."""


def claim(token: str, now: float) -> str:
    """``anon`` or ``service_role`` (Supabase), else ``expired``, ``expiring`` or ``lasting``.

    ``now`` is in seconds since 1970. A token without an end, or with one far off, is lasting.
    """
    payload = _payload(token)
    role, end = payload.get("role"), payload.get("exp")
    if isinstance(end, int | float) and end < now:
        return "expired"
    if isinstance(role, str) and role in ROLES:
        return role
    if isinstance(end, int | float) and end < now + _LASTING_S:
        return "expiring"
    return "lasting"


def _payload(token: str) -> dict[str, Any]:
    try:
        payload = json.loads(decoded(token.split(".")[1]) or b"{}")
    except (ValueError, IndexError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}
