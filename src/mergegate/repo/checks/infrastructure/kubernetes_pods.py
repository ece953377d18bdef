"""Pods, wherever a resource hides its template, and how they run: user, images, secrets."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from mergegate.core.finding import Finding
from mergegate.core.rule import OUTSIDE
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, floating_images, listed
from mergegate.repo.facts.documents import MASKED, DocumentFile, DocumentKind, Documents, Node

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
        """The container's name in the pod; ``?`` if it has none."""
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


_SECRET_NAME = re.compile(r"(?i)(passw(or)?d|secret|token|api_?key|private_?key|credential)")


@check("iac-kubernetes-run-as-root", Severity.MEDIUM, "CWE-250")
def run_as_root(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A manifest asks for root: ``runAsUser: 0``, for the pod or a container.

    A flaw in the program, or in the kernel, then reaches further.

    Title: Container runs as root

    Info: outside production code and in the cluster's own machinery (`kube-system`), which needs
    it, and for init containers, which prepare volumes

    Remedy: Set `runAsNonRoot: true` and a `runAsUser` above 0 in the securityContext.

    Reference: https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
    """
    for container in containers(documents):
        user = container.setting("runAsUser")
        if user.is_literal and user.text == "0" and not container.is_privileged:
            does = "runs as root, so a flaw in the program has root's reach"
            severity = Severity.INFO if container.init else Severity.MEDIUM
            wrong = f"Container {container.label} {does}"
            yield rule.told(container.workload, user, wrong, severity)


@check("iac-kubernetes-privilege-escalation", Severity.LOW, "CWE-250")
def privilege_escalation(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A container may gain more privileges than it started with.

    Through setuid programs, for one.

    Title: Privilege escalation is allowed

    Remedy: Set `allowPrivilegeEscalation: false`.

    Reference: https://kubernetes.io/docs/tasks/configure-pod-container/security-context/
    """
    for container in containers(documents):
        value = container.security["allowPrivilegeEscalation"]
        if value.is_true and not container.is_privileged:
            wrong = f"Container {container.label} may gain privileges through setuid programs"
            yield rule.told(container.workload, value, wrong)


@check("iac-kubernetes-seccomp-off", Severity.LOW, "CWE-693")
def seccomp_off(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A pod or container turns the system call filter off (``Unconfined``).

    More of the kernel is then within an intruder's reach.

    Title: System call filter turned off

    Remedy: Use `seccompProfile: {type: RuntimeDefault}`.

    Reference: https://kubernetes.io/docs/tutorials/security/seccomp/
    """
    for workload in workloads(documents):
        for container in workload.containers:
            kind = container.setting("seccompProfile")["type"]
            if kind.text == "Unconfined" and not container.is_privileged:
                wrong = f"Container {container.label} runs without a system call filter"
                yield rule.told(workload, kind, wrong)
                break


@check("iac-kubernetes-floating-image", Severity.LOW, "CWE-1357", production_only=True)
def floating_image(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A container's image has no tag, or ``latest``: each pull may bring something else.

    One finding a workload.

    Title: Image without a fixed version

    Remedy: Name a version, or better a digest.

    Reference: https://kubernetes.io/docs/concepts/containers/images/
    """
    for workload in workloads(documents):
        names, line = floating_images(one.spec["image"] for one in workload.containers)
        if names and rule.concerns(workload.file):
            wrong = f"{workload.label} runs {names}, whose content can change with any pull"
            yield rule.broken(workload.file, line, wrong)


@check("iac-kubernetes-secret-in-env", Severity.MEDIUM, "CWE-798", confidence=Confidence.MEDIUM)
def secret_in_env(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """An environment variable named like a secret has its value in the manifest.

    Everyone who reads the repository or the resource has it.

    Title: Secret written into a manifest

    Remedy: Revoke it, store it in a Secret and refer to it with `valueFrom.secretKeyRef`.

    Reference: https://kubernetes.io/docs/concepts/configuration/secret/
    """
    for container in containers(documents):
        exposed = [entry for entry in container.spec["env"].items if _holds_secret(entry)]
        if exposed:
            names = listed([entry["name"].text for entry in exposed])
            where = f"container {container.name} in {container.workload.label}"
            wrong = (
                f"{names} of {where} is given in plain text, for everyone who can read the manifest"
            )
            yield rule.broken(container.workload.file, exposed[0]["value"].line, wrong)


def _holds_secret(entry: Node) -> bool:
    return entry["value"].text == MASKED and bool(_SECRET_NAME.search(entry["name"].text))


_HARDENING: dict[str, Callable[[Container], bool]] = {
    "may run as root": lambda one: (
        not one.setting("runAsNonRoot").is_true and not one.setting("runAsUser").present
    ),
    "may gain privileges": lambda one: not one.security["allowPrivilegeEscalation"].present,
    "can change its own programs": lambda one: not one.security["readOnlyRootFilesystem"].is_true,
    "has no memory limit": lambda one: not one.spec.at("resources", "limits", "memory").present,
}


@check("iac-kubernetes-unhardened", Severity.INFO, "CWE-1188", production_only=True)
def unhardened(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A workload leaves out the settings that contain a break-in.

    Root is not ruled out, privileges may be gained, the root file system is writable, memory
    is not limited. One finding a workload, for information, naming what is missing.

    Title: Workload without the usual hardening

    Remedy: Set `runAsNonRoot: true`, `allowPrivilegeEscalation: false`, `readOnlyRootFilesystem:
    true` and a memory limit where the program allows it.

    Reference: https://kubernetes.io/docs/concepts/security/security-checklist/
    """
    for workload in workloads(documents):
        lacking = [
            lack
            for lack, is_lacking in _HARDENING.items()
            if any(is_lacking(one) for one in workload.containers if not one.init)
        ]
        if lacking and rule.concerns(workload.file):
            wrong = f"{workload.label} {', '.join(lacking)}"
            yield rule.broken(workload.file, workload.pod.line, wrong)


@check("iac-kubernetes-service-token", Severity.INFO, "CWE-272")
def service_token(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A pod asks for an API token though it names no service account of its own.

    For information.

    Title: Service account token mounted

    Remedy: Set `automountServiceAccountToken: false` unless the program calls the API.

    Reference: https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/
    """
    for workload in workloads(documents):
        pod = workload.pod
        named = pod["serviceAccountName"].text or pod["serviceAccount"].text
        if named in {"", "default"} and pod["automountServiceAccountToken"].is_true:
            does = "mounts the default service account's token, which a break-in could use against"
            yield rule.broken(workload.file, pod.line, f"{workload.label} {does} the API")
