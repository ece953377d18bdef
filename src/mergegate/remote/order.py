"""What is asked of a host, where, and how far it is."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mergegate.core.tool import Tool


@dataclass(frozen=True, slots=True)
class Door:
    """Where one tool is asked, and how it answers."""

    submit: str
    """Where a scan is started, and called off under ``?id=``."""
    result: str
    """Where the result lies, under ``?id=``."""
    waits: bool
    """Whether the answer to the POST is the result itself (service specification)."""
    id: str
    """What the result calls the scan's identifier."""


DOORS: Mapping[Tool, Door] = {
    Tool.REPOSITORY: Door("/api/repo/scan", "/api/repo/result", waits=False, id="id"),
    Tool.SEO: Door("/api/seo-optimizer", "/api/seo-optimizer", waits=False, id="id"),
    Tool.AUDIT: Door("/api/audit", "/api/audit", waits=True, id="reportId"),
    Tool.BROWSER_TEST: Door("/api/browser-test", "/api/browser-test", waits=True, id="testId"),
    Tool.SECURITY_SCAN: Door("/api/security-scan", "/api/security-scan", waits=True, id="scanId"),
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for."""

    tool: Tool
    body: Mapping[str, object]
    """The request, field for field."""
    query: Mapping[str, str] = field(default_factory=dict)
    idempotency_key: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def door(self) -> Door:
        """Where it is asked for."""
        return DOORS[self.tool]


@dataclass(slots=True)
class Course:
    """How far it is; what a caller who is interrupted can still tell."""

    tell: Callable[[str], None]
    """Takes a line for people, hostile text in it."""
    scan_id: str = ""
    """Empty until the host names it; a synchronous host may never do."""
    sent: bool = False
    """Whether the host may have taken the order."""
