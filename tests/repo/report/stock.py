"""Reports for the machine formats: with an inventory, and with everything that breaks readers."""

from dataclasses import replace

from mergegate.core.finding import Advisory, Finding, Place
from mergegate.core.report import Package, Report
from mergegate.core.severity import Category, Kind, Severity
from tests.repo.report import samples, shop

PACKAGES = (
    Package(file="go.sum", ecosystem="Go", name="golang.org/x/net", version="v0.17.0"),
    Package(
        file="requirements-dev.txt",
        ecosystem="PyPI",
        name="pytest",
        version="8.4.2",
        direct=True,
        shipped=False,
    ),
    Package(file="requirements.txt", ecosystem="PyPI", name="Pillow", version="9.0.0", direct=True),
    Package(
        file="requirements.txt", ecosystem="PyPI", name="urllib3", version="1.26.4", direct=False
    ),
    Package(
        file="web/package-lock.json",
        ecosystem="npm",
        name="@acme/ui",
        version="1.0.0",
        direct=True,
        licence="(MIT OR apache-2.0)",
    ),
    Package(
        file="web/package-lock.json",
        ecosystem="npm",
        name="lodash",
        version="4.17.15",
        direct=False,
        licence="SEE LICENSE IN LICENSE.md",
    ),
    Package(
        file="widget/package-lock.json",
        ecosystem="npm",
        name="lodash",
        version="4.17.15",
        direct=True,
        shipped=False,
    ),
)


def stocked() -> Report:
    """The web shop with its inventory."""
    return replace(samples.failed(), packages=PACKAGES)


def monstrous() -> Report:
    """One finding of each kind, twice with the same id, in the worst words there are."""
    words = f"{samples.HOSTILE}\r\n\ufffe\x0b" * 200 + "x" * 1_000_000
    twins = [_monster(kind, words) for kind in Kind for _ in range(2)]
    vulnerable = [one for one in twins if one.kind is Kind.DEPENDENCY]
    others = [one for one in twins if one.kind is not Kind.DEPENDENCY]
    package = Package(file=words[:2_000], ecosystem=words, name=words, version=words, licence=words)
    bare = Package(file="", ecosystem="npm", name="@/", version="")
    return replace(
        samples.hostile(),
        issues=tuple(others),
        vulnerabilities=tuple(vulnerable),
        packages=(package, bare),
        id=words,
        created_at=words,
        completed_at="",
        tool_version=words,
        target=replace(samples.TARGET, owner=words, repo=words, commit=words),
    )


def alike(count: int) -> Report:
    """``count`` findings that all have one id."""
    return samples.report(
        [replace(shop.SQL, place=Place("a.py", n, n)) for n in range(1, 1 + count)]
    )


def _monster(kind: Kind, words: str) -> Finding:
    advisory = Advisory(
        package=words,
        ecosystem="npm",
        installed_version=words,
        fixed_versions=(words, words),
        upgrade=words,
        advisory_id=words,
        aliases=(words, "CVE-2024-1234", "GHSA-aaaa-bbbb-cccc", ""),
        cvss=9.8,
    )
    return Finding(
        rule_id=words,
        title=words,
        message=words,
        severity=Severity.CRITICAL,
        category=Category.SECURITY,
        kind=kind,
        place=Place(f"src/{words[:2_000]}", 0, 0),
        cwe=("CWE-79", "CWE-x", "CWE-٣", words),
        references=("https://example.org/" + "a" * 10_000, "javascript:alert(1)", words),
        advisory=advisory if kind is Kind.DEPENDENCY else None,
        id="abc",
    )
