"""How Kubernetes workloads run: their user, their images, their secrets."""

import re
from collections.abc import Callable, Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Confidence, Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.reading import (
    NEVER,
    DocumentRule,
    is_floating_image,
    listed,
)
from mergegate.repo.checks.infrastructure.workloads import SYSTEM, Container, Workload, workloads
from mergegate.repo.facts.documents import MASKED, Documents, Node

_CONTEXT = "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"
_SECRET_NAME = re.compile(r"(?i)(passw(or)?d|secret|token|api_?key|private_?key|credential)")

_ROOT = DocumentRule(
    id="iac-kubernetes-run-as-root",
    title="Container runs as root",
    severity=Severity.MEDIUM,
    milder={Severity.INFO: f"{SYSTEM}, and for init containers, which prepare volumes"},
    remedy="Set `runAsNonRoot: true` and a `runAsUser` above 0 in the securityContext.",
    cwe=("CWE-250",),
    references=(_CONTEXT,),
)


@check(_ROOT)
def run_as_root(documents: Documents) -> Iterator[Finding]:
    """A manifest asks for root: ``runAsUser: 0``, for the pod or a container.

    A flaw in the program, or in the kernel, then reaches further.
    """
    for workload in workloads(documents):
        for container in workload.containers:
            user = workload.setting(container, "runAsUser")
            if (
                user.is_literal
                and user.text == "0"
                and not container.security["privileged"].is_true
            ):
                severity = Severity.INFO if container.init else Severity.MEDIUM
                yield _ROOT.broken(
                    workload.file,
                    user.line,
                    f"Container {container.name} of {workload.label} runs as root, so a flaw in "
                    "the program has root's reach",
                    workload.weighed(severity),
                )


_ESCALATION = DocumentRule(
    id="iac-kubernetes-privilege-escalation",
    title="Privilege escalation is allowed",
    severity=Severity.LOW,
    milder={Severity.INFO: SYSTEM},
    remedy="Set `allowPrivilegeEscalation: false`.",
    cwe=("CWE-250",),
    references=(_CONTEXT,),
)


@check(_ESCALATION)
def privilege_escalation(documents: Documents) -> Iterator[Finding]:
    """A container may gain more privileges than it started with.

    Through setuid programs, for one.
    """
    for workload in workloads(documents):
        for container in workload.containers:
            value = container.security["allowPrivilegeEscalation"]
            if value.is_true and not container.security["privileged"].is_true:
                yield _ESCALATION.broken(
                    workload.file,
                    value.line,
                    f"Container {container.name} of {workload.label} may gain privileges through "
                    "setuid programs",
                    workload.weighed(Severity.LOW),
                )


_SECCOMP = DocumentRule(
    id="iac-kubernetes-seccomp-off",
    title="System call filter turned off",
    severity=Severity.LOW,
    milder={Severity.INFO: SYSTEM},
    remedy="Use `seccompProfile: {type: RuntimeDefault}`.",
    cwe=("CWE-693",),
    references=("https://kubernetes.io/docs/tutorials/security/seccomp/",),
)


@check(_SECCOMP)
def seccomp_off(documents: Documents) -> Iterator[Finding]:
    """A pod or container turns the system call filter off (``Unconfined``).

    More of the kernel is then within an intruder's reach.
    """
    for workload in workloads(documents):
        for container in workload.containers:
            kind = workload.setting(container, "seccompProfile")["type"]
            if kind.text == "Unconfined" and not container.security["privileged"].is_true:
                yield _SECCOMP.broken(
                    workload.file,
                    kind.line,
                    f"Container {container.name} of {workload.label} runs without a system call "
                    "filter",
                    workload.weighed(Severity.LOW),
                )
                break


_FLOATING = DocumentRule(
    id="iac-kubernetes-floating-image",
    title="Image without a fixed version",
    severity=Severity.LOW,
    milder=NEVER,
    remedy="Name a version, or better a digest.",
    cwe=("CWE-1357",),
    references=("https://kubernetes.io/docs/concepts/containers/images/",),
)


