"""What a file is for, read off its path alone."""

import re
from functools import lru_cache
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.core.tree import Role

_PATTERNS = {
    name: re.compile("|".join(alternatives), re.IGNORECASE)
    for name, alternatives in read_lists(Path(__file__).with_suffix(".toml")).items()
}
_DOCS_NAME, _REQUIREMENTS = _PATTERNS.pop("docs-names"), _PATTERNS.pop("requirements")
_BY_ROLE = tuple((Role(name), pattern) for name, pattern in _PATTERNS.items())


@lru_cache(maxsize=1 << 17)
def role_of(path: str) -> Role:
    """The first that fits of vendored, generated, test, example, docs; else source."""
    rooted = f"/{path}"
    for role, pattern in _BY_ROLE:
        if pattern.search(rooted):
            return role
    if _DOCS_NAME.search(rooted) and not _REQUIREMENTS.search(path):
        return Role.DOCS
    return Role.SOURCE
