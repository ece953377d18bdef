"""What infrastructure files and workflows say: YAML and JSON as trees with lines, Dockerfiles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role

MASKED = "***"
"""Stands where a literal secret stood; the secret itself is never kept."""
STEP_BUDGET = 64 * 1024
"""Characters of an instruction of a Dockerfile whose commands are read."""
UNDECIDED = "!unknown"
"""The tag of a value that is decided elsewhere, and of a map that has more entries than are known.
Nothing is ever told of such a value, nor of what such a map may lack."""


class Form(StrEnum):
    """What a node is."""

    SCALAR = "scalar"
    LIST = "list"
    MAP = "map"


@dataclass(frozen=True, slots=True)
class Node:
    """A value in a document. Aliases and merge keys are already filled in."""

    line: int = 0
    """The line from 1; a map's value has its key's line. 0: the value is absent."""
    form: Form = Form.SCALAR
    text: str = ""
    """A scalar's text, literal secrets masked."""
    tag: str = ""
    """A local tag as written, ``!Ref``; empty for plain YAML."""
    keys: tuple[str, ...] = ()
    children: tuple["Node", ...] = ()
    """A list's items, or a map's values in the order of ``keys``."""
    text_line: int = 0
    """The line of a text's first line, where its lines stand in the file as they are; else 0."""

    def __getitem__(self, key: str) -> "Node":
        """The value of ``key``, the last one where it stands twice; ABSENT if there is none.

        In a map that may have more entries than are known it is a value that is not known.
        """
        if key in self.keys:
            return self.children[~self.keys[::-1].index(key)]
        return Node(self.line, tag=UNDECIDED) if self.is_open else ABSENT

    @property
    def is_open(self) -> bool:
        """Whether it may have entries that are not known: it is not known, or not in full."""
        return self.tag == UNDECIDED and self.form is not Form.LIST

    def at(self, *path: str) -> "Node":
        """The value at the end of a path of keys; ABSENT where the path breaks off."""
        node = self
        for key in path:
            node = node[key]
        return node

    @property
    def present(self) -> bool:
        """Whether there is anything here."""
        return self.line > 0

    @property
    def entries(self) -> Iterator[tuple[str, "Node"]]:
        """A map's keys and values; nothing for other forms."""
        return iter(zip(self.keys, self.children, strict=False) if self.form is Form.MAP else ())

    @property
    def items(self) -> tuple["Node", ...]:
        """A list's items; nothing for other forms."""
        return self.children if self.form is Form.LIST else ()

    @property
    def each(self) -> tuple["Node", ...]:
        """A list's items, or the value itself: many formats take one or several."""
        return self.items if self.form is Form.LIST else (self,) if self.present else ()

    @property
    def is_literal(self) -> bool:
        """Whether it is a scalar written out here, not a reference resolved elsewhere."""
        return self.present and self.form is Form.SCALAR and not self.tag

    @property
    def is_true(self) -> bool:
        """A literal true, quoted or not, as YAML 1.1 and CloudFormation read it."""
        return self.is_literal and self.text.lower() in {"true", "yes", "on"}

    @property
    def is_false(self) -> bool:
        """A literal false, quoted or not; an absent value is neither true nor false."""
        return self.is_literal and self.text.lower() in {"false", "no", "off"}

    def walk(self) -> Iterator["Node"]:
        """The node and all below it, in order."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


ABSENT = Node()
"""What stands for a value that is not there."""


class DocumentKind(StrEnum):
    """Which tool reads the document, told by its content."""

    KUBERNETES = "kubernetes"
    COMPOSE = "compose"
    CLOUDFORMATION = "cloudformation"
    ARM = "arm"
    ARM_PARAMETERS = "arm-parameters"
    """What a template of Azure is deployed with; it says nothing of its own."""
    PULUMI = "pulumi"
    DEPLOYMENT_MANAGER = "deployment-manager"
    GITHUB_ACTIONS = "github-actions"
    GITLAB_CI = "gitlab-ci"
    KUSTOMIZATION = "kustomization"
    CHART = "chart"
    """What a chart of Helm says of itself, and which others it needs."""
    JSON_PATCH = "json-patch"
    """A list of steps that change another document."""
    AZURE_PIPELINES = "azure-pipelines"
    BITBUCKET = "bitbucket"
    CIRCLECI = "circleci"
    JENKINS = "jenkins"
    ANSIBLE = "ansible"
    ANSIBLE_SETTINGS = "ansible-settings"
    ANSIBLE_INVENTORY = "ansible-inventory"
    """Hosts and groups, or the variables of one."""
    SERVERLESS = "serverless"
    OPENAPI = "openapi"
    NGINX = "nginx"
    APACHE = "apache"
    PHP = "php"
    SSHD = "sshd"
    HAPROXY = "haproxy"
    CADDY = "caddy"
    DOCKER = "docker"
    """The settings of Docker's daemon."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file; a Kubernetes ``List`` counts as its items."""

    kind: DocumentKind
    root: Node


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction of a Dockerfile."""

    name: str
    """Upper case: ``FROM``, ``RUN``…"""
    text: str
    """Its arguments, lines joined by blanks, here-documents after them, secrets masked."""
    start_line: int
    end_line: int
    stage: int
    """Which ``FROM`` it belongs to, from 0; -1 before the first."""
    breaks: tuple[int, ...] = ()
    """Where in the text each further line begins, here-documents apart. A masked secret before it
    shifts it."""

    def line_at(self, offset: int) -> int:
        """The line on which a place of the text stands."""
        further = sum(at <= offset for at in self.breaks) + self.text.count("\n", 0, offset)
        return min(self.start_line + further, self.end_line)


@dataclass(frozen=True, slots=True)
class FileDocuments:
    """What one file's bytes hold, wherever the file lies."""

    documents: tuple[Document, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    template: bool = False
    """A template of Helm or the like: no document before it is rendered, so not read."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The fact: what templates hold once they are rendered, by their paths."""

    files: Mapping[str, FileDocuments] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file that holds infrastructure."""

    path: str
    role: Role
    found: FileDocuments
    copy_of: str = ""
    """The path that it is known by where a fix is proved on a changed copy."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The fact: every file that describes infrastructure, in order of path."""

    files: tuple[DocumentFile, ...] = ()

    def of(self, kind: DocumentKind) -> Iterator[tuple[DocumentFile, Node]]:
        """Each document of one kind with its file."""
        for file in self.files:
            for document in file.found.documents:
                if document.kind is kind:
                    yield file, document.root


class WorkflowKind(StrEnum):
    """What GitHub takes the file for."""

    WORKFLOW = "workflow"
    ACTION = "action"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowHit:
    """One finding of one of zizmor's audits."""

    audit: str
    """zizmor's identifier: ``template-injection``."""
    description: str
    """What the audit is about, zizmor's words."""
    annotation: str
    """What zizmor says of the place."""
    severity: str
    """zizmor's: ``High``, ``Medium``, ``Low`` or ``Informational``."""
    confidence: Confidence
    start_line: int
    end_line: int
    start_column: int
    end_column: int
    feature: str = ""
    """The reference or expression it points at, secrets masked; empty where it is a block."""
    ignored: bool = False
    """An in-line comment of the scanned file asks zizmor to ignore it."""


@dataclass(frozen=True, slots=True)
class FileWorkflow:
    """What one file's bytes hold."""

    kind: WorkflowKind = WorkflowKind.WORKFLOW
    root: Node = ABSENT
    hits: tuple[WorkflowHit, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkflowFile:
    """A workflow that GitHub would run from this path, or an action."""

    path: str
    role: Role
    found: FileWorkflow

    @property
    def triggers(self) -> dict[str, Node]:
        """The events that start the workflow, each with its filter (ABSENT without one)."""
        on = self.found.root["on"]
        return dict(on.entries) or {event.text: ABSENT for event in on.each if event.text}

    @property
    def jobs(self) -> Iterator[tuple[str, Node]]:
        """The workflow's jobs; an action's steps stand in a job without a name."""
        if self.found.kind is WorkflowKind.ACTION:
            return iter([("", self.found.root["runs"])])
        return self.found.root["jobs"].entries


@dataclass(frozen=True, slots=True)
class Workflows:
    """The fact: every workflow and action, in order of path."""

    files: tuple[WorkflowFile, ...]
    owner: str = ""
    """Who owns the repository at GitHub, in small letters; empty where that is not known. It is
    never read from the tree, where a change could write it."""
