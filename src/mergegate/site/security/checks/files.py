"""Files that were never meant to be served, and are."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Severity
from mergegate.site.security.checks.flaw import Rule, flaw
from mergegate.site.security.facts import ProbedFile, SecurityFacts
from mergegate.site.security.report import Area, Flaw

_REFERENCE = (
    "https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_"
    "Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_"
    "Unreferenced_Files_for_Sensitive_Information"
)
_TAKE_OUT = "Take it out of the folder that is served, and change every password and key in it."
_HIDE = "Let the server refuse every path that begins with a dot, and deploy no such folder."
_CLOSE = "Switch it off, or let it answer to your own addresses alone."
_LOW, _MEDIUM = Severity.LOW, Severity.MEDIUM
_HIGH, _CRITICAL = Severity.HIGH, Severity.CRITICAL


@dataclass(frozen=True, slots=True)
class _Kind:
    """What such a file gives away."""

    severity: Severity
    title: str
    danger: str
    remedy: str = _TAKE_OUT
    cwe: str = "CWE-538"


_KINDS = {
    "git": _Kind(
        _HIGH,
        "Git repository in the web root",
        "the whole source with its history can be put together from it",
        _HIDE,
    ),
    "svn": _Kind(_HIGH, "Subversion folder in the web root", "it leads to the source", _HIDE),
    "mercurial": _Kind(_HIGH, "Mercurial folder in the web root", "it leads to the source", _HIDE),
    "env": _Kind(_CRITICAL, "Environment file in the web root", "it holds keys and passwords"),
    "credentials": _Kind(_CRITICAL, "Credentials in the web root", "anyone can use them"),
    "private-key": _Kind(
        _CRITICAL, "Private key in the web root", "anyone can sign in or decrypt with it"
    ),
    "htpasswd": _Kind(_HIGH, "Password file in the web root", "its passwords can be tried offline"),
    "backup": _Kind(
        _HIGH, "Backup in the web root", "it holds the source, and often passwords", cwe="CWE-552"
    ),
    "dump": _Kind(
        _CRITICAL, "Database dump in the web root", "it holds the data of the site", cwe="CWE-552"
    ),
    "deployment": _Kind(
        _MEDIUM, "Deployment file in the web root", "it describes what runs inside, and how"
    ),
    "ds-store": _Kind(
        _LOW, ".DS_Store in the web root", "it lists the names of files beside it", _HIDE
    ),
    "phpinfo": _Kind(
        _MEDIUM,
        "phpinfo() page",
        "it shows versions, paths and environment variables",
        "Delete the page.",
        "CWE-497",
    ),
    "server-status": _Kind(
        _MEDIUM,
        "Apache server status",
        "it shows who asks for what at the moment",
        _CLOSE,
        "CWE-497",
    ),
    "actuator": _Kind(
        _HIGH,
        "Spring Boot actuator: env",
        "it shows the configuration, and siblings of it can do more",
        _CLOSE,
        "CWE-497",
    ),
    "error-log": _Kind(
        _MEDIUM, "Error log", "it shows paths, queries and data of visitors", _CLOSE, "CWE-552"
    ),
    "web-inf": _Kind(
        _HIGH, "WEB-INF is served", "it holds classes and configuration", _HIDE, "CWE-552"
    ),
}
"""By what the list of paths calls it."""


def flaws(facts: SecurityFacts) -> Iterator[Flaw]:
    """One a kind, worst first; a path that merely answers with a good status is none."""
    found: defaultdict[str, list[ProbedFile]] = defaultdict(list)
    for one in facts.files:
        if one.proved and one.what in _KINDS:
            found[one.what].append(one)
    for what, files in sorted(found.items(), key=lambda item: -_KINDS[item[0]].severity):
        yield _flaw(what, _KINDS[what], files)


def _flaw(what: str, kind: _Kind, files: list[ProbedFile]) -> Flaw:
    paths = ", ".join(one.path for one in files)
    rule = Rule(
        id=f"exposed-{what}",
        area=Area.CONTENT,
        severity=kind.severity,
        title=kind.title,
        remedy=kind.remedy,
        cwe=kind.cwe,
        reference=_REFERENCE,
    )
    return flaw(
        rule,
        f"{paths} can be fetched by anyone: {kind.danger}.",
        files[0].fetched.final_url,
        evidence=paths,
        count=len(files),
    )
