"""What Kubernetes workloads may do to their node."""

import re
from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.reading import DocumentRule
from mergegate.repo.checks.infrastructure.workloads import SYSTEM, Workload, workloads
from mergegate.repo.facts.documents import Documents

_STANDARDS = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
_SOCKETS = re.compile(r"/(docker|containerd/containerd|crio/crio|podman/podman)\.sock$")
_SENSITIVE_PATHS = frozenset({"/", "/etc", "/root", "/var/lib/kubelet", "/var/lib/docker", "/home"})
_HARMLESS_PATHS = ("/var/log", "/sys/fs/cgroup", "/etc/localtime", "/lib/modules")
_DANGEROUS_CAPABILITIES = frozenset(
    {
        *("ALL", "SYS_ADMIN", "SYS_MODULE", "SYS_PTRACE", "SYS_RAWIO", "SYS_BOOT", "BPF"),
        *("DAC_READ_SEARCH", "NET_ADMIN"),
    }
)

_PRIVILEGED = DocumentRule(
    id="iac-kubernetes-privileged",
    title="Privileged container",
    severity=Severity.HIGH,
    milder={Severity.INFO: SYSTEM},
    remedy="Remove `privileged: true` and add the single capability that is needed.",
    cwe=("CWE-250",),
    references=(_STANDARDS,),
)


@check(_PRIVILEGED)
def privileged(documents: Documents) -> Iterator[Finding]:
    """A container runs privileged: it has all of the node's devices and capabilities.

    Whoever breaks into it owns the node and, from there, often the cluster.
    """
    for workload in workloads(documents):
        for container in workload.containers:
            value = container.security["privileged"]
            if value.is_true:
                yield _PRIVILEGED.broken(
                    workload.file,
                    value.line,
                    f"Container {container.name} of {workload.label} is privileged, so breaking "
                    "into it gives the whole node",
                    workload.weighed(Severity.HIGH),
                )


_HOST_PATH = DocumentRule(
    id="iac-kubernetes-host-path",
    title="Pod mounts a folder of the node",
    severity=Severity.HIGH,
    milder={
        Severity.MEDIUM: "for folders that do not give the node away, as the root and `/etc` do",
        Severity.INFO: f"{SYSTEM}, and where every container mounts it read-only",
    },
    remedy="Use a PersistentVolumeClaim, a ConfigMap or an emptyDir instead.",
    cwe=("CWE-668",),
    references=(
        _STANDARDS,
        "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",
    ),
)


@check(_HOST_PATH)
def host_path(documents: Documents) -> Iterator[Finding]:
    """A pod mounts files of its node."""
    for workload in workloads(documents):
        writable = _writable_volumes(workload)
        for volume in workload.pod["volumes"].items:
            path = volume.at("hostPath", "path")
            if not path.present or path.text.startswith(_HARMLESS_PATHS):
                continue
            if not _SOCKETS.search(path.text):
                yield _HOST_PATH.broken(
                    workload.file,
                    path.line,
                    f"{workload.label} mounts {path.text} of its node, so the container can "
                    "read or change files of the host",
                    workload.weighed(
                        _reach(path.text) if volume["name"].text in writable else Severity.INFO
                    ),
                )


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


_SOCKET = DocumentRule(
    id="iac-kubernetes-runtime-socket",
    title="Pod reaches the container runtime's socket",
    severity=Severity.HIGH,
    milder={Severity.INFO: SYSTEM},
    remedy="Build images with a daemonless builder, and talk to the Kubernetes API for the rest.",
    cwe=("CWE-250",),
    references=(_STANDARDS,),
)


@check(_SOCKET)
def runtime_socket(documents: Documents) -> Iterator[Finding]:
    """A pod mounts the container runtime's socket and can start any container on the node.

    Read-only does not help: commands go through the socket all the same.
    """
    for workload in workloads(documents):
        for volume in workload.pod["volumes"].items:
            path = volume.at("hostPath", "path")
            if _SOCKETS.search(path.text):
                yield _SOCKET.broken(
                    workload.file,
                    path.line,
                    f"{workload.label} mounts {path.text}: whoever controls it starts "
                    "privileged containers on the node",
                    workload.weighed(Severity.HIGH),
                )


