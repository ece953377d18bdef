"""GitHub's events: deliveries to a GitHub App, and the comment in the event of a job.

Every text in them is hostile.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field, ValidationError

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.strict_json import strict_json
from mergegate.forges.deliveries import Delivery, Heard, Ignored
from mergegate.forges.github.environment import branch_of, queued_number
from mergegate.forges.orders import Asked
from mergegate.forges.payloads import (
    Branch,
    Commit,
    HomeRepo,
    IssueCommentEvent,
    MergeGroupEvent,
    Number,
    PullRequestEvent,
    Said,
    Side,
    Text,
    parse,
)

_LOOKED_AT = frozenset({"opened", "synchronize", "reopened", "ready_for_review", "edited"})
_AGAIN = "rerequested"
LARGEST_COMMENT_BYTES = 5 * 1024 * 1024
_INSIDERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_LOGIN = r"^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$"


class _Installation(Said):
    id: Number


class _Any(Said):
    """What every delivery says."""

    action: Text = ""
    installation: _Installation | None = None
    repository: HomeRepo | None = None


class _ListedSide(Said):
    sha: Commit
    ref: Branch


class _ListedPull(Said):
    number: Number
    head: _ListedSide
    base: _ListedSide


class _Suite(Said):
    head_sha: Commit
    head_branch: Text | None
    pull_requests: tuple[_ListedPull, ...] = Field((), strict=False)


class _SuiteEvent(Said):
    check_suite: _Suite


class _Run(Said):
    check_suite: _Suite


class _RunEvent(Said):
    check_run: _Run


def heard(delivery: Delivery) -> Heard | Ignored:
    """What the delivery asks for; raises UsageError for what GitHub would not send."""
    reader = _READERS.get(delivery.header("x-github-event"))
    if reader is None:
        return Ignored("we do nothing on this event")
    said = parse(delivery.body, _Any)
    if said.repository is None:
        return Ignored("the event names no repository")
    return reader(delivery.body, said, said.repository)


def _found(said: _Any, change: Change, asked: Asked | None = None, *, again: bool = False) -> Heard:
    installation = said.installation.id if said.installation else None
    return Heard(change=change, installation=installation, asked=asked, again=again)


def _pull_request(body: bytes, said: _Any, home: HomeRepo) -> Heard | Ignored:
    event = parse(body, PullRequestEvent)
    if said.action not in _LOOKED_AT or event.is_edited:
        return Ignored("the commits of the pull request are the same")
    pull = event.pull_request
    change = _change(pull.number, pull.head, pull.base, home)
    return _found(said, replace(change, from_fork=_foreign(pull.head, home)))


def _change(
    number: int, head: _ListedSide | Side, base: _ListedSide | Side, home: HomeRepo
) -> Change:
    return Change(
        provider=Provider.GITHUB,
        repository=home.full_name,
        trigger=Trigger.CHANGE,
        head=head.sha,
        base=base.sha,
        base_branch=base.ref,
        branch=head.ref,
        number=number,
    )


def _foreign(side: Side, home: HomeRepo) -> bool:
    return side.repo is None or side.repo.full_name.lower() != home.full_name.lower()


def _merge_group(body: bytes, said: _Any, home: HomeRepo) -> Heard | Ignored:
    if said.action != "checks_requested":
        return Ignored("the merge group wants no checks")
    group = parse(body, MergeGroupEvent).merge_group
    return _found(
        said,
        Change(
            provider=Provider.GITHUB,
            repository=home.full_name,
            trigger=Trigger.QUEUE,
            head=group.head_sha,
            base=group.base_sha,
            base_branch=branch_of(group.base_ref),
            branch=branch_of(group.head_ref),
            number=queued_number(group.head_ref),
        ),
    )


def _check_suite(body: bytes, said: _Any, home: HomeRepo) -> Heard | Ignored:
    """A first suite comes with its pull request's own event; asked for again it stands alone."""
    if said.action != _AGAIN:
        return Ignored("nobody asked for the checks again")
    return _again(parse(body, _SuiteEvent).check_suite, said, home)


def _check_run(body: bytes, said: _Any, home: HomeRepo) -> Heard | Ignored:
    if said.action != _AGAIN:
        return Ignored("nobody asked for the check again")
    return _again(parse(body, _RunEvent).check_run.check_suite, said, home)


def _again(suite: _Suite, said: _Any, home: HomeRepo) -> Heard | Ignored:
    pulls = [one for one in suite.pull_requests if one.head.sha == suite.head_sha]
    if len(pulls) != 1:
        return Ignored("the commit is not the head of one pull request")
    pull = pulls[0]
    return _found(said, _change(pull.number, pull.head, pull.base, home), again=True)


def _comment(body: bytes, said: _Any, home: HomeRepo) -> Heard | Ignored:
    asked = read_comment(body)
    if isinstance(asked, Unheard):
        return Ignored(asked.reason)
    number = parse(body, IssueCommentEvent).issue.number
    change = Change(
        provider=Provider.GITHUB,
        repository=home.full_name,
        trigger=Trigger.COMMENT,
        number=number,
    )
    return _found(said, change, asked)


Reader = Callable[[bytes, _Any, HomeRepo], Heard | Ignored]
_READERS: Mapping[str, Reader] = {
    "pull_request": _pull_request,
    "merge_group": _merge_group,
    "check_suite": _check_suite,
    "check_run": _check_run,
    "issue_comment": _comment,
}


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


class _CommentedIssue(Said):
    number: int = Field(gt=0)
    pull_request: dict[str, Any] | None = None


class _CommentedRepo(Said):
    full_name: str = Field(max_length=200)


class _CommentEvent(Said):
    action: Literal["created"]
    issue: _CommentedIssue
    comment: _Comment
    repository: _CommentedRepo
    sender: _User


def read_comment(payload: bytes) -> Asked | Unheard:
    """The comment in the ``payload`` of an ``issue_comment`` event.

    Heard are new comments that a person wrote on a pull request. Edited ones are not: an edit by
    somebody else still bears the author's name, and an order would be given twice.
    """
    if len(payload) > LARGEST_COMMENT_BYTES:
        return Unheard("the event is larger than 5 MiB")
    try:
        event = _CommentEvent.model_validate(strict_json(payload))
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        return Unheard(f"the event is no new comment with a usable {field or 'shape'}")
    except ValueError:
        return Unheard("the event is not JSON")
    return _asked(event)


def _asked(event: _CommentEvent) -> Asked | Unheard:
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
