"""Resources of Azure's templates, in JSON and in Bicep, with the templates that they deploy."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from posixpath import dirname, join, normpath

from mergegate.repo.checks.infrastructure.dialects.arm import parameters
from mergegate.repo.checks.infrastructure.dialects.arm.confidential import Confidential, is_secure
from mergegate.repo.checks.infrastructure.dialects.arm.evaluation import Scope, Steps, Values
from mergegate.repo.checks.infrastructure.dialects.arm.functions import truth, unknown
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.resources import Dialect, Resource, is_known
from mergegate.repo.facts.templates import LOOP
from mergegate.repo.infrastructure import steps as steps_of
from mergegate.repo.infrastructure import subjects

_DEPLOYMENT = "microsoft.resources/deployments"
_LINKS = ("templateLink", "parametersLink")
_EXTENSION = "/extensions"
_MOST_NESTED = 12
_MOST_STEPS = 400_000
"""What a template and those that it deploys may take; an honest one takes some thousands."""
_FEWEST_STEPS = 20_000
"""What each may take, whatever the others took."""
_STEPS_OF_TREE = 2_000_000
_NO_SETTINGS = frozenset({"resources", "copy", "dependsOn", "type", "apiVersion", "condition"})


def resources(documents: Documents) -> Iterator[Resource]:
    """Every resource of every template.

    A template that another of the tree deploys is evaluated as it is called, and one with files of
    parameters as it is by itself and with each of them.
    """
    files = {file.path: (file, root) for file, root in documents.of(DocumentKind.ARM)}
    called = {one for path, (_, root) in files.items() for one in _linked(path, root)}
    reached: set[str] = set()
    left = _STEPS_OF_TREE
    for path in [*sorted(files.keys() - called), *sorted(files.keys() & called)]:
        if path not in reached:
            steps = Steps(most := max(_FEWEST_STEPS, min(_MOST_STEPS, left)))
            file, root = files[path]
            yield from _Deployment(files, reached, steps, path).of_file(file, root, None, ())
            left -= most - max(0, steps.left)
    templates = {path: file for path, (file, _) in files.items()}
    sets = documents.of(DocumentKind.ARM_PARAMETERS)
    for path, named, said in parameters.given(sets, templates):
        steps = Steps(most := max(_FEWEST_STEPS, min(_MOST_STEPS, left)))
        file, root = files[path]
        given = parameters.values(said, steps)
        yield from _Deployment(files, reached, steps, f"{path}+{named}").of_file(
            file, root, given, ()
        )
        left -= most - max(0, steps.left)


def _linked(path: str, root: Node) -> Iterator[str]:
    """The files that a template deploys by a path that is written in it."""
    for node in root.walk():
        link = node["relativePath"]
        if link.is_literal and (target := _beside(path, link.text)) != path:
            yield target


def _beside(path: str, link: str) -> str:
    return normpath(join(dirname(path), link))


@cache
def _kinds() -> Mapping[str, str]:
    """Kinds of which something is known, by their small letters: Azure takes them for the same."""
    return {kind.lower(): kind for kind in subjects() if "/" in kind}


@cache
def _names(kind: str) -> Mapping[str, str]:
    """The names of a kind's known settings by their small letters, for the same reason."""
    ways = (way for _, subject in subjects().get(kind, ()) for way in subject.ways)
    return {name.lower(): name for way in ways for name in steps_of(way)}


def _as_known(value: Node, names: Mapping[str, str]) -> Node:
    """A value with the names of its settings as they are known."""
    keys = tuple(names.get(key.lower(), key) for key in value.keys)
    children = tuple(_as_known(one, names) for one in value.children)
    return replace(value, keys=keys, children=children)


@dataclass(frozen=True, slots=True)
class _Template:
    """A template as it is deployed once."""

    file: DocumentFile
    values: Values
    above: tuple[str, ...]
    """The files that deploy it, outermost first, and its own."""
    secrets: Confidential


