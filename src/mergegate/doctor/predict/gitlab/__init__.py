"""What GitLab will do with the jobs that run Mergegate."""

from mergegate.doctor.predict.gitlab import jobs, pipelines
from mergegate.doctor.predict.gitlab.pipeline import pipeline
from mergegate.doctor.predict.prediction import looking

predictions = looking(pipeline, pipelines, jobs)
"""All that goes wrong on GitLab."""
