"""What Bitbucket will do with the steps that run Mergegate."""

from collections.abc import Iterator

from mergegate.doctor.predict.bitbucket import steps, verdict
from mergegate.doctor.predict.bitbucket.pipeline import Pipelines, pipelines
from mergegate.doctor.predict.prediction import Draft, Predictor, Scene

PREDICTORS: tuple[Predictor[Pipelines], ...] = (*steps.PREDICTORS, *verdict.PREDICTORS)


def predictions(scene: Scene) -> Iterator[Draft]:
    """All that goes wrong on Bitbucket."""
    seen = pipelines(scene)
    for predictor in PREDICTORS:
        yield from predictor.find(seen)
