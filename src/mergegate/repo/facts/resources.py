"""What infrastructure consists of: resources with their settings, whatever describes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from mergegate.core.tree import Role
from mergegate.repo.facts.documents import ABSENT, MASKED, UNDECIDED, Form, Node

UNKNOWN = UNDECIDED
"""The tag of a value that is decided elsewhere: its text is what is known of it, with ``${}`` for
the rest. Nothing is ever told of such a value."""
REFERENCE = "!reference"
"""The tag of a value that another resource provides; its text is that resource's address."""
NULL = "!null"
"""The tag of a value that is left to the provider on purpose, as if it did not stand there."""
DOCUMENT = "!document"
"""The tag of a policy that is written in a data block, which is judged where it stands."""
EVERY = "*"
"""A step that stands for every name of a map."""
GAP = "${}"
"""Stands in the text of an unknown value for what is not known of it."""


class Dialect(StrEnum):
    """What a resource is written in."""

    TERRAFORM = "terraform"
    CLOUDFORMATION = "cloudformation"
    COMPOSE = "compose"
    DOCKERFILE = "dockerfile"
    ARM = "arm"
    KUBERNETES = "kubernetes"
    AZURE_PIPELINES = "azure-pipelines"
    BITBUCKET = "bitbucket"
    CIRCLECI = "circleci"
    GITHUB_ACTIONS = "github-actions"
    GITLAB_CI = "gitlab-ci"
    JENKINS = "jenkins"
    ANSIBLE = "ansible"
    SERVERLESS = "serverless"
    OPENAPI = "openapi"
    NGINX = "nginx"
    APACHE = "apache"
    PHP = "php"
    SSHD = "sshd"
    HAPROXY = "haproxy"
    CADDY = "caddy"
    DOCKER = "docker"


def dialect_of(kind: str) -> Dialect:
    """The dialect that a kind is of: a kind of any other than these three begins with its name."""
    if "::" in kind:
        return Dialect.CLOUDFORMATION
    prefix = kind.partition(".")[0]
    if prefix == "module":
        return Dialect.TERRAFORM
    if prefix in set(Dialect):
        return Dialect(prefix)
    return Dialect.ARM if "/" in kind else Dialect.TERRAFORM


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource that would be made, its settings evaluated as far as the tree decides them."""

    dialect: Dialect
    kind: str
    """``aws_s3_bucket``, ``data.…``, ``provider.…``, ``backend.…``, ``module``,
    ``module.<address in the registry>``; ``AWS::S3::Bucket``;
    ``Microsoft.Storage/storageAccounts``; of another dialect with its name before it:
    ``kubernetes.Service``."""
    address: str
    """Its name among the resources of its root: ``module.storage.aws_s3_bucket.logs["a"]``."""
    root: str
    """Where that name is alone: the folder that is applied (of manifests too), or the template."""
    path: str
    role: Role
    line: int
    properties: Node = ABSENT
    """A map. A value that stands in another file has the line that refers to it."""
    alone: bool = False
    """Whether its neighbours are not known: of a changed copy, where a fix is proved."""
    is_machinery: bool = False
    """Whether it is the cluster's own, which needs its node: then what it does is known."""
    either: tuple[Node, ...] = ()
    """The properties as they are in each of two cases of which the tree does not decide one."""
    is_cut: bool = False
    """Whether a budget was spent before all that it says was known."""
    purpose: str = ""
    """What the image of a Dockerfile is for."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The fact: every resource of every Terraform configuration, by path and line."""

    found: tuple[Resource, ...] = ()


def is_known(node: Node) -> bool:
    """Whether the value itself is written in the tree, and is no secret that was masked."""
    hidden = node.form is Form.SCALAR and node.text.startswith(MASKED)
    return node.present and not hidden and node.tag not in {UNKNOWN, REFERENCE}


def plain(address: str) -> str:
    """The address without the numbers and keys of instances: what others refer to it by."""
    parts, depth = [], 0
    for sign in address:
        depth += sign == "["
        if not depth:
            parts.append(sign)
        depth -= sign == "]" and depth > 0
    return "".join(parts)


def found(node: Node, path: tuple[str, ...]) -> Iterator[tuple[Node, Node]]:
    """Each value at the end of ``path``, with the node that holds it or in which it is missing.

    A list on the way stands for each of its items, or for one by its number from 0, and ``*`` for
    every name of a map; a value that is missing is ABSENT.
    """
    if not path:
        yield node, node
    elif node.form is Form.LIST and path[0].isdecimal():
        number = int(path[0])
        for one in node.children[number : number + 1]:
            yield from found(one, path[1:])
    else:
        for holder in node.each:
            yield from _below(holder, path)


def _below(holder: Node, path: tuple[str, ...]) -> Iterator[tuple[Node, Node]]:
    if holder.form is Form.LIST:
        yield from found(holder, path)
    elif holder.form is not Form.MAP:
        yield holder, holder
    elif path[0] == EVERY:
        for one in holder.children:
            yield from found(one, path[1:])
    else:
        yield from _inside(holder, path)


def _inside(holder: Node, path: tuple[str, ...]) -> Iterator[tuple[Node, Node]]:
    value = holder[path[0]]
    if value.tag == NULL or (value.form is Form.LIST and not value.children and path[1:]):
        value = ABSENT
    if value.present and path[1:]:
        yield from found(value, path[1:])
    else:
        yield value, holder
