"""Which forge a job talks to, and with what token."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.forges import bitbucket, github, gitlab
from mergegate.forges.environment import Surroundings
from mergegate.forges.ports import Forge
from mergegate.model.change import Change, Provider

_JOB_TOKEN = "CI_JOB_TOKEN"
_USERS = ("MERGEGATE_USER", "BITBUCKET_USER")


@dataclass(frozen=True, slots=True)
class Key:
    """A token and the variable it stood in."""

    name: str
    token: str


def key(around: Surroundings, environment: Mapping[str, str]) -> Key | None:
    """The first of the platform's variables that holds a token; None when none does."""
    for name in around.token_names:
        if token := environment.get(name, "").strip():
            return Key(name, token)
    return None


def forge(around: Surroundings, change: Change, environment: Mapping[str, str]) -> Forge | None:
    """The forge as it is now; None for plain Git and where nothing may be said.

    Raises ForgeError when the forge does not answer, UsageError for a token that cannot be.
    """
    found = key(around, environment)
    if change.provider is Provider.BITBUCKET:
        return bitbucket.forge(
            change,
            token=found.token if found else None,
            user=next(filter(None, (environment.get(name) for name in _USERS)), None),
            api_url=around.api_url,
            proxy=around.proxy or None,
        )
    if found is None or change.provider is None:
        return None
    if change.provider is Provider.GITHUB:
        return github.forge(change, token=found.token, api_url=around.api_url)
    pipeline = environment.get("CI_PIPELINE_ID", "")
    return gitlab.forge(
        change,
        token=found.token,
        api_url=around.api_url,
        token_kind="job" if found.name == _JOB_TOKEN else "private",
        pipeline=int(pipeline) if pipeline.isdecimal() else None,
    )
