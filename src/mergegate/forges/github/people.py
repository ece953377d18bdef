"""What somebody may do in the repository."""

import re

from mergegate.forges.github.door import Door
from mergegate.forges.github.refusals import Errand, Unseen
from mergegate.forges.github.shapes import pick
from mergegate.forges.ports import Standing

# With an underscore for accounts that a company manages, brackets for an app's bot.
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?")
_ASK = Errand("say what a commenter may do here", "metadata: read")


class Collaborators:
    """GitHub folds its roles into four words: ``maintain`` is write, ``triage`` is read."""

    def __init__(self, door: Door, repository: str) -> None:
        self._door = door
        self._path = f"/repos/{repository}/collaborators"

    def standing(self, account: str) -> Standing:
        """NONE for what is no login, for strangers, and for words that we do not know."""
        if not _LOGIN.fullmatch(account):
            return Standing.NONE
        try:
            said = self._door.send("GET", f"{self._path}/{account}/permission", _ASK)
        except Unseen:
            return Standing.NONE
        try:
            return Standing(pick(said, str, "permission"))
        except ValueError:
            return Standing.NONE
