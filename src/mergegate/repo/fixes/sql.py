"""Recipes that make parameters of the values in SQL statements, in the driver's own style."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import PurePosixPath

from mergegate.repo.fixes import imports, sql_javascript, sql_python
from mergegate.repo.fixes.edits import Splice
from mergegate.repo.fixes.recipe import Found
from mergegate.repo.fixes.syntax import LANGUAGES, Source, above
from mergegate.repo.fixes.within import Node, certain, need


def parameters(found: Found) -> Sequence[Splice]:
    """The statement with placeholders, and the values beside it; nothing where one is no value."""

    @cache
    def beside(module: str) -> frozenset[str]:
        """What a module of the same folder imports; nothing where there is none of that name."""
        path = PurePosixPath(found.path).parent / f"{module.removeprefix('.')}.py"
        text = found.other(str(path)) if module.removeprefix(".").isidentifier() else None
        return imports.modules(Source(text, LANGUAGES["python"])) if text else frozenset()

    @certain
    def steps(source: Source, node: Node) -> Iterable[Splice]:
        if source.language.name == "python":
            return sql_python.parameters(source, node, beside)
        return sql_javascript.parameters(source, node)

    return steps(found)


@certain
def where_parameters(source: Source, node: Node) -> Iterable[Splice]:
    """``extra(where=["a = '%s'" % b])`` of Django with ``params=[b]``."""
    return sql_python.where_parameters(source, need(above(node, {"call"})))
