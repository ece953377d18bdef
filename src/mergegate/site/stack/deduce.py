"""From evidence to technologies: sum it up, add what comes along, drop what cannot be."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

from mergegate.site.address import registered
from mergegate.site.facts.stack import Stack, Technology, Traces
from mergegate.site.stack.rule import Name, Pattern, Signature, rules

_LABELS = 10
"""The most labels of a host that are compared; no rule asks for a domain of more."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One piece of evidence that was found."""

    confidence: int
    """1–100."""
    version: str = ""


@dataclass(frozen=True)
class Scene:
    """Traces made ready for many questions; each view is made once."""

    traces: Traces

    @cached_property
    def addresses(self) -> str:
        """The addresses of all that was loaded, one a line, without queries and fragments."""
        return "\n".join(self._loaded)

    @cached_property
    def paths(self) -> str:
        """What of it came from the site itself."""
        return "\n".join(one for one in self._loaded if registered(_host(one)) == self._home)

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts it came from, and every domain above them."""
        return _domains(map(_host, self._loaded))

    @cached_property
    def site(self) -> frozenset[str]:
        """The host of the page, and every domain above it."""
        return _domains([_host(self.traces.url)])

    @cached_property
    def _loaded(self) -> tuple[str, ...]:
        seen = self.traces
        everything = (*seen.scripts, *seen.styles, *seen.requests)
        return tuple(dict.fromkeys(map(_plain, everything)))

    @cached_property
    def _home(self) -> str:
        return registered(_host(self.traces.url))


def hits(rule: Signature, scene: Scene) -> Iterator[Hit]:
    """Every piece of evidence for ``rule``, what runs before what was merely loaded."""
    seen = scene.traces
    yield from _valued(rule.told.items(), seen.globals)
    yield from _valued(((one.key, one.pattern) for one in rule.elements), seen.readings)
    yield from _named(rule.headers, seen.headers)
    yield from _named(rule.metas, seen.metas)
    yield from _whole(rule.cookies, seen.cookies)
    yield from _each(rule.addresses, [scene.addresses])
    yield from _each(rule.paths, [scene.paths])
    yield from _each(rule.html, [seen.html])
    yield from _present(rule.hosts, scene.hosts)
    yield from _present(rule.sites, scene.site)
    yield from _present(rule.selectors, seen.selectors)


def _hit(pattern: Pattern, text: str) -> Iterator[Hit]:
    if match := pattern.expression.search(text):
        yield Hit(pattern.confidence, pattern.version_in(match))


def _each(patterns: Iterable[Pattern], texts: Iterable[str]) -> Iterator[Hit]:
    """One hit a pattern: the same library loaded twice is no better evidence."""
    for pattern in patterns:
        for text in texts:
            if found := next(_hit(pattern, text), None):
                yield found
                break


def _whole(patterns: Iterable[Pattern], names: Iterable[str]) -> Iterator[Hit]:
    for pattern in patterns:
        if any(map(pattern.expression.fullmatch, names)):
            yield Hit(pattern.confidence)


def _named(asked: Mapping[str, Pattern], there: Mapping[str, tuple[str, ...]]) -> Iterator[Hit]:
    for name, pattern in asked.items():
        yield from _each([pattern], there.get(name, ()))


def _valued(asked: Iterable[tuple[str, Pattern]], there: Mapping[str, str]) -> Iterator[Hit]:
    for name, pattern in asked:
        if name in there:
            yield from _hit(pattern, there[name])


def _present(asked: Iterable[Name], there: frozenset[str]) -> Iterator[Hit]:
    return (Hit(one.confidence, one.version) for one in asked if one.text in there)


def _plain(address: str) -> str:
    return address.partition("#")[0].partition("?")[0].replace("\n", "")


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _domains(hosts: Iterable[str]) -> frozenset[str]:
    return frozenset(
        ".".join(labels[start:])
        for labels in (host.split(".")[-_LABELS:] for host in hosts)
        for start in range(len(labels))
    )


@dataclass(frozen=True, slots=True)
class Belief:
    """How sure we are of one technology, and of which version."""

    confidence: int
    """1–100."""
    version: str = ""


Beliefs = Mapping[str, Belief]
"""What is believed of each technology, by its name."""


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
    """``beliefs`` without those that another, at least as certain, excludes."""
    gone = {
        other
        for name, belief in beliefs.items()
        for other in rules()[name].excludes
        if other in beliefs and beliefs[other].confidence <= belief.confidence
    }
    return {name: belief for name, belief in beliefs.items() if name not in gone}


def _settled(seen: Beliefs) -> Beliefs:
    """``seen`` and all that it implies, without those that lack what they require."""
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


def _implied(rule: Signature, belief: Belief) -> Iterator[tuple[str, Belief]]:
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
