"""Services, networks and volumes of Compose files as resources, short forms written out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from mergegate.repo.checks.infrastructure.purposes import Purpose, is_agent, is_backing, is_work
from mergegate.repo.facts.documents import (
    ABSENT,
    MASKED,
    DocumentFile,
    DocumentKind,
    Documents,
    Form,
    Node,
)
from mergegate.repo.facts.resources import UNKNOWN, Dialect, Resource

_OPEN = re.compile(r"(?<!\$)\$(?:\{|[A-Za-z_])")
"""Compose puts a variable there; two dollar signs stand for one."""
_DEFAULT = re.compile(r"(?<!\$)\$\{\w+:?-(?P<value>[^${}]*)\}")
"""A variable with the value that it has where nobody sets it."""
_RANGE = re.compile(r"\d+-\d+")
_LOCAL = ("127.", "::1", "[::1", "localhost")
_PARTS = {"networks": "network", "volumes": "volume", "secrets": "secret", "configs": "config"}
_OFFICIAL = re.compile(r"(?:(?:index\.)?docker\.io/)?(?:library/)?")
_LOGIN_OFF = {
    "POSTGRES_HOST_AUTH_METHOD": frozenset({"trust"}),
    "MYSQL_ALLOW_EMPTY_PASSWORD": frozenset({"1", "yes", "true"}),
    "MARIADB_ALLOW_EMPTY_ROOT_PASSWORD": frozenset({"1", "yes", "true"}),
    "ALLOW_EMPTY_PASSWORD": frozenset({"1", "yes", "true"}),
    "xpack.security.enabled": frozenset({"false"}),
    "plugins.security.disabled": frozenset({"true"}),
    "ARANGO_NO_AUTH": frozenset({"1", "true"}),
    "INFLUXDB_HTTP_AUTH_ENABLED": frozenset({"false"}),
    "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED": frozenset({"true"}),
    "DISABLE_SECURITY_PLUGIN": frozenset({"true"}),
    "NEO4J_AUTH": frozenset({"none"}),
}
"""Variables that turn a database's login off, with the values that do."""

_CAREFUL = 3
"""A service with so many measures of hardening is told which further ones it lacks."""
_ALWAYS_THERE = frozenset({"default", "bridge", "host", "none"})
"""Networks that no file defines."""
_DEFINED = ("services", *_PARTS)
"""The parts of a file that define what others name."""
Place = tuple[str, str, str]
"""Address, port and protocol that a published port takes on the host."""


def resources(documents: Documents) -> Iterator[Resource]:
    """What every Compose file describes."""
    files = [(file, _by_default(root)) for file, root in documents.of(DocumentKind.COMPOSE)]
    # Files may be put together, so that one names what another defines.
    defined = Counter(
        (part, name) for _, root in files for part in _DEFINED for name, _ in root[part].entries
    )
    for file, root in files:
        yield _resource(file, "file", "file", _known(root))
        yield from _services(file, root, defined)
        for key, kind in _PARTS.items():
            for name, node in root[key].entries:
                yield _resource(file, kind, f"{kind} {name}", _known(node))


def inline_builds(documents: Documents) -> Iterator[str]:
    """The paths of files that hold a Dockerfile themselves, which is not read."""
    for file, root in documents.of(DocumentKind.COMPOSE):
        if any(one.at("build", "dockerfile_inline").present for one in root["services"].children):
            yield file.path


def _by_default(node: Node) -> Node:
    """The values as they are where nobody sets a variable that has a default."""
    if node.form is not Form.SCALAR:
        return replace(node, children=tuple(map(_by_default, node.children)))
    text = _DEFAULT.sub(lambda variable: variable["value"], node.text)
    return node if text == node.text else replace(node, text=text)


def _resource(
    file: DocumentFile, kind: str, address: str, properties: Node, purpose: str = ""
) -> Resource:
    empty = Node(properties.line or 1, Form.MAP)
    return Resource(
        dialect=Dialect.COMPOSE,
        kind=f"{Dialect.COMPOSE}.{kind}",
        address=address,
        root=file.path,
        path=file.path,
        role=file.role,
        line=properties.line or 1,
        properties=properties if properties.form is Form.MAP else empty,
        purpose=purpose,
    )


