"""Facts → findings: pure functions, discovered by walking this folder."""

import ast
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, update_wrapper
from typing import Any, Concatenate, ParamSpec, TypedDict, TypeVar, Unpack, cast

from mergegate.core.check import Check
from mergegate.core.finding import Finding
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.tree import Skipped

_REGISTRY: dict[str, Check] = {}
_SEVERITIES = {one.label.capitalize(): one for one in Severity}
_FIELDS = frozenset({"Title", *_SEVERITIES, "Remedy", "Reference"})

Run = TypeVar("Run", bound=Callable[..., Iterable[Finding | Skipped]])
Facts = ParamSpec("Facts")
OneRule = TypeVar("OneRule", bound=Rule)


class Details(TypedDict, total=False):
    """What is said of a rule where its family's default does not hold."""

    milder: Mapping[Severity, str]
    production_only: bool
    without_cwe: str
    confidence: Confidence
    category: Category
    aspect: Aspect
    kind: Kind
    engine: str


def check(
    id: str, severity: Severity, cwe: str = "", **details: Unpack[Details]
) -> Callable[
    [Callable[Concatenate[OneRule, Facts], Iterable[Finding]]], Callable[Facts, Iterable[Finding]]
]:
    """Register a function that finds one rule broken, and declare the rule.

    The function's first parameter is the rule, annotated with its family (``DocumentRule``…); the
    others are annotated with the facts that it needs. Its docstring is the rule's public page: the
    explanation, then a paragraph for each field. ``Title: …`` and ``Remedy: …``; ``Low: …`` and
    the like, when a finding is milder than ``severity``; ``Reference: …``, a line for each address,
    the most telling first.
    """

    def register(
        run: Callable[Concatenate[OneRule, Facts], Iterable[Finding]],
    ) -> Callable[Facts, Iterable[Finding]]:
        family, *facts = _annotations(run)
        weaknesses = (cwe,) if cwe else ()
        rule = family(id=id, severity=severity, cwe=weaknesses, **(_page(run) | details))
        bound: Callable[Facts, Iterable[Finding]] = update_wrapper(partial(run, rule), run)
        _register(Check(id, rule.aspect, tuple(facts), bound, lambda: (rule,)))
        return bound

    return register


def check_of_many(
    id: str, aspect: Aspect, rules: Callable[[], Iterable[Rule]]
) -> Callable[[Run], Run]:
    """Register a function that yields findings of ``rules``, none under its own ``id``."""

    def register(run: Run) -> Run:
        _register(Check(id, aspect, tuple(_annotations(run)), run, rules))
        return run

    return register


def _annotations(run: Run) -> list[Any]:
    """The types of the parameters."""
    hints = typing.get_type_hints(run)
    return [hints[name] for name in inspect.signature(run).parameters]


def _register(known: Check) -> None:
    if known.id in _REGISTRY:
        raise ValueError(f"two checks are called {known.id}")
    _REGISTRY[known.id] = known


def _page(run: Run) -> dict[str, Any]:
    """What the docstring of ``run`` tells of its rule; ``python -OO`` leaves it in the source."""
    text = inspect.getdoc(run)
    if text is None:
        function = ast.parse(inspect.getsource(run)).body[0]
        text = ast.get_docstring(cast("ast.FunctionDef", function)) or ""
    explanation: list[str] = []
    fields: dict[str, str] = {}
    for paragraph in text.split("\n\n"):
        line = " ".join(paragraph.split())
        name, _, told = line.partition(": ")
        if name in _FIELDS:
            fields[name] = told
        else:
            explanation.append(line)
    references = fields.get("Reference", "").split(" Reference: ")
    milder = {one: fields[name] for name, one in _SEVERITIES.items() if name in fields}
    return {
        "title": fields.get("Title", ""),
        "explanation": "\n\n".join(explanation),
        "remedy": fields.get("Remedy", ""),
        "references": tuple(filter(None, references)),
    } | ({"milder": milder} if milder else {})


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
