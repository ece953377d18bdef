"""Whether things of structured data have what their types need."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.severity import Severity
from mergegate.site.seo.checks.demands import DEMANDS, EXAMPLES, FAMILY, PARTS, AnyOf, Demand
from mergegate.site.seo.checks.point import GOOGLE, Rule, examples
from mergegate.site.seo.checks.things import Thing
from mergegate.site.seo.report import Point, Theme
from mergegate.site.words import listed

REQUIRED = Rule(
    id="structured-required-missing",
    theme=Theme.STRUCTURED_DATA,
    severity=Severity.MEDIUM,
    title="Structured data lacks what is required",
    remedy="Add the properties that are missing, and say nothing that the page does not.",
    source=f"{GOOGLE}/appearance/structured-data/sd-policies",
)
RECOMMENDED = Rule(
    id="structured-recommended-missing",
    theme=Theme.STRUCTURED_DATA,
    severity=Severity.INFO,
    title="Structured data could say more",
    remedy="Add the properties that apply.",
    source=f"{GOOGLE}/appearance/structured-data/sd-policies",
)
_ANYTHING = '"…"'


@dataclass(frozen=True, slots=True)
class _Judged:
    """A thing, and what is asked of it."""

    where: str
    """Such as ``Product › offers``."""
    thing: Thing
    demand: Demand
    alone: bool
    """Whether it stands by itself."""

    def missing(self, rule: Rule) -> tuple[AnyOf, ...]:
        """What it lacks by this rule."""
        wanted = self.demand.recommended
        if rule is REQUIRED:
            wanted = self.demand.required + (self.demand.alone if self.alone else ())
        return tuple(names for names in wanted if not any(map(self.thing.has, names)))


def lacking(things: tuple[Thing, ...], url: str) -> Iterator[Point]:
    """One point a kind of thing and set of what it lacks; types without a demand are left alone."""
    for rule in (REQUIRED, RECOMMENDED):
        count: Counter[tuple[str, tuple[AnyOf, ...]]] = Counter()
        first: dict[tuple[str, tuple[AnyOf, ...]], _Judged] = {}
        for one in (judged for thing in things for judged in _judged(thing)):
            if missing := one.missing(rule):
                count[one.where, missing] += 1
                first.setdefault((one.where, missing), one)
        for key, one in first.items():
            yield _lack(rule, one, key[1], count[key], url)


def _judged(thing: Thing) -> Iterator[_Judged]:
    for name in thing.types:
        family = FAMILY.get(name, "")
        demand = DEMANDS.get(family) or PARTS.get(family)
        # A part says nothing by itself, unless it can name what it belongs to.
        if demand and (family in DEMANDS or demand.alone):
            yield from _with_parts(_Judged(name, thing, demand, alone=True))


def _with_parts(whole: _Judged) -> Iterator[_Judged]:
    yield whole
    for name in whole.demand.within:
        for part in whole.thing.things(name):
            demand = next((PARTS[FAMILY[one]] for one in part.types if _is_part(one)), None)
            if demand:
                yield from _with_parts(
                    _Judged(f"{whole.where} › {name}", part, demand, alone=False)
                )


def _is_part(name: str) -> bool:
    return FAMILY.get(name) in PARTS


def _lack(rule: Rule, one: _Judged, missing: tuple[AnyOf, ...], count: int, url: str) -> Point:
    names = listed([_either(some) for some in missing])
    thing, demand = one.thing, one.demand
    many = f", {count} times" if count > 1 else ""
    return rule.point(
        url,
        f"{one.where} ({thing.syntax}{many}) lacks {names}: {_cost(rule, demand)}.",
        place=f"{one.where} {names}",
        selector=thing.selector,
        evidence=examples(thing.texts("name") or thing.texts("headline") or thing.texts("@id")),
        snippet=_example(missing) if thing.syntax == "JSON-LD" else "",
        source=demand.source,
        severity=demand.severity if rule is REQUIRED else None,
        count=count,
    )


def _either(names: AnyOf) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _cost(rule: Rule, demand: Demand) -> str:
    if rule is RECOMMENDED:
        return "recommended for rich results"
    google = demand.source.startswith(GOOGLE)
    return "required for rich results" if google else "without it the markup says nothing"


def _example(missing: tuple[AnyOf, ...]) -> str:
    first = (names[0].partition(".")[0] for names in missing)
    return ",\n".join(f'"{name}": {EXAMPLES.get(name, _ANYTHING)}' for name in first)
