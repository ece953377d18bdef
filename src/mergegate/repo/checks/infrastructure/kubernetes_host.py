"""What Kubernetes workloads may do to their node."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.kubernetes_pods import (
    NodeRule,
    Workload,
    containers,
    workloads,
)
from mergegate.repo.facts.documents import Documents

_SOCKETS = re.compile(r"/(docker|containerd/containerd|crio/crio|podman/podman)\.sock$")
_SENSITIVE_PATHS = frozenset({"/", "/etc", "/root", "/var/lib/kubelet", "/var/lib/docker", "/home"})
_HARMLESS_PATHS = ("/var/log", "/sys/fs/cgroup", "/etc/localtime", "/lib/modules")
_DANGEROUS_CAPABILITIES = frozenset(
    {
        *("ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "SYS_BOOT", "BPF"),
        *("DAC_READ_SEARCH", "NET_ADMIN"),
    }
)


@check("iac-kubernetes-privileged", Severity.HIGH, "CWE-250")
def privileged(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A container runs privileged: it has all of the node's devices and capabilities.

    Whoever breaks into it owns the node and, from there, often the cluster.

    Title: Privileged container

    Remedy: Remove `privileged: true` and add the single capability that is needed.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for container in containers(documents):
        if container.is_privileged:
            at = container.security["privileged"]
            does = "is privileged, so breaking into it gives the whole node"
            yield rule.told(container.workload, at, f"Container {container.label} {does}")


@check("iac-kubernetes-host-path", Severity.HIGH, "CWE-668")
def host_path(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A pod mounts files of its node.

    Title: Pod mounts a folder of the node

    Medium: for folders that do not give the node away, as the root and `/etc` do

    Info: outside production code and in the cluster's own machinery (`kube-system`), which needs
    it, and where every container mounts it read-only

    Remedy: Use a PersistentVolumeClaim, a ConfigMap or an emptyDir instead.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    Reference: https://kubernetes.io/docs/concepts/storage/volumes/#hostpath
    """
    for workload in workloads(documents):
        writable = _writable_volumes(workload)
        for volume in workload.pod["volumes"].items:
            path = volume.at("hostPath", "path")
            if not path.present or path.text.startswith(_HARMLESS_PATHS):
                continue
            if not _SOCKETS.search(path.text):
                wrong = (
                    f"{workload.label} mounts {path.text} of its node, so the container can "
                    "read or change files of the host"
                )
                used = volume["name"].text in writable
                yield rule.told(workload, path, wrong, _reach(path.text) if used else Severity.INFO)


def _writable_volumes(workload: Workload) -> frozenset[str]:
    """Names of the volumes that some container may change."""
    return frozenset(
        mount["name"].text
        for container in workload.containers
        for mount in container.spec["volumeMounts"].items
        if not mount["readOnly"].is_true
    )


def _reach(path: str) -> Severity:
    return Severity.HIGH if (path.rstrip("/") or "/") in _SENSITIVE_PATHS else Severity.MEDIUM


@check("iac-kubernetes-runtime-socket", Severity.HIGH, "CWE-250")
def runtime_socket(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A pod mounts the container runtime's socket and can start any container on the node.

    Read-only does not help: commands go through the socket all the same.

    Title: Pod reaches the container runtime's socket

    Remedy: Build images with a daemonless builder, and talk to the Kubernetes API for the rest.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for workload in workloads(documents):
        for volume in workload.pod["volumes"].items:
            path = volume.at("hostPath", "path")
            if _SOCKETS.search(path.text):
                why = "whoever controls it starts privileged containers on the node"
                yield rule.told(workload, path, f"{workload.label} mounts {path.text}: {why}")


@check("iac-kubernetes-host-namespace", Severity.MEDIUM, "CWE-653")
def host_namespace(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A pod shares its node's network, processes or interprocess communication.

    With ``hostPID`` it sees and can signal every process of the node, with ``hostNetwork`` it
    bypasses network policies and reaches services bound to localhost.

    Title: Pod shares the node's namespaces

    Low: for a node agent (DaemonSet) that shares the network alone

    Remedy: Remove the setting, and reach the pod through a Service.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for workload in workloads(documents):
        pod = workload.pod
        shared = [key for key in ("hostPID", "hostIPC", "hostNetwork") if pod[key].is_true]
        if shared:
            mild = workload.is_node_agent and shared == ["hostNetwork"]
            does = f"sets {' and '.join(shared)}, so it is not kept apart from its node"
            severity = Severity.LOW if mild else Severity.MEDIUM
            yield rule.told(workload, pod[shared[0]], f"{workload.label} {does}", severity)


@check("iac-kubernetes-capabilities", Severity.HIGH, "CWE-250")
def capabilities(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A container adds a capability that leads to the node.

    Title: Container has dangerous capabilities

    Medium: for others than `ALL` and `SYS_ADMIN`, which nearly equal privileged

    Remedy: Drop ALL and add only capabilities that the program fails without.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for container in containers(documents):
        added = container.security.at("capabilities", "add")
        names = {item.text.upper().removeprefix("CAP_") for item in added.items}
        bad = sorted(names & _DANGEROUS_CAPABILITIES)
        if bad:
            severity = Severity.HIGH if {"ALL", "SYS_ADMIN"} & {*bad} else Severity.MEDIUM
            does = f"adds {', '.join(bad)}, which lets it act on the node"
            wrong = f"Container {container.label} {does}"
            yield rule.told(container.workload, added, wrong, severity)


@check("iac-kubernetes-host-port", Severity.LOW, "CWE-668")
def host_port(rule: NodeRule, documents: Documents) -> Iterator[Finding]:
    """A container binds a port of its node, past Services and most network policies.

    Title: Container takes a port of the node

    Info: outside production code and in the cluster's own machinery (`kube-system`), which needs
    it, and for node agents (DaemonSets)

    Remedy: Reach the pod through a Service.

    Reference: https://kubernetes.io/docs/concepts/security/pod-security-standards/
    """
    for container in containers(documents):
        workload = container.workload
        ports = [port["hostPort"] for port in container.spec["ports"].items]
        taken = [port for port in ports if port.present and port.text != "0"]
        if taken and not workload.pod["hostNetwork"].is_true:
            does = f"takes port {taken[0].text} of each node it runs on, past network policies"
            severity = Severity.INFO if workload.is_node_agent else Severity.LOW
            yield rule.told(workload, taken[0], f"Container {container.label} {does}", severity)
