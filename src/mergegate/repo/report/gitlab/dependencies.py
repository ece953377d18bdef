"""Vulnerable packages and the inventory as GitLab's dependency scanning report."""

from collections import defaultdict
from collections.abc import Sequence

from mergegate.core.finding import Advisory, Finding
from mergegate.core.package import Package
from mergegate.core.render import escape, machine
from mergegate.core.report import Report
from mergegate.packages.ecosystems import ECOSYSTEMS, lock_format
from mergegate.repo.report import excerpt
from mergegate.repo.report.gitlab import vulnerability

_LONGEST_NAME = 500


def render(report: Report, *, most_bytes: int = vulnerability.MOST_BYTES) -> str:
    """The dependency scanning report; an advisory on a package is one vulnerability."""
    fixes = excerpt.Fixes(report)
    found = report.vulnerabilities
    entries = [
        vulnerability.entry(one, mark, fixes, _location(one, one.advisory))
        for one, mark in zip(found, machine.fingerprints(found), strict=True)
        if one.advisory is not None
    ]
    document = vulnerability.document(report, "dependency_scanning", entries, most_bytes)
    # Schema 15.0 demands the list, 15.1 dropped it and takes it still.
    listed = {"dependency_files": _files(report.packages)}
    return machine.dumps(document | listed) + "\n"


def _location(finding: Finding, advisory: Advisory) -> machine.Json:
    dependency = _dependency(advisory.package, advisory.installed_version, advisory.direct)
    return {"file": machine.path(finding), "dependency": dependency}


def _files(packages: Sequence[Package]) -> list[machine.Json]:
    by_file: dict[str, list[Package]] = defaultdict(list)
    for package in packages:
        by_file[package.file].append(package)
    return [_file(path, found) for path, found in sorted(by_file.items())]


def _file(path: str, packages: Sequence[Package]) -> machine.Json:
    return {
        "path": escape.visible(path) or ".",
        "package_manager": _manager(path, packages[0].ecosystem),
        "dependencies": [_dependency(one.name, one.version, one.direct) for one in packages],
    }


def _manager(path: str, ecosystem: str) -> str:
    if (found := lock_format(path)) and found[1].manager:
        return found[1].manager
    known = ECOSYSTEMS.get(ecosystem)
    return known.manager if known else machine.short(ecosystem, 50) or "other"


def _dependency(name: str, version: str, direct: bool | None) -> machine.Json:
    found: machine.Json = {
        "package": {"name": machine.short(name, _LONGEST_NAME)},
        "version": machine.short(version, _LONGEST_NAME),
    }
    return found if direct is None else found | {"direct": direct}
