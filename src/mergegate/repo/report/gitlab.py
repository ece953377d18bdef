"""The report as GitLab's security reports: static analysis, secrets, dependencies."""

import re
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from mergegate.core.finding import Finding
from mergegate.core.render import escape, machine, wording
from mergegate.core.report import Gate, Package, Report
from mergegate.core.severity import Kind, Severity
from mergegate.packages.ecosystems import ECOSYSTEMS, lock_format
from mergegate.repo.report import excerpt
from mergegate.repo.report.entries import apart

VERSION = "15.0.7"
"""GitLab refuses a version it does not know: 15.2 came with 17.4, 15.1 with 17.0, and all of
16 and later take 15.0. GitLab's own analysers declared 15.0.7 for the same reason."""
MOST_BYTES = 20_000_000
"""GitLab's merge request does not load a larger report (older instance limits)."""
_SCHEMA = (
    "https://gitlab.com/gitlab-org/security-products/security-report-schemas/-/raw/"
    f"v{VERSION}/dist/{{}}-report-format.json"
)
_EPOCH = "1970-01-01T00:00:00"
_MOST_MESSAGES = 100
_LONGEST_MESSAGE = 1_000
_US = {"id": "mergegate", "name": "Mergegate", "vendor": {"name": "Mergegate"}}
_OURS = uuid.uuid5(uuid.NAMESPACE_OID, "mergegate")
_LONGEST_NAME = 255
# GitLab takes 1 MiB of description and 7,000 characters of solution, all after our escaping,
# which at worst makes five characters of one.
_LONGEST_DESCRIPTION = 10_000
_LONGEST_SOLUTION = 1_000
_LONGEST_ID = 200
_SEVERITIES = {
    Severity.CRITICAL: "Critical",
    Severity.HIGH: "High",
    Severity.MEDIUM: "Medium",
    Severity.LOW: "Low",
    Severity.INFO: "Info",
}
_CVE = re.compile(r"CVE-[0-9]{4}-[0-9]{4,19}")
_GHSA = re.compile(r"GHSA(?:-[0-9a-z]{4}){3}")
_OSV = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{2,80}")
_CWE = re.compile(r"CWE-([0-9]{1,5})")
_KINDS = frozenset({Kind.CODE, Kind.IAC, Kind.RISK})
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_NO_COMMIT = "0" * 40
_LONGEST_PACKAGE = 500
_Location = Callable[[Finding], machine.Json]


def sast(report: Report, *, most_bytes: int = MOST_BYTES) -> str:
    """Code, infrastructure and risks: GitLab knows no report of its own for infrastructure."""
    found = [one for one in report.findings if _is_weakness(one)]
    entries = _entries(report, found, _lines, tracked=True)
    return machine.dumps(_document(report, "sast", entries, most_bytes)) + "\n"


def _is_weakness(finding: Finding) -> bool:
    """Risks that merely inform are no vulnerabilities; they stand in the code quality report."""
    mere_note = finding.kind is Kind.RISK and finding.severity is Severity.INFO
    return finding.kind in _KINDS and not mere_note


def secrets(report: Report, *, most_bytes: int = MOST_BYTES) -> str:
    """Secrets, without GitLab's field for the raw source: the value itself stands nowhere."""
    found = [one for one in report.findings if one.kind is Kind.SECRET]
    commit = {"commit": {"sha": _commit(report)}}
    entries = _entries(report, found, lambda one: _lines(one) | commit, tracked=True)
    return machine.dumps(_document(report, "secret_detection", entries, most_bytes)) + "\n"


def _commit(report: Report) -> str:
    """The scanned commit, which the schema wants; zeros outside a repository."""
    commit = report.target.commit or ""
    return commit if _COMMIT.fullmatch(commit) else _NO_COMMIT


def dependencies(report: Report, *, most_bytes: int = MOST_BYTES) -> str:
    """Vulnerable packages and the inventory; an advisory on a package is one vulnerability."""
    entries = _entries(report, report.vulnerabilities, _dependency_place)
    document = _document(report, "dependency_scanning", entries, most_bytes)
    # Schema 15.0 demands the list, 15.1 dropped it and takes it still.
    return machine.dumps(document | {"dependency_files": _files(report.packages)}) + "\n"


def _dependency_place(finding: Finding) -> machine.Json:
    advisory = finding.advisory
    if advisory is None:
        raise ValueError(f"{finding.rule_id} is no vulnerability of a dependency")
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
        "package": {"name": machine.short(name, _LONGEST_PACKAGE)},
        "version": machine.short(version, _LONGEST_PACKAGE),
    }
    return found if direct is None else found | {"direct": direct}


def _entries(
    report: Report, found: Sequence[Finding], place: _Location, *, tracked: bool = False
) -> list[machine.Json]:
    """One entry a finding; those that are ``tracked`` GitLab recognises in moved lines."""
    fixes, notes = excerpt.Fixes(report), apart(report)
    return [
        _entry(one, mark, fixes, place(one), notes[one.id].note if one.id in notes else "")
        | ({"tracking": _tracking(one, mark)} if tracked else {})
        for one, mark in zip(found, machine.fingerprints(found), strict=True)
    ]


