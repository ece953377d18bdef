"""What GitLab will do with the jobs that run Mergegate."""

from mergegate.doctor.predict.gitlab import pipelines, project, reports, verdict
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.prediction import looking

predictions = looking(pipeline, pipelines, verdict, reports, project)
"""All that goes wrong on GitLab."""
