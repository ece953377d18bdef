"""The engines that tell which packages a repository uses, and what is known against them."""

from collections.abc import Sequence
from dataclasses import replace

from mergegate.core.severity import Aspect
from mergegate.core.tree import Tree
from mergegate.packages.advisories import Stock
from mergegate.packages.advisory_engine import AdvisoryEngine
from mergegate.packages.dependencies import (
    Dependencies,
    Package,
    PythonAudit,
    Vulnerabilities,
    selected,
)
from mergegate.packages.lockfile_engine import LockfileEngine
from mergegate.packages.uses import Uses
from mergegate.repo.engines.pip_audit import PipAuditEngine
from mergegate.sandbox.engines.engine import EngineContext, Gathered, Memory
from mergegate.sandbox.engines.runner import Facts, Source, required, whole_tree
from mergegate.secrets.mask import mask_line
from mergegate.secrets.places import shown_fact, shown_name

_ASPECTS = frozenset({Aspect.DEPENDENCIES})


def sources(stock: Stock, memory: Memory) -> Sequence[Source]:
    """What is used, a second voice on Python's packages, and the advisories about all."""
    return (
        whole_tree(_Lockfiles(), Dependencies, _ASPECTS),
        _pip_audit(stock, memory),
        _advisories(stock),
    )


class _Lockfiles(LockfileEngine):
    """Takes the secrets out of what names, versions and lines hold."""

    def gather(self, tree: Tree, context: EngineContext) -> Gathered:
        """As the engine does, with the fact as it may be shown."""
        gathered = super().gather(tree, context)
        return replace(gathered, facts=tuple(map(shown_fact, map(_canonical, gathered.facts))))


def _canonical(fact: Dependencies) -> Dependencies:
    """The fact without what repeats a secret in another form: small letters, repaired lines."""
    return replace(
        fact,
        packages=tuple(map(_package, fact.packages)),
        unresolved=tuple(
            replace(one, name="") if shown_name(one.text) != one.text else one
            for one in fact.unresolved
        ),
    )


def _package(package: Package) -> Package:
    pin, name = package.pin, shown_name(package.written)
    if name != package.written:
        return replace(package, name=name, pin=None)
    return replace(package, pin=None) if pin and mask_line(pin.text) != pin.text else package


def pip_audit(stock: Stock, memory: Memory) -> PipAuditEngine:
    """The second voice, asking our own store."""
    return PipAuditEngine(stock.opened, memory)


def _pip_audit(stock: Stock, memory: Memory) -> Source:
    engine = pip_audit(stock, memory)

    def gather(_: Tree, context: EngineContext, facts: Facts) -> Gathered:
        dependencies = _asked(facts, context)
        stock.fill(dependencies.ecosystems)
        return engine.gather(dependencies, context)

    needs = (Dependencies,)
    return Source(engine.name, _ASPECTS, (PythonAudit,), gather, needs, proves=False)


def _advisories(stock: Stock) -> Source:
    engine = AdvisoryEngine(stock.opened)

    def gather(tree: Tree, context: EngineContext, facts: Facts) -> Gathered:
        audit = facts.get(PythonAudit)
        heard = audit if isinstance(audit, PythonAudit) else None
        return engine.gather(_asked(facts, context), heard, Uses(tree))

    needs = (Dependencies, PythonAudit)
    return Source(engine.name, _ASPECTS, (Vulnerabilities,), gather, needs)


def _asked(facts: Facts, context: EngineContext) -> Dependencies:
    """The packages that are judged."""
    return selected(required(facts, Dependencies), context.selection)
