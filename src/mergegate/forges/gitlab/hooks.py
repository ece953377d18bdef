"""GitLab's deliveries, of a project or a group.

https://docs.gitlab.com/user/project/integrations/webhook_events/
"""

from collections.abc import Callable, Mapping
from typing import Literal

from pydantic import Field

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.deliveries import Delivery, Heard, Ignored
from mergegate.forges.orders import Asked
from mergegate.forges.payloads import Branch, Commit, Number, RepositoryName, Said, Text, parse

_OPENED = frozenset({"open", "reopen"})


class _Project(Said):
    path_with_namespace: RepositoryName


class _Tip(Said):
    id: Commit


class _MergeRequest(Said):
    iid: Number
    source_branch: Branch
    target_branch: Branch
    source_project_id: int | None
    """None when the fork has been deleted."""
    target_project_id: int
    last_commit: _Tip
    target: _Project


class _Attributes(_MergeRequest):
    action: Text = ""
    oldrev: Text | None = None
    """Only there when commits came."""


class _MergeRequestEvent(Said):
    object_kind: Literal["merge_request"]
    object_attributes: _Attributes
    changes: dict[str, object] = Field(default_factory=dict)


class _Note(Said):
    id: Number
    note: str = Field(max_length=1_000_000)
    noteable_type: Text
    created_at: str = Field(max_length=40)
    action: Text = "create"
    system: bool = False


class _User(Said):
    username: str = Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$", max_length=255)


class _NoteEvent(Said):
    object_kind: Literal["note"]
    object_attributes: _Note
    user: _User
    merge_request: _MergeRequest | None = None


def heard(delivery: Delivery) -> Heard | Ignored:
    """What the delivery asks for; raises UsageError for what GitLab would not send."""
    reader = _READERS.get(delivery.header("x-gitlab-event"))
    return reader(delivery.body) if reader else Ignored("we do nothing on this event")


def _merge_request(body: bytes) -> Heard | Ignored:
    event = parse(body, _MergeRequestEvent)
    said = event.object_attributes
    moved = said.action == "update" and (said.oldrev or "target_branch" in event.changes)
    if said.action not in _OPENED and not moved:
        return Ignored("the commits of the merge request are the same")
    return Heard(change=_change(said, Trigger.CHANGE))


def _change(said: _MergeRequest, trigger: Trigger) -> Change:
    return Change(
        provider=Provider.GITLAB,
        repository=said.target.path_with_namespace,
        trigger=trigger,
        head=said.last_commit.id,
        base_branch=said.target_branch,
        branch=said.source_branch,
        number=said.iid,
        from_fork=said.source_project_id != said.target_project_id,
    )


def _note(body: bytes) -> Heard | Ignored:
    event = parse(body, _NoteEvent)
    note, request = event.object_attributes, event.merge_request
    if request is None or note.noteable_type != "MergeRequest":
        return Ignored("the comment is not on a merge request")
    if note.system or note.action != "create":
        return Ignored("no person wrote a new comment")
    change = _change(request, Trigger.COMMENT)
    return Heard(change=change, asked=_asked(change, note, event.user, request.iid))


def _asked(change: Change, note: _Note, user: _User, number: int) -> Asked:
    return Asked(
        repository=change.repository,
        number=number,
        comment_id=str(note.id),
        body=note.note,
        account=user.username,
        # GitLab does not say so: who may write is asked, others get no answer.
        insider=False,
        at=note.created_at,
    )


_READERS: Mapping[str, Callable[[bytes], Heard | Ignored]] = {
    "Merge Request Hook": _merge_request,
    "Note Hook": _note,
}
