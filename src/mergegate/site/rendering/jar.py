"""Which cookies of a browser the page's scripts set; their values are dropped."""

import time
from collections.abc import Iterable, Mapping, Set
from typing import Any

from mergegate.site.browser_test.journey.telling import clean
from mergegate.site.security.facts import SentCookie

_LONGEST_NAME = 200


def set_by_scripts(
    jar: Iterable[Mapping[str, Any]], answered: Set[str], page: str, most: int
) -> list[SentCookie]:
    """Those of ``jar`` (``Network.getCookies``) that no answer set, by name; at most ``most``.

    ``answered`` are the names that answers set. No script sets one that is HttpOnly: what opens
    the site, which we set ourselves, is HttpOnly too.
    """
    ours = (one for one in jar if not one["httpOnly"] and one["name"] not in answered)
    found = [_cookie(one, page) for one in ours]
    return sorted(found, key=lambda one: (one.name, one.domain, one.path))[:most]


def _cookie(one: Mapping[str, Any], page: str) -> SentCookie:
    domain = str(one["domain"])
    return SentCookie(
        name=clean(one["name"], _LONGEST_NAME),
        set_by=page,
        domain=clean(domain[1:], _LONGEST_NAME) if domain.startswith(".") else "",
        path=clean(one["path"], _LONGEST_NAME),
        secure=bool(one["secure"]),
        same_site=str(one.get("sameSite", "")),
        partitioned=bool(one.get("partitionKey")),
        max_age_s=None if one["session"] else round(one["expires"] - time.time()),
        by_script=True,
    )
