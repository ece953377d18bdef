"""What a file is for, by evidence: its own text, manifests around it, and who imports it.

A name alone tells nothing. Without evidence a file is source, and its findings weigh in full.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from mergegate.core.languages import is_code
from mergegate.core.roles import go_packages, imports, places, starts
from mergegate.core.roles.places import is_evidence
from mergegate.core.roles.signs import is_of_manual, own_role
from mergegate.core.tree import Role, SourceFile, Tree

__all__ = ("Evidence", "Roles", "given", "is_evidence", "of_change")

Roles = Mapping[str, Role]
"""The role of every file, by path."""
_ORDER = (Role.VENDORED, Role.TEST, Role.EXAMPLE, Role.DOCS, Role.GENERATED)
"""The first that there is evidence of counts."""
_UNUSED = frozenset({Role.TEST, Role.EXAMPLE, Role.DOCS})
"""Roles that a file loses which production code imports or a deployment runs."""
_PACKAGE_NAME = re.compile(r'^[ \t{]*"name"\s*:\s*"(?:@[^/"]+/)?([^"]+)"', re.MULTILINE)
_BUILT = re.compile(r"(?:_pb2|_grpc|_generated|\.pb|\.g|\.gw|\.generated)*\.\w+$")
_SCHEMAS = (".proto", ".thrift", ".fbs", ".g4")


@dataclass(frozen=True)
class Evidence:
    """What a tree shows of the roles of its files."""

    tree: Tree
    texts: Mapping[str, str]
    """The text of every file that :func:`is_evidence` names."""

    def roles(self, asked: Mapping[str, frozenset[str]]) -> Roles:
        """The roles; ``asked`` holds, by path of a script or module, the stems that it imports.

        What tests import in a folder that is called as theirs are belongs to them, and so does a
        Go package that they alone import. What production imports is no test, sample or
        documentation.
        """
        roles = dict(self._shown)
        helpers = frozenset(file.path for file in self.doubtful if self._may_help(file))
        _spread(roles, asked, self.doubtful, Role.TEST, lambda path: path in helpers)
        used = {path: stems for path, stems in asked.items() if starts.is_product(path)}
        _spread(roles, used, self.doubtful, Role.SOURCE, lambda path: roles[path] in _UNUSED)
        roles |= {path: Role.TEST for path in self._for_go_tests if roles[path] is Role.SOURCE}
        return roles

    @cached_property
    def doubtful(self) -> tuple[SourceFile, ...]:
        """The files whose role depends on who imports them."""
        return tuple(
            file
            for file in self.tree.files
            if file.language in imports.LANGUAGES
            and (self._shown[file.path] in _UNUSED or self._may_help(file))
        )

    @property
    def importers(self) -> Iterator[SourceFile]:
        """The files whose imports, or those of a program in them, can be read."""
        return (file for file in self.tree.files if imports.LANGUAGES & _languages(file))

    def _may_help(self, file: SourceFile) -> bool:
        return self._shown[file.path] is Role.SOURCE and places.is_test_folder(file.path)

    @cached_property
    def _shown(self) -> Roles:
        """The roles before it is known who imports what."""
        roles = {file.path: self._role(file) for file in self.tree.files}
        is_used = _used(
            tuple((path, text, roles.get(path) is Role.SOURCE) for path, text in self.texts.items())
        )
        for path, role in roles.items():
            if role in _UNUSED and is_used(path, role):
                roles[path] = Role.SOURCE
        return roles

    def _role(self, file: SourceFile) -> Role:
        if file.signs.linked:
            return own_role(file.signs)
        shown = {own_role(file.signs), *self._placed(file)}
        if file.signs.library and file.signs.library not in self._own_names:
            shown.add(Role.VENDORED)
        if file.signs.generated and self._has_origin(file):
            shown.add(Role.GENERATED)
        return next((role for role in _ORDER if role in shown), Role.SOURCE)

    def _placed(self, file: SourceFile) -> Iterator[Role]:
        for folder in _folders(file.path):
            for area in self._areas.get(folder, ()):
                if area.means(_below(folder, file.path), file):
                    yield area.role
            if folder in self._trees_of_tests and not is_code(file.language):
                yield Role.TEST

    @cached_property
    def _trees_of_tests(self) -> frozenset[str]:
        """The folders of which all settings, images and data are of the tests that lie in them."""
        tests = (file.path for file in self.tree.files if file.signs.test)
        return frozenset(map(places.tree_of_tests, tests)) - {""}

    @cached_property
    def _areas(self) -> Mapping[str, Sequence[places.Area]]:
        return _areas(tuple(self.texts.items()))

    @cached_property
    def _own_names(self) -> frozenset[str]:
        """What the tree's own packages are called: their banners are no foreign ones."""
        return frozenset(
            match[1].lower()
            for path, text in self.texts.items()
            if path.endswith("package.json") and "node_modules/" not in path
            for match in _PACKAGE_NAME.finditer(text)
        )

    @cached_property
    def _for_go_tests(self) -> frozenset[str]:
        modules = {one: text for one, text in self.texts.items() if places.GO_MODULE.fullmatch(one)}
        return go_packages.for_tests(self.tree, modules)

    def _has_origin(self, file: SourceFile) -> bool:
        """Whether what generated it, or what it was generated from, is in the tree."""
        if file.path.rpartition("/")[0] in self._generating:
            return True
        stem = _BUILT.sub("", file.name)
        schemas = (f"{stem}{suffix}" for suffix in _SCHEMAS)
        return any(
            f"/{path}".endswith(f"/{origin}") and path != file.path
            for origin in (*map(_plain, file.signs.origins), *schemas)
            for path in self._by_name.get(_name(origin), ())
        )

    @cached_property
    def _generating(self) -> frozenset[str]:
        """Folders in which a file asks a tool to generate others beside it."""
        return frozenset(
            file.path.rpartition("/")[0] for file in self.tree.files if file.signs.generates
        )

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for file in self.tree.files:
            found[file.name].append(file.path)
        return found


