"""What the tests of Bitbucket share: a change, an answer, and who says it."""

import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.report import Gate
from mergegate.core.severity import Severity
from mergegate.forges.bitbucket.forge import forge
from mergegate.forges.marker import Hiding, State, Waiver, mark, remember
from mergegate.forges.pacing import Clock
from mergegate.forges.ports import Conversation, Forge, Reviews, Verdicts
from mergegate.forges.publication import Annotation, Publication, Remark
from mergegate.forges.publish import Published, publish
from tests.forges.bitbucket import stand_in
from tests.forges.bitbucket.stand_in import HEAD, Bitbucket

CHANGE = Change(
    provider=Provider.BITBUCKET,
    repository=stand_in.REPOSITORY,
    trigger=Trigger.CHANGE,
    head=HEAD,
    number=stand_in.NUMBER,
    run_url="https://ci.example.org/run/1",
)
LATER = "b2" * 20
IDS = tuple(f"{number:020x}" for number in range(1, 10))
TOKENS = ["bot-secret", "token-secret"]
BOTH = pytest.mark.parametrize("token", TOKENS)


def connected(state: Bitbucket, token: str | None = "bot-secret", **more: Any) -> Forge:
    change = more.pop("change", CHANGE)
    return forge(change, **{"token": token, "api_url": state.url, "clock": Watch().clock, **more})


@dataclass
class Watch:
    """Time that passes by waiting alone."""

    waits: list[float] = field(default_factory=list)
    since: float = 0.0

    @property
    def clock(self) -> Clock:
        return Clock(now=lambda: self.since, sleep=self._wait)

    def _wait(self, seconds: float) -> None:
        self.since += seconds
        self.waits.append(seconds)


def conversation(of: Forge) -> Conversation:
    assert of.conversation is not None
    return of.conversation


def reviews(of: Forge) -> Reviews:
    assert of.reviews is not None
    return of.reviews


def verdicts(of: Forge) -> Verdicts:
    assert of.verdicts is not None
    return of.verdicts


def summary(sequence: int = 1, head: str = HEAD, waivers: tuple[Waiver, ...] = ()) -> str:
    state = State(head=head, sequence=sequence, waivers=waivers)
    return f"Run {sequence}\n\n{remember(state, Hiding.REFERENCE)}"


def remark(id: str, start: int = 3, end: int = 3, path: str = "app.py") -> Remark:
    body = f"Finding\n\n{mark(id, Hiding.REFERENCE)}"
    return Remark(finding_id=id, path=path, start_line=start, end_line=end, body=body)


def annotation(number: int = 1, **more: Any) -> Annotation:
    plain = {
        "finding_id": f"{number:020x}",
        "path": "app.py",
        "start_line": number,
        "end_line": number,
        "severity": Severity.HIGH,
        "rule_id": "python-sql-injection",
        "title": "SQL built from a request",
        "message": "Use parameters.",
    }
    return Annotation(**{**plain, **more})


def answer(*ids: str, head: str = HEAD, sequence: int = 1, **more: Any) -> Publication:
    def comment(previous: State | None) -> str:
        return summary(sequence, head, previous.waivers if previous else ())

    plain: dict[str, Any] = {
        "head": head,
        "gate": Gate.FAILED if ids else Gate.PASSED,
        "headline": f"Failed: {len(ids)} new",
        "comment": comment,
        "details": "",
        "remarks": tuple(map(remark, ids)),
        "present": frozenset(ids),
        "score": 42,
    }
    return Publication(**{**plain, **more})


def run(state: Bitbucket, token: str, *ids: str, sequence: int = 1) -> Published:
    return publish(answer(*ids, sequence=sequence), connected(state, token), sequence)


def summaries(state: Bitbucket) -> list[str]:
    return [one["content"]["raw"] for one in state.standing() if "inline" not in one]


def open_threads(state: Bitbucket) -> list[str]:
    return [
        re.findall("finding ([0-9a-f]+)", one["content"]["raw"])[0]
        for one in state.standing()
        if "inline" in one and not one["resolution"]
    ]
