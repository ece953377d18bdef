"""Pods in Kubernetes documents, wherever a resource hides its pod template."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Severity
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

SYSTEM = f"{OUTSIDE} and in the cluster's own machinery (`kube-system`), which needs it"
"""When :meth:`Workload.weighed` makes a finding one for information."""
_TEMPLATED = frozenset(
    {
        *("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"),
        *("Rollout", "DeploymentConfig"),
    }
)


@dataclass(frozen=True, slots=True)
class Container:
    """One container of a pod."""

    name: str
    spec: Node
    init: bool

    @property
    def security(self) -> Node:
        """Its ``securityContext``."""
        return self.spec["securityContext"]


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
    def is_system(self) -> bool:
        """Whether it belongs to the cluster's own machinery, which needs the node."""
        namespace = self.root.at("metadata", "namespace").text
        return namespace.startswith(("kube-", "openshift-")) or namespace == "calico-system"

    @property
    def containers(self) -> tuple[Container, ...]:
        """Containers and init containers, in this order."""
        return tuple(
            Container(spec["name"].text or "?", spec, key == "initContainers")
            for key in ("containers", "initContainers")
            for spec in self.pod[key].items
        )

    def weighed(self, severity: Severity) -> Severity:
        """``severity``, or information for the cluster's own machinery."""
        return Severity.INFO if self.is_system else severity

    def setting(self, container: Container, key: str) -> Node:
        """A ``securityContext`` value; the container's own goes before the pod's."""
        own = container.security[key]
        return own if own.present else self.pod.at("securityContext", key)


def workloads(documents: Documents) -> Iterator[Workload]:
    """Every resource of every file that runs pods."""
    for file, root in documents.of(DocumentKind.KUBERNETES):
        pod = _pod(root)
        if pod["containers"].present:
            yield Workload(file, root, pod)


def _pod(root: Node) -> Node:
    kind = root["kind"].text
    if kind == "Pod":
        return root["spec"]
    if kind == "CronJob":
        return root.at("spec", "jobTemplate", "spec", "template", "spec")
    if kind in _TEMPLATED or root["apiVersion"].text.startswith("serving.knative.dev/"):
        return root.at("spec", "template", "spec")
    return root["absent"]
