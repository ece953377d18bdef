"""Kustomize: overlays of the tree are applied, and resources are as all of them leave them.

A base is searched as it is written, but for what every overlay that uses it changes, where
something applies such an overlay by its name and nothing applies the base by its own: an overlay
that nobody applies mends nothing, and a base can nearly always be applied as it is written. What a
patch sets is searched where it stands. No program is run, and nothing is fetched.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from posixpath import basename, dirname, join, normpath

from mergegate.core.tree import Reason, Role, Skipped
from mergegate.repo.engines.documents.nodes import Unreadable, parse
from mergegate.repo.engines.kustomize import changes
from mergegate.repo.engines.kustomize.agreement import agreed
from mergegate.repo.engines.kustomize.naming import named
from mergegate.repo.engines.kustomize.patches import (
    Change,
    Operation,
    Target,
    changed,
    merged,
    opened,
    operations,
    told,
)
from mergegate.repo.engines.terraform.values import Budget, Spent
from mergegate.repo.facts.documents import Document, DocumentFile, DocumentKind, Form, Node

NAMES = frozenset({"kustomization.yaml", "kustomization.yml"})
CHANGING = frozenset({DocumentKind.KUSTOMIZATION, DocumentKind.JSON_PATCH})
"""Documents that say nothing of their own, and change others."""
_STEPS = 2_000_000
_DEEPEST = 12
"""Overlays of overlays."""
_REMOTE = ("://", "git@", "github.com/", "?ref=")
_ELSEWHERE = "it takes resources from outside the tree, which are not searched"
_NOT_FOLLOWED = ("generators", "helmCharts", "transformers")
_UNREAD_PATCH = "one of its patches cannot be read"

Place = tuple[str, int]
"""A document: its file and its number there."""


def applied(
    files: Sequence[DocumentFile], scripts: Iterable[tuple[str, str]] = ()
) -> tuple[tuple[DocumentFile, ...], list[Skipped]]:
    """The files as the overlays among them leave them, and what could not be followed.

    ``scripts`` are paths and texts of what may apply a part by its name.
    """
    overlays = Overlays(files)
    if not overlays.folders:
        return tuple(files), []
    try:
        overlays.find_named(scripts)
        overlays.build()
        result = tuple(overlays.left(file) for file in files)
    except (Spent, RecursionError):
        why = "its overlays take too many steps to apply"
        return tuple(files), [Skipped(one.path, why) for one, _ in overlays.folders.values()]
    unread = sorted(overlays.unread.items())
    return result, [Skipped(path, why, cause=Reason.LANGUAGE) for path, why in unread]


@dataclass(frozen=True, slots=True)
class _Patch:
    target: Target
    change: Change


@dataclass(slots=True)
class Overlays:
    """The kustomizations of a tree and what they make of its resources."""

    files: Sequence[DocumentFile]
    folders: dict[str, tuple[DocumentFile, Node]] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    """Kustomizations that could not be followed in all, each with why."""
    named: frozenset[str] = frozenset()
    """Folders and files that something applies by their names."""
    outcomes: dict[Place, list[tuple[Role, Node]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """What each overlay that no other uses makes of a resource, with the overlay's role."""
    _as_written: set[Place] = field(default_factory=set)
    """Resources that no overlay mends: nothing applies it, or something applies them without it."""
    _by_path: dict[str, DocumentFile] = field(default_factory=dict)
    _patches: set[Place] = field(default_factory=set)
    """Documents that are no resources, but change others."""
    _told: dict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))
    """What patches say that are no documents of their own, by file."""
    _read: dict[str, list[_Patch]] = field(default_factory=dict)
    _budget: Budget = field(default_factory=lambda: Budget(_STEPS))

    def __post_init__(self) -> None:
        """Find the kustomizations."""
        self._by_path = {one.path: one for one in self.files}
        for file in self.files:
            for one in file.found.documents:
                if one.kind is DocumentKind.KUSTOMIZATION and basename(file.path) in NAMES:
                    self.folders[dirname(file.path)] = (file, one.root)

    def find_named(self, scripts: Iterable[tuple[str, str]]) -> None:
        """What is applied by its name."""
        self.named = named(self.files, scripts, self.folders.keys(), self._budget)

    def build(self) -> None:
        """What every overlay that no other uses makes of each resource."""
        used = {
            below
            for folder, (file, root) in self.folders.items()
            for below in self._referred(folder, root)
            if below in self.folders and file.role in {Role.SOURCE, self.folders[below][0].role}
        }
        applied: set[Place] = set()
        for folder, (file, root) in sorted(self.folders.items()):
            self._patches_of(folder)
            if more := [key for key in _NOT_FOLLOWED if root[key].items]:
                self.unread[file.path] = f"it uses {', '.join(more)}, which is not followed"
            is_named = folder in self.named
            if (is_named or folder not in used) and root["kind"].text != "Component":
                for place, node in self._resources(folder, ()):
                    self.outcomes[place].append((file.role, node))
                    if is_named and file.role in {Role.SOURCE, self._by_path[place[0]].role}:
                        applied.add(place)
        files_of = self.named - self.folders.keys()
        for path, at in self.outcomes:
            if (path, at) not in applied or path in self.named or dirname(path) in files_of:
                self._as_written.add((path, at))

    def _referred(self, folder: str, root: Node) -> Iterator[str]:
        """The paths that a kustomization names, remote ones left out."""
        for key in ("resources", "bases", "components"):
            for one in root[key].items:
                if any(sign in one.text for sign in _REMOTE):
                    self.unread[self.folders[folder][0].path] = _ELSEWHERE
                elif one.is_literal and one.text:
                    yield normpath(join(folder, one.text))

    def _resources(self, folder: str, chain: tuple[str, ...]) -> list[tuple[Place, Node]]:
        """The resources of a kustomization as it leaves them, each as often as it takes it."""
        self._budget.spend(100)
        if folder in chain or len(chain) > _DEEPEST:
            return []
        _, root = self.folders[folder]
        found: list[tuple[Place, Node]] = []
        components: list[str] = []
        for path in self._referred(folder, root):
            if path in self.folders:
                if self.folders[path][1]["kind"].text == "Component":
                    components.append(path)
                found += self._resources(path, (*chain, folder))
            elif path in self._by_path and (not folder or path.startswith(f"{folder}/")):
                # A file from beside its folder Kustomize refuses: nothing is built, nor mended.
                documents = enumerate(self._by_path[path].found.documents)
                found += (
                    ((path, at), one.root)
                    for at, one in documents
                    if one.kind is DocumentKind.KUBERNETES
                )
        for one in (*components, folder):
            found = [(place, self._changed(node, one)) for place, node in found]
        return found

    def _changed(self, node: Node, folder: str) -> Node:
        self._budget.spend()
        for patch in self._patches_of(folder):
            self._budget.spend()
            if node.present and patch.target.holds(node):
                node = patch.change(node, self._budget)
        for change in changes.of(self.folders[folder][1]):
            node = change(node, self._budget) if node.present else node
        return node

    def _patches_of(self, folder: str) -> Sequence[_Patch]:
        if folder not in self._read:
            self._read[folder] = list(self._patches_in(folder))
        return self._read[folder]

    def _patches_in(self, folder: str) -> Iterator[_Patch]:
        _, root = self.folders[folder]
        for one in root["patchesStrategicMerge"].items:
            if "\n" in one.text:
                found = self._inline(folder, one, None)
            else:
                found = self._in_file(folder, one.text, None)
            yield from self._as_patches(folder, found, None)
        for key in ("patchesJson6902", "patches"):
            for one in root[key].items:
                target = _target(one["target"]) if one["target"].present else None
                if one["patch"].text:
                    found = self._inline(folder, one["patch"], target)
                else:
                    found = self._in_file(folder, one["path"].text, target)
                yield from self._as_patches(folder, found, target)

    def _inline(self, folder: str, text: Node, target: Target | None) -> Sequence[Node]:
        """The patches that are written in the kustomization itself."""
        # The text of a block begins on the line below the sign that announces it.
        begin = text.line + ("\n" in text.text)
        try:
            found = parse(text.text, range(begin, begin + text.text.count("\n") + 1)).roots
        except Unreadable:
            return ()
        self._say(self.folders[folder][0].path, found, target)
        return found

    def _in_file(self, folder: str, path: str, target: Target | None) -> Sequence[Node]:
        file = self._by_path.get(normpath(join(folder, path)))
        if file is None:
            return ()
        for at, one in enumerate(file.found.documents):
            if one.kind is DocumentKind.JSON_PATCH:
                self._say(file.path, [one.root], target)
            elif one.kind is DocumentKind.KUBERNETES:
                self._patches.add((file.path, at))
        return [one.root for one in file.found.documents]

    def _as_patches(
        self, folder: str, found: Sequence[Node], target: Target | None
    ) -> Iterator[_Patch]:
        if not found:
            self.unread[self.folders[folder][0].path] = _UNREAD_PATCH
        for root in found:
            if root.form is Form.LIST:
                yield _Patch(target or _NOBODY, _stepping(tuple(operations(root))))
            else:
                yield _Patch(target or _target_of(root), _merging(root))

    def _say(self, path: str, found: Sequence[Node], target: Target | None) -> None:
        """Keep what patches set, to be searched where it stands."""
        for root in found:
            if root.form is Form.LIST:
                kind = _resource_of(root.line, target or Target())
                self._told[path] += [
                    told(kind, step) for step in operations(root) if step.kind != "remove"
                ]
            elif root["kind"].text:
                self._told[path].append(opened(root))

    def left(self, file: DocumentFile) -> DocumentFile:
        """A file as all overlays leave it."""
        kept: list[Document] = []
        for at, one in enumerate(file.found.documents):
            place = (file.path, at)
            if place in self._patches:
                kept.append(replace(one, root=opened(one.root)))
            elif place in self._as_written or place not in self.outcomes:
                kept.append(one)
            elif (root := self._agreed(file, one.root, self.outcomes[place])).present:
                kept.append(replace(one, root=root))
        kept += [Document(DocumentKind.KUBERNETES, one) for one in self._told.get(file.path, ())]
        return replace(file, found=replace(file.found, documents=tuple(kept)))

    def _agreed(
        self, file: DocumentFile, base: Node, outcomes: Sequence[tuple[Role, Node]]
    ) -> Node:
        """What tests and examples make of production code decides nothing about it."""
        deciding = [one for role, one in outcomes if role in {Role.SOURCE, file.role}]
        return agreed(base, deciding, self._budget, base.line) if deciding else base