_HOST_NAMESPACE = DocumentRule(
    id="iac-kubernetes-host-namespace",
    title="Pod shares the node's namespaces",
    severity=Severity.MEDIUM,
    milder={
        Severity.LOW: "for a node agent (DaemonSet) that shares the network alone",
        Severity.INFO: SYSTEM,
    },
    remedy="Remove the setting, and reach the pod through a Service.",
    cwe=("CWE-653",),
    references=(_STANDARDS,),
)


@check(_HOST_NAMESPACE)
def host_namespace(documents: Documents) -> Iterator[Finding]:
    """A pod shares its node's network, processes or interprocess communication.

    With ``hostPID`` it sees and can signal every process of the node, with ``hostNetwork`` it
    bypasses network policies and reaches services bound to localhost.
    """
    for workload in workloads(documents):
        pod = workload.pod
        shared = [key for key in ("hostPID", "hostIPC", "hostNetwork") if pod[key].is_true]
        if not shared:
            continue
        agent = workload.root["kind"].text == "DaemonSet" and shared == ["hostNetwork"]
        yield _HOST_NAMESPACE.broken(
            workload.file,
            pod[shared[0]].line,
            f"{workload.label} sets {' and '.join(shared)}, so it is not kept apart from its node",
            workload.weighed(Severity.LOW if agent else Severity.MEDIUM),
        )


_CAPABILITIES = DocumentRule(
    id="iac-kubernetes-capabilities",
    title="Container has dangerous capabilities",
    severity=Severity.HIGH,
    milder={
        Severity.MEDIUM: "for others than `ALL` and `SYS_ADMIN`, which nearly equal privileged",
        Severity.INFO: SYSTEM,
    },
    remedy="Drop ALL and add only capabilities that the program fails without.",
    cwe=("CWE-250",),
    references=(_STANDARDS,),
)


@check(_CAPABILITIES)
def capabilities(documents: Documents) -> Iterator[Finding]:
    """A container adds a capability that leads to the node."""
    for workload in workloads(documents):
        for container in workload.containers:
            added = container.security.at("capabilities", "add")
            names = {item.text.upper().removeprefix("CAP_") for item in added.items}
            bad = sorted(names & _DANGEROUS_CAPABILITIES)
            if bad:
                severe = bool({"ALL", "SYS_ADMIN"} & set(bad))
                yield _CAPABILITIES.broken(
                    workload.file,
                    added.line,
                    f"Container {container.name} of {workload.label} adds {', '.join(bad)}, which "
                    "lets it act on the node",
                    workload.weighed(Severity.HIGH if severe else Severity.MEDIUM),
                )


_HOST_PORT = DocumentRule(
    id="iac-kubernetes-host-port",
    title="Container takes a port of the node",
    severity=Severity.LOW,
    milder={Severity.INFO: f"{SYSTEM}, and for node agents (DaemonSets)"},
    remedy="Reach the pod through a Service.",
    cwe=("CWE-668",),
    references=(_STANDARDS,),
)


@check(_HOST_PORT)
def host_port(documents: Documents) -> Iterator[Finding]:
    """A container binds a port of its node, past Services and most network policies."""
    for workload in workloads(documents):
        agent = workload.root["kind"].text == "DaemonSet" or workload.is_system
        for container in workload.containers:
            ports = [port["hostPort"] for port in container.spec["ports"].items]
            taken = [port for port in ports if port.present and port.text != "0"]
            if taken and not workload.pod["hostNetwork"].is_true:
                yield _HOST_PORT.broken(
                    workload.file,
                    taken[0].line,
                    f"Container {container.name} of {workload.label} takes port {taken[0].text} "
                    "of each node it runs on, past network policies",
                    Severity.INFO if agent else Severity.LOW,
                )
