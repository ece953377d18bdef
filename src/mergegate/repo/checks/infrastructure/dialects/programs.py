"""The flags that manifests start programs with: of containers, and of the parts of a cluster."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import UNKNOWN

_COMMANDS = ("command", "args")
_SHELLS = frozenset({"sh", "bash", "ash"})
_SEVERAL = frozenset(";&|`\n")
"""Signs of more than one order in a shell's words."""
_REDIRECTED = re.compile(r"\s\d?>>?(?:&\d|[^\s&]\S*)")
LONGEST_ORDER = 64 * 1024
_NAMED = re.compile(r"--?[\w.-]+=")
"""The beginning of a flag of which the value alone may be unknown."""
_KUBEADM = "kubeadm.k8s.io/"
_PARTS_OF_A_CLUSTER = {
    "kube-apiserver": ("apiServer", "extraArgs"),
    "kube-controller-manager": ("controllerManager", "extraArgs"),
    "kube-scheduler": ("scheduler", "extraArgs"),
    "etcd": ("etcd", "local", "extraArgs"),
    "kubelet": ("nodeRegistration", "kubeletExtraArgs"),
}
"""Where kubeadm is told the flags of a program."""


def command_line(container: Node) -> Node | None:
    """The ``names`` that a container may start, and the ``flags``; None without flags.

    It is ``partial`` where something else fills words in: then a missing flag says nothing.
    """
    words = _out_of_shell([word for key in _COMMANDS for word in container[key].items])
    image = PurePosixPath(container["image"].text).name.partition("@")[0].partition(":")[0]
    leading = [*_leading(words)]
    names = [] if container["command"].items else [image]
    names += [PurePosixPath(word.text).name for word in leading]
    flags = dict(_flags(words[len(leading) :]))
    is_partial = any(one.tag == UNKNOWN and not _NAMED.match(one.text) for one in words)
    marks = ("partial",) if is_partial else ()
    return _line(container.line, names, flags, *marks) if flags else None


def _out_of_shell(words: list[Node]) -> list[Node]:
    """The words of the one order that a shell is given; others stay as they are."""
    if len(words) != 3 or PurePosixPath(words[0].text).name not in _SHELLS or words[1].text != "-c":
        return words
    order = words[2]
    alone = _REDIRECTED.sub(" ", order.text[:LONGEST_ORDER])
    try:
        inside = shlex.split(alone) if not _SEVERAL & {*alone} else []
    except ValueError:  # a quote that does not end
        inside = []
    named = inside[1:] if inside[:1] == ["exec"] else inside
    return [Node(order.line, text=one, tag=order.tag) for one in named] or words


def of_cluster(root: Node) -> Iterator[Node]:
    """The command lines that kubeadm is told to extend.

    They are ``partial``, since kubeadm completes them, and say so as ``kubeadm``.
    """
    if not root["apiVersion"].text.startswith(_KUBEADM):
        return
    for name, path in _PARTS_OF_A_CLUSTER.items():
        given = root.at(*path)
        pairs = {one["name"].text: one["value"] for one in given.items} or dict(given.entries)
        flags = {flag: _values(value, value.text) for flag, value in pairs.items()}
        if flags:
            yield _line(given.line, [name], flags, "partial", "kubeadm")


def _leading(words: Sequence[Node]) -> Iterator[Node]:
    for word in words:
        if word.text.startswith("-"):
            return
        yield word


def _flags(words: Sequence[Node]) -> Iterator[tuple[str, Node]]:
    """``--name=value``, ``--name value`` and ``--name``, each with its value."""
    for number, word in enumerate(words):
        if not word.text.startswith("-") or not word.text.strip("-"):
            continue
        name, sign, value = word.text.lstrip("-").partition("=")
        behind = words[number + 1 : number + 2]
        if not sign and behind and not behind[0].text.startswith("-"):
            yield name, _values(behind[0], behind[0].text)
        else:
            yield name, _values(word, value if sign else "true")


def _values(at: Node, text: str) -> Node:
    """One value, or several that commas part."""
    tag = UNKNOWN if at.tag == UNKNOWN else ""
    if "," not in text:
        return Node(at.line, text=text, tag=tag)
    parts = tuple(Node(at.line, text=one, tag=tag) for one in text.split(","))
    return Node(at.line, Form.LIST, children=parts)


def _line(line: int, names: list[str], flags: dict[str, Node], *marks: str) -> Node:
    said = Node(line, Form.LIST, children=tuple(Node(line, text=one) for one in names))
    given = Node(line, Form.MAP, keys=tuple(flags), children=tuple(flags.values()))
    pairs = (("names", said), ("flags", given), *((one, Node(line, text="true")) for one in marks))
    keys, children = zip(*pairs, strict=True)
    return Node(line, Form.MAP, keys=keys, children=children)