_NOBODY = Target(name="\0")
"""A JSON patch without a target is for no resource."""


def _stepping(steps: Sequence[Operation]) -> Change:
    def change(root: Node, budget: Budget) -> Node:
        for step in steps:
            root = changed(root, step, budget)
        return root

    return change


_NAMED = frozenset({"apiVersion", "kind"})


def _merging(patch: Node) -> Change:
    """A patch by a target may bear any name."""

    def change(root: Node, budget: Budget) -> Node:
        pairs = [(name, one) for name, one in patch.entries if name not in _NAMED]
        about = patch["metadata"]
        if about.form is Form.MAP:
            kept = [(name, one) for name, one in about.entries if name != "name"]
            keys, values = tuple(name for name, _ in kept), tuple(one for _, one in kept)
            about = replace(about, keys=keys, children=values)
            pairs = [(name, about if name == "metadata" else one) for name, one in pairs]
        keys, values = tuple(name for name, _ in pairs), tuple(one for _, one in pairs)
        return merged(root, replace(patch, keys=keys, children=values), budget)

    return change


def _target(said: Node) -> Target:
    return Target(
        group=said["group"].text,
        version=said["version"].text,
        kind=said["kind"].text,
        name=said["name"].text,
        namespace=said["namespace"].text,
        labels=said["labelSelector"].text,
        annotations=said["annotationSelector"].text,
    )


def _target_of(patch: Node) -> Target:
    """The resource that a patch itself names."""
    group = patch["apiVersion"].text.rpartition("/")[0]
    return Target(group=group, kind=patch["kind"].text, name=patch["metadata"]["name"].text)


def _resource_of(line: int, target: Target) -> Node:
    """The kind and name of what a JSON patch is for."""
    version = f"{target.group}/{target.version}".strip("/") or "v1"
    name = Node(line, Form.MAP, keys=("name",), children=(Node(line, text=target.name),))
    texts = (Node(line, text=version), Node(line, text=target.kind))
    return Node(line, Form.MAP, keys=("apiVersion", "kind", "metadata"), children=(*texts, name))
