"""Pipelines of Jenkins as resources: libraries, agents, stages, steps, scripts, variables.

Groovy is read and not run: what a name or an expression stands for is unknown.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from mergegate.repo.checks.infrastructure.dialects.parts import mapping, resource
from mergegate.repo.checks.infrastructure.dialects.steps import (
    extended,
    script,
    variables,
)
from mergegate.repo.facts.documents import ABSENT, DocumentKind, Documents, Form, Node
from mergegate.repo.facts.groovy import (
    ASSIGNMENT,
    CALL,
    CLOSURE,
    EXPRESSION,
    INTERPOLATED,
    NAME,
)
from mergegate.repo.facts.resources import GAP, UNKNOWN, Dialect, Resource

_SHELLS = {"sh": "sh", "bat": "cmd", "powershell": "powershell", "pwsh": "powershell"}
_SECRET_BINDINGS: Mapping[str, str] = {
    "string": "variable",
    "usernameColonPassword": "variable",
    "usernamePassword": "passwordVariable",
    "UsernamePasswordMultiBinding": "passwordVariable",
    "StringBinding": "variable",
    "AmazonWebServicesCredentialsBinding": "secretKeyVariable",
    "aws": "secretKeyVariable",
    "sshUserPrivateKey": "passphraseVariable",
}
"""What binds a credential, and which argument names the variable that holds its secret."""
_FILE = re.compile(r"FILE|CONFIG|PATH|CERT|PEM$|JSON$", re.IGNORECASE)
"""What is called so is the path of a file with the secret in it."""
_HOLDING = frozenset({"if", "switch", "when", "input"})
"""What decides whether something below it is done."""
_VARIABLE = re.compile(r"\$\{?(\w+)")
_DOWNLOAD = re.compile(r"\b(?:curl|wget)\b([^|;&\n]{0,300}https?://[^|;&\n]{0,300})")
_CONTROLLER = re.compile(r"(?:jenkins\.model\.|hudson\.model\.)?(?:Jenkins|Hudson)\.\w+")
_PRINTED, _RUN = ("echo",), ("load",)
_KINDS = {"echo": _PRINTED, "println": _PRINTED, "print": _PRINTED, "evaluate": _RUN, "load": _RUN}
"""Steps whose first argument is printed or run."""
_CHOSEN = frozenset({"choice", "booleanParam"})
"""Parameters whose value nobody writes freely."""

_Part = tuple[str, str, Node]


def resources(documents: Documents) -> Iterator[Resource]:
    """Everything in every pipeline."""
    for file, root in documents.of(DocumentKind.JENKINS):
        for kind, address, properties in _Script(root).parts(root, _Place()):
            yield resource(file, Dialect.JENKINS, kind, address, properties)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a pipeline something is done."""

    name: str = "the pipeline"
    is_held: bool = False
    """Whether a condition or a person decides if it is done."""
    is_caught: bool = False
    """Whether its failure leaves the build a success."""