def _services(
    file: DocumentFile, root: Node, defined: Mapping[tuple[str, str], int]
) -> Iterator[Resource]:
    named = list(root["services"].entries)
    ports = {name: list(_ports(spec)) for name, spec in named}
    taken = Counter(
        place
        for name, spec in named
        if not spec["profiles"].present
        for place in {_place(one) for one in ports[name]}
    )
    has_all = all(spec["image"].present or spec["build"].present for _, spec in named)
    some_limited = any(_is_limited(spec) for _, spec in named)
    beside = _beside_programs([spec for _, spec in named])
    for name, spec in named:
        forgotten = some_limited and not _is_limited(spec)
        undefined = has_all and not root["include"].present
        more = {
            **_published(spec["ports"].line, ports[name], taken),
            **_image(spec["image"]),
            "memory_limit_forgotten": _flag(forgotten, spec.line),
            "mounts": _list(spec["volumes"].line, mounts(spec)),
            "variables": _variables(spec["environment"]),
            "restrictions": _restrictions(spec["security_opt"]),
            "capabilities": _capabilities(spec["cap_add"]),
            "written_secrets": _secrets(spec["environment"]),
            "argument_names": _names(spec.at("build", "args")),
            "command_line": _said(spec["command"]),
            "entrypoint_line": _said(spec["entrypoint"]),
            "health_line": _said(spec.at("healthcheck", "test")),
            "label_lines": _lines(spec["labels"]),
            "deploy_label_lines": _lines(spec.at("deploy", "labels")),
            "hardened": _flag(_measures(spec) >= _CAREFUL, spec.line),
            "memory_limited": _flag(_is_limited(spec), spec.line),
            "undefined": _undefined(defined, spec) if undefined else ABSENT,
        }
        kept = {key: node for key, node in more.items() if node.present}
        known = _with(_known(spec), **kept)
        yield _resource(file, "service", f"service {name}", known, _purpose(spec) or beside)


def _purpose(spec: Node) -> str:
    """What the service is for, where it says so by its image or by what it starts; else empty."""
    if is_agent(_image_name(spec)):
        return Purpose.AGENT
    return Purpose.WORKPLACE if _is_workplace(spec) else ""


def _is_workplace(spec: Node) -> bool:
    """Whether it publishes nothing, and what it starts is a prompt or a task that ends."""
    start = _said(spec["command"]).text or _said(spec["entrypoint"]).text
    return is_work(start) and not spec["ports"].present


def _beside_programs(services: Sequence[Node]) -> str:
    """That a file starts nothing but several things that programs keep their data in; else empty.

    One alone may be how that one is deployed.
    """
    is_alone = len(services) > 1 and all(
        not spec["build"].present and (is_backing(_image_name(spec)) or _is_workplace(spec))
        for spec in services
    )
    return Purpose.BACKING if is_alone else ""


def _image_name(spec: Node) -> str:
    known = _image(spec["image"]).get("image_name")
    return known.text if known else ""


def _is_limited(spec: Node) -> bool:
    """Whether the service's memory is limited, or may be by what it extends."""
    given = (spec["mem_limit"], spec.at("deploy", "resources", "limits", "memory"), spec["extends"])
    return any(one.present for one in given)


def _measures(spec: Node) -> int:
    """How many of the usual measures the service bears."""
    restrictions = " ".join(one.text for one in spec["security_opt"].items)
    measures = (
        any(one.text.upper() == "ALL" for one in spec["cap_drop"].items),
        spec["read_only"].is_true,
        "no-new-privileges" in restrictions,
        spec["user"].present,
        _is_limited(spec),
    )
    return sum(measures)


def _published(line: int, ports: Sequence[Node], taken: Mapping[Place, int]) -> dict[str, Node]:
    """The ports, each with whether another service takes it, and whether any is open."""
    is_open = any(one["everywhere"].is_true for one in ports)
    judged = (_with(one, taken_twice=_flag(taken[_place(one)] > 1, one.line)) for one in ports)
    return {"published": _flag(is_open, line), "ports": _list(line, judged)}


def _known(node: Node) -> Node:
    """The values as they are; what a variable decides is not known."""
    if node.form is Form.SCALAR:
        is_open = _OPEN.search(node.text) is not None
        return Node(node.line, text=node.text, tag=UNKNOWN if is_open else node.tag)
    children = tuple(map(_known, node.children))
    return Node(node.line, node.form, tag=node.tag, keys=node.keys, children=children)


def _with(node: Node, **more: Node) -> Node:
    """The map with further values, in place of those of the same names."""
    kept = [(key, value) for key, value in node.entries if key not in more]
    pairs = [*kept, *more.items()]
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    return Node(node.line, Form.MAP, keys=keys, children=values)


def _flag(value: bool, line: int) -> Node:
    return Node(line, text="true" if value else "false")


def _list(line: int, items: Iterable[Node]) -> Node:
    found = tuple(items)
    return Node(line if found else 0, Form.LIST, children=found)


def _map(line: int, **values: str) -> Node:
    given = {key: value for key, value in values.items() if value}
    nodes = tuple(_known(Node(line, text=value)) for value in given.values())
    return Node(line, Form.MAP, keys=tuple(given), children=nodes)


def _ports(spec: Node) -> Iterator[Node]:
    """Each published port: ``target``, ``published``, ``address``, ``everywhere``."""
    off = any(
        value.text.lower() in _LOGIN_OFF.get(name, ())
        for name, value in _variables(spec["environment"]).entries
    )
    for port in spec["ports"].items:
        if port["target"].present:
            target, address = port["target"].text, port["host_ip"].text
            published, protocol = port["published"].text, port["protocol"].text
        else:
            address, published, target, protocol = _short_port(port.text)
        local = address.startswith(_LOCAL) or "$" in address
        yield _with(
            _map(
                port.line,
                target=target,
                published=published,
                address=address,
                protocol=protocol or "tcp",
            ),
            everywhere=_flag(bool(published) and not local, port.line),
            login_off=_flag(off, port.line),
        )


