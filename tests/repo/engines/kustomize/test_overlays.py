"""What overlays make of the resources of their bases."""

import pytest

from mergegate.core.check import Failed, apply
from mergegate.core.tree import Reason
from mergegate.repo.cache import RunMemory
from mergegate.repo.checks import all_checks
from mergegate.repo.engines import manifests
from mergegate.repo.facts.documents import DocumentKind, Documents
from mergegate.repo.facts.resources import Resources
from mergegate.sandbox.engines.engine import EngineContext, Gathered
from tests.repo.engines.helm.charts import read, said, tree

BASE = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      hostNetwork: true
      containers:
      - name: a
        image: app:1
        securityContext:
          privileged: true
      - name: b
        image: other:2
"""
MENDED = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      hostNetwork: false
      containers:
      - name: a
        securityContext:
          privileged: false
"""
PLAIN = {"base/kustomization.yaml": "resources:\n- web.yaml\n", "base/web.yaml": BASE}


def told(files: dict[str, str]) -> set[tuple[str, str, int]]:
    """Rule, file and line of each finding above info."""
    facts = {Documents: read(files), Resources: Resources()}
    found = set()
    for check in all_checks():
        if set(check.needs) <= facts.keys():
            outcome = apply(check, facts)
            if isinstance(outcome, Failed):
                found |= {
                    (
                        one.rule_id.removeprefix("iac-kubernetes-"),
                        one.place.file,
                        one.place.start_line,
                    )
                    for one in outcome.findings
                    if one.severity > 0
                }
    return found


def pod(files: dict[str, str], path: str = "base/web.yaml") -> object:
    """The pod's ``spec`` of the first document of a file."""
    [file] = [one for one in read(files).files if one.path == path]
    return said(file.found.documents[0].root.at("spec", "template", "spec"))


def gathered(files: dict[str, str], copy_of: str = "") -> Gathered:
    with tree(files, copy_of) as (seen, stage):
        return manifests.source(RunMemory()).gather(seen, EngineContext(stage), {})


def overlay(name: str, text: str) -> dict[str, str]:
    """An overlay of the base, and a script that applies it."""
    return {
        f"{name}/kustomization.yaml": f"resources:\n- ../base\n{text}",
        f"{name}/apply.sh": "kubectl apply -k .\n",
    }


FLAWS = {("host-namespace", "base/web.yaml", 9), ("privileged", "base/web.yaml", 14)}
BY_FILE = overlay("prod", "patches:\n- path: mend.yaml\n") | {"prod/mend.yaml": MENDED}


def test_a_base_alone_is_as_it_is_written() -> None:
    assert told(PLAIN) == FLAWS


def test_what_the_only_overlay_mends_is_not_told() -> None:
    assert told(PLAIN | BY_FILE) == set()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# kubectl apply -k prod\n",
        "kubectl diff -k prod\nkubectl delete -k ./prod\n",
        "kubectl apply -k other\nkubectl apply -k $FOLDER\n",
    ],
)
def test_an_overlay_that_nothing_applies_mends_nothing(text: str) -> None:
    assert told(PLAIN | BY_FILE | {"prod/apply.sh": text}) == FLAWS


@pytest.mark.parametrize("text", ["kubectl apply -k pro$KIND\n", "kubectl kustomize ./${{ a }}d\n"])
def test_a_script_that_fills_in_a_path_applies_what_it_may_be(text: str) -> None:
    assert told(PLAIN | BY_FILE | {"prod/apply.sh": "", "apply.sh": text}) == set()


def test_what_one_of_two_overlays_leaves_is_told() -> None:
    assert told(PLAIN | BY_FILE | overlay("dev", "")) == FLAWS


CONTROLLER = """apiVersion: APIVERSION
kind: Any
metadata: {name: a}
spec: SPEC
"""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Makefile", "deploy:\n\t$(KUSTOMIZE) build base | kubectl apply -f -\n"),
        ("deploy.sh", "kubectl --context a apply \\\n  -k ./base/\n"),
        ("base/deploy.sh", "kubectl apply -f web.yaml\n"),
        ("ops/deploy.sh", "oc apply --filename='../base/web.yaml'\n"),
        (".gitlab-ci.yml", "a:\n  stage: b\n  script:\n  - kubectl apply -k base\n"),
        (
            "flux.yaml",
            CONTROLLER.replace("APIVERSION", "kustomize.toolkit.fluxcd.io/v1").replace(
                "SPEC", "{path: ./base}"
            ),
        ),
        (
            "argo.yaml",
            CONTROLLER.replace("APIVERSION", "argoproj.io/v1alpha1").replace(
                "SPEC", "{source: {path: base, repoURL: a}}"
            ),
        ),
    ],
)
def test_a_base_that_is_applied_by_its_name_is_told_whatever_an_overlay_mends(
    path: str, text: str
) -> None:
    assert told(PLAIN | BY_FILE | {path: text}) >= FLAWS


