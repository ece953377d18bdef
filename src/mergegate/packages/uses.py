"""Whether what an advisory is about is used in the tree: imported, called, or named at all."""

from collections.abc import Mapping, Sequence

from mergegate.core.tree import Tree
from mergegate.packages.dependencies import Use, VulnerablePackage
from mergegate.packages.ecosystems import ECOSYSTEMS
from mergegate.packages.go_imports import GoImports, names_one
from mergegate.packages.mentions import mentions


class Uses:
    """The files of a tree, read when something is asked of them; satisfies ``Imports``."""

    def __init__(self, tree: Tree) -> None:
        self._go = GoImports(tree)
        self._tree = tree

    def uses(self, matches: Sequence[VulnerablePackage]) -> Sequence[Use]:
        """One entry a match.

        Parts of a package are looked up where the advisory names them; else it is asked whether
        a package that a manifest names is named anywhere else. What comes with another package
        is that one's to use.
        """
        named = mentions(self._tree, (_package(one) for one in matches if _is_named(one)))
        return [self._use(one, named) for one in matches]

    def _use(self, match: VulnerablePackage, named: Mapping[tuple[str, str], bool]) -> Use:
        if match.imports:
            return self._go.use(match)
        if not _is_named(match) or _package(match) not in named:
            return Use.UNKNOWN
        if not named[_package(match)]:
            return Use.NOT_HERE
        return Use.HERE if not match.symbols or self._calls(match) else Use.NOT_CALLED

    def _calls(self, match: VulnerablePackage) -> bool:
        """Whether a file of the package's language names a function that is affected."""
        ends = ECOSYSTEMS[match.package.ecosystem].code
        code = (one for one in self._tree.files if one.path.endswith(ends))
        return any(names_one(one, match.symbols) for one in code)


def _is_named(match: VulnerablePackage) -> bool:
    """Whether all of the package is affected, and a manifest names it."""
    return not match.imports and match.package.direct is True


def _package(match: VulnerablePackage) -> tuple[str, str]:
    return match.package.ecosystem, match.package.name
