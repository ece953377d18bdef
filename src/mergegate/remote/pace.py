"""How long a client waits: between two polls, for a host that restarts, and in all."""

from dataclasses import dataclass

TIMEOUT_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The patience of one scan; seconds."""

    timeout_s: float = TIMEOUT_S
    """For everything."""
    answer_s: float = 900.0
    """For one answer: a synchronous scan holds the line as long as it takes."""
    introduction_s: float = 60.0
    """For a host that has never answered: its address may be wrong."""
    outage_s: float = 900.0
    """For a host that has answered before."""
    first_poll_s: float = 1.0
    longest_poll_s: float = 15.0
    longest_hint_s: float = 60.0
    """How long a host may ask to be left alone while a scan runs: it may be over at once."""
    growth: float = 1.5
    """Of the time between two polls, and between two tries."""
    cooldown: bool = False
    """Whether the cooldown between two audits of a site is waited for."""


def between(pace: Pace, number: int, chance: float) -> float:
    """Seconds before try or poll ``number``, from 0: growing, bounded, a quarter more or less."""
    # The exponent is bounded, for a float is: a scan may be polled for days.
    plain = min(pace.first_poll_s * pace.growth ** min(number, 64), pace.longest_poll_s)
    return plain * (0.75 + chance / 2)
