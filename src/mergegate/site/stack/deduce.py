"""From evidence to technologies: sum it up, add what comes along, drop what cannot be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mergegate.site.stack.evidence import Hit, Scene, hits
from mergegate.site.stack.facts import Stack, Technology, Traces
from mergegate.site.stack.rule import Rule, rules


@dataclass(frozen=True, slots=True)
class Belief:
    """How sure we are of one technology, and of which version."""

    confidence: int
    """1–100."""
    version: str = ""


Beliefs = Mapping[str, Belief]
"""By name of the technology."""


def stack(traces: Traces) -> Stack:
    """What ``traces`` give away: most certain first, then by name."""
    seen = _without_excluded(_seen(Scene(traces)))
    technologies = [_technology(name, belief) for name, belief in _settled(seen).items()]
    return Stack(tuple(sorted(technologies, key=lambda one: (-one.confidence, one.name.lower()))))


def _seen(scene: Scene) -> Beliefs:
    found = {name: tuple(hits(rule, scene)) for name, rule in rules().items()}
    return {name: _belief(evidence) for name, evidence in found.items() if evidence}


def _belief(evidence: Iterable[Hit]) -> Belief:
    evidence = tuple(evidence)
    confidence = min(sum(hit.confidence for hit in evidence), 100)
    return Belief(confidence, _most_precise(hit.version for hit in evidence))


def _most_precise(versions: Iterable[str]) -> str:
    """The one with most parts; of equals the first, which is what the page runs."""
    return max(versions, key=lambda version: (bool(version), version.count(".")), default="")


def _without_excluded(beliefs: Beliefs) -> Beliefs:
    """Without those that another, at least as certain, says it only looks like."""
    gone = {
        other
        for name, belief in beliefs.items()
        for other in rules()[name].excludes
        if other in beliefs and beliefs[other].confidence <= belief.confidence
    }
    return {name: belief for name, belief in beliefs.items() if name not in gone}


def _settled(seen: Beliefs) -> Beliefs:
    """With all that is implied, and without those that lack what they require."""
    while True:
        known = _closure(seen)
        lacking = {name for name in seen if not known.keys() >= set(rules()[name].requires)}
        if not lacking:
            return known
        seen = {name: belief for name, belief in seen.items() if name not in lacking}


def _closure(seen: Beliefs) -> Beliefs:
    """``seen`` and what they imply, and so on; the implied is never surer than what implies it."""
    known = dict(seen)
    waiting = list(seen)
    while waiting:
        name = waiting.pop()
        for other, belief in _implied(rules()[name], known[name]):
            before = known.get(other)
            if before is None or _adds(belief, before):
                known[other] = _joined(before, belief)
                waiting.append(other)
    return known


def _implied(rule: Rule, belief: Belief) -> Iterator[tuple[str, Belief]]:
    for one in rule.implies:
        yield one.text, Belief(min(belief.confidence, one.confidence), one.version)


def _adds(new: Belief, before: Belief) -> bool:
    return new.confidence > before.confidence or bool(new.version and not before.version)


def _joined(before: Belief | None, new: Belief) -> Belief:
    if before is None:
        return new
    return Belief(max(before.confidence, new.confidence), before.version or new.version)


def _technology(name: str, belief: Belief) -> Technology:
    rule = rules()[name]
    return Technology(name, rule.categories, belief.version, belief.confidence, rule.website)
