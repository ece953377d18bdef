"""Bitbucket Cloud's deliveries.

https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/
"""

from collections.abc import Callable, Mapping

from pydantic import Field

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.deliveries import Delivery, Heard, Ignored
from mergegate.forges.orders import Asked
from mergegate.forges.payloads import Branch, Number, RepositoryName, Said, Text, parse
from mergegate.sandbox.git.names import is_commit


class _Repository(Said):
    full_name: RepositoryName


class _Commit(Said):
    hash: str = Field(pattern=r"^[0-9a-f]{7,64}$")
    """Twelve digits in these payloads."""


class _Branch(Said):
    name: Branch


class _Side(Said):
    commit: _Commit | None
    branch: _Branch
    repository: _Repository | None
    """None when the fork has been deleted."""


class _PullRequest(Said):
    id: Number
    source: _Side
    destination: _Side


class _PullRequestEvent(Said):
    pullrequest: _PullRequest
    repository: _Repository


class _Content(Said):
    raw: str = Field(max_length=1_000_000)


class _Comment(Said):
    id: Number
    content: _Content
    created_on: str = Field(max_length=40)


class _Actor(Said):
    type: Text = ""
    uuid: str = Field("", max_length=40)
    account_id: str = Field("", max_length=128)


class _CommentEvent(_PullRequestEvent):
    comment: _Comment
    actor: _Actor


def heard(delivery: Delivery) -> Heard | Ignored:
    """What the delivery asks for; raises UsageError for what Bitbucket would not send."""
    reader = _READERS.get(delivery.header("x-event-key"))
    found = reader(delivery.body) if reader else Ignored("we do nothing on this event")
    if isinstance(found, Heard) and found.change.from_fork:
        # Its commits are in the fork alone, which the token may not see.
        return Ignored("the change comes from a fork")
    return found


def _pull_request(body: bytes) -> Heard | Ignored:
    """Created, or updated: which also a new title is; the same commits are then answered again."""
    return Heard(change=_change(parse(body, _PullRequestEvent), Trigger.CHANGE))


def _change(event: _PullRequestEvent, trigger: Trigger) -> Change:
    pull, home = event.pullrequest, event.repository.full_name
    source = pull.source.repository
    return Change(
        provider=Provider.BITBUCKET,
        repository=home,
        trigger=trigger,
        # Abbreviated: the API knows the rest.
        head=_full(pull.source.commit),
        base=_full(pull.destination.commit),
        base_branch=pull.destination.branch.name,
        branch=pull.source.branch.name,
        number=pull.id,
        from_fork=source is None or source.full_name.lower() != home.lower(),
    )


def _full(commit: _Commit | None) -> str | None:
    return commit.hash if commit is not None and is_commit(commit.hash) else None


def _comment(body: bytes) -> Heard | Ignored:
    event = parse(body, _CommentEvent)
    account = event.actor.uuid or event.actor.account_id
    if not account or event.actor.type not in {"", "user"}:
        return Ignored("no person wrote the comment")
    asked = Asked(
        repository=event.repository.full_name,
        number=event.pullrequest.id,
        comment_id=str(event.comment.id),
        body=event.comment.content.raw,
        account=account,
        # Bitbucket does not say so: who may write is asked, others get no answer.
        insider=False,
        at=event.comment.created_on,
    )
    return Heard(change=_change(event, Trigger.COMMENT), asked=asked)


_READERS: Mapping[str, Callable[[bytes], Heard | Ignored]] = {
    "pullrequest:created": _pull_request,
    "pullrequest:updated": _pull_request,
    "pullrequest:comment_created": _comment,
}
