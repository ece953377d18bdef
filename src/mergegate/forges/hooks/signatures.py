"""Whether a delivery comes from who knows the secret; over the raw bytes, in constant time."""

import base64
import binascii
import datetime as dt
import hashlib
import hmac

from mergegate.forges.hooks.scan_request import Delivery

MOST_SKEW = dt.timedelta(minutes=5)
"""Between GitLab's clock and ours (https://www.standardwebhooks.com, verifying)."""
_NO_SECRET = b"\x00" * 32
"""Compared with where there is no such hook, so that it takes as long."""


def github(delivery: Delivery, secret: bytes | None, _now: dt.datetime) -> bool:
    """``X-Hub-Signature-256``; https://docs.github.com/webhooks/using-webhooks (validating)."""
    return _hub(delivery, "x-hub-signature-256", secret)


def bitbucket(delivery: Delivery, secret: bytes | None, _now: dt.datetime) -> bool:
    """``X-Hub-Signature``; https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/."""
    return _hub(delivery, "x-hub-signature", secret)


def gitlab(delivery: Delivery, secret: bytes | None, now: dt.datetime) -> bool:
    """A signature where GitLab sends one, else the secret itself (``X-Gitlab-Token``).

    The signature also tells when: an old delivery cannot be said again.
    https://docs.gitlab.com/user/project/integrations/webhooks/
    """
    if delivery.header("webhook-signature"):
        return _signed(delivery, secret, now)
    said = hashlib.sha256(delivery.header("x-gitlab-token").encode()).digest()
    return _same(said, hashlib.sha256(secret or _NO_SECRET).digest(), secret)


def _hub(delivery: Delivery, header: str, secret: bytes | None) -> bool:
    expected = hmac.new(secret or _NO_SECRET, delivery.body, hashlib.sha256).hexdigest()
    said = delivery.header(header).removeprefix("sha256=")
    return _same(said.encode(), expected.encode(), secret)


def _signed(delivery: Delivery, secret: bytes | None, now: dt.datetime) -> bool:
    """The Standard Webhooks scheme: any of the signatures in the header may be ours."""
    stamp = delivery.header("webhook-timestamp")
    head = f"{delivery.header('webhook-id')}.{stamp}.".encode()
    digest = hmac.new(_key(secret or _NO_SECRET), head + delivery.body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    said = delivery.header("webhook-signature").encode().split(b" ")[:8]
    return any(_same(one, expected, secret) for one in said) and _fresh(stamp, now)


def _key(secret: bytes) -> bytes:
    """``whsec_`` stands before a key in Base64; anything else is the key itself."""
    if not secret.startswith(b"whsec_"):
        return secret
    try:
        return base64.b64decode(secret.removeprefix(b"whsec_"), validate=True)
    except binascii.Error:
        return secret


def _fresh(stamp: str, now: dt.datetime) -> bool:
    if not (stamp.isascii() and stamp.isdecimal() and len(stamp) < 12):
        return False
    return abs(now.timestamp() - int(stamp)) <= MOST_SKEW.total_seconds()


def _same(said: bytes, expected: bytes, secret: bytes | None) -> bool:
    same = hmac.compare_digest(said, expected)
    return same and bool(secret)
