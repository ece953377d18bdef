"""Which forge a job talks to, where, and with what token.

Each adapter is loaded when it is needed: their libraries take half a second together.
"""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mergegate.core.change import Change, Provider, Trigger
from mergegate.core.errors import UsageError

if TYPE_CHECKING:
    from mergegate.forges.context import CiContext
    from mergegate.forges.ports import Forge

API_URL = "MERGEGATE_API_URL"
"""Names another address for the forge's API than the platform does: a mirror or a gateway."""
_JOB_TOKEN = "CI_JOB_TOKEN"
_PROXY_TIMEOUT_S = 2.0
_USERS = ("MERGEGATE_USER", "BITBUCKET_USER")


@dataclass(frozen=True, slots=True)
class Key:
    """A token and the variable it stood in."""

    name: str
    token: str


def ci_context(environment: Mapping[str, str]) -> "CiContext":
    """The job, as its platform describes it.

    Where :data:`API_URL` is set, every request to the API goes there, the token with it: https,
    or http to this machine, laid out as the forge's own (``https://mirror.example.org/api/v4`` for
    GitLab). Git still asks the platform's own address. Raises UsageError.
    """
    from mergegate.forges.environment import detect  # noqa: PLC0415
    from mergegate.forges.variables import is_address  # noqa: PLC0415

    around = detect(environment)
    if not _is_elsewhere(environment):
        return around
    address = environment[API_URL].strip()
    if not is_address(address):
        raise UsageError(
            f"the variable {API_URL} is not an https address without credentials",
            remedy="Leave it empty to use the address that the platform names.",
        )
    return replace(around, api_url=address.rstrip("/"))


def forge_key(around: "CiContext", environment: Mapping[str, str]) -> Key | None:
    """The first of the platform's variables that holds a token; None when none does."""
    for name in around.token_names:
        if token := environment.get(name, "").strip():
            return Key(name, token)
    return None


def forge_for(
    around: "CiContext", change: Change, environment: Mapping[str, str]
) -> "Forge | None":
    """The forge as it is now; None for plain Git and where nothing may be said.

    Raises ForgeError when the forge does not answer, UsageError for a token that cannot be.
    """
    found = forge_key(around, environment)
    if change.provider is Provider.BITBUCKET:
        return _bitbucket(around, change, environment, found)
    if found is None or change.provider is None:
        return None
    if change.provider is Provider.GITHUB:
        from mergegate.forges.github import forge as github  # noqa: PLC0415

        return github.forge(change, token=found.token, api_url=around.api_url)
    return _gitlab(around, change, environment, found)


def _bitbucket(
    around: "CiContext", change: Change, environment: Mapping[str, str], found: Key | None
) -> "Forge | None":
    from mergegate.forges.bitbucket import forge as bitbucket  # noqa: PLC0415

    # The proxy of Pipelines signs for Bitbucket's own address alone.
    proxy = around.proxy if not _is_elsewhere(environment) and _listens(around.proxy) else None
    if found is None and proxy is None:
        return None
    return bitbucket.forge(
        change,
        token=found.token if found else None,
        user=next(filter(None, (environment.get(name) for name in _USERS)), None),
        api_url=around.api_url,
        proxy=proxy,
    )


def _listens(proxy: str) -> bool:
    """Whether the proxy is there: a container that a step starts does not have it beside itself.

    Asked, the adapter would wait for it as for a host that is being restarted.
    """
    parts = urlsplit(proxy)
    try:
        socket.create_connection((parts.hostname, parts.port), _PROXY_TIMEOUT_S).close()
    except OSError:
        return False
    return True


def _gitlab(
    around: "CiContext", change: Change, environment: Mapping[str, str], found: Key
) -> "Forge":
    from mergegate.forges.gitlab import forge as gitlab  # noqa: PLC0415

    pipeline = environment.get("CI_PIPELINE_ID", "")
    return gitlab.forge(
        change,
        token=found.token,
        api_url=around.api_url,
        token_kind="job" if found.name == _JOB_TOKEN else "private",
        pipeline=int(pipeline) if pipeline.isdecimal() else None,
    )


def proposed_change(
    around: "CiContext", change: Change, head_repository: str, found: Key
) -> Change | None:
    """The open pull request that ``change`` is the head of, measured from the branch it wants into.

    None when there is none any more. Raises ForgeError.
    """
    from mergegate.forges.github import forge as github  # noqa: PLC0415

    pull = github.pull_request_of(
        change.repository,
        head=change.head or "",
        head_repository=head_repository,
        branch=change.branch,
        token=found.token,
        api_url=around.api_url,
    )
    if pull is None:
        return None
    # The tip of the branch: the commit that GitHub names is the one of the last push.
    into = pull.base_branch
    return replace(change, number=pull.number, base=into, base_branch=into)


def deployed_change(around: "CiContext", environment: Mapping[str, str]) -> Change:
    """The open pull request whose commit was deployed; the commit alone where there is none.

    Raises ForgeError when GitHub does not answer.
    """
    from mergegate.forges.github import forge as github  # noqa: PLC0415

    change, found = around.change, forge_key(around, environment)
    if found is None or change.provider is not Provider.GITHUB or not change.head:
        return change
    pull = github.pull_request_at(
        change.repository, head=change.head, token=found.token, api_url=around.api_url
    )
    if pull is None:
        return change
    return replace(
        change,
        trigger=Trigger.CHANGE,
        number=pull.number,
        base=pull.base,
        base_branch=pull.base_branch,
        branch=pull.branch,
        from_fork=pull.from_fork,
    )


def _is_elsewhere(environment: Mapping[str, str]) -> bool:
    return bool(environment.get(API_URL, "").strip())
