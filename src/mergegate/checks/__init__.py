"""Facts → findings: pure functions, discovered by walking this folder."""

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable
from functools import cache

from mergegate.model.check import Check
from mergegate.model.finding import Finding
from mergegate.model.severity import Aspect

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
    for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}."):
        importlib.import_module(module.name)
    return tuple(known for _, known in sorted(_REGISTRY.items()))
