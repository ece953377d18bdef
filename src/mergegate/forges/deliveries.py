"""A delivery of a forge: who sent it, what was heard, and the request of a scan made of it.

The request waits in the queue as JSON.
"""

import base64
import binascii
import datetime as dt
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import StoreError
from mergegate.forges.orders import Asked


@dataclass(frozen=True, slots=True)
class Delivery:
    """One request, as it came; everything in it is hostile, until it is known to be genuine."""

    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    def header(self, name: str) -> str:
        """Empty where there is none."""
        return self.headers.get(name, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Something to do."""

    change: Change
    installation: int | None = None
    """The installation of a GitHub App whose token may answer; None for other deliveries."""
    asked: Asked | None = None
    """The comment, when it was one: an order, or talk."""
    again: bool = False
    """Whether a person asked once more for what was answered before."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do; ``reason`` is for log and answer, and holds nothing of the delivery."""

    reason: str


class _Waiting(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class _Change(_Waiting):
    provider: Provider
    repository: str
    trigger: Trigger
    head: str | None = None
    base: str | None = None
    base_branch: str = ""
    branch: str = ""
    number: int | None = None
    from_fork: bool = False


class ScanRequest(_Waiting):
    """The request of a scan of a change."""

    hook: str
    """Whose secret the delivery was signed with, and whose token answers."""
    change: _Change
    installation: int | None = None
    asked: Asked | None = None

    @classmethod
    def of(cls, hook: str, heard: Heard) -> Self:
        """The request that ``heard`` makes, on ``hook``.

        Of a change it holds no commit and no base: two deliveries about one change are the same
        request, and the forge says what is the newest when it is carried out.
        """
        change = heard.change
        if change.trigger is not Trigger.QUEUE:
            change = replace(change, head=None, base=None, base_branch="")
        return cls(
            hook=hook,
            change=_Change(**{name: getattr(change, name) for name in _Change.model_fields}),
            installation=heard.installation,
            asked=heard.asked,
        )

    @property
    def heard(self) -> Heard:
        """What was heard, once more."""
        return Heard(
            change=Change(**dict(self.change)),
            installation=self.installation,
            asked=self.asked,
        )


MOST_SKEW = dt.timedelta(minutes=5)
"""Between GitLab's clock and ours (https://www.standardwebhooks.com, verifying)."""
_NO_SECRET = b"\x00" * 32
"""Compared with where there is no such hook, so that it takes as long."""


def signed_by_github(delivery: Delivery, secret: bytes | None, _now: dt.datetime) -> bool:
    """``X-Hub-Signature-256``; https://docs.github.com/webhooks/using-webhooks (validating)."""
    return _hub(delivery, "x-hub-signature-256", secret)


def signed_by_bitbucket(delivery: Delivery, secret: bytes | None, _now: dt.datetime) -> bool:
    """``X-Hub-Signature``; https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/."""
    return _hub(delivery, "x-hub-signature", secret)


def signed_by_gitlab(delivery: Delivery, secret: bytes | None, now: dt.datetime) -> bool:
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


class App(BaseModel):
    """A GitHub App, as which answers are given."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    id: int = Field(gt=0)
    private_key: str = Field(repr=False)
    """PEM, as GitHub hands it out."""
    base_url: str = "https://github.com"
    """Where people see the server."""


class Credentials(BaseModel):
    """Sealed as a whole before they are stored."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    secret: str = Field(min_length=1, repr=False)
    app: App | None = None
    """None: the account's connection with the provider answers."""

    def text(self) -> str:
        """What is sealed."""
        return self.model_dump_json(exclude_none=True)

    @classmethod
    def of(cls, text: str) -> Self:
        """What :meth:`text` said; raises StoreError."""
        try:
            return cls.model_validate_json(text)
        except ValidationError:
            raise StoreError(
                "the stored credentials of a hook cannot be read", remedy="Add the hook again."
            ) from None
