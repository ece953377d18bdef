"""Facts → findings: pure functions, discovered by walking this folder."""

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable
from functools import cache

from mergegate.core.check import Check
from mergegate.core.finding import Finding
from mergegate.core.rule import RuleCard
from mergegate.core.severity import Aspect, Category, Confidence

CATEGORIES = {
    Aspect.CODE: Category.SECURITY,
    Aspect.SECRETS: Category.SECURITY,
    Aspect.DEPENDENCIES: Category.DEPENDENCY,
    Aspect.IAC: Category.IAC,
    Aspect.QUALITY: Category.QUALITY,
}
"""Where most findings of a part of the scan count; a risk may name another category."""

_REGISTRY: dict[str, Check] = {}

Rule = Callable[..., Iterable[Finding]]


def check(id: str, aspect: Aspect) -> Callable[[Rule], Rule]:
    """Register a function whose parameters are annotated with the facts it needs."""

    def register(rule: Rule) -> Rule:
        hints = typing.get_type_hints(rule)
        needs = tuple(hints[name] for name in inspect.signature(rule).parameters)
        if id in _REGISTRY:
            raise ValueError(f"two checks are called {id}")
        _REGISTRY[id] = Check(id, aspect, needs, rule, inspect.getdoc(rule) or "")
        return rule

    return register


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check of this folder, sorted by id."""
    for folder in pkgutil.iter_modules(__path__):
        _load(f"{__name__}.{folder.name}")
    return tuple(known for _, known in sorted(_REGISTRY.items()))


def _load(name: str) -> None:
    found = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(found, "__path__", ()), prefix=f"{name}."):
        importlib.import_module(module.name)


def card(known: Check) -> RuleCard:
    """What is published about a check: its docstring."""
    title, _, rest = known.explanation.partition("\n\n")
    paragraphs = [" ".join(part.split()) for part in rest.split("\n\n")]
    return RuleCard(
        id=known.id,
        title=" ".join(title.split()).rstrip("."),
        message="\n\n".join(paragraphs),
        severity=None,
        confidence=Confidence.HIGH,
        category=CATEGORIES[known.aspect],
        aspect=known.aspect,
        engine="mergegate",
    )