def test_an_overlay_that_is_applied_by_its_name_mends_its_base() -> None:
    script = {"deploy.sh": "kubectl apply -k prod\nkustomize build ./prod | kubectl apply -f -\n"}
    assert told(PLAIN | BY_FILE | script) == set()


def test_a_resource_may_have_any_name() -> None:
    files = {"base/kustomization.yaml": "resources:\n- web.conf\n", "base/web.conf": BASE}
    assert told(files) == {(rule, "base/web.conf", line) for rule, _, line in FLAWS}


def test_a_file_beside_the_folder_is_not_taken() -> None:
    beside = overlay("prod", "patches:\n- path: mend.yaml\n")["prod/kustomization.yaml"]
    files = {
        "base/web.yaml": BASE,
        "prod/kustomization.yaml": beside.replace("../base", "../base/web.yaml"),
        "prod/mend.yaml": MENDED,
    }
    assert told(files) == FLAWS


def test_what_each_overlay_mends_in_its_own_way_is_not_told() -> None:
    inline = "patches:\n- target: {kind: Deployment}\n  patch: |-\n" + "".join(
        f"    {line}\n"
        for line in (
            "- {op: remove, path: /spec/template/spec/hostNetwork}",
            "- op: replace",
            "  path: /spec/template/spec/containers/0/securityContext",
            "  value: {privileged: false}",
        )
    )
    assert told(PLAIN | BY_FILE | overlay("dev", inline)) == set()


def test_what_a_patch_brings_is_told_where_it_stands() -> None:
    patch = MENDED.replace("hostNetwork", "hostPID").replace("false", "true")
    safe = PLAIN | {"base/web.yaml": BASE.replace("true", "false")}
    files = safe | overlay("prod", "patchesStrategicMerge:\n- p.yaml\n") | {"prod/p.yaml": patch}
    assert told(files) == {("host-namespace", "prod/p.yaml", 8), ("privileged", "prod/p.yaml", 12)}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            (
                "patches:\n- target: {kind: Deployment, name: web}\n  patch: |-\n"
                "    - op: add\n      path: /spec/template/spec/hostPID\n      value: true\n"
            ),
            8,
        ),
        (
            (
                "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n"
                "    metadata: {name: web}\n    spec: {template: {spec: {\n"
                "      hostPID: true, containers: []}}}\n"
            ),
            9,
        ),
    ],
)
def test_what_a_patch_within_the_kustomization_brings_is_told_there(text: str, line: int) -> None:
    safe = PLAIN | {"base/web.yaml": BASE.replace("true", "false")}
    found = read(safe | overlay("prod", text))
    [file] = [one for one in found.files if one.path == "prod/kustomization.yaml"]
    [said_by] = [one for one in file.found.documents if one.kind is DocumentKind.KUBERNETES]
    assert said_by.root.at("spec", "template", "spec", "hostPID").is_true
    assert said_by.root.at("spec", "template", "spec", "hostPID").line == line
    assert said_by.root.at("spec", "template", "spec", "hostIPC").present


@pytest.mark.parametrize(
    ("text", "containers"),
    [
        ("images:\n- {name: app, newTag: '5'}\n", ["a", None, "b", "other:2"]),
        ("images:\n- {name: gone, newTag: '5'}\n", ["a", "app:1", "b", "other:2"]),
        (
            (
                "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n"
                "    metadata: {name: web}\n    spec: {template: {spec: {containers: [\n"
                "      {name: b, $patch: delete}]}}}\n"
            ),
            ["a", "app:1"],
        ),
        (
            (
                "patches:\n- target: {kind: Deployment}\n  patch: |-\n"
                "    - {op: add, path: /spec/template/spec/containers/-, value: {name: c}}\n"
            ),
            ["a", "app:1", "b", "other:2"],
        ),
        (
            (
                "patches:\n- target: {name: 'w.*', labelSelector: x=y}\n  patch: |-\n"
                "    - {op: remove, path: /spec/template/spec/containers/0}\n"
            ),
            ["a", "app:1", "b", "other:2"],
        ),
    ],
)
def test_containers_are_as_every_overlay_leaves_them(text: str, containers: object) -> None:
    [file] = [one for one in read(PLAIN | overlay("p", text)).files if one.path == "base/web.yaml"]
    left = file.found.documents[0].root.at("spec", "template", "spec", "containers")
    assert [said(one[key]) for one in left.items for key in ("name", "image")] == containers


