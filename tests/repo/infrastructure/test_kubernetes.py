"""Manifests as resources: pods wherever they stand, what containers inherit, flags of programs."""

import pytest

from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects import kubernetes
from mergegate.repo.engines import documents
from mergegate.repo.facts.resources import Resource, found
from mergegate.repo.infrastructure import entries, steps
from tests.repo.infrastructure.reading import answers, told

OF_KUBERNETES = {id for id in entries() if id.startswith("iac-kubernetes-")}


def resources(text: str) -> list[Resource]:
    """What a manifest describes."""
    fact = documents.fact(answers(documents.DocumentEngine(), {"a.yaml": text}))
    return list(kubernetes.resources(fact))


def values(one: Resource, way: str) -> list[str]:
    """The texts at the end of a way."""
    return [value.text for value, _ in found(one.properties, steps(way)) if value.present]


def lines(rule: str, text: str, role: Role = Role.SOURCE) -> list[tuple[int, Severity]]:
    """Where a rule tells something of a manifest, and how it weighs."""
    findings = told({"a.yaml": text}, role)
    return [(one.place.start_line, one.severity) for one in findings if one.rule_id == rule]


def test_there_are_the_checks_that_are_promised() -> None:
    settings = {
        (kind, setting)
        for id in OF_KUBERNETES
        for subject in entries()[id].subjects
        for kind in subject.kinds
        for setting in subject.settings
    }
    assert len(OF_KUBERNETES) >= 200
    assert len(settings) >= 200


@pytest.mark.parametrize(
    ("kind", "around"),
    [
        ("Deployment", "spec: {template: {spec: %s}}"),
        ("StatefulSet", "spec: {template: {spec: %s}}"),
        ("Rollout", "spec: {template: {spec: %s}}"),
        ("CronJob", "spec: {jobTemplate: {spec: {template: {spec: %s}}}}"),
        ("ScaledJob", "spec: {jobTargetRef: {template: {spec: %s}}}"),
        ("PodTemplate", "template: {spec: %s}"),
        ("Pod", "spec: %s"),
    ],
)
def test_a_pod_is_found_wherever_it_stands(kind: str, around: str) -> None:
    pod = "{containers: [{name: a}], initContainers: [{name: b}]}"
    text = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: c}}\n{around % pod}\n"
    assert [one.kind for one in resources(text)] == [
        f"kubernetes.{kind}",
        "kubernetes.pod",
        *["kubernetes.container"] * 2,
    ]
    assert resources(text)[-1].address == f"container b of {kind} c"


INHERITING = """apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  securityContext:
    runAsUser: 0
  containers:
  - name: own
    securityContext:
      runAsUser: 7
  - name: none
    securityContext:
      runAsUser:
  - name: plain
"""


def test_a_container_takes_from_its_pod_what_it_does_not_say() -> None:
    own, none, plain = resources(INHERITING)[2:]
    users = [values(one, "securityContext.runAsUser") for one in (own, none, plain)]
    assert users == [["7"], ["0"], ["0"]]
    assert lines("iac-kubernetes-run-as-root", INHERITING) == [(6, Severity.MEDIUM)]


PRIVILEGED = """apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: a, namespace: shop}
  spec:
    containers:
    - name: a
      securityContext: {privileged: true}
"""


def test_findings_of_a_list_keep_their_lines() -> None:
    assert lines("iac-kubernetes-privileged", PRIVILEGED) == [(10, Severity.HIGH)]


@pytest.mark.parametrize("namespace", ["kube-system", "openshift-monitoring", "calico-system"])
def test_what_belongs_to_the_cluster_is_for_information(namespace: str) -> None:
    system = PRIVILEGED.replace("shop", namespace)
    assert lines("iac-kubernetes-privileged", system) == [(10, Severity.HIGH)]
    critical = system + "    priorityClassName: system-node-critical\n"
    assert lines("iac-kubernetes-privileged", critical) == [(10, Severity.INFO)]
    elsewhere = critical.replace(namespace, "shop")
    assert lines("iac-kubernetes-privileged", elsewhere) == [(10, Severity.HIGH)]


def test_outside_production_a_flaw_is_for_information() -> None:
    assert lines("iac-kubernetes-privileged", PRIVILEGED, Role.TEST) == [(10, Severity.INFO)]


@pytest.mark.parametrize(
    "value", ["${PRIVILEGED}", "'{{ .Values.a }}'", "$(A)", "<value>", "!vault a", "__A__", "~", ""]
)
def test_what_something_else_fills_in_is_never_unsafe(value: str) -> None:
    text = PRIVILEGED.replace("{privileged: true}", f"\n        privileged: {value}")
    assert lines("iac-kubernetes-privileged", text) == []


@pytest.mark.parametrize("more", ["# $(WHY)", "# {{ why }}", "; echo <why>", "; echo $(date)"])
def test_what_is_filled_into_a_script_hides_no_other_command(more: str) -> None:
    script = f'[sh, -c, "curl https://a.example/b | sh {more}"]'
    text = f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    command: {script}\n"
    assert lines("iac-kubernetes-piped-download", text) == [(6, Severity.MEDIUM)]


