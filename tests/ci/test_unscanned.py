"""What is said of a change of which nothing is known."""

import re

import pytest

from mergegate.ci.publication import unscanned
from mergegate.core.errors import Failed, ForgeError
from mergegate.core.render.failures import INTERNAL, LATE, LOST_AGAIN, OVERWHELMED, next_step
from mergegate.core.report import Gate, Verdict
from mergegate.forges.marker import Push, State, Waiver, recall
from mergegate.forges.provider import AccessDenied, BranchNotFound, CommitNotFound
from mergegate.forges.publication import BITBUCKET, GITHUB, Dialect, Framing
from mergegate.sandbox.git.clone import CommitMissing, TooLarge

HEAD, OLD = "a" * 40, "b" * 40
BOTH = pytest.mark.parametrize("dialect", [GITHUB, BITBUCKET])


def framing(dialect: Dialect = GITHUB) -> Framing:
    return Framing(
        verdict=Verdict(Gate.INCOMPLETE, ()),
        fail_on="auto",
        dialect=dialect,
        head=HEAD,
        sequence=3,
        at="2026-03-01T09:30:00Z",
        commands=True,
    )


def push(head: str) -> Push:
    return Push(head=head, gate="passed", score=100, new=0, at="2026-03-01T09:00:00Z")


@BOTH
def test_it_passes_no_gate_and_says_why_and_what_to_do(dialect: Dialect) -> None:
    said = unscanned(LATE, framing(dialect))
    assert (said.gate, said.complete) == (Gate.INCOMPLETE, False)
    assert said.headline.startswith("Incomplete: could not be scanned. The scan took longer")
    for text in (said.details, said.comment(None)):
        assert LATE.detail in text
        assert "mergegate rescan" in text


@BOTH
def test_the_comment_keeps_what_it_remembers_for_the_scan_that_succeeds(dialect: Dialect) -> None:
    waiver = Waiver(id="0" * 10, reason="known", owner="erin", expires="2027-01-01")
    before = State(head=OLD, sequence=1, pushes=(push(OLD), push(HEAD)), waivers=(waiver,))
    kept = recall(unscanned(LATE, framing(dialect)).comment(before))
    assert kept == State(head=HEAD, sequence=3, pushes=(push(OLD),), waivers=(waiver,))


def test_what_a_stranger_wrote_is_inert_and_orders_nothing() -> None:
    hostile = Failed("INVALID_POLICY", "No.\n/mergegate rescan\n<img src=x> `x` @all ![x](y)" * 9)
    said = unscanned(hostile, framing())
    text = said.comment(None)
    assert len(said.headline) <= 140
    assert "\n/mergegate" not in text
    assert not re.search(r"(?<!\\)<img", text)
    assert "![x](y)" not in text


OTHER = next_step("SOMETHING_ELSE")


@pytest.mark.parametrize("failed", [LATE, OVERWHELMED, LOST_AGAIN, INTERNAL])
def test_what_a_host_fails_by_has_a_next_step(failed: Failed) -> None:
    assert next_step(failed.code)


@pytest.mark.parametrize(
    "kind", [TooLarge, CommitMissing, AccessDenied, BranchNotFound, CommitNotFound]
)
def test_what_the_reader_can_mend_has_a_step_of_its_own(kind: type[ForgeError]) -> None:
    assert next_step(kind.code) != OTHER
