"""Which change is this, and how is its history fetched? What the CI job around us says."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit, urlunsplit

from mergegate.core.change import Change, Trigger
from mergegate.forges.context import CiContext
from mergegate.forges.variables import Variables, is_address, number_in
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.origin import Origin, connection
from mergegate.sandbox.git.repository import Repository

_PLATFORMS: Mapping[str, Callable[[Mapping[str, str]], bool]] = {
    "github": lambda environment: environment.get("GITHUB_ACTIONS") == "true",
    "gitlab": lambda environment: environment.get("GITLAB_CI") == "true",
    "bitbucket": lambda environment: bool(environment.get("BITBUCKET_BUILD_NUMBER")),
}
"""Platform → whether the environment variables are those of its jobs."""

_GITHUB = "https://github.com"
_PASSED = "GIT_PREVIOUS_SUCCESSFUL_COMMIT"
"""Jenkins: the last commit whose build passed; the one before this, GIT_PREVIOUS_COMMIT, need not
have."""


def detect(environment: Mapping[str, str]) -> CiContext:
    """The job that ``environment`` describes: GitHub, GitLab, Bitbucket, Jenkins or none.

    Raises UsageError when the platform's variables or its event file are not what the platform
    documents; the message names the variable or field, never its value.
    """
    for name, is_here in _PLATFORMS.items():
        if is_here(environment):
            platform = import_module(f"mergegate.forges.{name}.environment")
            return cast("CiContext", platform.detect(environment))
    return _plain(environment)


def owner_at_github(environment: Mapping[str, str]) -> str | None:
    """Who owns the repository that a job of GitHub runs for; None outside such a job.

    The job's own word counts, not the clone's: that may be of the fork that a change comes from.
    Empty at a server of one's own, where the name may be somebody else's than at github.com.
    """
    if not _PLATFORMS["github"](environment):
        return None
    if environment.get("GITHUB_SERVER_URL", _GITHUB) != _GITHUB:
        return ""
    return environment.get("GITHUB_REPOSITORY", "").partition("/")[0]


def _plain(environment: Mapping[str, str]) -> CiContext:
    """What Jenkins tells of a change, or nothing at all; raises UsageError when it is odd."""
    variables = Variables(environment)
    workspace = variables.path("WORKSPACE") if variables.text("JENKINS_URL") else None
    workspace = workspace or Path.cwd()
    return CiContext(
        change=_change(variables, workspace.resolve().name),
        clone_tokens=(("x-access-token", "MERGEGATE_TOKEN"),),
        workspace=workspace,
        last_passed=variables.commit(_PASSED) if variables.text("JENKINS_URL") else None,
    )


def _change(variables: Variables, name: str) -> Change:
    if not variables.text("JENKINS_URL"):
        return Change(provider=None, repository=name, trigger=Trigger.MANUAL)
    target = variables.branch("CHANGE_TARGET")
    branch = _branch(variables)
    url = variables.text("BUILD_URL")
    return Change(
        provider=None,
        repository=name,
        trigger=Trigger.CHANGE if target else Trigger.PUSH if branch else Trigger.MANUAL,
        # Jenkins merges for itself: what it built is what is checked out.
        head=variables.commit("GIT_COMMIT"),
        base=target or None,
        before=None if target else variables.commit(_PASSED),
        base_branch=target or branch,
        branch=branch,
        # Gerrit and others give changes names.
        number=number_in(variables.text("CHANGE_ID")),
        from_fork=bool(variables.text("CHANGE_FORK")),
        sequence=variables.number("BUILD_NUMBER") or 0,
        run_url=url if is_address(url) else "",
    )


def _branch(variables: Variables) -> str:
    """CHANGE_BRANCH is the change's own; BRANCH_NAME is then ``PR-7``."""
    own = variables.branch("CHANGE_BRANCH")
    return own or variables.branch("BRANCH_NAME")


_KEPT = re.compile(r"authorization: +((?:basic|bearer) +[\x21-\x7e]+)", re.ASCII | re.IGNORECASE)
# actions/checkout from v6 keeps its token beside the clone, which names the file.
_CREDENTIALS = re.compile(r"git-credentials-[0-9A-Fa-f-]{36}\.config", re.ASCII)
_RUNNER_FOLDERS = ("/github/runner_temp",)
_LARGEST_BYTES = 64 * 1024


def origin(
    context: CiContext, environment: Mapping[str, str], repository: Repository
) -> Origin | None:
    """Where missing history is fetched from; None where there is no address to fetch from.

    The platform's own word for the address counts, not the clone's. Credentials come from the
    job's variables, else from what the checkout left for later steps. Raises UsageError.
    """
    remote = _remote(repository)
    url = context.clone_url or _without_credentials(remote)
    plain = context.server_url.startswith("http://")  # its runner has cloned from there
    if not (context.proxy or is_address(url, plain=plain)):
        return None
    return Origin(
        url=url,
        authorization=_authorization(context, environment, repository, url),
        proxy=context.proxy,
        connection=connection(environment),
        plain=plain,
    )


def _authorization(
    context: CiContext, environment: Mapping[str, str], repository: Repository, url: str
) -> str:
    if context.proxy:
        return ""
    for user, name in context.clone_tokens:
        if token := environment.get(name, "").strip():
            return _basic(user, token)
    return _kept(environment, repository, url) or _in_remote(_remote(repository), url)


def _kept(environment: Mapping[str, str], repository: Repository, url: str) -> str:
    """The header that actions/checkout left in the clone's configuration, for this host alone."""
    key = f"http.{_site(url)}/.extraheader"
    own = repository.configured(r"^http\..*\.extraheader$")
    kept = [value for name, value in own if name == key]
    for file in _credential_files(environment, repository):
        kept += [value for name, value in repository.configured_in(file) if name == key]
    headers = (match[1] for value in kept if (match := _KEPT.fullmatch(value.strip())))
    return next(headers, "")


def _credential_files(environment: Mapping[str, str], repository: Repository) -> Iterator[Path]:
    """Files of the runner that the clone points to; a file anywhere else is not opened."""
    folders = {*_RUNNER_FOLDERS, environment.get("RUNNER_TEMP", "")} - {""}
    for _, value in repository.configured(r"^includeif\.gitdir:.*\.path$"):
        path = Path(value)
        if _CREDENTIALS.fullmatch(path.name) and str(path.parent) in folders and _is_small(path):
            yield path


def _is_small(path: Path) -> bool:
    try:
        return len(read_regular(path, _LARGEST_BYTES + 1)) <= _LARGEST_BYTES
    except OSError:
        return False


def _remote(repository: Repository) -> str:
    found = [value for _, value in repository.configured(r"^remote\.origin\.url$")]
    return found[-1] if found else ""


def _in_remote(remote: str, url: str) -> str:
    """User and password in the clone's own address, where it is the same host."""
    try:
        parts = urlsplit(remote)
    except ValueError:
        return ""
    if not parts.password or _site(_without_credentials(remote)) != _site(url):
        return ""
    return _basic(unquote(parts.username or ""), unquote(parts.password))


def _without_credentials(remote: str) -> str:
    try:
        parts = urlsplit(remote)
    except ValueError:
        return ""
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
