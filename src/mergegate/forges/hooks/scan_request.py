"""What was heard, as the request of a scan, and back: it waits in the queue as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.orders.parse import Asked


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
    """Of a GitHub App: whose token may answer."""
    asked: Asked | None = None
    """The comment, when it was one: an order, or talk."""
    again: bool = False
    """Whether a person asked once more for what was answered before."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do; ``reason`` is for log and answer, and holds nothing of the delivery."""

    reason: str


class _Waiting(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


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


class _Asked(_Waiting):
    repository: str
    number: int
    comment_id: str
    body: str
    account: str
    insider: bool
    at: str


class ScanRequest(_Waiting):
    """The request of a scan of a change."""

    hook: str
    """Whose secret the delivery was signed with, and whose token answers."""
    change: _Change
    installation: int | None = None
    asked: _Asked | None = None

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
            change=_Change(**_fields(change, _Change)),
            installation=heard.installation,
            asked=_Asked(**_fields(heard.asked, _Asked)) if heard.asked else None,
        )

    @property
    def heard(self) -> Heard:
        """What was heard, once more."""
        return Heard(
            change=Change(**dict(self.change)),
            installation=self.installation,
            asked=Asked(**dict(self.asked)) if self.asked else None,
        )


def _fields(noun: Change | Asked, shape: type[_Waiting]) -> dict[str, Any]:
    return {name: getattr(noun, name) for name in shape.model_fields}
