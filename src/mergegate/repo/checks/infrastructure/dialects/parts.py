"""What every dialect makes its resources of."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.repo.facts.documents import ABSENT, DocumentFile, Form, Node
from mergegate.repo.facts.resources import GAP, UNKNOWN, Dialect, Resource, dialect_of, is_known

WORDS = read_lists(Path(__file__).with_name("words.toml"))
"""Words of the languages that are read."""
LONGEST = 8 * 1024
"""Characters of a text that is judged; a longer one is not known."""
_NAME_LENGTH = 80


def resource(file: DocumentFile, dialect: Dialect, kind: str, name: str, found: Node) -> Resource:
    """A resource of a dialect's own kind, at the line of what was found."""
    address = " ".join(name.split())
    if len(address) > _NAME_LENGTH:
        address = f"{address[: _NAME_LENGTH - 1]}…"
    return of_kind(file, f"{dialect}.{kind}", address, found)


def of_kind(file: DocumentFile, kind: str, address: str, found: Node) -> Resource:
    """A resource of a kind that may be another dialect's, at the line of what was found."""
    return Resource(
        dialect=dialect_of(kind),
        kind=kind,
        address=address,
        root=file.path,
        path=file.path,
        role=file.role,
        line=found.line,
        properties=found if found.form is Form.MAP else mapping(found.line, {}),
    )


def mapping(line: int, values: Mapping[str, Node | str]) -> Node:
    """A map of these values; what is absent or an empty text is left out."""
    read = {
        key: Node(line, text=value) if isinstance(value, str) else value
        for key, value in values.items()
        if value
    }
    kept = {key: value for key, value in read.items() if value.present}
    return Node(line, Form.MAP, keys=tuple(kept), children=tuple(kept.values()))


def listed(line: int, texts: Iterable[str]) -> Node:
    """A list of these texts; absent without any."""
    items = tuple(Node(line, text=one) for one in texts)
    return Node(line, Form.LIST, children=items) if items else ABSENT


def beside(node: Node, more: Mapping[str, Node]) -> Node:
    """A map with more settings; of two with one name the new one counts."""
    return mapping(node.line, {**dict(node.entries), **more})


def says(line: int, is_so: bool) -> Node:
    """A setting that is true or false."""
    return Node(line, text="true" if is_so else "false")


def evaluated(node: Node, variable: re.Pattern[str]) -> Node:
    """The node with every text unknown that holds a variable, or is beyond what is judged."""
    if node.form is Form.SCALAR:
        if len(node.text) > LONGEST:
            return Node(node.line, text=GAP, tag=UNKNOWN)
        if not node.tag and not variable.search(node.text):
            return node
        return Node(node.line, text=variable.sub(GAP, node.text), tag=UNKNOWN)
    children = tuple(evaluated(one, variable) for one in node.children)
    return Node(node.line, node.form, node.text, node.tag, node.keys, children)


def any_text(node: Node, holds: Callable[[str], bool]) -> bool:
    """Whether a known text of the value, or of an item of it, holds."""
    return any(is_known(one) and not one.tag and holds(one.text) for one in node.each)