class _Script:
    """One pipeline, with what is known of the names in it."""

    def __init__(self, root: Node) -> None:
        calls = [one for one in root.walk() if one.tag == CALL]
        self._secrets = frozenset(_secret(one) for one in root.walk() if one.form is Form.MAP) - {
            ""
        }
        self._chosen = frozenset(
            f"params.{one['name'].text}" for one in calls if one.text in _CHOSEN
        )
        self._is_asked = any(one.text == "input" for one in calls)
        self._downloads = [
            match[1]
            for one in calls
            if one.text in _SHELLS
            for text in one.walk()
            for match in _DOWNLOAD.finditer(text.text)
        ]
        self._is_limited = any(one.text == "timeout" for one in calls)

    def parts(self, node: Node, place: _Place) -> Iterator[_Part]:
        """The node and all below it."""
        inner = place
        if node.tag == CALL:
            yield from self._called(node, place)
            inner = _inside(node, place)
        elif node.tag == ASSIGNMENT:
            yield from _assigned(node, place)
        elif node.tag == EXPRESSION:
            yield from _image_of(node, place)
        if node.tag in {NAME, CALL} and _CONTROLLER.match(node.text):
            yield "reference", place.name, mapping(node.line, {"name": node.text})
        for one in node.children:
            yield from self.parts(one, inner)

    def _called(self, node: Node, place: _Place) -> Iterator[_Part]:
        first = node["script"] if node["script"].present else node["0"]
        names = self._interpolated(first)
        if shell := _SHELLS.get(node.text.rpartition(".")[2]):
            read = extended(_plain(node), interpolated=names)
            written = script(_texts(first), shell, read)
            yield "script", place.name, self._placed(node, place, written)
            return
        read = extended(_plain(node), step=node.text, interpolated=names)
        if node.text == "load":
            read = extended(read, fetched=str(self._is_fetched(first.text)).lower())
        for kind in ("step", *_KINDS.get(node.text, ())):
            yield kind, place.name, read
        if node.text == "pipeline":
            yield "pipeline", place.name, self._pipeline(node)
        elif node.text == "stage":
            yield "stage", first.text, self._stage(node, place)
        elif told := _TOLD.get(node.text):
            yield from told(node, place)

    def _placed(self, node: Node, place: _Place, written: Node) -> Node:
        """A script with whether it always runs, its failure counts, and a line uses a secret."""
        held = self._is_asked or place.is_held
        ignored = place.is_caught or node["returnStatus"].text == "true"
        lines = tuple(
            extended(one, secret=str(self._uses_secret(one["text"].text)).lower())
            for one in written["lines"].items
        )
        return extended(
            written,
            place=place.name,
            free=str(not held).lower(),
            ignored=str(ignored).lower(),
            lines=Node(written.line, Form.LIST, children=lines),
        )

    def _uses_secret(self, line: str) -> bool:
        return any(self._is_secret(name) for name in _VARIABLE.findall(line))

    def _is_fetched(self, name: str) -> bool:
        """Whether a script of the pipeline downloads a file of that name."""
        return any(name and name in one for one in self._downloads)

    def _interpolated(self, value: Node) -> Node:
        """The names whose values become part of a text before anything reads it."""
        found = [
            mapping(one.line, {"name": one, "secret": str(self._is_secret(one.text)).lower()})
            for one in _names(value)
            if one.text not in self._chosen
        ]
        return Node(value.line, Form.LIST, children=tuple(found))

    def _is_secret(self, name: str) -> bool:
        bare = name.removeprefix("env.")
        is_bound = bool(self._secrets & {bare, bare.removesuffix("_PSW")})
        return is_bound and not _FILE.search(bare)

    def _pipeline(self, node: Node) -> Node:
        inside = {one.text: one for one in node["0"].items if one.tag == CALL}
        agent = inside.get("agent", ABSENT)["0"]
        options = inside.get("options", ABSENT)["0"]
        kept = {one.text: _plain(one["0"]) for one in options.items}
        named = Node(node.line, Form.MAP, keys=tuple(kept), children=tuple(kept.values()))
        limited = "true" if self._is_limited else "false"
        return mapping(node.line, {"agent": agent.text, "options": named, "limited": limited})

    def _stage(self, node: Node, place: _Place) -> Node:
        held = self._is_asked or _inside(node, place).is_held
        return mapping(node.line, {"name": node["0"].text, "free": str(not held).lower()})


_WRITTEN = frozenset({"", INTERPOLATED})
"""Tags of what is a text itself."""


def _inside(node: Node, place: _Place) -> _Place:
    """The place that the call's body is in."""
    if node.text == "stage":
        body = next((one for one in node.children if one.tag == CLOSURE), ABSENT)
        held = any(one.text in _HOLDING for one in body.items)
        return replace(place, name=f"stage {node['0'].text}", is_held=place.is_held or held)
    caught = node.text == "catchError" and node["buildResult"].text == "SUCCESS"
    return replace(
        place,
        is_held=place.is_held or node.text in _HOLDING,
        is_caught=place.is_caught or caught,
    )


def _secret(node: Node) -> str:
    """The variable that holds a secret, where the node binds one."""
    if node.tag == ASSIGNMENT:
        return node.text if node["value"].text == "credentials" else ""
    kind = node["$class"].text or (node.text if node.tag == CALL else "")
    argument = _SECRET_BINDINGS.get(kind, "")
    return node[argument].text if argument and node["credentialsId"].present else ""


def _texts(value: Node) -> Iterator[Node]:
    """The written parts of a text; parts that are added to one another are one text."""
    if value.tag == EXPRESSION:
        if (added := _added(value)).present:
            yield added
            return
        for one in _joined(value):
            yield from _texts(one)
    elif value.form is Form.SCALAR and value.tag in {"", INTERPOLATED}:
        yield replace(value, tag="", children=())


