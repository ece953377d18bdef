"""What GitLab will do with the jobs that run Mergegate."""

from collections.abc import Iterator

from mergegate.predict.gitlab import pipelines, project, reports, verdict
from mergegate.predict.gitlab.pipeline import Pipeline, pipeline
from mergegate.predict.prediction import Draft, Predictor
from mergegate.predict.scene import Scene

PREDICTORS: tuple[Predictor[Pipeline], ...] = (
    *pipelines.PREDICTORS,
    *verdict.PREDICTORS,
    *reports.PREDICTORS,
    *project.PREDICTORS,
)


def predictions(scene: Scene) -> Iterator[Draft]:
    """All that goes wrong on GitLab."""
    seen = pipeline(scene)
    for predictor in PREDICTORS:
        yield from predictor.find(seen)
