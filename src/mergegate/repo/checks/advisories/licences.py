"""Licences of dependencies that the project's own does not go with."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from license_expression import (  # type: ignore[import-untyped]
    ExpressionError,
    LicenseWithExceptionSymbol,
    Licensing,
)

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.packages.dependencies import Dependencies, Manifest, Package
from mergegate.repo.checks import check
from mergegate.repo.checks.advisories import DependencyRule

_IN_USE = (Role.SOURCE, Role.GENERATED)
_COPYLEFT = ("GPL-", "AGPL-", "OSL-", "SSPL-", "RPL-", "SLEEPYCAT")
_OF_NETWORK_USE = ("AGPL-", "SSPL-", "OSL-", "RPL-")
_NOT_FOR_TRADE = ("CC-BY-NC", "POLYFORM-NONCOMMERCIAL", "PROSPERITY-")
_LICENSING = Licensing()


@check(
    "licence-conflict",
    "Licence that does not go with the project's",
    Severity.MEDIUM,
    milder={Severity.LOW: "where it asks for something only when the product is passed on"},
    without_cwe="It is a matter of law.",
)
def licence_conflict(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A dependency's licence asks for what the project's own licence does not grant.

    Told where both are known: the manifest states the project's licence, the lock file the
    package's (npm's lock files do). A package under the GPL or a similar licence may be passed on
    only as part of a work under that licence, so a project under another one conflicts; worse
    where use over a network is enough (AGPL, SSPL, OSL) or commercial use is forbidden. A choice
    of licences, an exception for linking, and what only development needs are fine, and so is a
    project that is itself under such a licence.

    Remedy: Replace the package, buy or ask for another licence, or have a lawyer confirm that the
    package is not distributed with the product, and suppress the finding with that reason.

    Reference: https://www.gnu.org/licenses/license-list.html
    """
    own = {_folder(one.file): one for one in dependencies.manifests if one.licence}
    for package in dependencies.packages:
        project = own.get(_folder(package.file))
        if project and package.role in _IN_USE and not package.dev and package.licence:
            yield from _conflict(rule, package, project)


def _conflict(rule: DependencyRule, package: Package, project: Manifest) -> Iterator[Finding]:
    if demands(project.licence, (*_COPYLEFT, *_NOT_FOR_TRADE)):
        return
    strict = demands(package.licence, (*_OF_NETWORK_USE, *_NOT_FOR_TRADE))
    if not strict and not demands(package.licence, _COPYLEFT):
        return
    named = f"{package.written} {package.version}"
    way = f", reached through {' → '.join(package.path)}," if len(package.path) > 1 else ""
    yield rule.finding(
        f"{named}{way} is under {package.licence}, but the project states"
        f" {project.licence}: passing both on together breaks the package's licence. Replace the"
        " package, or settle its licence and suppress this with the reason.",
        Place(package.file, package.line, package.line),
        title=f"{named} is under {package.licence}",
        severity=Severity.MEDIUM if strict else Severity.LOW,
        evidence=f"{package.ecosystem}:{package.name}:{package.licence}",
    )


@lru_cache(maxsize=4096)
def demands(licence: str, families: tuple[str, ...]) -> bool:
    """Whether every choice that ``licence`` leaves falls under one of ``families``.

    Text that is no licence expression ("SEE LICENSE IN …") demands nothing that can be told.
    """
    try:
        parsed = _LICENSING.parse(licence)
    except (ExpressionError, RecursionError):
        return False
    return parsed is not None and _demands(parsed, families)


def _demands(node: Any, families: tuple[str, ...]) -> bool:
    if isinstance(node, LicenseWithExceptionSymbol):
        return False  # exceptions exist to allow what the licence alone forbids
    if isinstance(node, _LICENSING.OR):
        return all(_demands(choice, families) for choice in node.args)
    if isinstance(node, _LICENSING.AND):
        return any(_demands(part, families) for part in node.args)
    return str(node.key).upper().startswith(families)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
