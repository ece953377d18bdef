"""How dependencies are fixed: lock files that are missing, sources beside the package index."""

from collections.abc import Iterator
from itertools import groupby

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.packages.dependencies import Dependencies, Manifest, Why
from mergegate.repo.checks import check
from mergegate.repo.checks.advisories import DependencyRule

# A lock file that a tool generated is as real as one written by hand.
_IN_USE = (Role.SOURCE, Role.GENERATED)
_OUTSIDE = (Why.GIT, Why.URL)


@check(
    "missing-lock-file",
    "No lock file",
    Severity.LOW,
    "CWE-1357",
    milder={
        Severity.INFO: "for libraries, whose users choose the versions, and for what only"
        " development needs"
    },
)
def missing_lock_file(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A manifest leaves versions open and no lock file fixes them.

    Two builds of one commit may then hold different code, a bad release arrives without a
    change to review, and nobody can say whether a known vulnerability is in use. Tests, examples,
    documentation and vendored code are left out.

    Remedy: Commit the lock file of the package manager (`uv lock`, `npm install`, `cargo
    generate-lockfile`, `go mod tidy`) or pin exact versions.

    Reference: https://slsa.dev/spec/v1.0/requirements
    """
    open_ones = [
        manifest
        for manifest in dependencies.manifests
        if manifest.floating and not manifest.has_lock and manifest.role in _IN_USE
    ]
    ordered = sorted(open_ones, key=_project)
    for _, manifests in groupby(ordered, key=_project):
        yield _missing_lock(rule, sorted(manifests, key=lambda manifest: manifest.file))


@check(
    "unversioned-dependency", "Dependency from beside the package index", Severity.INFO, "CWE-1357"
)
def unversioned_dependency(rule: DependencyRule, dependencies: Dependencies) -> Iterator[Finding]:
    """A dependency comes from a repository or an address, not from a package index.

    No advisory can be compared with it, and unless it names a commit or a hash, what it brings
    may change at any time. There are good reasons for it.

    Remedy: Use a released version, or name a full commit and follow the project's advisories.

    Reference: https://slsa.dev/spec/v1.0/requirements
    """
    for entry in dependencies.unresolved:
        if entry.why in _OUTSIDE and entry.role in _IN_USE:
            shown = entry.name or entry.text
            yield rule.finding(
                f"{shown} is {entry.why.value}, so no advisory can be compared with it. "
                f"{rule.remedy}",
                Place(entry.file, entry.line, entry.line),
                title=f"{shown} is {entry.why.value}",
                evidence=f"{entry.ecosystem}:{entry.text}",
            )


def _project(manifest: Manifest) -> tuple[str, str]:
    return (manifest.file.rpartition("/")[0], manifest.ecosystem)


def _missing_lock(rule: DependencyRule, manifests: list[Manifest]) -> Finding:
    from mergegate.packages import ecosystems  # noqa: PLC0415 - see remedy

    first = manifests[0]
    names = ", ".join(manifest.file.rpartition("/")[2] for manifest in manifests)
    count = sum(manifest.floating for manifest in manifests)
    mild = any(m.library for m in manifests) or all(m.dev for m in manifests)
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
    )
