"""What of a Kubernetes cluster is reachable from outside, and in which namespace it runs."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node


@check("iac-kubernetes-open-service", Severity.INFO, "CWE-668")
def open_service(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A Service is open to the outside through a load balancer or the nodes' ports.

    For information: often intended.

    Title: Service reachable from outside the cluster

    Remedy: Set loadBalancerSourceRanges, or use an Ingress with TLS and login.

    Reference: https://kubernetes.io/docs/concepts/services-networking/service/
    """
    for file, root in _of_kind(documents, "Service"):
        kind = root.at("spec", "type")
        limited = root.at("spec", "loadBalancerSourceRanges").present or _is_internal(root)
        if kind.text in {"LoadBalancer", "NodePort"} and not limited:
            wrong = (
                f"{_label(root)} is a {kind.text} and takes connections from any address that "
                "can reach it"
            )
            yield rule.broken(file, kind.line, wrong)


def _is_internal(root: Node) -> bool:
    annotations = root.at("metadata", "annotations")
    return any(
        "internal" in f"{key} {value.text}".lower() and not value.is_false
        for key, value in annotations.entries
    )


@check("iac-kubernetes-plain-ingress", Severity.INFO, "CWE-319")
def plain_ingress(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """An Ingress names hosts but no certificate, so traffic may be plain HTTP.

    For information: TLS may end at a balancer in front.

    Title: Ingress without TLS

    Remedy: Add a `tls:` section with a certificate.

    Reference: https://kubernetes.io/docs/concepts/services-networking/ingress/#tls
    """
    for file, root in _of_kind(documents, "Ingress"):
        hosts = [rule["host"] for rule in root.at("spec", "rules").items if rule["host"].present]
        in_front = any(
            "certificate" in key or "ssl" in key
            for key, _ in root.at("metadata", "annotations").entries
        )
        if hosts and not root.at("spec", "tls").present and not in_front:
            yield rule.broken(
                file, hosts[0].line, f"{_label(root)} serves {hosts[0].text} without TLS"
            )


@check("iac-kubernetes-default-namespace", Severity.INFO, "CWE-1188")
def default_namespace(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A manifest asks for the ``default`` namespace, where quotas and policies rarely reach.

    One finding a file, for information.

    Title: Workload in the default namespace

    Remedy: Give the application a namespace of its own.

    Reference: https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/
    """
    told: set[str] = set()
    for file, root in documents.of(DocumentKind.KUBERNETES):
        namespace = root.at("metadata", "namespace")
        if namespace.text == "default" and root["spec"].present and file.path not in told:
            told.add(file.path)
            yield rule.broken(
                file, namespace.line, f"{_label(root)} is placed in the default namespace"
            )


def _of_kind(documents: Documents, *kinds: str) -> Iterator[tuple[DocumentFile, Node]]:
    for file, root in documents.of(DocumentKind.KUBERNETES):
        if root["kind"].text in kinds:
            yield file, root


def _label(root: Node) -> str:
    return f"{root['kind'].text} {root.at('metadata', 'name').text or '?'}"
