"""The imports of a Java file: what is there already, and which name would mean another class."""

import re

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.syntax import Source

_IMPORT = re.compile(r"import\s+([\w.]+?)\.(\w+|\*)\s*;")


def is_there(source: Source, line: str) -> bool:
    """Whether the file knows the class of an import; raises UncertainError where it has another."""
    wanted = _IMPORT.fullmatch(line)
    if wanted is None:
        return False
    package, name = wanted.groups()
    for said in _IMPORT.finditer(source.text):
        if said[1] == package and said[2] in {name, "*"}:
            return True
        if said[2] == name:
            raise UncertainError
    if re.search(rf"\b(?:class|interface|enum|record)\s+{name}\b", source.text):
        raise UncertainError
    return False
