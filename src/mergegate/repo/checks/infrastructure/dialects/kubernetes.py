"""Kubernetes: objects as manifests declare them, with the pods, containers and programs in them.

Every object is a ``kubernetes.<Kind>`` and its properties are the document. What runs pods is in
addition a ``kubernetes.pod``, a ``kubernetes.container`` for each container, and a
``kubernetes.program`` for each whose flags are known. A kustomization is a
``kubernetes.kustomization`` as it is written, and a chart that needs others a ``kubernetes.chart``;
what they build is read elsewhere.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from posixpath import dirname

from mergegate.repo.checks.infrastructure.dialects.cluster_pipelines import with_scripts
from mergegate.repo.checks.infrastructure.dialects.programs import command_line, of_cluster
from mergegate.repo.checks.infrastructure.workloads import Container, Workload, workload
from mergegate.repo.facts.documents import (
    ABSENT,
    DocumentFile,
    DocumentKind,
    Documents,
    Form,
    Node,
)
from mergegate.repo.facts.resources import NULL, UNKNOWN, Dialect, Resource

OF_PODS = frozenset({f"{Dialect.KUBERNETES}.pod", f"{Dialect.KUBERNETES}.container"})
"""What is for information in the cluster's own machinery."""
MACHINERY = "in the cluster's own machinery (critical pods of `kube-system`), which needs it"
_DEEPEST = 64
_FILLED_IN = re.compile(r"\$\{|\$\(|\{\{|\$[A-Z_]{2}|^\$\w+$|%\w+%|<[^<>]*>|__\w+__|@\w+@")
"""What is put in place of such words, the manifest does not say; nginx has small variables."""
_COMMANDS = frozenset({"command", "args"})
_SEVERAL = re.compile(r"[;&|] ")
"""Stands between orders of a shell."""
_TRUE, _FALSE = frozenset({"yes", "on"}), frozenset({"no", "off"})
_NOTHING = frozenset({"", "~", "null"})
_INHERITED = (
    *("runAsUser", "runAsGroup", "runAsNonRoot", "seLinuxOptions", "seccompProfile"),
    *("appArmorProfile", "windowsOptions"),
)
"""What a container takes from its pod where it does not say it itself."""
_APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
_CONSTRAINTS = "constraints.gatekeeper.sh/"


def resources(documents: Documents) -> Iterator[Resource]:
    """Every object of every manifest, and what it runs."""
    for file, written in documents.of(DocumentKind.KUBERNETES):
        root = _settled(written, 0)
        kind, name = root["kind"].text, root.at("metadata", "name").text or "?"
        yield _resource(file, kind, f"{kind} {name}", with_scripts(root, written))
        if root["apiVersion"].text.startswith(_CONSTRAINTS):
            yield _resource(file, "constraint", f"{kind} {name}", root)
        for line in of_cluster(root):
            yield _resource(file, "program", f"{kind} {name}", line)
        if runs := workload(file, root):
            yield from _run(runs)
    for file, written in documents.of(DocumentKind.KUSTOMIZATION):
        yield _resource(file, "kustomization", "kustomization", _settled(written, 0))
    for file, written in documents.of(DocumentKind.CHART):
        yield _resource(file, "chart", f"chart {written['name'].text}".rstrip(), written)


def _resource(
    file: DocumentFile, kind: str, address: str, properties: Node, *, is_machinery: bool = False
) -> Resource:
    return Resource(
        dialect=Dialect.KUBERNETES,
        kind=f"{Dialect.KUBERNETES}.{kind}",
        address=address,
        root=dirname(file.path),
        path=file.path,
        role=file.role,
        line=properties.line,
        properties=properties,
        is_machinery=is_machinery,
    )


_HARDENING = (
    ("runAsNonRoot",),
    ("runAsUser",),
    ("allowPrivilegeEscalation",),
    ("readOnlyRootFilesystem",),
    ("capabilities", "drop"),
    ("seccompProfile",),
    ("windowsOptions",),
)
"""What a security context may keep a container from."""


def _run(runs: Workload) -> Iterator[Resource]:
    """The pod of a workload, and each of its containers."""
    pod = _with(
        runs.pod,
        metadata=runs.metadata,
        owner=runs.root,
        volumes=_volumes(runs),
        selected=_selected(runs),
    )
    system = runs.is_system
    yield _resource(runs.file, "pod", runs.label, pod, is_machinery=system)
    for one in runs.containers:
        label = f"container {one.name} of {runs.label}"
        part = Node(one.spec.line, text=one.part)
        security = _security(one)
        known = _with(
            one.spec,
            pod=pod,
            part=part,
            securityContext=security,
            hardened=_hardened(one, security),
            env=_variables(one.spec),
        )
        yield _resource(runs.file, "container", label, known, is_machinery=system)
        if line := command_line(one.spec):
            yield _resource(runs.file, "program", label, line)


