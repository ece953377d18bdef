"""What Bitbucket will do with the steps that run Mergegate."""

from mergegate.doctor.predict.bitbucket import pipeline
from mergegate.doctor.predict.bitbucket.pipeline import pipelines
from mergegate.doctor.predict.prediction import looking

predictions = looking(pipelines, pipeline)
"""All that goes wrong on Bitbucket."""
