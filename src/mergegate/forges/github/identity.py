"""Who the token is: the account that our own comments carry, whatever kind of token it is."""

from dataclasses import dataclass
from functools import cached_property

from mergegate.forges.github.door import Door
from mergegate.forges.github.refusals import Errand
from mergegate.forges.github.shapes import pick

_BOT = "[bot]"
_VIEWER = "query Viewer { viewer { login databaseId } }"


@dataclass(frozen=True, slots=True)
class Account:
    """An account by GitHub's number: a login can be given up and taken by another."""

    id: int
    login: str

    @property
    def is_app(self) -> bool:
        """Whether it is an app's bot: nobody can register a login with brackets."""
        return self.login.endswith(_BOT)


class Identity:
    """Asks once, and only when somebody wants to know.

    ``GET /user`` refuses the tokens of workflows and apps; GraphQL's ``viewer`` answers every
    kind, on every server with that server's own number: ``github-actions[bot]`` is 41898282 on
    github.com and something else on an Enterprise Server.
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    @cached_property
    def account(self) -> Account:
        """Raises ForgeError."""
        said = self._door.ask(_VIEWER, {}, Errand("say whose token this is"))
        return Account(pick(said, int, "viewer", "databaseId"), pick(said, str, "viewer", "login"))