def _document(
    report: Report, kind: str, vulnerabilities: Sequence[machine.Json], most_bytes: int
) -> machine.Json:
    """The frame around ``vulnerabilities``, which come worst first and are cut where they must.

    ``kind`` is GitLab's: ``sast``, ``secret_detection``, ``dependency_scanning``.
    """
    shown = machine.within(vulnerabilities, most_bytes)
    return {
        "version": VERSION,
        "schema": _SCHEMA.format(kind.replace("_", "-")),
        "scan": _scan(report, kind, len(shown), len(vulnerabilities)),
        "vulnerabilities": shown,
    }


def _scan(report: Report, kind: str, shown: int, total: int) -> machine.Json:
    us = _US | {"version": machine.short(report.tool_version, 100) or "unknown"}
    started = machine.moment(report.created_at) or _EPOCH
    return {
        "type": kind,
        "status": "failure" if report.verdict.gate is Gate.INCOMPLETE else "success",
        "start_time": started,
        "end_time": machine.moment(report.completed_at) or started,
        "analyzer": us,
        "scanner": us,
        "messages": _messages(report, shown, total),
    }


def _messages(report: Report, shown: int, total: int) -> list[machine.Json]:
    limits = [f"Limit reached: {limit}" for limit in report.coverage.limits]
    if blind := wording.unsearched(report):
        limits.insert(0, f"Not searched: {blind}.")
    if shown < total:
        limits.insert(0, f"Shown {shown:,} of {total:,} findings, worst first: the file is full.")
    said = [
        *(_message("fatal", problem) for problem in machine.problems(report)),
        *(_message("warn", limit) for limit in limits),
    ]
    return said[:_MOST_MESSAGES]


def _message(level: str, text: str) -> machine.Json:
    return {"level": level, "value": machine.short(text, _LONGEST_MESSAGE)}


def _entry(
    finding: Finding, fingerprint: str, fixes: excerpt.Fixes, location: machine.Json, note: str
) -> machine.Json:
    """The fields every kind of report has, and where it is; ``note`` tells where it comes from.

    GitLab shows description and solution as Markdown, and copies them into issues, where a
    mention or a quick action would come alive: both are escaped.
    """
    solution = _solution(finding, fixes)
    said = f"{note} {finding.message}" if note else finding.message
    optional = {
        "solution": escape.markdown(machine.short(solution, _LONGEST_SOLUTION)),
        "links": [{"url": link} for link in machine.links(finding)],
    }
    return {
        "id": str(uuid.uuid5(_OURS, fingerprint)),
        "name": machine.short(finding.title, _LONGEST_NAME),
        "description": escape.markdown(machine.short(said, _LONGEST_DESCRIPTION)),
        "severity": _SEVERITIES[finding.severity],
        "identifiers": [*_advisory(finding), _rule(finding), *_weaknesses(finding)],
        "location": location,
    } | {name: value for name, value in optional.items() if value}


def _lines(finding: Finding) -> machine.Json:
    """The place of a finding in a source file."""
    first = machine.first_line(finding)
    return {
        "file": machine.path(finding),
        "start_line": first,
        "end_line": max(first, finding.place.end_line),
    }


def _tracking(finding: Finding, fingerprint: str) -> machine.Json:
    """Lets GitLab recognise the finding after its lines have moved.

    ``hash`` is one of the algorithms that GitLab knows by name; others it drops.
    """
    signature = {"algorithm": "hash", "value": fingerprint}
    return {"type": "source", "items": [_lines(finding) | {"signatures": [signature]}]}


def _rule(finding: Finding) -> machine.Json:
    return _identifier("mergegate_rule", finding.rule_id)


def _weaknesses(finding: Finding) -> Iterator[machine.Json]:
    for cwe in dict.fromkeys(finding.cwe):
        if match := _CWE.fullmatch(cwe):
            url = f"https://cwe.mitre.org/data/definitions/{match[1]}.html"
            yield {"type": "cwe", "name": cwe, "value": match[1], "url": url}


def _advisory(finding: Finding) -> Iterator[machine.Json]:
    """The names of the advisory, CVE first.

    GitLab takes the first identifier of all, file and package for a vulnerability's identity: if
    it were the rule, one package could have but one.
    """
    if finding.advisory is None:
        return
    names = dict.fromkeys(filter(None, (finding.advisory.advisory_id, *finding.advisory.aliases)))
    for name in sorted(names, key=lambda one: not _CVE.fullmatch(one)):
        yield _named(name)


def _named(name: str) -> machine.Json:
    if _CVE.fullmatch(name):
        return _identifier("cve", name, f"https://nvd.nist.gov/vuln/detail/{name}")
    if _GHSA.fullmatch(name):
        return _identifier("ghsa", name, f"https://github.com/advisories/{name}")
    known = _OSV.fullmatch(name)
    return _identifier("osv", name, f"https://osv.dev/vulnerability/{name}" if known else "")


def _identifier(type: str, value: str, url: str = "") -> machine.Json:
    shown = machine.short(value, _LONGEST_ID) or "unknown"
    found = {"type": type, "name": shown, "value": shown}
    return found | ({"url": url} if url else {})


def _solution(finding: Finding, fixes: excerpt.Fixes) -> str:
    fix = fixes.of(finding)
    if fix is not None:
        return " ".join(f"{part.rstrip('.')}." for part in (fix.title, fix.explanation) if part)
    return machine.repair(finding, finding.advisory) if finding.advisory else ""
