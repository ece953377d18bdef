"""Safe values are put where a manifest says unsafe ones: in objects, pods, containers, flags."""

from pathlib import Path

import pytest

from mergegate.core.tree import Role, SourceFile
from mergegate.repo.fixes import mappings, settings
from mergegate.repo.fixes.edits import apply, line_edits
from mergegate.repo.fixes.recipe import Found
from tests.repo.infrastructure.reading import told


def mended(rule: str, text: str) -> str | None:
    """``text`` after the fix of the first finding of ``rule``; None where none is known."""
    finding = next(one for one in told({"a.yaml": text}) if one.rule_id == rule)
    file = SourceFile(
        path="a.yaml",
        location=Path("a.yaml"),
        size=len(text),
        digest="0",
        role=Role.SOURCE,
        language="yaml",
    )
    recipe = settings.recipe_of(finding, file, text)
    if recipe is None:
        return None
    found = Found("a.yaml", text, "yaml", ".yaml", finding.place, recipe)
    edits = line_edits("a.yaml", text.encode(), mappings.steps(found))
    return apply(text, *edits) if edits else None


POD = """apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: a
  spec:
    securityContext:
      fsGroup: 2000
    containers:
    - name: b
      image: c:1
    - name: d
      image: e:1
      securityContext:
        procMount: Unmasked
"""


def test_a_container_is_mended_where_it_stands() -> None:
    rule = "iac-kubernetes-unmasked-proc"
    assert mended(rule, POD) == POD.replace("Unmasked", "Default")


def test_what_is_missing_is_put_into_the_container_that_was_found() -> None:
    new = "      image: c:1\n      securityContext:\n        allowPrivilegeEscalation: false\n"
    text = POD.replace("fsGroup: 2000", "runAsUser: 1000")
    expected = text.replace("      image: c:1\n", new)
    assert mended("iac-kubernetes-escalation-left", text) == expected


def test_what_is_missing_in_a_pod_is_put_into_its_spec() -> None:
    expected = f"{POD}    automountServiceAccountToken: false\n"
    assert mended("iac-kubernetes-token-left", POD) == expected


def test_what_a_pod_says_for_its_containers_is_mended_there() -> None:
    text = POD.replace("fsGroup: 2000", "seccompProfile:\n        type: Unconfined")
    expected = text.replace("Unconfined", "RuntimeDefault")
    assert mended("iac-kubernetes-seccomp-off", text) == expected


INGRESS = """apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: a
  annotations:
    nginx.ingress.kubernetes.io/ssl-redirect: "false"
spec:
  tls:
  - secretName: b
"""


def test_a_name_with_dots_is_one_name() -> None:
    expected = INGRESS.replace('"false"', '"true"')
    assert mended("iac-kubernetes-ingress-no-redirect", INGRESS) == expected


COMMAND = """apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: b
    command:
    - kube-apiserver
    - {flag}
"""


@pytest.mark.parametrize(
    ("flag", "new"),
    [
        ("--anonymous-auth=true", "--anonymous-auth=false"),
        ("--anonymous-auth", "--anonymous-auth=false"),
        ('"--anonymous-auth=true"', '"--anonymous-auth=false"'),
        ("--anonymous-auth\n    - 'true'", None),
    ],
)
def test_a_flag_is_mended_in_its_word(flag: str, new: str | None) -> None:
    expected = None if new is None else COMMAND.format(flag=new)
    assert mended("iac-kubernetes-apiserver-anonymous", COMMAND.format(flag=flag)) == expected


def test_what_several_containers_share_is_left_alone() -> None:
    shared = POD.replace(
        "      securityContext:\n        procMount: Unmasked\n",
        "      securityContext: &safe\n        procMount: Unmasked\n    - name: f\n"
        "      image: g:1\n      securityContext: *safe\n",
    )
    assert mended("iac-kubernetes-unmasked-proc", shared) is None


@pytest.mark.parametrize("value", ["!!str Unmasked", "&shared Unmasked", '!!str "Unmasked"'])
def test_a_value_with_a_tag_or_an_anchor_stays_as_it_is(value: str) -> None:
    assert "procMount: Default" in (mended("iac-kubernetes-unmasked-proc", POD) or "")
    assert mended("iac-kubernetes-unmasked-proc", POD.replace("Unmasked", value)) is None


def test_the_item_of_a_list_is_mended_that_was_found() -> None:
    item = "  - conditions: [{prefix: /%s}]\n    permitInsecure: %s\n"
    head = (
        "apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: a}\nspec:\n  routes:\n"
    )
    text = head + item % ("a", "false") + item % ("b", "true") + item % ("c", "true")
    rule = "iac-kubernetes-contour-plain"
    assert mended(rule, text) == head + item % ("a", "false") + item % ("b", "false") + item % (
        "c",
        "true",
    )


def test_a_map_beside_pods_is_mended() -> None:
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    text = head + "data:\n  NODE_TLS_REJECT_UNAUTHORIZED: '%s'\n"
    assert mended("iac-kubernetes-environment-unverified", text % 0) == text % 1