def test_a_namespace_of_the_overlay_takes_the_place_of_the_base() -> None:
    base = PLAIN | {
        "base/web.yaml": BASE.replace("name: web\n", "name: web\n  namespace: default\n")
    }
    [file] = [
        one
        for one in read(base | overlay("p", "namespace: shop\n")).files
        if one.path == "base/web.yaml"
    ]
    assert said(file.found.documents[0].root["metadata"]) == {"name": "web", "namespace": None}


def test_a_setting_that_every_overlay_adds_is_not_left_out() -> None:
    patch = MENDED.replace("privileged: false", "readOnlyRootFilesystem: true")
    files = PLAIN | overlay("p", "patches:\n- path: m.yaml\n") | {"p/m.yaml": patch}
    assert pod(files) == {
        "hostNetwork": None,
        "containers": [
            {
                "name": "a",
                "image": "app:1",
                "securityContext": {"privileged": "true", "readOnlyRootFilesystem": None},
            },
            {"name": "b", "image": "other:2"},
        ],
    }


def test_a_component_changes_what_the_overlay_takes() -> None:
    files = PLAIN | {
        "apply.sh": "kubectl apply -k prod\n",
        "prod/kustomization.yaml": "resources: [../base]\ncomponents: [../safe]\n",
        "safe/kustomization.yaml": (
            "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
            "patches:\n- path: mend.yaml\n"
        ),
        "safe/mend.yaml": MENDED,
    }
    assert told(files) == set()


def test_a_base_that_one_overlay_takes_twice_is_as_both_leave_it() -> None:
    both = {"all/kustomization.yaml": "resources: [../dev, ../prod]\n"}
    assert told(PLAIN | BY_FILE | overlay("dev", "") | both) == FLAWS
    assert told(PLAIN | BY_FILE | both) == set()


def test_an_overlay_that_tests_use_is_still_one_of_production() -> None:
    files = PLAIN | BY_FILE | {"tests/kustomization.yaml": "resources: [../prod]\n"}
    assert told(files) == set()


def test_an_overlay_for_tests_decides_nothing_about_production() -> None:
    files = PLAIN | overlay("tests", "patches:\n- path: m.yaml\n") | {"tests/m.yaml": MENDED}
    assert told(files) == FLAWS


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("resources:\n- https://forge.example/base?ref=v1\n", "from outside the tree"),
        ("resources: [a.yaml]\nhelmCharts:\n- name: x\n", "it uses helmCharts"),
        ("resources: []\npatches:\n- path: gone.yaml\n", "one of its patches cannot be read"),
        ("resources: []\npatches:\n- patch: 'a: b: c'\n", "one of its patches cannot be read"),
    ],
)
def test_what_cannot_be_followed_is_named(text: str, why: str) -> None:
    found = gathered({"a/kustomization.yaml": text})
    [limit] = found.limited
    assert (limit.path, limit.cause) == ("a/kustomization.yaml", Reason.LANGUAGE)
    assert why in limit.reason
    assert limit.path not in found.searched


@pytest.mark.parametrize(
    ("text", "is_searched"),
    [
        ("resources: [a.yaml]\n", False),
        ("- {op: remove, path: /spec}\n", False),
        (MENDED, True),
    ],
)
def test_a_changed_copy_of_what_changes_others_proves_nothing(
    text: str, *, is_searched: bool
) -> None:
    found = gathered({"0/p.yaml": text}, copy_of="prod/p.yaml")
    assert found.searched == ({"0/p.yaml"} if is_searched else frozenset())


def test_overlays_in_a_circle_and_without_end_are_bounded() -> None:
    circle = {
        "a/kustomization.yaml": "resources: [../b]\n",
        "b/kustomization.yaml": "resources: [../a, web.yaml]\n",
        "b/web.yaml": BASE,
    }
    assert told(circle) == {(rule, "b/web.yaml", line) for rule, _, line in FLAWS}
    deep = {"k0/kustomization.yaml": "resources: [web.yaml]\n", "k0/web.yaml": BASE}
    for at in range(1, 11):
        below = ", ".join([f"../k{at - 1}"] * 30)
        deep[f"k{at}/kustomization.yaml"] = f"resources: [{below}]\n"
    found = gathered(deep)
    assert {one.cause for one in found.limited} == {Reason.GIVE_UP}


def test_a_target_of_many_choices_takes_no_time() -> None:
    name = "a" * 40
    target = f"{{kind: Deployment, name: {'(a|a)' * 30}b}}"
    patch = f"patches:\n- target: {target}\n  patch: |\n    - op: remove\n      path: /spec\n"
    files = PLAIN | overlay("prod", patch) | {"base/web.yaml": BASE.replace("web", name)}
    assert ("privileged", "base/web.yaml", 14) in told(files)
