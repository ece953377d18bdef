"""The inventory as a CycloneDX 1.6 bill of materials, with the advisories that hit it.

Plain JSON, not cyclonedx-python-lib: that declares every package to depend on nothing, and knows
no compositions, by which we say that the list may be incomplete. Its schema is our tests' judge.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace

from packageurl import PackageURL
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from mergegate.core.finding import Advisory, Finding
from mergegate.core.render import escape, machine
from mergegate.core.report import Package, Report
from mergegate.packages.ecosystems import ECOSYSTEMS

_OURS = uuid.uuid5(uuid.NAMESPACE_OID, "mergegate")
_TARGET = "target"
_LONGEST_NAME = 500
_LONGEST_TEXT = 10_000
_LONGEST_LICENCE = 150


def render(report: Report) -> str:
    """The bill of materials; equal reports give equal bytes, serial number included."""
    parts = _parts(report)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_OURS, escape.visible(report.id))}",
        "version": 1,
        "metadata": _metadata(report),
        "components": [_component(part) for part in parts],
        "dependencies": [
            {"ref": _TARGET, "dependsOn": [part.ref for part in parts if part.package.direct]}
        ],
        "compositions": [_composition(report)],
        "vulnerabilities": _vulnerabilities(report),
    }
    return machine.dumps(document) + "\n"


@dataclass(frozen=True, slots=True)
class _Part:
    """A package once, wherever it stands."""

    ref: str
    package: Package
    """Direct or shipped when it is so in any of the files."""
    files: tuple[str, ...]


def _parts(report: Report) -> list[_Part]:
    """Every package of the inventory, and those that only an advisory names."""
    parts: dict[str, _Part] = {}
    for package in report.packages:
        ref = _ref(package)
        known = parts.get(ref)
        parts[ref] = _joined(known, package) if known else _Part(ref, package, (package.file,))
    for package in _named_by_advisories(report):
        parts.setdefault(_ref(package), _Part(_ref(package), package, (package.file,)))
    return [parts[ref] for ref in sorted(parts)]


def _joined(part: _Part, other: Package) -> _Part:
    known = part.package
    package = replace(
        known,
        direct=other.direct if known.direct is None else known.direct or bool(other.direct),
        shipped=known.shipped or other.shipped,
    )
    return _Part(part.ref, package, tuple(sorted({*part.files, other.file})))


def _named_by_advisories(report: Report) -> Iterator[Package]:
    for finding in report.vulnerabilities:
        if finding.advisory is not None:
            yield _package(finding.advisory, finding.place.file)


def _package(advisory: Advisory, file: str) -> Package:
    return Package(
        file=file,
        ecosystem=advisory.ecosystem,
        name=advisory.package,
        version=advisory.installed_version,
        direct=advisory.direct,
    )


def _ref(package: Package) -> str:
    return _purl(package) or "package:" + "/".join(
        machine.short(part, _LONGEST_NAME)
        for part in (package.ecosystem, package.name, package.version)
    )


def _purl(package: Package) -> str | None:
    """The package URL; None for an ecosystem or a name that has none."""
    known = ECOSYSTEMS.get(package.ecosystem)
    if known is None:
        return None
    name = machine.short(known.key(package.name), _LONGEST_NAME)
    space, _, leaf = (
        name.rpartition(known.namespace_mark) if known.purl_namespace else ("", "", name)
    )
    if not leaf.strip(" /"):
        return None
    version = machine.short(package.version, _LONGEST_NAME)
    return PackageURL(known.purl_type, space or None, leaf, version or None).to_string()


def _component(part: _Part) -> machine.Json:
    package = part.package
    component: machine.Json = {
        "type": "library",
        "bom-ref": part.ref,
        "name": machine.short(package.name, _LONGEST_NAME),
        "version": machine.short(package.version, _LONGEST_NAME),
        "scope": "required" if package.shipped else "excluded",
    }
    if part.ref.startswith("pkg:"):
        component["purl"] = part.ref
    places = [{"location": escape.visible(file)} for file in part.files if file]
    optional = {
        "licenses": _licences(package.licence),
        "evidence": {"occurrences": places} if places else None,
    }
    return component | {name: value for name, value in optional.items() if value}


def _licences(stated: str) -> list[machine.Json]:
    """An SPDX expression where it is one, else the words that stand there."""
    if not stated.strip():
        return []
    words = machine.short(stated, _LONGEST_LICENCE)
    try:
        return [{"expression": canonicalize_license_expression(words)}]
    except InvalidLicenseExpression:
        return [{"license": {"name": words}}]


def _metadata(report: Report) -> machine.Json:
    stamp = machine.moment(report.created_at)
    tool = {"type": "application", "name": "mergegate"}
    if report.tool_version:
        tool["version"] = machine.short(report.tool_version, _LONGEST_NAME)
    return ({"timestamp": f"{stamp}Z"} if stamp else {}) | {
        "lifecycles": [{"phase": "pre-build"}],
        "tools": {"components": [tool]},
        "component": _target(report),
    }


def _target(report: Report) -> machine.Json:
    target = report.target
    name = "/".join(part for part in (target.owner, target.repo) if part) or "repository"
    component = {
        "type": "application",
        "bom-ref": _TARGET,
        "name": machine.short(name, _LONGEST_NAME),
    }
    commit = machine.short(target.commit or "", _LONGEST_NAME)
    version = {"version": commit} if commit else {}
    return component | version


def _composition(report: Report) -> machine.Json:
    """What is not resolved or was not read is missing; the rest is not known for sure."""
    missing = report.coverage.unresolved or machine.problems(report)
    aggregate = "incomplete" if missing else "unknown"
    return {"aggregate": aggregate, "assemblies": [_TARGET], "dependencies": [_TARGET]}


def _vulnerabilities(report: Report) -> list[machine.Json]:
    """One entry an advisory and package; of several places the worst speaks."""
    found = sorted(report.vulnerabilities, key=lambda one: one.order)
    entries: dict[tuple[str, str], machine.Json] = {}
    for finding, mark in zip(found, machine.fingerprints(found), strict=True):
        if finding.advisory is not None:
            ref = _ref(_package(finding.advisory, finding.place.file))
            key = (_identity(finding.advisory), ref)
            entries.setdefault(key, _vulnerability(finding, finding.advisory, mark, ref))
    return list(entries.values())


def _vulnerability(finding: Finding, advisory: Advisory, mark: str, ref: str) -> machine.Json:
    names = dict.fromkeys(filter(None, (advisory.advisory_id, *advisory.aliases)))
    others = [name for name in names if name != advisory.advisory_id]
    weaknesses = sorted({int(one[4:]) for one in finding.cwe if _is_cwe(one)})
    links = machine.links(finding)
    optional = {
        "references": [{"id": _short(name), "source": _source(name)} for name in others],
        "cwes": weaknesses,
        "advisories": [{"url": link} for link in links],
    }
    return {
        "bom-ref": f"finding:{mark}",
        "id": _identity(advisory),
        "source": _source(advisory.advisory_id),
        "ratings": _ratings(finding, advisory),
        "description": machine.short(finding.title, _LONGEST_TEXT),
        "detail": machine.short(finding.message, _LONGEST_TEXT),
        "recommendation": machine.short(machine.repair(finding, advisory), _LONGEST_TEXT),
        "affects": [{"ref": ref}],
    } | {name: value for name, value in optional.items() if value}


def _ratings(finding: Finding, advisory: Advisory) -> list[machine.Json]:
    """Ours, which knows how the package is used, the advisory's own base score, and EPSS."""
    ours: machine.Json = {
        "source": {"name": "mergegate"},
        "severity": finding.severity.label,
        "method": "other",
    }
    told = [ours]
    if advisory.cvss is not None:
        told.append({"source": _source(advisory.advisory_id), "score": advisory.cvss})
    if advisory.epss is not None:
        told.append({"source": {"name": "EPSS"}, "score": advisory.epss, "method": "other"})
    return told


def _identity(advisory: Advisory) -> str:
    return _short(advisory.advisory_id) or "unknown"


def _short(text: str) -> str:
    return machine.short(text, _LONGEST_NAME)


def _source(name: str) -> machine.Json:
    return {"name": "NVD" if name.startswith("CVE-") else "OSV"}


def _is_cwe(name: str) -> bool:
    digits = name.removeprefix("CWE-")
    return digits != name and digits.isascii() and digits.isdigit() and 0 < int(digits) < 100_000
