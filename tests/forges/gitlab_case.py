"""What the tests of the GitLab adapter share: a site to talk to, and the adapter on it."""

import datetime as dt
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from mergegate.core.change import Change, Provider, Trigger
from mergegate.forges.gitlab.connection import TokenKind
from mergegate.forges.gitlab.forge import forge
from mergegate.forges.marker import Hiding, State, mark, remember
from mergegate.forges.pacing import Clock
from mergegate.forges.ports import Conversation, Forge
from mergegate.forges.publication import Remark
from tests.forges.gitlab_stand_in import ADA, BOT, BOT_TOKEN, EVE, GitLab, running

NOW = dt.datetime(2026, 11, 21, 10, tzinfo=dt.UTC)
FILE = "".join(f"line {number}\n" for number in range(1, 31))
CHANGED = FILE.replace("line 5\n", "LINE 5\nline 5a\n")
SUMMARY = f"Passed\n\n{remember(State(head='a' * 40, sequence=1), Hiding.HTML)}"
CHANGE = Change(
    provider=Provider.GITLAB,
    repository="group/sub/app",
    trigger=Trigger.CHANGE,
    number=7,
    run_url="https://gitlab.example.org/jobs/1",
)


@dataclass
class Hours:
    """Time that passes by waiting alone."""

    waits: list[float] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: sum(self.waits), sleep=self.waits.append, today=lambda: NOW)


@contextmanager
def prepared(folder: str = "") -> Iterator[GitLab]:
    """A running site with one changed file; in the end nothing was wrong and nothing obeyed."""
    site = GitLab(folder=folder)
    site.project.users = [BOT, ADA, EVE]
    site.project.base = {"src/a.py": FILE}
    site.project.push({"src/a.py": CHANGED})
    with running(site):
        yield site
    assert not site.offences
    assert not site.project.obeyed


def on(
    site: GitLab,
    token: str = BOT_TOKEN,
    *,
    kind: TokenKind = "private",
    url: str = "",
    hours: Hours | None = None,
    pipeline: int | None = None,
    **other: Any,
) -> Forge:
    """The adapter, for the site's merge request or a change that is other in something."""
    return forge(
        replace(CHANGE, **other),
        token=token,
        api_url=url or site.api,
        token_kind=kind,
        pipeline=pipeline,
        clock=(hours or Hours()).clock,
    )


def remark(start: int, end: int, path: str = "src/a.py", id: str = "ab" * 8) -> Remark:
    body = f"Finding\n\n{mark(id, Hiding.HTML)}"
    return Remark(finding_id=id, path=path, start_line=start, end_line=end, body=body)


def talk(site: GitLab, hours: Hours, token: str = BOT_TOKEN, **other: Any) -> Conversation:
    """The notes of the merge request."""
    made = on(site, token, hours=hours, **other)
    assert made.conversation
    return made.conversation


def told(error: BaseException) -> str:
    """All that a log could ever say of an error."""
    return "".join(traceback.format_exception(error))
