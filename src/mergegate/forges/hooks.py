"""What a forge tells by webhook: whether it was the forge, and what it asks for; pure."""

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mergegate.core.change import Provider
from mergegate.core.errors import UsageError
from mergegate.forges import deliveries
from mergegate.forges.bitbucket import hooks as bitbucket
from mergegate.forges.deliveries import Delivery, Heard, Ignored
from mergegate.forges.github import hooks
from mergegate.forges.gitlab import hooks as gitlab

_LONGEST_ID = 100


@dataclass(frozen=True, slots=True)
class Reader:
    """How a forge's deliveries are read."""

    genuine: Callable[[Delivery, bytes | None, dt.datetime], bool]
    identifiers: tuple[str, ...]
    """Headers that name a delivery, the first that is there; the same when it is said again."""
    heard: Callable[[Delivery], Heard | Ignored]
    """Raises UsageError for a payload that the forge would not send."""


READERS: Mapping[Provider, Reader] = {
    Provider.GITHUB: Reader(deliveries.signed_by_github, ("x-github-delivery",), hooks.heard),
    Provider.GITLAB: Reader(
        deliveries.signed_by_gitlab,
        ("webhook-id", "idempotency-key", "x-gitlab-event-uuid"),
        gitlab.heard,
    ),
    Provider.BITBUCKET: Reader(
        deliveries.signed_by_bitbucket, ("x-request-uuid",), bitbucket.heard
    ),
}


def is_genuine(
    provider: Provider, delivery: Delivery, secret: bytes | None, now: dt.datetime
) -> bool:
    """Whether the sender knows ``secret``; False without a secret, in the same time."""
    return READERS[provider].genuine(delivery, secret, now)


def known_by(provider: Provider, delivery: Delivery, heard: Heard) -> tuple[str, ...]:
    """What a genuine delivery is remembered by; one that comes with any of it came before.

    The forge's name for it is not signed, so a replay may carry another name: what it says
    counts as well. A person may ask for the same checks again in the same words.
    """
    name = delivery_of(provider, delivery)
    if heard.asked is not None:
        asked = heard.asked
        return (name, f"comment {asked.comment_id} on {asked.number} of {asked.repository}")
    return (name,) if heard.again else tuple({name, _digest(delivery)})


def delivery_of(provider: Provider, delivery: Delivery) -> str:
    """What the forge calls this delivery; of one without a name the digest of its body."""
    for name in READERS[provider].identifiers:
        said = delivery.header(name)
        if said and len(said) <= _LONGEST_ID and said.isprintable():
            return said
    return _digest(delivery)


def _digest(delivery: Delivery) -> str:
    return hashlib.sha256(delivery.body).hexdigest()


def read(provider: Provider, delivery: Delivery) -> Heard | Ignored:
    """What a genuine delivery asks for; a payload that cannot be read asks for nothing."""
    try:
        return READERS[provider].heard(delivery)
    except UsageError as error:
        return Ignored(error.what)