def _spread(
    roles: dict[str, Role],
    asked: Mapping[str, frozenset[str]],
    doubtful: Sequence[SourceFile],
    role: Role,
    takes: Callable[[str], bool],
) -> None:
    """Give ``role`` to whatever of ``doubtful`` files of that role import and ``takes`` accepts."""
    by_stem: dict[str, list[str]] = defaultdict(list)
    for file in doubtful:
        by_stem[imports.stem(file.path)].append(file.path)
    pending = [path for path in asked if roles[path] is role]
    while pending:
        wanted = asked.get(pending.pop(), frozenset())
        for path in (path for stem in wanted for path in by_stem.get(stem, ())):
            if roles[path] is not role and takes(path):
                roles[path] = role
                pending.append(path)


def _languages(file: SourceFile) -> frozenset[str | None]:
    return frozenset({file.language, *(one.language for one in file.programs)})


def _folders(path: str) -> Iterator[str]:
    """Every folder above ``path``, the root as empty text last."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _below(folder: str, path: str) -> str:
    return path.removeprefix(f"{folder}/") if folder else path


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _plain(origin: str) -> str:
    """A path that a header names, without what leads up to it."""
    return re.sub(r"^(?:\.{0,2}/)+", "", origin)


@lru_cache(maxsize=2)
def _areas(texts: tuple[tuple[str, str], ...]) -> Mapping[str, Sequence[places.Area]]:
    """What the manifests say; kept for the next tree of the same ones, as :func:`_used` is."""
    return places.areas(dict(texts))


@lru_cache(maxsize=2)
def _used(texts: tuple[tuple[str, str, bool], ...]) -> Callable[[str, Role], bool]:
    """Whether a deployment runs, or a manifest ships, the file of a path and role.

    ``texts`` are path and text of what may say so, and whether it is itself part of the product.
    It is kept for the next tree of the same texts: base and head mostly have them in common, and
    an editor's server looks after each save.
    """
    deployed: dict[str, frozenset[str]] = {}
    for path, text, is_product in texts:
        folder = path.rpartition("/")[0]
        if is_product and (names := places.deployed(path, text)):
            deployed[folder] = deployed.get(folder, names) | names
    shipped = {
        posixpath.join(path.rpartition("/")[0], folder)
        for path, text, _ in texts
        for folder in starts.shipped(path, text)
    }

    @cache
    def is_used(path: str, role: Role) -> bool:
        return _runs(deployed, path, role) or _is_below(shipped, path)

    return is_used


def _runs(deployed: Mapping[str, frozenset[str]], path: str, role: Role) -> bool:
    """Whether a deployment names the file, or the folder of a sample or of documentation.

    Another deployment is named by itself or, but of tests, by its own folder, of which an image is
    built: to be copied among others puts it to no use.
    """
    if places.is_deployment(path):
        return _is_built(deployed, path, role)
    whole = path if role is Role.TEST else path.partition("/")[0]
    for folder, names in deployed.items():
        forms = set(_called(path))  # what is deployed is often built from the root
        if not folder or path.startswith(f"{folder}/"):
            below = _below(folder, path)
            forms |= {*_called(below), whole}
            if role is not Role.TEST:
                forms.add(below.partition("/")[0])
        if not forms.isdisjoint(names) or _is_copied(path, names):
            return True
    return False


def _is_built(deployed: Mapping[str, frozenset[str]], path: str, role: Role) -> bool:
    """Whether a deployment names the one at ``path``."""
    for folder, names in deployed.items():
        forms = {path, _below(folder, path)}
        if role is not Role.TEST:
            forms |= {one.rpartition("/")[0] for one in forms}
        if not names.isdisjoint(forms):
            return True
    return False


def _called(path: str) -> frozenset[str]:
    """What a deployment may call the file: a module without its ending, a page of a manual never.

    That page without its section is the program that it describes.
    """
    folder, slash, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    return frozenset(
        {path, f"{folder}{slash}{stem}"} if stem and not is_of_manual(path) else {path}
    )


def _is_below(folders: Collection[str], path: str) -> bool:
    return bool(folders) and any(folder in folders for folder in _folders(path) if folder)


def _is_copied(path: str, names: frozenset[str]) -> bool:
    """Whether a folder is named, and then the file as it is called inside."""
    return any(
        folder in names and not names.isdisjoint(_called(inside))
        for folder in _folders(path)
        if folder and (inside := _below(folder, path))
    )


def given(tree: Tree, roles: Roles) -> Tree:
    """``tree`` with ``roles``."""
    return replace(
        tree,
        files=tuple(
            file if file.role is roles[file.path] else replace(file, role=roles[file.path])
            for file in tree.files
        ),
    )


def of_change(old: Tree, head: Tree, before: Roles, after: Roles) -> tuple[Roles, Roles]:
    """The roles of the base and of the head of a change, which must not lower what it brings.

    What the change does not touch keeps the base's role, unless the change has put it to use. What
    it adds or edits is a test or documentation by its own text, before and after, or source. What
    it removes keeps its role: who moves a sample into the product, adds to the product.
    """
    was = {file.path: file for file in old.files}
    roles = dict(before)
    here = {}
    for file in head.files:
        path, earlier = file.path, was.get(file.path)
        if earlier and earlier.digest == file.digest:
            here[path] = before[path] if after[path] is not Role.SOURCE else Role.SOURCE
            continue
        own = {own_role(one.signs) for one in (file, earlier) if one}
        known = own.pop() if len(own) == 1 else Role.SOURCE
        here[path] = known if known is after[path] else Role.SOURCE
        if earlier:
            roles[path] = here[path]
    return roles, here
