"""How documents become resources: one module a dialect, each with its `resources`."""

from collections.abc import Callable, Iterator

from mergegate.repo.checks.infrastructure.dialects import (
    ansible,
    apache,
    arm,
    azure_pipelines,
    bitbucket,
    circleci,
    cloudformation,
    compose,
    crossplane,
    deployment_manager,
    dockerfile,
    github_actions,
    gitlab_ci,
    jenkins,
    kubernetes,
    nginx,
    openapi,
    proxies,
    pulumi,
    serverless,
    services,
)
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.resources import Resource

_READERS: tuple[Callable[[Documents], Iterator[Resource]], ...] = (
    cloudformation.resources,
    compose.resources,
    dockerfile.resources,
    arm.resources,
    kubernetes.resources,
    azure_pipelines.resources,
    bitbucket.resources,
    circleci.resources,
    github_actions.resources,
    gitlab_ci.resources,
    jenkins.resources,
    ansible.resources,
    serverless.resources,
    openapi.resources,
    nginx.resources,
    apache.resources,
    pulumi.resources,
    services.resources,
    deployment_manager.resources,
    crossplane.resources,
    proxies.resources,
)


def described(documents: Documents) -> Iterator[Resource]:
    """Every resource that a document describes, its settings evaluated."""
    for reader in _READERS:
        yield from reader(documents)
