"""Pods in Kubernetes documents, wherever a resource hides its pod template."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from mergegate.core.finding import Finding
from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Severity
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

SYSTEM = f"{OUTSIDE} and in the cluster's own machinery (`kube-system`), which needs it"
"""When a :class:`NodeRule` makes a finding one for information."""
_TEMPLATED = frozenset(
    {
        *("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"),
        *("Rollout", "DeploymentConfig"),
    }
)


@dataclass(frozen=True, slots=True)
class Workload:
    """A resource that runs pods."""

    file: DocumentFile
    root: Node
    pod: Node
    """The pod's ``spec``."""

    @property
    def label(self) -> str:
        """Kind and name, as kubectl writes them."""
        name = self.root.at("metadata", "name").text or "?"
        return f"{self.root['kind'].text} {name}"

    @property
    def is_node_agent(self) -> bool:
        """Whether it runs on each node."""
        return self.root["kind"].text == "DaemonSet"

    @property
    def is_system(self) -> bool:
        """Whether it belongs to the cluster's own machinery, which needs the node."""
        namespace = self.root.at("metadata", "namespace").text
        return namespace.startswith(("kube-", "openshift-")) or namespace == "calico-system"

    @property
    def containers(self) -> tuple["Container", ...]:
        """Containers and init containers, in this order."""
        return tuple(
            Container(self, spec, key == "initContainers")
            for key in ("containers", "initContainers")
            for spec in self.pod[key].items
        )


@dataclass(frozen=True, slots=True)
class Container:
    """One container of a pod."""

    workload: Workload
    spec: Node
    init: bool

    @property
    def name(self) -> str:
        """As the pod has it."""
        return self.spec["name"].text or "?"

    @property
    def label(self) -> str:
        """Its name and that of its workload."""
        return f"{self.name} of {self.workload.label}"

    @property
    def security(self) -> Node:
        """Its ``securityContext``."""
        return self.spec["securityContext"]

    @property
    def is_privileged(self) -> bool:
        """Whether it has all of its node anyway."""
        return self.security["privileged"].is_true

    def setting(self, key: str) -> Node:
        """A ``securityContext`` value; the container's own goes before the pod's."""
        own = self.security[key]
        return own if own.present else self.workload.pod.at("securityContext", key)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRule(DocumentRule):
    """A rule about what pods may do; for information in the cluster's own machinery."""

    outside: ClassVar[str] = SYSTEM

    def told(
        self, workload: Workload, at: Node, wrong: str, severity: Severity | None = None
    ) -> Finding:
        """A finding at ``at``; ``wrong`` is one sentence without its full stop."""
        weight = Severity.INFO if workload.is_system else severity
        return self.broken(workload.file, at.line, wrong, weight)


def workloads(documents: Documents) -> Iterator[Workload]:
    """Every resource of every file that runs pods."""
    for file, root in documents.of(DocumentKind.KUBERNETES):
        pod = _pod(root)
        if pod["containers"].present:
            yield Workload(file, root, pod)


def containers(documents: Documents) -> Iterator[Container]:
    """The containers of every workload."""
    for workload in workloads(documents):
        yield from workload.containers


def _pod(root: Node) -> Node:
    kind = root["kind"].text
    if kind == "Pod":
        return root["spec"]
    if kind == "CronJob":
        return root.at("spec", "jobTemplate", "spec", "template", "spec")
    if kind in _TEMPLATED or root["apiVersion"].text.startswith("serving.knative.dev/"):
        return root.at("spec", "template", "spec")
    return root["absent"]
