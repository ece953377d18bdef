"""What GitHub will do with the workflows that run Mergegate."""

from mergegate.doctor.predict.github import (
    checks,
    events,
    forks,
    history,
    permissions,
    relay,
    skipping,
    upkeep,
    verdict,
)
from mergegate.doctor.predict.github.view import view
from mergegate.doctor.predict.prediction import looking

predictions = looking(
    view, forks, relay, checks, events, skipping, verdict, history, permissions, upkeep
)
"""All that goes wrong on GitHub."""
