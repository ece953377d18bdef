"""Where an OpenAPI description contradicts the specification or itself, one resource a reason."""

from collections.abc import Iterator

from mergegate.repo.checks.infrastructure.dialects import (
    openapi_bounds,
    openapi_contents,
    openapi_logins,
    openapi_operations,
    openapi_references,
    openapi_schemas,
    openapi_structure,
)
from mergegate.repo.checks.infrastructure.dialects.openapi_structure import Description, Mistake
from mergegate.repo.checks.infrastructure.dialects.parts import mapping, resource
from mergegate.repo.facts.documents import DocumentFile, Node
from mergegate.repo.facts.resources import Dialect, Resource

_FINDERS = (
    openapi_structure.mistakes,
    openapi_references.mistakes,
    openapi_operations.mistakes,
    openapi_contents.mistakes,
    openapi_schemas.mistakes,
    openapi_bounds.mistakes,
    openapi_logins.mistakes,
)


def resources(file: DocumentFile, root: Node) -> Iterator[Resource]:
    """The first place of each reason, with how many more there are."""
    description = Description(root)
    by_reason: dict[tuple[str, str], list[Mistake]] = {}
    for finder in _FINDERS:
        for one in finder(description):
            by_reason.setdefault((one.matter, one.reason), []).append(one)
    for (matter, reason), every in by_reason.items():
        first = min(every, key=lambda one: one.line)
        more = f", and {len(every) - 1} more" if len(every) > 1 else ""
        line = max(first.line, 1)
        found = mapping(line, {"matter": matter, "reason": reason})
        yield resource(file, Dialect.OPENAPI, "mistake", f"{reason}{more}", found)
