"""Changes under review, as reports: clean, failing, incomplete, crowded, drifted; and framings."""

from collections.abc import Sequence
from dataclasses import replace

from mergegate.core.finding import Advisory, Finding, Place
from mergegate.core.plans import REPOSITORY
from mergegate.core.report import Comparison, Report
from mergegate.core.score import draw_up, judge
from mergegate.core.severity import Category, Kind, Severity
from mergegate.forges.marker import Push, State, Waiver
from mergegate.forges.publication import BITBUCKET, GITHUB, GITLAB, Dialect, Framing
from tests.repo.report import samples
from tests.repo.report.shop import FIXED, NO_LOCK, identified
from tests.site.deployment.samples import SLOW_SITE

FORGES = {"github": GITHUB, "gitlab": GITLAB, "bitbucket": BITBUCKET}
HEAD = "4f0c2d9be1a87c3356d0e9f1b2a4c6d8e0f13579"
EARLIER = "77aa2d9be1a87c3356d0e9f1b2a4c6d8e0f13579"


def slow_site() -> Report:
    """Nothing wrong with the code; its site is slower than before, and breaks in the browser."""
    return replace(clean(), site=SLOW_SITE)


def framing(
    report: Report, dialect: Dialect = GITHUB, fail_on: str = "new", head: str = HEAD
) -> Framing:
    """As a job of a pull request frames it."""
    judged = report.comparison if report.comparison and fail_on == "new" else report
    site = report.site.verdict if report.site else None
    return Framing(
        verdict=judged.verdict.beside(site),
        fail_on=fail_on,
        dialect=dialect,
        head=head,
        sequence=7,
        at="2026-11-20T09:14:13.204Z",
        run_url="https://ci.example.org/acme/shop/runs/81",
        commands=True,
    )


def against_base(
    report: Report, fixed: Sequence[Finding] = (), drifted: Sequence[Finding] = ()
) -> Report:
    """``report`` with a comparison over what it says is new."""
    new = [one for one in report.findings if one.is_new]
    ledger = draw_up(new, REPOSITORY)
    comparison = Comparison(
        base=samples.BASE,
        new=len(new),
        existing=len(report.findings) - len(new),
        fixed=tuple(fixed),
        verdict=judge(new, ledger, REPOSITORY, stops_at=Severity.HIGH),
        ledger=ledger,
        drifted=tuple(one.id for one in drifted),
    )
    return replace(report, comparison=comparison)


def clean() -> Report:
    """Nothing found on either side."""
    return against_base(samples.passed())


def failing() -> Report:
    """New findings of every kind, beside old ones."""
    return samples.failed()


def incomplete() -> Report:
    """Two engines gave no answer, against a base."""
    report = samples.incomplete()
    compared = against_base(report)
    comparison = replace(_comparison(compared), verdict=report.verdict)
    return replace(compared, comparison=comparison)


def crowded() -> Report:
    """500 new findings."""
    huge = samples.huge(500)
    return against_base(replace(huge, issues=tuple(replace(f, is_new=True) for f in huge.issues)))


def drifted() -> Report:
    """Seven advisories on an old package, published since the base, and one fixed finding."""
    late = [advisory(number, is_new=False) for number in range(7)]
    return against_base(samples.report((), (), late), FIXED, late)


def raised() -> Report:
    """The change brings the same seven advisories in."""
    return against_base(samples.report((), (), [advisory(n, is_new=True) for n in range(7)]))


def grouped() -> Report:
    """Old and new findings of every kind; of the new, seven on one package, and a habit."""
    report = samples.failed()
    known = (*report.vulnerabilities, *(advisory(n, is_new=True) for n in range(7)))
    habit = tuple(
        identified(replace(NO_LOCK, place=Place(f"{name}/package.json")))
        for name in ("api", "cli", "ui")
    )
    return against_base(
        replace(report, risks=(*report.risks, *habit), vulnerabilities=known), FIXED
    )


def advisory(number: int, *, is_new: bool) -> Finding:
    """One of several advisories on one version of a Go module."""
    name = f"GO-2024-{1000 + number}"
    return identified(
        Finding(
            rule_id="vulnerable-dependency",
            title=f"golang.org/x/net 0.1.0: flaw number {number}",
            message=f"golang.org/x/net 0.1.0 is affected by {name}. Upgrade to v0.38.0.",
            severity=Severity.HIGH if number == 3 else Severity.MEDIUM,
            category=Category.DEPENDENCY,
            kind=Kind.DEPENDENCY,
            place=Place("go.mod", 5, 5),
            evidence=name,
            references=(f"https://osv.dev/vulnerability/{name}",),
            engine="advisories",
            snippet="\tgolang.org/x/net v0.1.0",
            is_new=is_new,
            advisory=Advisory(
                package="golang.org/x/net",
                ecosystem="Go",
                installed_version="0.1.0",
                fixed_versions=(f"v0.{10 + number}.0",),
                upgrade="v0.38.0",
                advisory_id=name,
            ),
        )
    )


def earlier() -> State:
    """Two answers to earlier pushes, and a dismissal given by comment."""
    return State(
        head=EARLIER,
        sequence=6,
        pushes=(
            Push(head="0b" * 20, gate="failed", score=31, new=9, at="2026-11-19T16:40:02Z"),
            Push(head=EARLIER, gate="incomplete", score=60, new=None, at="2026-11-20T08:02:51Z"),
        ),
        waivers=(Waiver(id="ab12ab12ab", reason="Fixture", owner="dana", expires="2027-01-01"),),
    )


def _comparison(report: Report) -> Comparison:
    if report.comparison is None:
        raise ValueError("the sample has no base")
    return report.comparison
