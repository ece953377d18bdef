"""Which module carries out which kind of scan, by the code that its command runs.

A module's libraries are loaded when it is first asked for.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Protocol, cast

from mergegate.core.errors import (
    EngineError,
    EngineExhausted,
    EngineFailed,
    EngineKilled,
    EngineTimeout,
)
from mergegate.core.plans import Tool
from mergegate.core.render.failures import BROKEN_BROWSER, KILLED
from mergegate.host.order import ScanOrder
from mergegate.host.scan import Outcome
from mergegate.sandbox.browser import chromium
from mergegate.sandbox.egress.policy import PUBLIC, Policy
from mergegate.sandbox.egress.server import egress
from mergegate.sandbox.files.stage import Stage
from mergegate.site.address import host_and_port

_OF_PAGES = frozenset({Tool.SEO, Tool.AUDIT, Tool.BROWSER_TEST, Tool.SECURITY_SCAN})
HANDLERS: Mapping[Tool, str] = {
    Tool.REPOSITORY: "mergegate.host.runner.slot.repository",
    Tool.CHANGE: "mergegate.host.runner.slot.change",
    **dict.fromkeys(_OF_PAGES, "mergegate.host.runner.slot.sites"),
}
"""Each a :class:`ScanHandler`."""


class ScanHandler(Protocol):
    """A module that carries out some kinds of scans; ``held`` ends with the child."""

    def carry_out(self, order: ScanOrder, held: ExitStack) -> Outcome:
        """What the scan comes to; raises MergegateError as its command would."""


def carried_out(order: ScanOrder, held: ExitStack) -> Outcome:
    """What the scan comes to; raises MergegateError as its command would."""
    handler = cast("ScanHandler", import_module(HANDLERS[order.tool]))
    try:
        return handler.carry_out(order, held)
    except EngineExhausted:
        raise
    except EngineKilled:
        return KILLED
    except (EngineFailed, EngineTimeout):
        if order.tool in _OF_PAGES and _a_browser_starts():
            return BROKEN_BROWSER
        raise


def reach(order: ScanOrder) -> Policy:
    """The public internet, and beyond it exactly the hosts that the operator named.

    At the command line a person may name any host of their own; here the address is a stranger's.
    Raises UsageError.
    """
    named = frozenset(to for host in order.allow for to in host_and_port(host))
    return Policy(ports=PUBLIC.ports, allowed=named)


def _a_browser_starts() -> bool:
    """Whether one starts without the page: then it was the page that broke it."""
    try:
        with (
            egress(Policy(ports=frozenset())) as way,
            Stage() as stage,
            chromium(way.url, stage.room("browser")),
        ):
            return True
    except EngineError:
        return False
