"""Settings of a program that another file holds as a text: what it writes for the program to read.

They are read as the file would be that they become, with the lines of the file that holds them.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.engines.documents.notations import SIZE_BUDGET, may_be, notation_of
from mergegate.repo.facts.documents import Document, DocumentKind, Form, Instruction, Node

_SERVERS = frozenset(
    {DocumentKind.NGINX, DocumentKind.APACHE, DocumentKind.HAPROXY, DocumentKind.CADDY}
)
_PROGRAMS = _SERVERS | {DocumentKind.PHP, DocumentKind.SSHD}
_COPIED = re.compile(r"[^\n]*<<-?[\"']?\w+[\"']?[ \t]+[\"']?(?P<path>[^\s\"'<]+)[\"']?[ \t]*\n")
"""The first line of an instruction that copies one here-document."""
_WRITTEN = re.compile(r"[^\n]*(?:>|\btee(?:[ \t]+-a)?[ \t])[ \t]*(?P<path>/[\w./-]+)[^\n]*\n")
"""The first line of a step that writes a here-document into a file."""
_ANNOUNCED = re.compile(r"<<-?[\"'\w]")


def in_document(kind: DocumentKind, root: Node) -> Iterator[Document]:
    """What a ConfigMap, a play or a composition of services holds."""
    for name, text in _texts(kind, root):
        if text.is_literal and "\n" in text.text:
            begin = text.text_line
            yield from _read(name, text.text, _PROGRAMS, begin or text.line, moves=bool(begin))


def in_instruction(one: Instruction) -> Iterator[Document]:
    """What a here-document of a Dockerfile becomes; of several in one instruction none."""
    first, _, body = one.text.partition("\n")
    if not body or len(_ANNOUNCED.findall(first)) != 1:
        return
    wanted: Container[DocumentKind]
    if one.name == "RUN":  # what a step does to PHP and OpenSSH, rules of Dockerfiles judge
        match, wanted = _WRITTEN.match(one.text), _SERVERS
    else:
        match, wanted = _COPIED.match(one.text), _PROGRAMS
    if match is not None:
        begin = one.end_line - body.count("\n") - 1
        yield from _read(match["path"], body + "\n", wanted, begin, moves=True)


def _texts(kind: DocumentKind, root: Node) -> Iterator[tuple[str, Node]]:
    """The texts that become files, with the names that these have."""
    if kind is DocumentKind.KUBERNETES and root["kind"].text == "ConfigMap":
        yield from root["data"].entries
    elif kind is DocumentKind.COMPOSE:
        for name, one in root["configs"].entries:
            yield name, one["content"]
    elif kind is DocumentKind.ANSIBLE:
        for one in root.walk():
            if "content" in one.keys and one["dest"].is_literal:
                yield one["dest"].text, one["content"]


def _read(
    name: str, text: str, wanted: Container[DocumentKind], begin: int, *, moves: bool
) -> Iterator[Document]:
    """The settings; lines count from ``begin``, or all are that one unless it ``moves``."""
    suffix = PurePosixPath(name).suffix.lower()
    content = text.encode()
    notation = notation_of(content, suffix)
    if notation is None or notation.kind not in wanted or len(content) > SIZE_BUDGET:
        return
    if not may_be(name, suffix) and notation.sure.search(content) is None:
        return
    try:
        root = notation.read(text)
    except Unreadable:  # a payload of something else, or a part of a file
        return
    yield Document(notation.kind, _placed(root, begin, moves=moves))


def _placed(node: Node, begin: int, *, moves: bool) -> Node:
    """The node with lines of the file around; what is absent stays so."""
    line = (begin + node.line - 1 if moves else begin) if node.line else 0
    if node.form is Form.SCALAR and not node.children:
        return replace(node, line=line)
    children = tuple(_placed(one, begin, moves=moves) for one in node.children)
    return replace(node, line=line, children=children)
