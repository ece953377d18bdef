"""What GitHub will do with the workflows that run Mergegate."""

from mergegate.doctor.predict.github import checks, events, forks, permissions, steps, upkeep
from mergegate.doctor.predict.github.view import view
from mergegate.doctor.predict.prediction import looking

predictions = looking(view, forks, checks, events, steps, permissions, upkeep)
"""All that goes wrong on GitHub."""