@dataclass(frozen=True, slots=True)
class _Deployment:
    """One template that is deployed by itself, with all that it deploys in turn."""

    files: Mapping[str, tuple[DocumentFile, Node]]
    reached: set[str]
    steps: Steps
    root: str

    def of_file(
        self, file: DocumentFile, root: Node, given: Scope | None, above: tuple[str, ...]
    ) -> Iterator[Resource]:
        """The resources of a file's template."""
        self.reached.add(file.path)
        secrets = Confidential(root)
        template = _Template(file, Values(root, given, self.steps), (*above, file.path), secrets)
        yield from self._declared(template, root)
        yield from self._within(template, root["resources"], "", {})

    def _declared(self, template: _Template, root: Node) -> Iterator[Resource]:
        """The parameters and outputs of a file, with whether they keep or give out a secret."""
        for name, one in root["parameters"].entries:
            told = {"name": name, "type": one["type"].text, "is_secure": _said(is_secure(one))}
            yield self._told(template, "arm.parameter", name, one.line, told)
        for name, one in root["outputs"].entries:
            gives = not is_secure(one) and template.secrets.holds(one["value"])
            told = {"name": name, "type": one["type"].text, "gives_secret": _said(gives)}
            yield self._told(template, "arm.output", name, one.line, told)

    def _told(
        self, template: _Template, kind: str, name: str, line: int, told: Mapping[str, str]
    ) -> Resource:
        values = tuple(Node(line, text=text) for text in told.values())
        properties = Node(line, Form.MAP, keys=tuple(told), children=values)
        return self._resource_of(template, kind, name, line, properties)

    def _resource_of(
        self, template: _Template, kind: str, address: str, line: int, properties: Node
    ) -> Resource:
        return Resource(
            dialect=Dialect.ARM,
            kind=kind,
            address=address,
            root=self.root,
            path=template.file.path,
            role=template.file.role,
            line=line,
            properties=properties,
            is_cut=self.steps.are_spent,
        )

    def _within(
        self, template: _Template, holder: Node, parent: str, scope: Scope
    ) -> Iterator[Resource]:
        named = holder.entries if holder.form is Form.MAP else (("", one) for one in holder.items)
        for symbol, node in named:
            for one, inner in _instances(template.values, node, scope):
                yield from self._resource(template, symbol, one, parent, inner)

    def _resource(
        self, template: _Template, symbol: str, node: Node, parent: str, scope: Scope
    ) -> Iterator[Resource]:
        condition = node["condition"]
        if condition.present and truth(template.values.value(condition, scope)) is False:
            return
        kind = _kind(node["type"].text, parent)
        if kind.lower() == _DEPLOYMENT:
            yield self._made(template, symbol, _links(node), kind, scope)
            yield from self._deployed(template, node, scope)
            return
        if not node["existing"].is_true:
            yield self._made(template, symbol, node, kind, scope)
        yield from self._within(template, node["resources"], kind, scope)

    def _made(
        self, template: _Template, symbol: str, node: Node, kind: str, scope: Scope
    ) -> Resource:
        pairs = [(key, template.values.value(one, scope))
                 for key, one in node.entries if key not in _NO_SETTINGS]  # fmt: skip
        if kind.lower().endswith(_EXTENSION):
            passes = _said(template.secrets.holds(node["properties"]["settings"]))
            pairs.append(("passes_secret", Node(node.line, text=passes)))
        keys, children = tuple(key for key, _ in pairs), tuple(one for _, one in pairs)
        name = dict(pairs).get("name", unknown(node.line))
        known = _kinds().get(kind.lower(), kind)
        properties = Node(node.line, Form.MAP, keys=keys, children=children)
        address = symbol or (is_known(name) and name.text) or kind.rpartition("/")[2]
        settings = _as_known(properties, _names(known))
        return self._resource_of(template, known, address, node.line, settings)

    def _deployed(self, template: _Template, node: Node, scope: Scope) -> Iterator[Resource]:
        """What a deployment within a template makes."""
        properties = node["properties"]
        values = template.values
        given = {key: values.value(one["value"] if one["value"].present else unknown(one.line),
                                   scope)
                 for key, one in properties["parameters"].entries}  # fmt: skip
        inside = properties["template"]
        if inside.form is Form.MAP:
            options = properties["expressionEvaluationOptions"]
            own = options["scope"].text.lower() == "inner"
            within = Values(inside, given, self.steps) if own else values
            secrets = Confidential(inside) if own else template.secrets
            nested = _Template(template.file, within, template.above, secrets)
            yield from self._within(nested, inside["resources"], "", {} if own else scope)
        link = properties["templateLink"]["relativePath"]
        target = _beside(template.file.path, link.text) if link.is_literal else ""
        is_near = target not in template.above and len(template.above) < _MOST_NESTED
        if target in self.files and is_near and self.steps.left > 0:
            file, root = self.files[target]
            yield from self.of_file(file, root, given, template.above)


def _said(is_so: bool) -> str:
    return str(is_so).lower()


def _links(deployment: Node) -> Node:
    """A deployment with nothing but where its template and parameters come from."""
    links = [(key, one) for key, one in deployment["properties"].entries if key in _LINKS]
    keys, children = tuple(key for key, _ in links), tuple(one for _, one in links)
    inside = Node(deployment.line, Form.MAP, keys=keys, children=children)
    given = (("name", deployment["name"]), ("properties", inside))
    kept = [(key, one) for key, one in given if one.present]
    keys, children = tuple(key for key, _ in kept), tuple(one for _, one in kept)
    return Node(deployment.line, Form.MAP, keys=keys, children=children)


def _instances(values: Values, node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
    """A resource as often as it is made, with what its loop has for each."""
    if node.tag == LOOP:
        yield from values.each(node, scope)
    elif node["copy"].form is Form.MAP:
        name, count = node["copy"]["name"], node["copy"]["count"]
        yield from ((node, inner) for inner in values.copies(name.text, count, scope))
    else:
        yield node, scope


def _kind(type: str, parent: str) -> str:
    """The whole type of a resource, that of one within another begins with the other's."""
    name = type.partition("@")[0]
    return f"{parent}/{name}" if parent and "." not in name.partition("/")[0] else name