def program(*words: str, image: str = "a") -> Resource | None:
    """What a container with that command is known to start."""
    text = f"apiVersion: v1\nkind: Pod\nspec: {{containers: [{{name: a, image: {image}, %s}}]}}\n"
    said = text % f"args: [{', '.join(repr(one) for one in words)}]"
    return next((one for one in resources(said) if one.kind == "kubernetes.program"), None)


@pytest.mark.parametrize(
    ("words", "way", "expected"),
    [
        (("server", "--a=b"), "flags.a", ["b"]),
        (("server", "--a", "b"), "flags.a", ["b"]),
        (("server", "-a", "--b"), "flags.a", ["true"]),
        (("server", "--api.insecure"), 'flags."api.insecure"', ["true"]),
        (("/bin/sh", "-c", "exec server --a=b 1>>/var/log/a.log 2>&1"), "flags.a", ["b"]),
        (("/bin/sh", "-c", "server --a=b && rm -c"), "flags.a", []),
        (("/bin/sh", "-c", "server '--a=b"), "flags.a", []),
    ],
)
def test_flags_are_read_as_programs_read_them(
    words: tuple[str, ...], way: str, expected: list[str]
) -> None:
    one = program(*words)
    assert one is not None
    assert values(one, way) == expected


def test_a_program_is_known_by_its_command_or_image() -> None:
    one = program("/bin/server", "--a=b,c", image="example.org:5000/team/app:1.2")
    assert one is not None
    assert [name.text for name in one.properties["names"].items] == ["app", "server"]
    assert [name.text for name in one.properties.at("flags", "a").items] == ["b", "c"]
    assert program("server") is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("etcd", "--name=a"), []),
        (("etcd", "--name=$(NAME)"), []),
        (("etcd", "$(MORE)", "--name=a"), ["true"]),
        (("sh", "-c", "etcd --name=a $MORE"), ["true"]),
    ],
)
def test_what_else_is_filled_in_makes_a_command_line_partial(
    words: tuple[str, ...], expected: list[str]
) -> None:
    one = program(*words)
    assert one is not None
    assert values(one, "partial") == expected


KUBEADM = """apiVersion: kubeadm.k8s.io/{version}
kind: ClusterConfiguration
apiServer:
  extraArgs:{arguments}
"""


@pytest.mark.parametrize(
    ("version", "arguments"),
    [
        ("v1beta3", "\n    authorization-mode: AlwaysAllow"),
        ("v1beta4", "\n  - name: authorization-mode\n    value: AlwaysAllow"),
    ],
)
def test_missing_flags_are_told_of_kubeadm_only_where_it_adds_none(
    version: str, arguments: str
) -> None:
    text = KUBEADM.format(version=version, arguments=arguments)
    rules = {one.rule_id for one in told({"a.yaml": text})}
    assert rules == {
        "iac-kubernetes-apiserver-allows-all",
        "iac-kubernetes-apiserver-no-audit",
        "iac-kubernetes-apiserver-plain-secrets",
    }


def test_a_crowded_manifest_is_read_once_for_each_container() -> None:
    many = "".join(f"  - name: c{number}\n" for number in range(1_000))
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers:\n{many}"
    assert len(lines("iac-kubernetes-unhardened", text)) == 1_000


LEFT = ("escalation-left", "writable-root", "seccomp-left", "capabilities-kept", "root-left")
NONE_LEFT = ("memory-limit", "cpu-limit", "memory-request")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("image: a:1", {"unhardened", "resources-left"}),
        ("securityContext: {procMount: Default}", {"unhardened", "resources-left"}),
        ("securityContext: {readOnlyRootFilesystem: false}", {*LEFT, "resources-left"}),
        ("resources: {limits: {ephemeral-storage: 1Gi}}", {"unhardened", *NONE_LEFT}),
    ],
)
def test_what_a_container_leaves_out_altogether_is_one_row(said: str, told: set[str]) -> None:
    text = f"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    {said}\n"
    rules = (*LEFT, *NONE_LEFT, "unhardened", "resources-left")
    assert {one for one in rules if lines(f"iac-kubernetes-{one}", text)} == told


def test_what_a_pod_says_for_its_containers_is_a_context_of_theirs() -> None:
    pod = "  securityContext: {runAsNonRoot: true}\n  containers:\n  - name: a\n"
    text = f"apiVersion: v1\nkind: Pod\nspec:\n{pod}"
    assert not lines("iac-kubernetes-unhardened", text)
    assert lines("iac-kubernetes-seccomp-left", text)


@pytest.mark.parametrize("tag", ["!x", "!Sub", "!reference", "!unknown", "!null"])
@pytest.mark.parametrize("place", ["spec:", "containers:", "- ", "privileged:"])
def test_a_tag_hides_nothing(tag: str, place: str) -> None:
    text = (
        "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n"
        "  - \n    name: a\n    securityContext:\n      privileged: true\n"
    )
    tagged = text.replace(place, f"{place} {tag}")
    assert [severity for _, severity in lines("iac-kubernetes-privileged", tagged)]
