"""Issues → code to paste, written for what the site is built with."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mergegate.core.data_table import read_tables
from mergegate.site.audit.checks.judge import best_savings, was_checked
from mergegate.site.audit.facts import LighthouseRun
from mergegate.site.audit.report import Issue, SiteFix
from mergegate.site.facts.stack import Technology
from mergegate.site.level import stable_id
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Stack, stacks

REMEDIES = read_tables(Path(__file__).parent, Remedy, "key")
"""From the TOML files beside this module."""
_MOST = 12
_MS_A_POINT = 500


def fixes(
    run: LighthouseRun, issues: Sequence[Issue], technologies: Sequence[Technology]
) -> tuple[SiteFix, ...]:
    """At most 12, most valuable first: each remedy for the site's own stack, else for any site.

    Where there is room left, those with code of their own stack follow in plain HTML as well.
    ``issues`` are worst first, as :func:`mergegate.site.audit.checks.issues` gives them.
    """
    page = Page(run, [issue for issue in issues if was_checked(issue)])
    remedies = sorted(REMEDIES.values(), key=lambda one: _place(one, page.issues))
    known = stacks(technologies)
    fitting = [list(_written(remedy, page, known)) for remedy in remedies]
    best = [written[0] for written in fitting if written]
    plain = [other for written in fitting for other in written[1:]]
    return tuple(_without_twins([*best, *plain]))[:_MOST]


def with_fixes(issues: Iterable[Issue], fixes: Iterable[SiteFix]) -> tuple[Issue, ...]:
    """``issues``, each with the id of the first fix that is for it."""
    ids: dict[str, str] = {}
    for fix in fixes:
        for issue in fix.issue_ids:
            ids.setdefault(issue, fix.id)
    return tuple(replace(issue, fix_id=ids.get(issue.id)) for issue in issues)


def _place(remedy: Remedy, issues: Sequence[Issue]) -> tuple[float, int, str]:
    """The sort key: what the remedy gains, then how bad the worst of its issues is."""
    own = [(at, issue) for at, issue in enumerate(issues) if issue.rule in remedy.rules]
    value = max((_value(issue) for _, issue in own), default=0.0)
    return -value * remedy.part, min((at for at, _ in own), default=len(issues)), remedy.key


def _value(issue: Issue) -> float:
    """The gain in points; delay counts too, as a very bad metric's score may not move."""
    delay = max((ms for metric, ms in issue.savings.items() if metric != "CLS"), default=0.0)
    return issue.points + delay / _MS_A_POINT


def _written(remedy: Remedy, page: Page, known: Sequence[Stack]) -> Iterator[SiteFix]:
    own = [issue for issue in page.issues if issue.rule in remedy.rules]
    slots = remedy.fill(page, page.rows(*remedy.rules)) if own else None
    if slots is None:
        return
    recipes: list[tuple[str, Recipe]] = [
        *[(stack, remedy.stacks[stack]) for stack in known if stack in remedy.stacks][:1],
        *([("", remedy.plain)] if remedy.plain else []),
    ]
    for name, recipe in recipes:
        yield SiteFix(
            id=stable_id("fix", remedy.key, name),
            issue_ids=tuple(issue.id for issue in own),
            title=remedy.title,
            explanation=f"{remedy.explanation} {recipe.check}".strip(),
            language=recipe.language,
            code=recipe.filled(slots),
            technology=name,
            savings=best_savings(own if remedy.part == 1 else ()),
        )


def _without_twins(fixes: Iterable[SiteFix]) -> Iterator[SiteFix]:
    seen = set[str]()
    for fix in fixes:
        if fix.code not in seen:
            seen.add(fix.code)
            yield fix
