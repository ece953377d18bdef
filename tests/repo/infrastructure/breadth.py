"""Of how many settings something is known: each kind with each setting counts once.

python -m tests.repo.infrastructure.breadth
"""

import json
import re
from collections import Counter

from mergegate.repo.facts.resources import Dialect, dialect_of
from mergegate.repo.infrastructure import entries

_FAMILY = re.compile(r"(?:data\.|provider\.|backend\.)?([a-z0-9]+)")


def breadth() -> Counter[str]:
    """How many kinds with a setting there are by dialect, and by provider of Terraform's."""
    known = {
        (kind, subject.each, setting)
        for entry in entries().values()
        for subject in entry.subjects
        for kind in subject.kinds
        for setting in subject.settings
    }
    return Counter(_family(kind) for kind, _, _ in known)


def _family(kind: str) -> str:
    dialect = dialect_of(kind)
    named = _FAMILY.match(kind) if dialect is Dialect.TERRAFORM else None
    return f"terraform {named[1]}" if named else dialect.value


if __name__ == "__main__":
    print(json.dumps(dict(breadth().most_common()), indent=2))