@check(_FLOATING)
def floating_image(documents: Documents) -> Iterator[Finding]:
    """A container's image has no tag, or ``latest``: each pull may bring something else.

    One finding a workload.
    """
    for workload in workloads(documents):
        images = [one.spec["image"] for one in workload.containers]
        floating = [image for image in images if is_floating_image(image.text)]
        if floating and _FLOATING.concerns(workload.file):
            names = listed(sorted({image.text for image in floating}))
            yield _FLOATING.broken(
                workload.file,
                floating[0].line,
                f"{workload.label} runs {names}, whose content can change with any pull",
            )


_SECRET = DocumentRule(
    id="iac-kubernetes-secret-in-env",
    title="Secret written into a manifest",
    severity=Severity.MEDIUM,
    remedy="Revoke it, store it in a Secret and refer to it with `valueFrom.secretKeyRef`.",
    cwe=("CWE-798",),
    references=("https://kubernetes.io/docs/concepts/configuration/secret/",),
    confidence=Confidence.MEDIUM,
)


@check(_SECRET)
def secret_in_env(documents: Documents) -> Iterator[Finding]:
    """An environment variable named like a secret has its value in the manifest.

    Everyone who reads the repository or the resource has it.
    """
    for workload in workloads(documents):
        for container in workload.containers:
            exposed = [entry for entry in container.spec["env"].items if _holds_secret(entry)]
            if exposed:
                names = listed([entry["name"].text for entry in exposed])
                yield _SECRET.broken(
                    workload.file,
                    exposed[0]["value"].line,
                    f"{names} of container {container.name} in {workload.label} is given in plain "
                    "text, for everyone who can read the manifest",
                )


def _holds_secret(entry: Node) -> bool:
    return entry["value"].text == MASKED and bool(_SECRET_NAME.search(entry["name"].text))


_UNHARDENED = DocumentRule(
    id="iac-kubernetes-unhardened",
    title="Workload without the usual hardening",
    severity=Severity.INFO,
    remedy="Set `runAsNonRoot: true`, `allowPrivilegeEscalation: false`, "
    "`readOnlyRootFilesystem: true` and a memory limit where the program allows it.",
    cwe=("CWE-1188",),
    references=("https://kubernetes.io/docs/concepts/security/security-checklist/",),
)
_HARDENING: dict[str, Callable[[Workload, Container], bool]] = {
    "may run as root": lambda workload, one: (
        not workload.setting(one, "runAsNonRoot").is_true
        and not workload.setting(one, "runAsUser").present
    ),
    "may gain privileges": lambda _, one: not one.security["allowPrivilegeEscalation"].present,
    "can change its own programs": lambda _, one: (
        not one.security["readOnlyRootFilesystem"].is_true
    ),
    "has no memory limit": lambda _, one: not one.spec.at("resources", "limits", "memory").present,
}


@check(_UNHARDENED)
def unhardened(documents: Documents) -> Iterator[Finding]:
    """A workload leaves out the settings that contain a break-in.

    Root is not ruled out, privileges may be gained, the root file system is writable, memory
    is not limited. One finding a workload, for information, naming what is missing.
    """
    for workload in workloads(documents):
        lacking = [
            lack
            for lack, is_lacking in _HARDENING.items()
            if any(is_lacking(workload, one) for one in workload.containers if not one.init)
        ]
        if lacking and _UNHARDENED.concerns(workload.file):
            yield _UNHARDENED.broken(
                workload.file, workload.pod.line, f"{workload.label} {', '.join(lacking)}"
            )


_TOKEN = DocumentRule(
    id="iac-kubernetes-service-token",
    title="Service account token mounted",
    severity=Severity.INFO,
    remedy="Set `automountServiceAccountToken: false` unless the program calls the API.",
    cwe=("CWE-272",),
    references=(
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/",
    ),
)


@check(_TOKEN)
def service_token(documents: Documents) -> Iterator[Finding]:
    """A pod asks for an API token though it names no service account of its own.

    For information.
    """
    for workload in workloads(documents):
        pod = workload.pod
        named = pod["serviceAccountName"].text or pod["serviceAccount"].text
        if named in {"", "default"} and pod["automountServiceAccountToken"].is_true:
            yield _TOKEN.broken(
                workload.file,
                pod.line,
                f"{workload.label} mounts the default service account's token, which a break-in "
                "could use against the API",
            )