def _selected(runs: Workload) -> Node:
    """Whether the pod has the labels by which its owner selects; ABSENT where that is not known."""
    wanted, labels = runs.root.at("spec", "selector", "matchLabels"), runs.metadata["labels"]
    pairs = [(value, labels[key]) for key, value in wanted.entries]
    both = [one for pair in pairs for one in pair]
    if not pairs or labels.is_open or any(one.tag == UNKNOWN for one in both):
        return ABSENT
    fits = all(one.text == other.text for one, other in pairs)
    return Node(wanted.line, text=str(fits).lower())


def _variables(container: Node) -> Node:
    """The variables, each with ``again`` where one before it has its name and another value."""
    first: dict[str, list[str]] = {}
    told = []
    for one in container["env"].items:
        texts = [part.text for part in one.walk()]
        is_other = first.setdefault(one["name"].text, texts) != texts and one["name"].is_literal
        told.append(_with(one, again=Node(one.line, text="true")) if is_other else one)
    return replace(container["env"], children=tuple(told)) if told else container["env"]


def _security(one: Container) -> Node:
    """The security context as it takes effect."""
    own, around = one.spec["securityContext"], one.workload.pod["securityContext"]
    if own.is_open:
        return own
    own = own if own.form is Form.MAP else Node(one.spec.line, Form.MAP)
    taken = {key: around[key] for key in _INHERITED if _is_said(around[key])}
    profile = one.workload.metadata.at("annotations", _APP_ARMOR + one.name)
    if profile.present:
        mode = Node(profile.line, text=profile.text.rpartition("/")[2])
        taken["appArmorProfile"] = Node(profile.line, Form.MAP, keys=("type",), children=(mode,))
    said_here = {key: value for key, value in own.entries if _is_said(value)}
    return _with(Node(own.line, Form.MAP), **(taken | said_here))


def _hardened(one: Container, security: Node) -> Node:
    """Whether the context keeps the container from anything; what only gives rights does not."""
    ways = (security.at(*way) for way in _HARDENING)
    tag = UNKNOWN if security.is_open else ""
    return Node(one.spec.line, text=str(any(way.present for way in ways)).lower(), tag=tag)


def _volumes(runs: Workload) -> Node:
    """The volumes, each with ``readOnly`` where no container may change it."""
    written = {
        mount["name"].text
        for one in runs.containers
        for mount in one.spec["volumeMounts"].items
        if not mount["readOnly"].is_true
    }
    volumes = runs.pod["volumes"]
    told = [
        _with(one, readOnly=Node(one.line, text=str(one["name"].text not in written).lower()))
        for one in volumes.items
        if one.form is Form.MAP
    ]
    return Node(volumes.line, volumes.form, volumes.text, volumes.tag, children=tuple(told))


def _is_said(value: Node) -> bool:
    return value.present and value.tag != NULL


def _with(node: Node, **more: Node) -> Node:
    """The map with other values, as far as these are there."""
    kept = {key: value for key, value in node.entries if key not in more}
    kept |= {key: value for key, value in more.items() if value.present}
    return Node(node.line, Form.MAP, tag=node.tag, keys=tuple(kept), children=tuple(kept.values()))


def _settled(node: Node, depth: int, *, words: bool = True, command: bool = False) -> Node:
    """The value as the cluster reads it; what something else fills in is unknown.

    The cluster knows no tags of its own: whatever a file calls a value, it is read.

    ``words`` says whether ``yes`` and ``on`` are booleans, which of labels they are not. Of a
    ``command`` a text of several orders is a script, of which what is filled in is but a part.
    """
    is_open = node.tag == UNKNOWN
    if (is_open and node.form is not Form.MAP) or depth > _DEEPEST:
        return Node(node.line, text=node.text, tag=UNKNOWN)
    if node.form is Form.SCALAR:
        return _scalar(node, words, is_script=command and _SEVERAL.search(node.text) is not None)
    if node.form is Form.LIST:
        items = tuple(
            _settled(one, depth + 1, words=words, command=command) for one in node.children
        )
        return Node(node.line, Form.LIST, children=items)
    values = tuple(
        Node(one.line, tag=NULL)
        if one.form is Form.SCALAR and one.text.lower() in _NOTHING and one.tag != UNKNOWN
        else _settled(
            one, depth + 1, words=words and key != "annotations", command=key in _COMMANDS
        )
        for key, one in node.entries
    )
    tag = UNKNOWN if is_open else ""
    return Node(node.line, Form.MAP, tag=tag, keys=node.keys, children=values)


def _scalar(node: Node, words: bool, is_script: bool) -> Node:
    if not is_script and "\n" not in node.text and _FILLED_IN.search(node.text):
        return Node(node.line, text=node.text, tag=UNKNOWN)
    word = node.text.lower() if words else ""
    if word in _TRUE or word in _FALSE:
        return Node(node.line, text="true" if word in _TRUE else "false")
    return Node(node.line, text=node.text, text_line=node.text_line) if node.tag else node
