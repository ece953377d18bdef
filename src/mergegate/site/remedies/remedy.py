"""What a fix is made of: the issues it is for, a way to fill it in, and the code by stack."""

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from mergegate.site.audit.facts import Detail, LighthouseRun
from mergegate.site.audit.report import Issue
from mergegate.site.remedies.quoting import address
from mergegate.site.remedies.stacks import Stack

Slots = Mapping[str, str]
"""Values for a recipe's ``@@names``, each ready for the code that it will stand in."""
NOTHING: Slots = MappingProxyType({})


@dataclass(frozen=True)
class Page:
    """What is known of the page while fixes are written for it."""

    run: LighthouseRun
    issues: Sequence[Issue]
    """Worst first."""

    @cached_property
    def by_rule(self) -> Mapping[str, Issue]:
        """The issues by their audit."""
        return MappingProxyType({issue.rule: issue for issue in self.issues})

    def rows(self, *rules: str) -> tuple[Detail, ...]:
        """The details of the issues of ``rules``, in that order."""
        found = (self.by_rule[rule] for rule in rules if rule in self.by_rule)
        return tuple(row for issue in found for row in issue.details)

    def address(self, url: str) -> str | None:
        """As :func:`quoting.address`, as seen from this page."""
        return address(url, self.run.final_url)

    def kind(self, url: str) -> str:
        """Lighthouse's resource type of a request; by its ending when it was not recorded."""
        known = next((load.kind for load in self.run.waterfall if load.url == url), "")
        return known or _by_ending(url)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Code with ``@@name`` where a value goes."""

    language: str
    code: str
    check: str = ""
    """What is to be looked at before or after, a sentence."""

    def fill(self, slots: Slots) -> str:
        """The code; raises KeyError when a slot has no value."""
        return _Code(self.code).substitute(slots)


@dataclass(frozen=True, slots=True)
class Remedy:
    """One way to put issues right."""

    key: str
    """Permanent: the id of the fix is made of it."""
    rules: tuple[str, ...]
    title: str
    explanation: str
    recipes: Mapping[Stack | None, Recipe]
    """None is for any site."""
    slots: Callable[[Page], Slots | None] = lambda _: NOTHING
    """None when the page does not tell enough to write code."""
    part: float = 1.0
    """How much of its issues it puts right, 0–1, by our judgement: it decides the order, and one
    that does not do all claims no savings."""


class _Code(string.Template):
    # A dollar sign is a variable in what we write for nginx, PHP and Svelte.
    delimiter = "@@"


def first(values: Iterable[str | None]) -> str | None:
    """The first that is there."""
    return next((value for value in values if value), None)


def _by_ending(url: str) -> str:
    path = url.split("?", 1)[0].split("#", 1)[0]
    if path.endswith((".js", ".mjs")):
        return "script"
    return "stylesheet" if path.endswith(".css") else ""
