"""The one issue that tells of the default branch."""

from typing import Any

from mergegate.forges.github.door import Door
from mergegate.forges.github.identity import Identity
from mergegate.forges.github.lengths import cut
from mergegate.forges.github.refusals import Errand
from mergegate.forges.github.shapes import maybe, pick

_MARKER = "<!-- mergegate:ledger -->"
_LABEL = "mergegate"
_TITLE = 256
_FIND = Errand("look for the issue of the default branch", "issues: read")
_POST = Errand("write the issue of the default branch", "issues: write")


class Issue:
    """Ours by author and marker: a person who copies the marker owns their own issue."""

    def __init__(self, door: Door, repository: str, identity: Identity) -> None:
        self._door = door
        self._issues = f"/repos/{repository}/issues"
        self._identity = identity

    def post(self, title: str, body: str, open: bool) -> str:
        """Its address; empty when there is none and none is wanted."""
        wanted = {
            "title": cut(title, _TITLE),
            "body": f"{body.rstrip()}\n\n{_MARKER}",
            "state": "open" if open else "closed",
        }
        known = self._known()
        if known is not None:
            return self._update(known, wanted)
        return self._create(wanted) if open else ""

    def _known(self) -> Any:
        """The oldest of ours; a second one was written at the same time, and is left alone."""
        query = {
            "creator": self._identity.account.login,
            "state": "all",
            "sort": "created",
            "direction": "asc",
        }
        rows = self._door.pages(self._issues, _FIND, query)
        return next((row for row in rows if self._is_ours(row)), None)

    def _is_ours(self, row: Any) -> bool:
        return (
            maybe(row, int, "user", "id") == self._identity.account.id
            and maybe(row, dict, "pull_request") is None
            and _MARKER in (maybe(row, str, "body") or "").splitlines()
        )

    def _update(self, known: Any, wanted: dict[str, str]) -> str:
        changed = {key: text for key, text in wanted.items() if maybe(known, str, key) != text}
        if changed:
            path = f"{self._issues}/{pick(known, int, 'number')}"
            self._door.send("PATCH", path, _POST, body=changed)
        return pick(known, str, "html_url")

    def _create(self, wanted: dict[str, str]) -> str:
        """With our label: GitHub makes it where the token may, and drops it where not."""
        body = {"title": wanted["title"], "body": wanted["body"], "labels": [_LABEL]}
        return pick(self._door.send("POST", self._issues, _POST, body=body), str, "html_url")
