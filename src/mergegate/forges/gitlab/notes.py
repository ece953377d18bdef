"""What we write on GitLab beside the lines: the summary's note, replies, the issue.

The summary is a note, since an open thread may block a merge.
"""

import re
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from gitlab.exceptions import GitlabCreateError, GitlabDeleteError
from gitlab.v4.objects import ProjectMergeRequest

from mergegate.core.errors import ForgeError
from mergegate.forges.gitlab.connection import PAGE, Connection, asking, every, number
from mergegate.forges.publication import Comment

# A command stands at the very start of a line, in any case, and Ruby's `^` knows only `\n`.
_COMMAND = re.compile(r"^/(?=\w)")
# Within code a path such as /usr/bin is none: a blank or the line's end follows a command's name.
_COMMAND_IN_CODE = re.compile(r"^/(?=[\w-]+(?:\s|$))")
_FENCE = re.compile(r"^ {0,3}(?P<ticks>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)$")


def inert(body: str) -> str:
    """The same look, but no line that GitLab would obey; every line end becomes a line feed.

    Code blocks are made safe as well: older versions tell code from text by a regular expression,
    which a longer fence or one of tildes misleads. A suggestion that holds such a line becomes
    plain code, since the changed line must not be applied by a click.
    """
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line for block in _blocks(lines) for line in _made_inert(block))


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Every code block as one list, fences included; every other line as a list of its own."""
    block: list[str] = []
    for line in lines:
        if block:
            block.append(line)
            if _closes(line, block[0]):
                yield block
                block = []
        elif _FENCE.match(line):
            block = [line]
        else:
            yield [line]
    if block:
        yield block


def _closes(line: str, opening: str) -> bool:
    """Whether ``line`` ends the block: the same characters, at least as many, and nothing else."""
    fence = _FENCE.match(opening)
    bare = line.strip(" \t")
    if fence is None or len(line) - len(line.lstrip(" ")) > 3:
        return False
    ticks = fence["ticks"]
    return len(bare) >= len(ticks) and set(bare) == {ticks[0]}


def _made_inert(block: list[str]) -> list[str]:
    opening = _FENCE.match(block[0])
    if opening is None:
        return [_COMMAND.sub(r"\\/", line) for line in block]
    inside = [_COMMAND_IN_CODE.sub(" /", line) for line in block[1:]]
    if inside == block[1:]:
        return block
    first = block[0]
    if opening["info"].strip().startswith("suggestion"):
        first = first[: opening.end("ticks")]
    return [first, *inside]


MOST_CHARACTERS = 1_000_000
"""The limit of a note or a description (https://docs.gitlab.com/administration/instance_limits/)."""


class Notes:
    """The comments on a merge request that are ours."""

    def __init__(self, connection: Connection, request: ProjectMergeRequest) -> None:
        self._connection = connection
        self._notes = request.notes

    def comments(self) -> Sequence[Comment]:
        """Our notes that are on no line, oldest first; those of others are left out."""
        with asking("list the notes"):
            found = self._notes.list(
                iterator=True,
                per_page=PAGE,
                sort="asc",
                order_by="created_at",
                activity_filter="only_comments",
            )
            ours = [_comment(said) for said in every(found) if self._is_ours(said)]
        return sorted(ours, key=lambda comment: number(comment.id))

    def write(self, body: str) -> Comment:
        """A new note; raises ForgeError."""
        with asking("write a note"):
            return _comment(self._notes.create({"body": posted(body)}).asdict())

    def edit(self, comment_id: str, body: str) -> None:
        """Another text for a note of ours; raises ForgeError."""
        with asking("edit a note"):
            self._notes.update(number(comment_id), {"body": posted(body)})

    def remove(self, comment_id: str) -> None:
        """Delete a note of ours; one that is gone already is as good; raises ForgeError."""
        with asking("delete a note"):
            try:
                self._notes.delete(number(comment_id))
            except GitlabDeleteError as error:
                if error.response_code != HTTPStatus.NOT_FOUND:
                    raise

    def _is_ours(self, said: dict[str, Any]) -> bool:
        on_a_line = said.get("type") == "DiffNote"
        return not on_a_line and not said.get("system") and self._connection.wrote(said)


def posted(body: str) -> str:
    """``body`` as GitLab gets it: obeyed in nothing, and within its limit; raises ForgeError."""
    text = inert(body)
    if len(text) > MOST_CHARACTERS:
        raise ForgeError(f"A note of {len(text):,} characters is longer than GitLab takes")
    return text


def _comment(said: dict[str, Any]) -> Comment:
    return Comment(id=str(int(said["id"])), body=str(said["body"]))


_SEEN, _REFUSED = "thumbsup", "thumbsdown"


class Answers:
    """Reactions and replies on one merge request."""

    def __init__(self, request: ProjectMergeRequest) -> None:
        self._request = request

    def reply(self, comment_id: str, body: str) -> None:
        """Reply in the comment's thread where it has one, else as a note of its own.

        A reply to a single note would make it a thread, and an open thread may block the merge.
        """
        text = {"body": posted(body)}
        with asking("reply to a comment"):
            thread = self._thread_of(number(comment_id))
            if thread is None:
                self._request.notes.create(text)
            else:
                self._request.discussions.get(thread, lazy=True).notes.create(text)

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """A thumb up or down; one that is there already is as good; raises ForgeError."""
        with asking("react to a comment"):
            note = self._request.notes.get(number(comment_id), lazy=True)
            try:
                note.awardemojis.create({"name": _SEEN if done else _REFUSED})
            except GitlabCreateError as error:
                if not _is_there(error):
                    raise

    def _thread_of(self, note: int) -> str | None:
        found = every(self._request.discussions.list(iterator=True, per_page=PAGE))
        threads = (said for said in found if not said.get("individual_note"))
        return next((str(said["id"]) for said in threads if _holds(said, note)), None)


def _holds(said: dict[str, Any], note: int) -> bool:
    return any(one.get("id") == note for one in said["notes"])


def _is_there(error: GitlabCreateError) -> bool:
    """``404 Award Emoji Name has already been taken Not Found``."""
    said = str(error.error_message)
    return error.response_code == HTTPStatus.NOT_FOUND and "already been taken" in said


MARKER = "<!-- mergegate:ledger -->"
MOST_CHARACTERS_OF_ISSUE = 255
"""The longest title of an issue that GitLab takes."""


class Issues:
    """Our issues: those that we wrote and that carry the marker."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._issues = connection.project.issues

    def post(self, title: str, body: str, open: bool) -> str:
        """Create, update, reopen or close it; its address, empty when there is none to close."""
        wanted = {"title": _one_line(title), "description": posted(_marked(body))}
        with asking("keep the issue about the default branch"):
            known = self._known()
            if not known:
                return self._created(wanted) if open else ""
            for double in known[1:]:
                self._change(double, {}, open=False)
            self._change(known[0], wanted, open=open)
            return str(known[0]["web_url"])

    def _known(self) -> Sequence[dict[str, Any]]:
        """Ours, oldest first: two runs at once may have created two."""
        found = self._issues.list(
            iterator=True, per_page=PAGE, author_id=self._connection.own_id, state="all",
            order_by="created_at", sort="asc",
        )  # fmt: skip
        ours = [
            said
            for said in every(found)
            if MARKER in str(said.get("description") or "") and self._connection.wrote(said)
        ]
        return sorted(ours, key=lambda said: int(said["iid"]))

    def _created(self, wanted: dict[str, str]) -> str:
        return str(self._issues.create(wanted).asdict()["web_url"])

    def _change(self, said: dict[str, Any], wanted: dict[str, str], *, open: bool) -> None:
        """What differs, and nothing when nothing does: an edit tells everybody who watches."""
        changes = {name: text for name, text in wanted.items() if _differ(said.get(name), text)}
        if (said["state"] == "opened") != open:
            changes["state_event"] = "reopen" if open else "close"
        if changes:
            self._issues.update(int(said["iid"]), changes)


def _differ(said: Any, text: str) -> bool:
    return str(said or "").strip() != text.strip()


def _marked(body: str) -> str:
    return body if MARKER in body else f"{body}\n\n{MARKER}"


def _one_line(title: str) -> str:
    return " ".join(title.split())[:MOST_CHARACTERS_OF_ISSUE]
