"""``mergegate ci``: the job of a pipeline, from the event to the answer on the forge."""

from mergegate.cli.ci.command import ci

__all__ = ["ci"]
