"""Read GitHub's ``issue_comment`` event; every text in it is hostile."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field, ValidationError

from mergegate.core.strict_json import strict_json
from mergegate.forges.orders import Asked
from mergegate.forges.payloads import Said

MOST_BYTES = 5 * 1024 * 1024
_INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_LOGIN = r"^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$"


@dataclass(frozen=True, slots=True)
class Unheard:
    """The event is not for us; ``reason`` is for the log and holds nothing of the event."""

    reason: str


class _User(Said):
    login: str = Field(pattern=_LOGIN)
    type: str


class _Comment(Said):
    id: int = Field(gt=0)
    body: str = Field(max_length=65_536)
    user: _User
    author_association: str
    created_at: str = Field(max_length=40)


class _Issue(Said):
    number: int = Field(gt=0)
    pull_request: dict[str, Any] | None = None


class _Repository(Said):
    full_name: str = Field(max_length=200)


class _Event(Said):
    action: Literal["created"]
    issue: _Issue
    comment: _Comment
    repository: _Repository
    sender: _User


def read(payload: bytes) -> Asked | Unheard:
    """The comment in the ``payload`` of an ``issue_comment`` event.

    Heard are new comments that a person wrote on a pull request. Edited ones are not: an edit by
    somebody else still bears the author's name, and an order would be given twice.
    """
    if len(payload) > MOST_BYTES:
        return Unheard("the event is larger than 5 MiB")
    try:
        event = _Event.model_validate(strict_json(payload))
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        return Unheard(f"the event is no new comment with a usable {field or 'shape'}")
    except ValueError:
        return Unheard("the event is not JSON")
    return _asked(event)


def _asked(event: _Event) -> Asked | Unheard:
    comment = event.comment
    if event.issue.pull_request is None:
        return Unheard("the comment is on an issue, not on a pull request")
    if comment.user.type != "User" or event.sender.login != comment.user.login:
        return Unheard("no person wrote the comment")
    if not _REPOSITORY.fullmatch(event.repository.full_name):
        return Unheard("the event names no repository")
    return Asked(
        repository=event.repository.full_name,
        number=event.issue.number,
        comment_id=str(comment.id),
        body=comment.body,
        account=comment.user.login,
        insider=comment.author_association in _INSIDERS,
        at=comment.created_at,
    )
