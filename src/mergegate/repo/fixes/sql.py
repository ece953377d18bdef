"""Recipes that make parameters of the values in SQL statements, in the driver's own style."""

from collections.abc import Iterable

from mergegate.repo.fixes import sql_javascript, sql_python
from mergegate.repo.fixes.edits import Splice
from mergegate.repo.fixes.syntax import Source, above
from mergegate.repo.fixes.within import Node, certain, need


@certain
def parameters(source: Source, node: Node) -> Iterable[Splice]:
    """The statement with placeholders, and the values beside it; nothing where one is no value."""
    if source.language.name == "python":
        return sql_python.parameters(source, node)
    return sql_javascript.parameters(source, node)


@certain
def where_parameters(source: Source, node: Node) -> Iterable[Splice]:
    """``extra(where=["a = '%s'" % b])`` of Django with ``params=[b]``."""
    return sql_python.where_parameters(source, need(above(node, {"call"})))
