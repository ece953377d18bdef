"""Pods, wherever a resource of Kubernetes hides their template, and the containers in them."""

from collections.abc import Iterator
from dataclasses import dataclass

from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Form, Node

PARTS = ("containers", "initContainers", "ephemeralContainers")
"""Where a pod names its containers."""
_TEMPLATES = (("spec", "template", "spec"), ("template", "spec"))
_PLACES = {
    "Pod": (("spec",),),
    "Revision": (("spec",),),
    "CronJob": (("spec", "jobTemplate", "spec", "template", "spec"),),
    "ScaledJob": (("spec", "jobTargetRef", "template", "spec"),),
}
"""Where the pod stands of kinds that have no template of their own."""
_CRITICAL = frozenset({"system-node-critical", "system-cluster-critical"})
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""


@dataclass(frozen=True, slots=True)
class Workload:
    """A resource that runs pods."""

    file: DocumentFile
    root: Node
    pod: Node
    """The pod's ``spec``."""
    metadata: Node
    """The pod's own, beside its ``spec``."""

    @property
    def label(self) -> str:
        """Kind and name, as kubectl writes them."""
        name = self.root.at("metadata", "name").text or "?"
        return f"{self.root['kind'].text} {name}"

    @property
    def is_system(self) -> bool:
        """Whether it belongs to the cluster's own machinery, which needs the node.

        That runs in a namespace of the system and is never evicted. Anyone may write the namespace
        alone, and a cluster that limits those classes to it refuses them to others.
        """
        namespace = self.root.at("metadata", "namespace").text
        is_of_system = namespace.startswith(("kube-", "openshift-")) or namespace == "calico-system"
        return is_of_system and self.pod["priorityClassName"].text in _CRITICAL

    @property
    def containers(self) -> tuple["Container", ...]:
        """Containers, then those that come first and those that are put in later."""
        return tuple(
            Container(self, spec, part)
            for part in PARTS
            for spec in self.pod[part].items
            if spec.form is Form.MAP
        )


@dataclass(frozen=True, slots=True)
class Container:
    """One container of a pod."""

    workload: Workload
    spec: Node
    part: str
    """Which of ``PARTS`` it stands in."""

    @property
    def name(self) -> str:
        """The container's name in the pod; ``?`` if it has none."""
        return self.spec["name"].text or "?"


def workloads(documents: Documents) -> Iterator[Workload]:
    """Every resource of every file that runs pods."""
    for file, root in documents.of(DocumentKind.KUBERNETES):
        if one := workload(file, root):
            yield one


def workload(file: DocumentFile, root: Node) -> Workload | None:
    """The pods of a resource; None where it runs none."""
    for path in _PLACES.get(root["kind"].text, _TEMPLATES):
        around = root.at(*path[:-1])
        if around[path[-1]]["containers"].present:
            return Workload(file, root, around[path[-1]], around["metadata"])
    return None
