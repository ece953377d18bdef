"""What GitLab will do with the jobs that run Mergegate."""

from collections.abc import Iterator

from mergegate.doctor.predict.gitlab import pipelines, project, reports, verdict
from mergegate.doctor.predict.gitlab.pipeline import Pipeline, pipeline
from mergegate.doctor.predict.prediction import Draft, Predictor, Scene

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