def _short_port(text: str) -> tuple[str, str, str, str]:
    """``[address:][host:]container[/protocol]``; without a host port the engine picks one."""
    address, bracket, rest = text.partition("]:") if text.startswith("[") else ("", "", text)
    ports, _, protocol = rest.partition("/")
    parts = re.split(r":(?![-?+])", ports)  # ${PORT:-80} is one part
    if len(parts) > 2:
        address = ":".join(parts[:-2])
    return address + bracket[:1], parts[-2] if len(parts) > 1 else "", parts[-1], protocol


def _place(port: Node) -> Place:
    """What of the host a port takes; a text of its own where that is not known."""
    published = port["published"]
    if not published.present or published.tag or _RANGE.search(published.text):
        return (str(id(port)), "", "")
    return port["address"].text, published.text, port["protocol"].text


def mounts(spec: Node) -> Iterator[Node]:
    """What is mounted: ``source``, ``target``, ``read_only``."""
    for mount in spec["volumes"].items:
        if mount.form is Form.MAP:
            source, target = mount["source"].text, mount["target"].text
            read_only = mount["read_only"].is_true
        else:
            parts = re.split(r":(?![-?+\\])", mount.text)
            source, target = parts[0], parts[1] if len(parts) > 1 else ""
            read_only = len(parts) > 2 and "ro" in parts[-1].split(",")
        plain = source.rstrip("/") or source
        made = _map(mount.line, source=plain if target else "", target=target)
        yield _with(made, read_only=_flag(read_only, mount.line))


def _variables(node: Node) -> Node:
    """Values by name, from a list or a map."""
    pairs = [(key, _known(value)) for key, value in node.entries]
    for item in node.items:
        name, equals, value = item.text.partition("=")
        if equals:
            pairs.append((name, _known(Node(item.line, text=value))))
    keys, values = tuple(key for key, _ in pairs), tuple(value for _, value in pairs)
    return Node(node.line, Form.MAP, keys=keys, children=values)


def _secrets(node: Node) -> Node:
    """The names of variables whose secret is written in the file."""
    found = [
        Node(value.line, text=name)
        for name, value in _variables(node).entries
        if value.text.strip("\"'") == MASKED
    ]
    return _list(node.line, found)


def _names(node: Node) -> Node:
    """The names of variables, whatever their values are."""
    named = [*node.entries, *((one.text.partition("=")[0], one) for one in node.items)]
    return _list(node.line, (Node(one.line, text=name) for name, one in named))


def _capabilities(node: Node) -> Node:
    names = (
        Node(one.line, text=one.text.upper().removeprefix("CAP_"), tag=one.tag) for one in node.each
    )
    return _list(node.line, names)


def _restrictions(node: Node) -> Node:
    """What the service is kept from: ``name`` and ``value``."""
    parts = ((one.line, re.split(r"[:=]", one.text, maxsplit=1)) for one in node.items)
    return _list(
        node.line,
        (_map(line, name=part[0], value=part[1] if part[1:] else "true") for line, part in parts),
    )


def _said(node: Node) -> Node:
    """A command as one text."""
    if not node.present:
        return node
    text = " ".join(one.text for one in node.each)
    return Node(node.line, text=text)


def _lines(node: Node) -> Node:
    """Each pair as ``name=value``; a doubled dollar sign as the one that it stands for."""
    pairs = [*((f"{key}={value.text}", value.line) for key, value in node.entries)]
    pairs += [(one.text, one.line) for one in node.items]
    return _list(
        node.line,
        (
            Node(line, text=text.replace("$$", "$"), tag=UNKNOWN if _OPEN.search(text) else "")
            for text, line in pairs
        ),
    )


def _image(node: Node) -> dict[str, Node]:
    """The image by its parts; none of one that a variable decides."""
    if not node.text or _OPEN.search(node.text):
        return {}
    path = node.text.partition("@")[0]
    folder, slash, last = path.rpartition("/")
    name, _, tag = last.partition(":")
    short = _OFFICIAL.sub("", f"{folder}{slash}{name}", count=1)
    parts = {"image_name": Node(node.line, text=short)}
    return parts | ({"image_tag": Node(node.line, text=tag)} if tag else {})


def _undefined(defined: Mapping[tuple[str, str], int], spec: Node) -> Node:
    """What the service names and no file defines."""
    asked = [
        *(("services", one) for one in _named(spec["depends_on"])),
        *(("services", one) for one in _named(spec["links"])),
        *(("networks", one) for one in _named(spec["networks"]) if one.text not in _ALWAYS_THERE),
        *(("secrets", one) for one in _named(spec["secrets"])),
        *(("configs", one) for one in _named(spec["configs"])),
    ]
    missing = (
        Node(one.line, text=f"{part} {one.text}")
        for part, one in asked
        if one.text and not _OPEN.search(one.text) and not defined.get((part, one.text))
    )
    return _list(spec.line, missing)


def _named(node: Node) -> Iterator[Node]:
    """What a list or a map names."""
    for key, value in node.entries:
        yield Node(value.line or node.line, text=key)
    for item in node.items:
        name = item["source"].text or item.text
        yield Node(item.line, text=name.partition(":")[0])
