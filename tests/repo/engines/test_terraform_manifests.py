"""Objects of Kubernetes in Terraform are the manifests that would declare them."""

from mergegate.core.tree import Role
from mergegate.repo.engines.terraform import manifests
from mergegate.repo.facts.documents import DocumentKind, Documents, Node
from mergegate.repo.facts.resources import UNKNOWN, Resources
from tests.repo.infrastructure.reading import resources, told
from tests.secrets.mint import minted


def _objects(text: str) -> list[Node]:
    files = tuple(manifests.files(Resources(resources(text))))
    return [root for _, root in Documents(files).of(DocumentKind.KUBERNETES)]


def _plain(node: Node) -> object:
    if node.keys:
        return {key: _plain(value) for key, value in node.entries}
    return [_plain(one) for one in node.children] if node.children else node.text


_DEPLOYMENT = """resource "kubernetes_deployment_v1" "a" {
  metadata {
    name   = "a"
    labels = { app_name = "x" }
  }
  spec {
    template {
      spec {
        host_pid = true
        %s
        container {
          name    = "b"
          image   = "c:1"
          command = ["d"]
          port {
            container_port = 80
          }
        }
      }
    }
  }
}
"""


def test_blocks_become_lists_and_names_are_written_as_in_manifests() -> None:
    (root,) = _objects(_DEPLOYMENT % "")
    container = {"name": "b", "image": "c:1", "command": ["d"], "ports": [{"containerPort": "80"}]}
    assert _plain(root) == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "a", "labels": {"app_name": "x"}},
        "spec": {"template": {"spec": {"hostPID": "true", "containers": [container]}}},
    }


def test_a_setting_stands_at_its_own_line() -> None:
    (found,) = [one for one in told({"main.tf": _DEPLOYMENT % ""}) if one.severity.label != "info"]
    assert (found.rule_id, found.place.start_line) == ("iac-kubernetes-host-namespace", 9)


def test_old_code_has_maps_in_the_place_of_blocks() -> None:
    pod = 'volume = [{\nhost_path = { path = "/" }\n}]\nsecurity_context = { run_as_user = 0 }'
    (root,) = _objects(_DEPLOYMENT % pod)
    spec = root.at("spec", "template", "spec")
    assert _plain(spec["volumes"]) == [{"hostPath": {"path": "/"}}]
    assert _plain(spec["securityContext"]) == {"runAsUser": "0"}


def test_labels_keep_their_names() -> None:
    text = 'resource "kubernetes_service" "a" {\nspec {\nselector = { app_name = "x" }\n}\n}\n'
    (root,) = _objects(text)
    assert _plain(root["spec"]) == {"selector": {"app_name": "x"}}


def test_what_another_resource_provides_is_not_known() -> None:
    pod = "security_context { run_as_user = local_file.a.id }\nvolume { name = var.a }\n"
    (root,) = _objects(_DEPLOYMENT % pod + 'variable "a" {}\n')
    spec = root.at("spec", "template", "spec")
    user = spec.at("securityContext", "runAsUser")
    assert (user.text, user.tag) == ("${}", UNKNOWN)
    assert spec["volumes"].items[0]["name"].tag == UNKNOWN


def test_a_block_for_each_of_what_is_not_known_is_not_known() -> None:
    block = 'dynamic "security_context" {\nfor_each = var.a\ncontent {}\n}\n'
    (root,) = _objects(_DEPLOYMENT % block + 'variable "a" {}\n')
    assert root.at("spec", "template", "spec", "securityContext").is_open


def test_what_a_secret_is_given_is_written_out() -> None:
    text = 'resource "kubernetes_secret" "a" {\n  data = {\n    password = "%s"\n  }\n}\n'
    (root,) = _objects(text % minted("<alnum:16>"))
    assert _plain(root["stringData"]) == {"password": "***"}
    (root,) = _objects(text % "${var.a}" + 'variable "a" {}\n')
    assert root["stringData"].keys == ()


def test_the_source_of_a_volume_stands_in_its_spec() -> None:
    text = """resource "kubernetes_persistent_volume" "a" {
  spec {
    persistent_volume_source {
      host_path { path = "/" }
    }
  }
}
"""
    (root,) = _objects(text)
    assert _plain(root["spec"]) == {"hostPath": {"path": "/"}}


def test_a_manifest_may_be_a_map_or_a_text() -> None:
    inside = 'kind = "Pod"\napiVersion = "v1"\nspec = { hostNetwork = true }'
    (root,) = _objects(f'resource "kubernetes_manifest" "a" {{\nmanifest = {{\n{inside}\n}}\n}}\n')
    assert root["spec"]["hostNetwork"].is_true
    text = "kind: Pod\napiVersion: v1\nmetadata: {name: '${var.a}'}\nspec: {hostNetwork: true}"
    body = f'resource "kubectl_manifest" "a" {{\nyaml_body = <<E\n{text}\nE\n}}\n'
    (root,) = _objects(f'{body}variable "a" {{}}\n')
    assert root["spec"]["hostNetwork"].is_true
    assert root["metadata"]["name"].tag == UNKNOWN


def test_other_resources_and_what_is_not_known_make_no_object() -> None:
    assert _objects('resource "kubernetes_labels" "a" {}\n') == []
    assert _objects('resource "kubernetes_manifest" "a" {\nmanifest = var.a\n}\n') == []


def test_a_manifest_that_is_too_large_is_not_known() -> None:
    text = f"kind: Pod\napiVersion: v1\nspec: [{'a,' * 25_000}]"
    assert _objects(f'resource "kubectl_manifest" "a" {{\nyaml_body = <<E\n{text}\nE\n}}\n') == []


def test_outside_production_it_is_for_information() -> None:
    found = told({"main.tf": _DEPLOYMENT % ""}, Role.TEST)
    assert {one.severity.label for one in found} == {"info"}
