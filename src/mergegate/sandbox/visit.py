"""How a page is visited: where, as what, and with which credentials."""

from dataclasses import dataclass, field
from enum import StrEnum


class Device(StrEnum):
    """What the page was loaded as."""

    MOBILE = "mobile"
    DESKTOP = "desktop"


class Throttling(StrEnum):
    """How the slow network and processor came about, as Lighthouse names it."""

    SIMULATE = "simulate"
    """Computed from an unthrottled load: fast, and less steady."""
    DEVTOOLS = "devtools"
    """Applied by the browser: slower, and steadier."""
    PROVIDED = "provided"
    """None of ours."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What opens a protected site; sent to the visited page's own origin alone, never shown."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names and values, host-only."""

    def __bool__(self) -> bool:
        return bool(self.headers or self.cookies)


NONE = Credentials()


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One page, and how it is loaded."""

    url: str
    """Absolute, http or https, its host in ASCII, without user info and fragment."""
    device: Device = Device.MOBILE
    throttling: Throttling = Throttling.SIMULATE
    credentials: Credentials = NONE
