"""Facts → findings: pure functions, discovered by walking this folder."""

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from mergegate.core.check import Check
from mergegate.core.finding import Finding
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect

_REGISTRY: dict[str, Check] = {}

Run = Callable[..., Iterable[Finding]]


def check(rule: Rule) -> Callable[[Run], Run]:
    """Register the function that finds ``rule`` broken; its docstring is the explanation."""

    def register(run: Run) -> Run:
        return _registered(rule.id, rule.aspect, run, lambda: (_explained(rule, run),))

    return register


def check_of_many(
    id: str, aspect: Aspect, rules: Callable[[], Iterable[Rule]]
) -> Callable[[Run], Run]:
    """Register a function that yields findings of ``rules``, none under its own ``id``."""
    return lambda run: _registered(id, aspect, run, rules)


def _registered(id: str, aspect: Aspect, run: Run, rules: Callable[[], Iterable[Rule]]) -> Run:
    """``run`` itself, whose parameters are annotated with the facts that it needs."""
    hints = typing.get_type_hints(run)
    needs = tuple(hints[name] for name in inspect.signature(run).parameters)
    if id in _REGISTRY:
        raise ValueError(f"two checks are called {id}")
    _REGISTRY[id] = Check(id, aspect, needs, run, rules)
    return run


def _explained(rule: Rule, run: Run) -> Rule:
    paragraphs = (inspect.getdoc(run) or "").split("\n\n")
    return replace(rule, explanation="\n\n".join(" ".join(one.split()) for one in paragraphs))


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check of this folder, sorted by id."""
    for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        importlib.import_module(module.name)
    return tuple(known for _, known in sorted(_REGISTRY.items()))


@cache
def all_rules() -> Mapping[str, Rule]:
    """Every rule that a scan of a repository knows, by id, sorted."""
    rules = {rule.id: rule for known in all_checks() for rule in known.rules()}
    return dict(sorted(rules.items()))
