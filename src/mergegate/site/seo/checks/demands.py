"""What Google asks of each type of schema.org before it shows a rich result."""

from collections.abc import Mapping
from dataclasses import dataclass

from mergegate.core.data_table import read_table
from mergegate.core.severity import Severity
from mergegate.site.seo.facts import DATA

AnyOf = tuple[str, ...]
"""Names of properties, of which one is enough; ``item.name`` is a property of the thing held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What a type needs."""

    id: str
    """The type."""
    required: tuple[AnyOf, ...] = ()
    recommended: tuple[AnyOf, ...] = ()
    within: tuple[str, ...] = ()
    """Properties whose things are judged too, by :data:`PARTS`."""
    alone: tuple[AnyOf, ...] = ()
    """What it needs besides where it stands by itself, not within another thing."""
    severity: Severity = Severity.MEDIUM
    """Of what is required and missing."""
    kinds: str = ""
    """Types that it holds for as well."""
    source: str


DEMANDS = read_table(DATA / "schema_types.toml", Demand)
"""Of things that stand by themselves."""
PARTS = read_table(DATA / "schema_parts.toml", Demand)
"""Of things that belong to others."""
FAMILY: Mapping[str, str] = {
    **{name: name for name in (*DEMANDS, *PARTS)},
    **{
        kind: family
        for table in (DEMANDS, PARTS)
        for family, demand in table.items()
        for kind in demand.kinds.split()
    },
}
"""Which demands hold for a type; those that are not here are not judged."""
EXAMPLES = read_table(DATA / "schema_examples.toml", str)
"""How a property may be written in JSON-LD."""