def _added(value: Node) -> Node:
    """The text that the parts of a sum come to, names in it as variables; ABSENT of no sum."""
    parts, signs = value.children[::2], value.children[1::2]
    is_sum = len(parts) > len(signs) > 0 and all(
        one.tag == EXPRESSION and one.text == "+" for one in signs
    )
    if not is_sum or not any(one.tag in _WRITTEN and one.text for one in parts):
        return ABSENT
    told = (one.text if one.tag in _WRITTEN else f"${{{one.text}}}" for one in parts)
    return replace(value, form=Form.SCALAR, text="".join(told), tag="", children=(),
                   text_line=parts[0].text_line)  # fmt: skip


def _names(value: Node) -> Iterator[Node]:
    """The names in a text, one for each place."""
    if value.tag == NAME:
        yield replace(value, tag="")
    elif value.tag in {EXPRESSION, INTERPOLATED}:
        for one in _joined(value):
            yield from _names(one)


def _joined(value: Node) -> Iterator[Node]:
    """The parts of an expression without what is called of them."""
    before = ""
    for one in value.children:
        if before != ".":
            yield one
        before = one.text if one.tag == EXPRESSION else ""


def _assigned(node: Node, place: _Place) -> Iterator[_Part]:
    value = node["value"]
    said = value.entries if value.form is Form.MAP and not value.tag else ((node.text, value),)
    for name, given in said:
        plain = _plain(given)
        if plain.form is Form.SCALAR and not plain.tag and plain.text:
            read = mapping(given.line, {"name": name.removeprefix("env."), "value": plain})
            yield "variable", f"{place.name}, {name}", read


def _library(node: Node, _place: _Place) -> Iterator[_Part]:
    given = node["identifier"] if node["identifier"].present else node["0"]
    for one in given.each:
        if one.form is Form.SCALAR and not one.tag:
            name, _, version = one.text.partition("@")
            yield "library", name, mapping(one.line, {"name": name, "version": version})


def _password(node: Node, place: _Place) -> Iterator[_Part]:
    """A parameter with a secret as its default."""
    yield (
        "variable",
        place.name,
        mapping(node.line, {"name": node["name"], "value": node["password"]}),
    )


def _environment(node: Node, place: _Place) -> Iterator[_Part]:
    for name, value in variables(node["0"]):
        if not value.tag:
            yield "variable", place.name, mapping(value.line, {"name": name, "value": value})


def _image(node: Node, place: _Place) -> Iterator[_Part]:
    """The container of a declarative agent."""
    body = node["0"]
    said = {one.text: _plain(one["0"]) for one in body.items if one.tag == CALL}
    image = _plain(body) if body.form is Form.SCALAR else said.get("image", ABSENT)
    if image.present:
        yield (
            "image",
            place.name,
            mapping(image.line, {"image": image, "args": said.get("args", ABSENT)}),
        )


def _image_of(node: Node, place: _Place) -> Iterator[_Part]:
    """A container of a script: ``docker.image('…').inside('…') { … }``."""
    image = args = ABSENT
    for one in node.children:
        if one.tag == CALL and one.text == "docker.image":
            image = _plain(one["0"])
        elif one.tag == CALL and one.text in {"inside", "run", "withRun"} and not one["0"].items:
            args = _plain(one["0"])
    if image.present:
        yield "image", place.name, mapping(image.line, {"image": image, "args": args})


def _plain(value: Node) -> Node:
    """A value as it is written, a call as its arguments; the rest is unknown."""
    if value.form is Form.MAP:
        names = ("first" if name == "0" else name for name in value.keys)
        values = tuple(_plain(one) for one in value.children)
        return Node(value.line, Form.MAP, keys=tuple(names), children=values)
    if value.form is Form.LIST and not value.tag:
        return replace(value, children=tuple(_plain(one) for one in value.children))
    if value.tag == NAME and value.text in {"true", "false"}:
        return replace(value, tag="")
    if value.tag:
        return Node(value.line, text=value.text or GAP, tag=UNKNOWN)
    return value


_TOLD: Mapping[str, Callable[[Node, _Place], Iterator[_Part]]] = {
    "@Library": _library,
    "docker": _image,
    "library": _library,
    "password": _password,
    "withEnv": _environment,
}
"""Calls that say more than that they are made."""
