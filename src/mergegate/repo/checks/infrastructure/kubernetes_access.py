"""Who may do what in a Kubernetes cluster, and who can reach it."""

from collections.abc import Iterator

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.repo.checks import check
from mergegate.repo.checks.infrastructure.reading import ELSEWHERE, DocumentRule, listed
from mergegate.repo.facts.documents import DocumentFile, DocumentKind, Documents, Node

_RBAC = "https://kubernetes.io/docs/concepts/security/rbac-good-practices/"
_ANYONE = frozenset({"system:anonymous", "system:unauthenticated"})
_TAKEOVER = {
    "clusterroles": frozenset({"bind", "escalate"}),
    "roles": frozenset({"bind", "escalate"}),
    "users": frozenset({"impersonate"}),
    "groups": frozenset({"impersonate"}),
    "serviceaccounts": frozenset({"impersonate"}),
}

_WILDCARD = DocumentRule(
    id="iac-kubernetes-rbac-wildcard",
    title="Role may do everything",
    severity=Severity.HIGH,
    milder={**ELSEWHERE, Severity.MEDIUM: "for a Role, which holds in one namespace"},
    remedy="List the verbs and resources that are used.",
    cwe=("CWE-269",),
    references=(_RBAC,),
)


@check(_WILDCARD)
def rbac_wildcard(documents: Documents) -> Iterator[Finding]:
    """A role allows every verb on every resource, in every group or the core group.

    It also allows whatever future versions add, and covers Secrets.
    """
    for file, root in _of_kind(documents, "ClusterRole", "Role"):
        for rule in root["rules"].items:
            if _allows_all(rule):
                cluster = root["kind"].text == "ClusterRole"
                yield _WILDCARD.broken(
                    file,
                    rule.line,
                    f"{_label(root)} allows every verb on every resource, Secrets included",
                    Severity.HIGH if cluster else Severity.MEDIUM,
                )
                break


def _allows_all(rule: Node) -> bool:
    groups = _texts(rule["apiGroups"])
    return "*" in _texts(rule["verbs"]) & _texts(rule["resources"]) and bool({"*", ""} & groups)


_TAKEOVER_RULE = DocumentRule(
    id="iac-kubernetes-rbac-takeover",
    title="Role can make itself more powerful",
    severity=Severity.MEDIUM,
    remedy="Remove `bind`, `escalate` and `impersonate`, or name the objects with resourceNames.",
    cwe=("CWE-269",),
    references=(_RBAC,),
)


@check(_TAKEOVER_RULE)
def rbac_takeover(documents: Documents) -> Iterator[Finding]:
    """A role may bind or extend roles, or act as somebody else: it can become administrator.

    Rules limited to ``resourceNames`` are left alone.
    """
    for file, root in _of_kind(documents, "ClusterRole", "Role"):
        for rule in root["rules"].items:
            verbs = _texts(rule["verbs"])
            resources = _texts(rule["resources"])
            wanted = sorted(
                verb
                for resource in resources & _TAKEOVER.keys()
                for verb in verbs & _TAKEOVER[resource]
            )
            if wanted and not rule["resourceNames"].present:
                yield _TAKEOVER_RULE.broken(
                    file,
                    rule["verbs"].line,
                    f"{_label(root)} may {' and '.join(sorted(set(wanted)))} "
                    f"{listed(sorted(resources))}, which is a way to full control",
                )


_ADMIN = DocumentRule(
    id="iac-kubernetes-cluster-admin",
    title="Cluster administrator given away",
    severity=Severity.HIGH,
    milder={
        **ELSEWHERE,
        Severity.MEDIUM: "unless a default service account gets it, which every pod uses",
    },
    remedy="Bind a role with the verbs and resources that are used.",
    cwe=("CWE-269",),
    references=(_RBAC,),
)


@check(_ADMIN)
def cluster_admin(documents: Documents) -> Iterator[Finding]:
    """A binding hands out ``cluster-admin``, which may do anything to anything."""
    for file, root in _of_kind(documents, "ClusterRoleBinding"):
        if root.at("roleRef", "name").text == "cluster-admin":
            subjects = root["subjects"].items
            names = [subject["name"].text for subject in subjects]
            default = any(
                subject["kind"].text == "ServiceAccount" and subject["name"].text == "default"
                for subject in subjects
            )
            if names and not _ANYONE & set(names) and names != ["system:masters"]:
                yield _ADMIN.broken(
                    file,
                    root["roleRef"].line,
                    f"{_label(root)} makes {listed(names)} administrator of the whole cluster",
                    Severity.HIGH if default else Severity.MEDIUM,
                )


