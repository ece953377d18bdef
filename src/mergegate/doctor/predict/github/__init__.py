"""What GitHub will do with the workflows that run Mergegate."""

from collections.abc import Iterator

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
from mergegate.doctor.predict.github.view import View, view
from mergegate.doctor.predict.prediction import Draft, Predictor, Scene

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
