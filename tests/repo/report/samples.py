"""Reports as the line hands them to a renderer: clean, failed, incomplete, hostile, huge."""

from collections.abc import Sequence
from dataclasses import replace

from mergegate.core.check import Unrun
from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import (
    Comparison,
    Coverage,
    EngineRun,
    EngineStatus,
    Fix,
    PolicyInForce,
    PolicyOrigin,
    Report,
    Suppression,
    Target,
)
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Category, Confidence, Kind, Severity
from mergegate.core.tree import Skipped
from tests.repo.report.shop import FIXED, FIXES, ISSUES, RISKS, VULNERABILITIES, identified

TARGET = Target(
    provider="github",
    owner="acme",
    repo="shop",
    branch="feature/checkout",
    commit="4f0c2d9be1a87c3356d0e9f1b2a4c6d8e0f13579",
)
BASE = "9b1e7a30c5d24f68a0b1c2d3e4f5061728394a5b"

ENGINES = (
    EngineRun(name="semgrep", version="1.182.0", duration_ms=8412, files=214, reused=190),
    EngineRun(name="detect-secrets", version="1.5.0", duration_ms=2210, files=246, reused=221),
    EngineRun(name="advisories", version="0.1.0", duration_ms=340, files=3),
    EngineRun(name="zizmor", version="1.30.0", duration_ms=95, files=2),
    EngineRun(name="iac", version="0.1.0", duration_ms=120, files=6),
    EngineRun(name="lizard", version="1.24.3", duration_ms=3105, files=208, reused=190),
)

COVERAGE = Coverage(
    files_seen=268,
    files_scanned=246,
    bytes_scanned=1_912_400,
    skipped=(
        *(Skipped(f"static/img/icon-{n}.png", "binary file") for n in range(18)),
        Skipped("static/js/vendor.min.js", "larger than 2 MiB"),
        Skipped("data/export.csv", "larger than 2 MiB"),
        Skipped("tools/link", "symbolic link"),
        Skipped("fixtures/broken.bin", "binary file"),
    ),
    limited=(Skipped("shop/legacy/parser.py", "semgrep: syntax error at line 88"),),
    unresolved=(
        Skipped("requirements-dev.txt", "black>=24"),
        Skipped("requirements-dev.txt", "mypy"),
    ),
    inline_suppressions=2,
    lowered={"test": 58, "docs": 9},
    advisories_date="2026-11-18T06:12:44Z",
    advisories_age_days=2,
)


def report(
    issues: Sequence[Finding] = (),
    risks: Sequence[Finding] = (),
    vulnerabilities: Sequence[Finding] = (),
    *,
    unrun: Sequence[Unrun] = (),
) -> Report:
    """A report over these findings, scored and judged as the scan does it."""
    findings = [*issues, *risks, *vulnerabilities]
    ledger = draw_up(findings, REPOSITORY)
    return Report(
        target=TARGET,
        verdict=judge(findings, ledger, REPOSITORY, unrun),
        ledger=ledger,
        issues=tuple(issues),
        risks=tuple(risks),
        vulnerabilities=tuple(vulnerabilities),
        engines=ENGINES,
        coverage=COVERAGE,
        created_at="2026-11-20T09:14:02Z",
        completed_at="2026-11-20T09:14:13Z",
        tool_version="0.1.0",
        id="rs_01JD4Z5M2Q",
    )


def passed() -> Report:
    """Nothing found, everything seen."""
    clean = Coverage(
        files_seen=41,
        files_scanned=41,
        bytes_scanned=182_113,
        advisories_date="2026-11-18T06:12:44Z",
        advisories_age_days=2,
    )
    summary = "41 files were scanned by 6 engines. Nothing was found."
    policy = PolicyInForce(origin=PolicyOrigin.TREE, file=".mergegate.yml")
    return replace(report(), coverage=clean, policy=policy, summary=summary)


def failed() -> Report:
    """A web shop with findings of every kind, fixes, suppressions and a base."""
    return replace(
        report(ISSUES, RISKS, VULNERABILITIES),
        fixes=FIXES,
        policy=PolicyInForce(
            origin=PolicyOrigin.BASE,
            file=".mergegate.yml",
            commit="4f2a9c1e7b3d5f6081a2b3c4d5e6f708192a3b4c",
            notes=("the id 0123456789 fits two findings and sets none aside",),
        ),
        suppressed=_suppressed(),
        comparison=_comparison(),
        summary=(
            "2 critical findings fail the gate: SQL built from a request parameter in "
            "shop/db/orders.py and an AWS key in deploy/settings.py. Both are new in this "
            "change. 5 dependencies have published advisories; for 4 a repaired version exists."
        ),
    )


def incomplete() -> Report:
    """Two engines gave no trustworthy answer; what was seen is good enough."""
    gaps = (
        Unrun("vulnerable-dependency", "there is no advisory store"),
        Unrun("code-flaws", "semgrep did not finish within 600 s"),
    )
    engines = (
        EngineRun(
            name="semgrep",
            version="1.182.0",
            status=EngineStatus.TIMEOUT,
            duration_ms=600_000,
            files=214,
            reason="semgrep did not finish within 600 s",
            remedy="Give it more time with `engines.semgrep.timeout` in .mergegate.yml",
        ),
        EngineRun(
            name="advisories",
            version="0.1.0",
            status=EngineStatus.MISSING,
            reason="there is no advisory store",
            remedy="Run `mergegate advisories update`",
        ),
        EngineRun(name="zizmor", version="1.30.0", status=EngineStatus.IDLE),
        *ENGINES[1:2],
        *ENGINES[4:],
    )
    mild = [finding for finding in ISSUES if finding.severity <= Severity.MEDIUM][:4]
    quality = [replace(finding, is_new=None, fix_id=None) for finding in mild]
    return replace(
        report(quality, unrun=gaps),
        engines=engines,
        coverage=replace(COVERAGE, advisories_date=None, advisories_age_days=None),
        target=replace(TARGET, provider=None, owner=None),
    )