_ANONYMOUS = DocumentRule(
    id="iac-kubernetes-anonymous-access",
    title="Rights for anyone who can reach the API",
    severity=Severity.CRITICAL,
    milder={**ELSEWHERE, Severity.HIGH: "for any other role than `cluster-admin`"},
    remedy="Bind a named user, group or service account instead.",
    cwe=("CWE-306",),
    references=(_RBAC,),
)


@check(_ANONYMOUS)
def anonymous_access(documents: Documents) -> Iterator[Finding]:
    """A binding gives rights to requests that have not logged in.

    Roles that only serve discovery and health
    (``system:…``) are left alone.
    """
    for file, root in _of_kind(documents, "ClusterRoleBinding", "RoleBinding"):
        role = root.at("roleRef", "name").text
        subjects = [item["name"] for item in root["subjects"].items]
        open_to = [name for name in subjects if name.text in _ANYONE]
        if open_to and not role.startswith("system:"):
            yield _ANONYMOUS.broken(
                file,
                open_to[0].line,
                f"{_label(root)} gives {role} to {open_to[0].text}: no login is needed",
                Severity.CRITICAL if role == "cluster-admin" else Severity.HIGH,
            )


_OPEN_SERVICE = DocumentRule(
    id="iac-kubernetes-open-service",
    title="Service reachable from outside the cluster",
    severity=Severity.INFO,
    remedy="Set loadBalancerSourceRanges, or use an Ingress with TLS and login.",
    cwe=("CWE-668",),
    references=("https://kubernetes.io/docs/concepts/services-networking/service/",),
)


@check(_OPEN_SERVICE)
def open_service(documents: Documents) -> Iterator[Finding]:
    """A Service is open to the outside through a load balancer or the nodes' ports.

    For information: often intended.
    """
    for file, root in _of_kind(documents, "Service"):
        kind = root.at("spec", "type")
        limited = root.at("spec", "loadBalancerSourceRanges").present or _is_internal(root)
        if kind.text in {"LoadBalancer", "NodePort"} and not limited:
            yield _OPEN_SERVICE.broken(
                file,
                kind.line,
                f"{_label(root)} is a {kind.text} and takes connections from any address that "
                "can reach it",
            )


def _is_internal(root: Node) -> bool:
    annotations = root.at("metadata", "annotations")
    return any("internal" in f"{key} {value.text}".lower() for key, value in annotations.entries)


_PLAIN_INGRESS = DocumentRule(
    id="iac-kubernetes-plain-ingress",
    title="Ingress without TLS",
    severity=Severity.INFO,
    remedy="Add a `tls:` section with a certificate.",
    cwe=("CWE-319",),
    references=("https://kubernetes.io/docs/concepts/services-networking/ingress/#tls",),
)


@check(_PLAIN_INGRESS)
def plain_ingress(documents: Documents) -> Iterator[Finding]:
    """An Ingress names hosts but no certificate, so traffic may be plain HTTP.

    For information: TLS may end at a balancer in front.
    """
    for file, root in _of_kind(documents, "Ingress"):
        hosts = [rule["host"] for rule in root.at("spec", "rules").items if rule["host"].present]
        in_front = any(
            "certificate" in key or "ssl" in key
            for key, _ in root.at("metadata", "annotations").entries
        )
        if hosts and not root.at("spec", "tls").present and not in_front:
            yield _PLAIN_INGRESS.broken(
                file, hosts[0].line, f"{_label(root)} serves {hosts[0].text} without TLS"
            )


_DEFAULT_NAMESPACE = DocumentRule(
    id="iac-kubernetes-default-namespace",
    title="Workload in the default namespace",
    severity=Severity.INFO,
    remedy="Give the application a namespace of its own.",
    cwe=("CWE-1188",),
    references=("https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/",),
)


@check(_DEFAULT_NAMESPACE)
def default_namespace(documents: Documents) -> Iterator[Finding]:
    """A manifest asks for the ``default`` namespace, where quotas and policies rarely reach.

    One finding a file, for information.
    """
    told: set[str] = set()
    for file, root in documents.of(DocumentKind.KUBERNETES):
        namespace = root.at("metadata", "namespace")
        if namespace.text == "default" and root["spec"].present and file.path not in told:
            told.add(file.path)
            yield _DEFAULT_NAMESPACE.broken(
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
