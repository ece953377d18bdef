"""What docs/operations.md says in figures is what the code does."""

from pathlib import Path

import pytest

from mergegate.core.plans import Lane, Tool
from mergegate.host import server
from mergegate.host.jobs import maintenance
from mergegate.host.jobs.execution import LIMITS_S, TRIES, USUAL
from mergegate.host.runner import executor
from mergegate.host.settings import service_settings
from mergegate.host.web.repository import LIFETIME
from mergegate.sandbox.process import slots
from mergegate.sandbox.process.run import MEBIBYTE
from tests.recipes.documents import ROOT

GUIDE = " ".join((ROOT / "docs" / "operations.md").read_text().split())
HOST = service_settings({}, Path("/data"))


def minutes(*tools: Tool) -> str:
    (limit_s,) = {LIMITS_S[tool] for tool in tools}
    return f"{limit_s / 60:.0f}"


def by_lane(numbers: dict[Lane, int]) -> str:
    return ",".join(f"{lane}={number}" for lane, number in numbers.items())


@pytest.mark.parametrize(
    "said",
    [
        (
            f"A worker says every {USUAL.heartbeat_s:.0f} seconds that it lives. "
            f"One that has not for {USUAL.ttl_s:.0f} is taken for dead"
        ),
        f"`{by_lane(dict(HOST.slots))}`; `--slots` of `worker` says the same",
        f"`{by_lane(dict(HOST.most_waiting))}`",
        f"are forgotten; {HOST.retention_days} |",
        (
            f"A scan may take {minutes(Tool.AUDIT, Tool.SECURITY_SCAN)} minutes"
            " (audit, security scan),"
            f" {minutes(Tool.SEO)} (SEO analysis), {minutes(Tool.BROWSER_TEST)} (browser test)"
            f" or {minutes(Tool.REPOSITORY, Tool.CHANGE)} (repository, change)"
        ),
        f"a repository may be {executor._MOST_BYTES // MEBIBYTE // 1024} GiB as it is sent",
        f"needs more than {(slots.LIMITS.memory_bytes or 0) // MEBIBYTE // 1024} GiB is ended",
        f"none is kept beyond {slots._LONGEST_ANSWER // MEBIBYTE} MiB",
        f"`--grace` seconds ({server.GRACE_S:.0f})",
        f"for {maintenance._DELIVERIES_KEPT.days} days the digests",
    ],
)
def test_every_figure_of_the_guide_is_that_of_the_code(said: str) -> None:
    assert said in GUIDE


def test_what_the_guide_says_in_words_is_so() -> None:
    assert (TRIES, "that takes three workers down with it" in GUIDE) == (3, True)
    assert (LIFETIME.days, "A week later, when the links" in GUIDE) == (7, True)
