"""How dependencies are fixed, where they come from, and which licence they ask for."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from license_expression import (  # type: ignore[import-untyped]
    ExpressionError,
    LicenseWithExceptionSymbol,
    Licensing,
)

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.packages.dependencies import Dependencies, Manifest, Package, Why
from mergegate.repo.checks import check
from mergegate.repo.checks.advisories import IN_USE, DependencyRule

_OUTSIDE = (Why.GIT, Why.URL)
_TEMPLATE = re.compile(r"(?:^|/)(?:[\w.-]+[-_])?templates?(?:[-_][\w.-]+)?(?:/|$)")


@check("missing-lock-file", Severity.LOW, "CWE-1357")
def missing_lock_file(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A manifest leaves versions open and no lock file fixes them.

    Two builds of one commit may then hold different code, a bad release arrives without a
    change to review, and nobody can say whether a known vulnerability is in use. Tests, examples,
    documentation and vendored code are left out.

    Title: No lock file

    Info: for libraries, whose users choose the versions, for the templates that one publishes, and
    for what only development needs

    Remedy: Commit the lock file of the package manager (`uv lock`, `npm install`, `cargo
    generate-lockfile`, `go mod tidy`) or pin exact versions.

    Reference: https://slsa.dev/spec/v1.0/requirements
    """
    open_ones = [
        manifest
        for manifest in dependencies.manifests
        if manifest.floating and not manifest.has_lock and manifest.role in IN_USE
    ]
    published = {_project(one) for one in dependencies.manifests if one.library}
    ordered = sorted(open_ones, key=_project)
    for project, manifests in groupby(ordered, key=_project):
        of_project = sorted(manifests, key=lambda manifest: manifest.file)
        yield _missing_lock(rule, of_project, is_template=_is_template(project, published))


def _is_template(project: tuple[str, str], published: Collection[tuple[str, str]]) -> bool:
    """Whether a package above publishes it for others to start from, who then lock it."""
    folder, ecosystem = project
    named = _TEMPLATE.search(folder)
    return named is not None and any(
        (above, ecosystem) in published for above in _folders(folder[: named.start()])
    )


def _folders(path: str) -> Iterator[str]:
    """``path`` and every folder above it, the root as empty text last."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path


@check("unversioned-dependency", Severity.INFO, "CWE-1357")
def unversioned_dependency(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A dependency comes from a repository or an address, not from a package index.

    No advisory can be compared with it, and unless it names a commit or a hash, what it brings
    may change at any time. There are good reasons for it.

    Title: Dependency from beside the package index

    Remedy: Use a released version, or name a full commit and follow the project's advisories.

    Reference: https://slsa.dev/spec/v1.0/requirements
    """
    for entry in dependencies.unresolved:
        if entry.why in _OUTSIDE and entry.role in IN_USE:
            shown = entry.name or entry.text
            yield rule.finding(
                f"{shown} is {entry.why.value}, so no advisory can be compared with it. "
                f"{rule.remedy}",
                Place(entry.file, entry.line, entry.line),
                title=f"{shown} is {entry.why.value}",
                evidence=f"{entry.ecosystem}:{entry.text}",
                anywhere=True,
            )


def _project(manifest: Manifest) -> tuple[str, str]:
    return (manifest.file.rpartition("/")[0], manifest.ecosystem)


def _missing_lock(rule: DependencyRule, manifests: list[Manifest], *, is_template: bool) -> Finding:
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy

    first = manifests[0]
    names = ", ".join(manifest.file.rpartition("/")[2] for manifest in manifests)
    count = sum(manifest.floating for manifest in manifests)
    mild = is_template or any(m.library for m in manifests) or all(m.dev for m in manifests)
    layout = ecosystems.lock_format(first.file)
    if layout and (sums := layout[1].sums):
        what = f"{first.file} has no {sums} beside it, so nothing proves what a build downloads."
        todo = f"Run `{layout[1].sums_command}` and commit {sums}."
    else:
        noun = "requirement" if count == 1 else "requirements"
        verb = "leave" if len(manifests) > 1 else "leaves"
        what = (
            f"{names} {verb} the version of {count} {noun} open and no lock file fixes it, so "
            "builds differ and vulnerable versions go unseen."
        )
        todo = "Commit the package manager's lock file, or pin exact versions."
    return rule.finding(
        f"{what} {todo}",
        Place(first.file),
        title=f"No lock file for {names}",
        severity=Severity.INFO if mild else Severity.LOW,
        evidence=f"{first.ecosystem}:{first.file.rpartition('/')[0]}",
        anywhere=True,
    )


_COPYLEFT = ("GPL-", "AGPL-", "OSL-", "SSPL-", "RPL-", "SLEEPYCAT")
_OF_NETWORK_USE = ("AGPL-", "SSPL-", "OSL-", "RPL-")
_NOT_FOR_TRADE = ("CC-BY-NC", "POLYFORM-NONCOMMERCIAL", "PROSPERITY-")
_LICENSING = Licensing()


@check("licence-conflict", Severity.MEDIUM, without_cwe="It is a matter of law.")
def licence_conflict(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A dependency's licence asks for what the project's own licence does not grant.

    Told where both are known: the manifest states the project's licence, the lock file the
    package's (npm's lock files do). A package under the GPL or a similar licence may be passed on
    only as part of a work under that licence, so a project under another one conflicts; worse
    where use over a network is enough (AGPL, SSPL, OSL) or commercial use is forbidden. A choice
    of licences, an exception for linking, and what only development needs are fine, and so is a
    project that is itself under such a licence.

    Title: Licence that does not go with the project's

    Low: where it asks for something only when the product is passed on

    Remedy: Replace the package, buy or ask for another licence, or have a lawyer confirm that the
    package is not distributed with the product, and suppress the finding with that reason.

    Reference: https://www.gnu.org/licenses/license-list.html
    """
    own = {_folder(one.file): one for one in dependencies.manifests if one.licence}
    for package in dependencies.packages:
        project = own.get(_folder(package.file))
        if project and package.role in IN_USE and not package.dev and package.licence:
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
        anywhere=True,
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
