"""A session that hangs on another one hears what its target says, and nothing else."""

import asyncio
from typing import Any

import pytest

from mergegate.site.browser_test.journey.branches import Branch


class Trunk:
    """A session that notes what is sent over it."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, object]] = []

    def on(self, event: Any, f: Any) -> None:
        """Nothing ever happens."""

    async def send(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.sent.append((method, params))


def test_what_it_is_told_goes_through_the_session_that_it_hangs_on() -> None:
    trunk = Trunk()
    asyncio.run(Branch(trunk, "S1", "worker").send("Runtime.enable"))
    message = '{"id": 1, "method": "Runtime.enable", "params": {}}'
    assert trunk.sent == [("Target.sendMessageToTarget", {"sessionId": "S1", "message": message})]


@pytest.mark.parametrize(
    ("message", "heard"),
    [
        ('{"method": "A.b", "params": {"c": 1}}', [{"c": 1}]),
        ('{"method": "A.other", "params": {}}', []),
        ('{"id": 1, "result": {}}', []),
        ('{"method": "A.b"}', []),
        ('{"method": "A.b", "params": []}', []),
        ('["A.b"]', []),
        ("no JSON", []),
        ("[" * 100_000, []),
    ],
)
def test_what_no_browser_writes_is_passed_over(message: str, heard: list[object]) -> None:
    branch, said = Branch(Trunk(), "S1", "iframe"), list[object]()
    branch.on("A.b", said.append)
    branch.hear(message)
    assert said == heard
