"""Links that open one report for everyone who has them, until they expire."""

import datetime as dt
import hashlib
from urllib.parse import urlencode

from itsdangerous import BadSignature, Signer

_SALT = "mergegate.report-link"
_DAY = dt.timedelta(days=1)
LIFETIME = dt.timedelta(days=7)
"""At least; a link ends at midnight UTC, so that it is the same all day."""


class Links:
    """Makes and checks links below ``app_url``; the first of ``keys`` signs, all are believed."""

    def __init__(self, keys: tuple[str, ...], app_url: str) -> None:
        # The newest key of itsdangerous is its last.
        self._signer = Signer(
            list(reversed(keys)),
            salt=_SALT,
            key_derivation="hmac",
            digest_method=hashlib.sha256,
        )
        self._app_url = app_url.rstrip("/")

    def link(self, scan_id: str, now: dt.datetime) -> str:
        """The address of the report on ``scan_id``; ``now`` is aware."""
        midnight = now.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        expires = int((midnight + _DAY + LIFETIME).timestamp())
        signature = self._signer.get_signature(_value(scan_id, expires)).decode()
        query = urlencode({"scan": scan_id, "token": f"{expires}.{signature}"})
        return f"{self._app_url}/repo?{query}"

    def opens(self, scan_id: str, token: str, now: dt.datetime) -> bool:
        """Whether ``token`` was made here for this scan and has not expired."""
        expires, _, signature = token.partition(".")
        if not (expires.isascii() and expires.isdecimal() and len(expires) < 12):
            return False
        try:
            self._signer.unsign(f"{_value(scan_id, int(expires))}.{signature}")
        except BadSignature:
            return False
        return now.timestamp() < int(expires)


def _value(scan_id: str, expires: int) -> str:
    return f"{scan_id}@{expires}"
