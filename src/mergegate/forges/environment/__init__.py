"""Which change is this? What the CI job around us says, read with suspicion."""

from collections.abc import Mapping

from mergegate.forges.bitbucket import environment as bitbucket
from mergegate.forges.environment import plain
from mergegate.forges.environment.context import CiContext, Deployment, Finished
from mergegate.forges.environment.origin import origin
from mergegate.forges.github import environment as github
from mergegate.forges.gitlab import environment as gitlab

__all__ = ["CiContext", "Deployment", "Finished", "detect", "origin"]

_PLATFORMS = (
    (github.is_here, github.detect),
    (gitlab.is_here, gitlab.detect),
    (bitbucket.is_here, bitbucket.detect),
)


def detect(environment: Mapping[str, str]) -> CiContext:
    """The job that ``environment`` describes: GitHub, GitLab, Bitbucket, Jenkins or none.

    Raises UsageError when the platform's variables or its event file are not what the platform
    documents; the message names the variable or field, never its value.
    """
    for is_here, describe in _PLATFORMS:
        if is_here(environment):
            return describe(environment)
    return plain.detect(environment)
