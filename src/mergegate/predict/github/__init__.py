"""What GitHub will do with the workflows that run Mergegate."""

from collections.abc import Iterator

from mergegate.predict.github import (
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
from mergegate.predict.github.view import View, view
from mergegate.predict.prediction import Draft, Predictor
from mergegate.predict.scene import Scene

PREDICTORS: tuple[Predictor[View], ...] = (
    *forks.PREDICTORS,
    *relay.PREDICTORS,
    *checks.PREDICTORS,
    *events.PREDICTORS,
    *skipping.PREDICTORS,
    *verdict.PREDICTORS,
    *history.PREDICTORS,
    *permissions.PREDICTORS,
    *upkeep.PREDICTORS,
)


def predictions(scene: Scene) -> Iterator[Draft]:
    """All that goes wrong on GitHub."""
    seen = view(scene)
    for predictor in PREDICTORS:
        yield from predictor.find(seen)
