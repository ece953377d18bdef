"""Expressions of Azure's templates as nodes, whether JSON or Bicep says them.

A node without one of these tags is what it says. Others are calls of a template's functions, loops
and spreads; operators are calls of the function that does the same.
"""

from mergegate.repo.facts.documents import Form, Node

CALL = "!call"
"""Text: the function. Children: the arguments."""
LOOP = "!loop"
"""Text: the names of item and index. Children: what is gone through, and what is made of each."""
SPREAD = "!spread"
"""Child: a map or list whose entries stand in this place; in a map it has an empty key."""


def call(line: int, function: str, *arguments: Node) -> Node:
    """A call of a function."""
    return Node(line, Form.LIST, function, CALL, children=arguments)