HOSTILE = (
    "::error::pwned\n/approve\n##[set-env name=x]y\x1b[31mred\x1b[0m [bold red]markup[/] "
    "\u202egnp.exe\u202c zero\u200bwidth <script>alert(1)</script> </script> {{7*7}} "
    "@acme/security closes #1 !2 ![x](https://evil.example.org/x.png) "
    "[c](javascript:alert(1)) <img src=x onerror=alert(1)> ```` \u2028 | cell \ud800 \x00 end"
)
"""Everything threats.md names that text can do, in one string."""


def hostile() -> Report:
    """Every text that a scanned repository can choose is :data:`HOSTILE`."""
    path = f"src/{HOSTILE}.py"
    bad = identified(
        Finding(
            rule_id="python-sql-injection",
            title=f"Title {HOSTILE}",
            message=HOSTILE,
            severity=Severity.CRITICAL,
            category=Category.SECURITY,
            kind=Kind.CODE,
            place=Place(path, 7, 9),
            references=("https://cwe.mitre.org/data/definitions/89.html", "javascript:alert(1)"),
            cwe=("CWE-89",),
            snippet=HOSTILE,
        )
    )
    vulnerable = tuple(_with_hostile_advisory(finding) for finding in VULNERABILITIES[:1])
    base = report([bad], (), vulnerable)
    return replace(
        base,
        target=replace(TARGET, owner=HOSTILE, repo=HOSTILE, branch=HOSTILE),
        fixes=(_hostile_fix(bad),),
        suppressed=(Suppression(finding=bad, reason=HOSTILE, owner=HOSTILE, expires=HOSTILE),),
        verdict=replace(base.verdict, reasons=(HOSTILE,)),
        summary=HOSTILE,
        coverage=replace(
            COVERAGE,
            skipped=(Skipped(path, HOSTILE),),
            limited=(Skipped(path, HOSTILE),),
            limits=(HOSTILE,),
            unresolved=(Skipped(path, HOSTILE),),
        ),
        policy=PolicyInForce(origin=PolicyOrigin.NAMED, file=HOSTILE, notes=(HOSTILE,)),
        engines=(
            EngineRun(name="semgrep", status=EngineStatus.FAILED, reason=HOSTILE, remedy=HOSTILE),
        ),
    )


def huge(count: int = 5000) -> Report:
    """``count`` findings over 250 files."""
    kinds = (
        (Category.SECURITY, Kind.CODE, "semgrep"),
        (Category.SECURITY, Kind.SECRET, "detect-secrets"),
        (Category.QUALITY, Kind.QUALITY, "lizard"),
        (Category.IAC, Kind.IAC, "iac"),
    )
    issues = []
    for number in range(count):
        category, kind, engine = kinds[number % 4]
        severity = Severity((number * 7919) % 100 // 25 if number % 50 else 4)
        line = 10 + number // 250 * 12
        issues.append(
            identified(
                Finding(
                    rule_id=f"sample-rule-{number % 23}",
                    title=f"Sample rule {number % 23} found something worth changing",
                    message=(
                        f"Value {number} reaches a place where it should not. "
                        "Check it before use, or drop it."
                    ),
                    severity=severity,
                    confidence=Confidence(number % 3),
                    category=category,
                    kind=kind,
                    engine=engine,
                    place=Place(f"pkg_{number % 25}/module_{number % 250}.py", line, line + 2),
                    snippet=f"def step_{number}(value):\n    check(value)\n    return {number}",
                )
            )
        )
    return report(issues)


def _suppressed() -> tuple[Suppression, ...]:
    waived = replace(ISSUES[3], place=Place("tests/fixtures/app.py", 12, 12), id="ab12" * 5)
    inline = replace(ISSUES[5], place=Place("shop/cache.py", 31, 31), id="cd34" * 5)
    return (
        Suppression(
            finding=waived,
            reason="Test fixture; never deployed",
            owner="dana@example.org",
            expires="2027-03-01",
        ),
        Suppression(finding=inline, reason="nosemgrep comment", source="inline"),
    )


def _comparison() -> Comparison:
    findings = [*ISSUES, *RISKS, *VULNERABILITIES]
    new = [finding for finding in findings if finding.is_new]
    ledger = draw_up(new, REPOSITORY)
    return Comparison(
        base=BASE,
        new=len(new),
        existing=len(findings) - len(new),
        fixed=FIXED,
        verdict=judge(new, ledger, REPOSITORY, stops_at=Severity.HIGH),
        ledger=ledger,
    )


def _with_hostile_advisory(finding: Finding) -> Finding:
    if finding.advisory is None:
        raise ValueError("the sample has no advisory")
    advisory = replace(
        finding.advisory,
        package=HOSTILE,
        installed_version=HOSTILE,
        fixed_versions=(HOSTILE,),
        advisory_id=HOSTILE,
        path=(HOSTILE, HOSTILE),
    )
    return replace(finding, advisory=advisory)


def _hostile_fix(finding: Finding) -> Fix:
    edit = Edit(finding.place.file, 7, 7, f"{HOSTILE}\n```\n/approve")
    return Fix(
        id="fix-1",
        finding_ids=(finding.id,),
        title=f"Fix {HOSTILE}",
        explanation=f"Why {HOSTILE}",
        edits=(edit,),
        source="rule",
    )
