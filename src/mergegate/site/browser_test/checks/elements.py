"""What axe-core says of a page's elements → problems.

Levels follow axe's impact: critical and serious keep people out and are errors, moderate and minor
are warnings, and so is what ``site/impact.toml`` calls mild; what ``site/advice.toml`` has is no
problem but a suggestion. An impact that is not known counts as an error: silence never passes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from mergegate.site.browser_test.checks.site import MOST_EVIDENCE, MOST_MESSAGE, Site, identity
from mergegate.site.browser_test.checks.suggest import remedy
from mergegate.site.browser_test.facts import AxeNode, AxeViolation, PageVisit
from mergegate.site.browser_test.report import Kind, Problem
from mergegate.site.impact import is_advice, keeps_nobody_out
from mergegate.site.level import Level
from mergegate.site.words import cut

_MILD = frozenset({"moderate", "minor"})
_RULE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){0,9}")
_POSITION = re.compile(r":nth-(?:of-type|child)\(\d+\)")
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_HEADING = re.compile(r"^Fix (?:any|all) of the following:\s*")
"""What axe puts before its reasons."""
_EXPLAINED_AT = "dequeuniversity.com"
"""Where axe's help is; a page that meddled with axe must not name another place."""


def element_problems(visit: PageVisit, site: Site) -> Iterator[Problem]:
    """One entry an element that breaks a rule, and one for those beyond what was kept.

    What hinders nobody is of level info.
    """
    for violation in visit.violations:
        if _RULE.fullmatch(violation.rule):  # else it is no rule of axe
            yield from _of_violation(violation, visit, site)


def _of_violation(violation: AxeViolation, visit: PageVisit, site: Site) -> Iterator[Problem]:
    kept = [_of_element(violation, node, visit, site) for node in violation.nodes]
    rest = max(0, violation.count - len(kept))
    if len({one.id for one in kept}) == 1:
        # Those that were kept are all of one kind: so are the others, as far as anyone can tell.
        yield replace(kept[0], count=1 + rest)
        kept, rest = kept[1:], 0
    yield from kept
    if rest:
        yield _of_the_rest(violation, rest, visit)


def _of_element(violation: AxeViolation, node: AxeNode, visit: PageVisit, site: Site) -> Problem:
    element = node.element
    return replace(
        _of_rule(violation, visit, [node]),
        id=identity(violation.rule, *_traits(violation.rule, node, site)),
        selector=element.selector,
        selectors=(element.selector,) if element.selector else (),
        evidence=cut(_evidence(node), MOST_EVIDENCE),
    )


def _traits(rule: str, node: AxeNode, site: Site) -> tuple[str, ...]:
    """What makes the element this one: its path without positions, its tag, its colours.

    An element that is inserted before moves the positions, and what a template repeats is one
    thing: a pale comment in each listing is one colour to change. Of fields and images each needs
    words of its own, so their numbers count, and a field's own name says all.
    """
    selector, snippet = node.element.selector, node.element.snippet
    colours = " ".join(_COLOUR.findall(node.summary))
    path = _POSITION.sub("", selector)
    if remedy(rule).kind is Kind.ACCESSIBILITY:
        return site.plain(path), site.plain(snippet), colours
    has_name = selector.startswith(("#", "[")) and " > " not in selector
    return selector if has_name else site.plain(path), site.steady(snippet), colours


def _evidence(node: AxeNode) -> str:
    """The tag, and what is wrong with it."""
    summary = _HEADING.sub("", node.summary)
    return ": ".join(filter(None, (node.element.snippet, summary)))


def _of_the_rest(violation: AxeViolation, rest: int, visit: PageVisit) -> Problem:
    told = _of_rule(violation, visit, violation.nodes[-1:])  # the worst come first
    return replace(
        told,
        id=identity(violation.rule, "rest"),
        message=f"{told.message} (further elements)",
        count=rest,
    )


def _of_rule(violation: AxeViolation, visit: PageVisit, nodes: Sequence[AxeNode]) -> Problem:
    return Problem(
        id="",
        kind=remedy(violation.rule).kind,
        rule=violation.rule,
        level=_level(violation, nodes),
        message=cut(violation.help, MOST_MESSAGE) or violation.rule,
        page=visit.url,
        pages=(visit.url,),
        remedy=remedy(violation.rule).text,
        reference=_reference(violation.help_url),
    )


def _level(violation: AxeViolation, nodes: Sequence[AxeNode]) -> Level:
    reasons = [node.summary for node in nodes]
    if is_advice(violation.rule, reasons):
        return Level.INFO
    mild = violation.impact in _MILD or keeps_nobody_out(violation.rule, reasons)
    return Level.WARNING if mild else Level.ERROR


def _reference(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    good = parts.scheme == "https" and parts.netloc == _EXPLAINED_AT
    return url if good and url.isascii() and url.isprintable() and " " not in url else ""
