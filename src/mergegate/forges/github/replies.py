"""Answers to a command in a comment."""

from mergegate.core.errors import ForgeError
from mergegate.forges.github.door import Door
from mergegate.forges.github.refusals import Errand

_NEEDS = "pull-requests: write"
_REPLY = Errand("answer a comment", _NEEDS)
_REACT = Errand("react to a comment", _NEEDS)


class CommentReplies:
    """The conversation has no threads: an answer stands below everything else."""

    def __init__(self, door: Door, repository: str, number: int) -> None:
        self._door = door
        self._issues = f"/repos/{repository}/issues"
        self._list = f"{self._issues}/{number}/comments"

    def reply(self, comment_id: str, body: str) -> None:
        """A comment of its own; ``body`` says which command it answers."""
        _number(comment_id)
        self._door.send("POST", self._list, _REPLY, body={"body": body})

    def acknowledge(self, comment_id: str, done: bool) -> None:
        """Thumbs up when done, a puzzled face when refused; twice is once."""
        path = f"{self._issues}/comments/{_number(comment_id)}/reactions"
        self._door.send("POST", path, _REACT, body={"content": "+1" if done else "confused"})


def _number(comment_id: str) -> int:
    """It comes from an event, and goes into an address."""
    if not (comment_id.isascii() and comment_id.isdecimal()):
        raise ForgeError("The comment to answer has no number")
    return int(comment_id)
