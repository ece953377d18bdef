"""Access rights in a Kubernetes cluster, and services that are reachable from outside."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure import DocumentRule, listed
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

_ANYONE = frozenset({"system:anonymous", "system:unauthenticated"})
_TAKEOVER = {
    "clusterroles": frozenset({"bind", "escalate"}),
    "roles": frozenset({"bind", "escalate"}),
    "users": frozenset({"impersonate"}),
    "groups": frozenset({"impersonate"}),
    "serviceaccounts": frozenset({"impersonate"}),
}


@check("iac-kubernetes-rbac-wildcard", Severity.HIGH, "CWE-269")
def rbac_wildcard(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A role allows every verb on every resource, in every group or the core group.

    It also allows whatever future versions add, and covers Secrets.

    Title: Role may do everything

    Medium: for a Role, which holds in one namespace

    Remedy: List the verbs and resources that are used.

    Reference: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    """
    for file, root in _of_kind(documents, "ClusterRole", "Role"):
        for grant in filter(_allows_all, root["rules"].items):
            cluster = root["kind"].text == "ClusterRole"
            severity = Severity.HIGH if cluster else Severity.MEDIUM
            wrong = f"{_label(root)} allows every verb on every resource, Secrets included"
            yield rule.broken(file, grant.line, wrong, severity)
            break


def _allows_all(grant: Node) -> bool:
    groups = _texts(grant["apiGroups"])
    return "*" in _texts(grant["verbs"]) & _texts(grant["resources"]) and bool({"*", ""} & groups)


@check("iac-kubernetes-rbac-takeover", Severity.MEDIUM, "CWE-269")
def rbac_takeover(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A role may bind or extend roles, or act as somebody else: it can become administrator.

    Rules limited to ``resourceNames`` are left alone.

    Title: Role can make itself more powerful

    Remedy: Remove `bind`, `escalate` and `impersonate`, or name the objects with resourceNames.

    Reference: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    """
    for file, root in _of_kind(documents, "ClusterRole", "Role"):
        for grant in root["rules"].items:
            verbs = _texts(grant["verbs"])
            resources = _texts(grant["resources"])
            wanted = sorted(
                verb
                for resource in resources & _TAKEOVER.keys()
                for verb in verbs & _TAKEOVER[resource]
            )
            if wanted and not grant["resourceNames"].present:
                wrong = (
                    f"{_label(root)} may {' and '.join(sorted(set(wanted)))} "
                    f"{listed(sorted(resources))}, which is a way to full control"
                )
                yield rule.broken(file, grant["verbs"].line, wrong)


@check("iac-kubernetes-cluster-admin", Severity.HIGH, "CWE-269")
def cluster_admin(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A binding hands out ``cluster-admin``, which may do anything to anything.

    Title: Cluster administrator given away

    Medium: unless a default service account gets it, which every pod uses

    Remedy: Bind a role with the verbs and resources that are used.

    Reference: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    """
    for file, root in _of_kind(documents, "ClusterRoleBinding"):
        if root.at("roleRef", "name").text == "cluster-admin":
            subjects = root["subjects"].items
            names = [subject["name"].text for subject in subjects]
            default = any(
                subject["kind"].text == "ServiceAccount" and subject["name"].text == "default"
                for subject in subjects
            )
            if names and not _ANYONE & set(names) and names != ["system:masters"]:
                wrong = f"{_label(root)} makes {listed(names)} administrator of the whole cluster"
                severity = Severity.HIGH if default else Severity.MEDIUM
                yield rule.broken(file, root["roleRef"].line, wrong, severity)


@check("iac-kubernetes-anonymous-access", Severity.CRITICAL, "CWE-306")
def anonymous_access(rule: DocumentRule, documents: Documents) -> Iterator[Finding]:
    """A binding gives rights to requests that have not logged in.

    Roles that only serve discovery and health
    (``system:…``) are left alone.

    Title: Rights for anyone who can reach the API

    High: for any other role than `cluster-admin`

    Remedy: Bind a named user, group or service account instead.

    Reference: https://kubernetes.io/docs/concepts/security/rbac-good-practices/
    """
    for file, root in _of_kind(documents, "ClusterRoleBinding", "RoleBinding"):
        role = root.at("roleRef", "name").text
        subjects = [item["name"] for item in root["subjects"].items]
        open_to = [name for name in subjects if name.text in _ANYONE]
        if open_to and not role.startswith("system:"):
            wrong = f"{_label(root)} gives {role} to {open_to[0].text}: no login is needed"
            severity = Severity.CRITICAL if role == "cluster-admin" else Severity.HIGH
            yield rule.broken(file, open_to[0].line, wrong, severity)


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
    return any("internal" in f"{key} {value.text}".lower() for key, value in annotations.entries)


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


def _texts(node: Node) -> frozenset[str]:
    return frozenset(item.text for item in node.each)
