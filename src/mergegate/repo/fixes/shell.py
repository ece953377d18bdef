"""Commands that a shell reads become a program and its words."""

from collections.abc import Sequence

from mergegate.repo.fixes.command_line import Node
from mergegate.repo.fixes.edits import Splice
from mergegate.repo.fixes.shell_javascript import JavaScript
from mergegate.repo.fixes.shell_python import Python
from mergegate.repo.fixes.syntax import Source
from mergegate.repo.fixes.within import certain


@certain
def listed(source: Source, node: Node) -> Sequence[Splice]:
    """The command as a list of words; nothing where a shell is needed, or may be."""
    if source.language.name == "python":
        return tuple(Python(source).changed(node))
    return tuple(JavaScript(source).changed(node))
