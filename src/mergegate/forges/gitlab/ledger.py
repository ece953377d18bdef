"""The one issue that tells of the default branch."""

from collections.abc import Sequence
from typing import Any

from mergegate.forges.gitlab.connection import PAGE, Connection, every
from mergegate.forges.gitlab.notes import posted
from mergegate.forges.gitlab.refusals import asking

MARKER = "<!-- mergegate:ledger -->"
MOST_CHARACTERS = 255
"""Of a title."""


class Issues:
    """Ours are those that we wrote and that carry the marker."""

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
    return " ".join(title.split())[:MOST_CHARACTERS]
