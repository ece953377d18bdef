"""Which tool reads a YAML or JSON document, told by its content: one row a kind."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.repo.engines.documents import payloads
from mergegate.repo.engines.documents.hiding import hidden
from mergegate.repo.engines.documents.nodes import is_literal_secret
from mergegate.repo.engines.documents.pipelines import (
    is_azure,
    is_bitbucket,
    is_circleci,
    is_github,
)
from mergegate.repo.facts.documents import MASKED, Document, DocumentKind, Form, Node

_PRUNED = {
    # Schemas and payloads: large, of no use to a check, and where secrets would be.
    "CustomResourceDefinition": frozenset({"spec", "status"}),
    "ConfigMap": frozenset({"binaryData"}),
    "Secret": frozenset({"data"}),
}
_SHORTENED = {"ConfigMap": "data", "Secret": "stringData"}
"""Kind → key. Its short settings are kept; of a Secret just that a value is written out."""
_LONGEST_SETTING = 200
_SECRET_AS_A_WHOLE = frozenset({".dockerconfigjson", ".dockercfg", "tls.key", "ssh-privatekey"})
"""What holds a secret by the type of its Secret."""

_KNOWN = read_lists(Path(__file__).with_name("words.toml"))
_PLAY_KEYS = frozenset(_KNOWN["ansible-plays"])
_TASK_KEYS = frozenset((*_KNOWN["ansible-tasks"], *_KNOWN["ansible-clouds"]))
_CONNECTION = frozenset(_KNOWN["ansible-connection"])
_MODULE_NAME = re.compile(r"(?:[a-z]\w*\.){2,}[a-z]\w*|(?:azure_rm|gcp)_\w+")


def _words(names: frozenset[str]) -> bytes:
    return "|".join(map(re.escape, sorted(names))).encode()


def _key(*names: bytes) -> re.Pattern[bytes]:
    """The sign that one of these keys is there: in quotes or not, in braces or on a line."""
    return re.compile(rb"(?<![\w-])(?:%s)[\"']?\s*:" % b"|".join(names))


@dataclass(frozen=True, slots=True)
class Recognised:
    """How documents of a kind are told from all others."""

    kind: DocumentKind
    signs: tuple[re.Pattern[bytes], ...]
    """What the bytes of every such file hold, each somewhere: a cheap reason to parse them."""
    is_one: Callable[[Node], bool]
    """Whether the parsed document is one; the rows are asked in order."""
    known: bytes
    """The smallest one, which proves before each scan that the kind is read."""
    in_json: bool = True
    """Whether files that are called JSON are looked at: CI services read none."""
    signs_in_json: tuple[re.Pattern[bytes], ...] = ()
    """What those hold besides, where others hold the signs too."""

    def may_be(self, content: bytes, suffix: str) -> bool:
        """Whether the bytes hold the signs."""
        is_json = suffix == ".json"
        signs = (*self.signs, *(self.signs_in_json if is_json else ()))
        return (self.in_json or not is_json) and all(one.search(content) for one in signs)


_DISGUISED = re.compile(
    rb"\\(?:x|u00|U000000)(?:2[4DEF]|3[0-9A]|[46][1-9A-F]|[57][0-9A]|5F)"
    rb"|(?:^|[\r\n{,])[ \t-]*\?[ \t\r\n]",
    re.IGNORECASE,
)
"""A letter written as its number, or a key behind a question mark: nobody needs that, and the
signs are not found in it."""


def looks_like_infrastructure(content: bytes, suffix: str = "") -> bool:
    """A cheap test on the bytes: whether it is worth parsing."""
    if _DISGUISED.search(content):
        return True
    return any(one.may_be(content, suffix) for one in KINDS)


def documents(root: Node) -> Iterator[Document]:
    """The documents ``root`` stands for: none when it is no infrastructure.

    A key too many, which a tool passes over, must not hide what that tool reads.
    """
    found = [one.kind for one in KINDS if one.is_one(root)]
    for kind in found[:1] + [one for one in found[1:] if {found[0], one} <= _SURE]:
        for part in _parts(root) if kind is DocumentKind.KUBERNETES else (root,):
            pruned = _pruned(part) if kind is DocumentKind.KUBERNETES else part
            yield Document(kind, hidden(kind, pruned))
            yield from payloads.in_document(kind, part)


_SURE = frozenset(
    {
        *(DocumentKind.KUBERNETES, DocumentKind.CLOUDFORMATION, DocumentKind.ARM),
        *(DocumentKind.PULUMI, DocumentKind.SERVERLESS, DocumentKind.OPENAPI),
    }
)
"""Kinds that nothing else is taken for: a document that has the marks of two is both."""
_OF_KUSTOMIZE = (
    *("resources", "bases", "components", "patches", "patchesStrategicMerge", "patchesJson6902"),
)
_BESIDE = frozenset(
    {
        *("apiVersion", "kind", "metadata", "namespace", "namePrefix", "nameSuffix", "images"),
        *("commonLabels", "commonAnnotations", "labels", "replicas", "configMapGenerator"),
        *("secretGenerator", "generatorOptions", "vars", "replacements", "transformers"),
        *("generators", "validators", "configurations", "crds", "openapi", "helmCharts"),
        *("helmGlobals", "buildMetadata", "sortOptions"),
    }
)
_KUSTOMIZE = "kustomize.config.k8s.io/"


def _is_kustomization(root: Node) -> bool:
    """Many leave out what says so, and a list of resources is one of others too."""
    if root["apiVersion"].text:
        return root["apiVersion"].text.startswith(_KUSTOMIZE)
    has_only_those = _BESIDE.union(_OF_KUSTOMIZE).issuperset(root.keys)
    return has_only_those and any(root[key].items for key in _OF_KUSTOMIZE)


def _is_chart(root: Node) -> bool:
    """A chart, or the list of those that one of the first version needs."""
    is_chart = root["apiVersion"].text in {"v1", "v2"} and not root["kind"].present
    is_list = root.keys == ("dependencies",)
    needed = root["dependencies"].items
    return (is_chart or is_list) and any(one["repository"].text for one in needed)


def _is_json_patch(root: Node) -> bool:
    items = root.items
    return bool(items) and all(one["op"].text and one["path"].text[:1] == "/" for one in items)


def _is_kubernetes(root: Node) -> bool:
    return bool(root["apiVersion"].text and root["kind"].text)


def _parts(root: Node) -> Iterator[Node]:
    """The resources of a manifest: of a ``List``, ``PodList`` and the like its items."""
    if root["kind"].text.endswith("List") and root["items"].items:
        for item in root["items"].items:
            yield from _parts(item)
    else:
        yield root


def _pruned(root: Node) -> Node:
    kind = root["kind"].text
    if not (dropped := _PRUNED.get(kind)):
        return root
    shortened = _SHORTENED.get(kind, "")
    return _map(
        root,
        (
            (key, _shortened(value, kind) if key == shortened else value)
            for key, value in root.entries
            if key not in dropped
        ),
    )


def _shortened(data: Node, kind: str) -> Node:
    """The short settings of a payload; of a Secret the marks alone of what is written out."""
    if kind == "ConfigMap":
        return _map(data, ((key, value) for key, value in data.entries if _is_setting(value)))
    marks = ((key, _mark(key, value)) for key, value in data.entries)
    return _map(data, ((key, mark) for key, mark in marks if mark.text == MASKED))


def _is_setting(value: Node) -> bool:
    text = value.text
    return value.form is Form.SCALAR and "\n" not in text and len(text) <= _LONGEST_SETTING


def _mark(key: str, value: Node) -> Node:
    is_whole = key in _SECRET_AS_A_WHOLE and value.form is Form.SCALAR and not value.tag
    is_written = is_whole and (MASKED in value.text or is_literal_secret(value.text))
    return Node(value.line, text=MASKED) if is_written else value


def _map(at: Node, entries: Iterable[tuple[str, Node]]) -> Node:
    kept = tuple(entries)
    keys, values = tuple(key for key, _ in kept), tuple(value for _, value in kept)
    return Node(at.line, Form.MAP, tag=at.tag, keys=keys, children=values)


def _is_cloudformation(root: Node) -> bool:
    if root["AWSTemplateFormatVersion"].is_literal:
        return True
    return any(child["Type"].text.startswith("AWS::") for _, child in root["Resources"].entries)


def _is_arm(root: Node) -> bool:
    """Deployments of every scope have a schema of that name."""
    is_template = "deploymenttemplate.json" in root["$schema"].text.lower()
    return is_template and root["resources"].present


def _is_arm_parameters(root: Node) -> bool:
    is_one = "deploymentparameters.json" in root["$schema"].text.lower()
    return is_one and bool(root["parameters"].keys)


_PULUMI_TYPE = re.compile(r"[a-z][\w-]*:[\w/.-]+:\w+")


def _is_pulumi(root: Node) -> bool:
    """A program in YAML, or a stack as Pulumi exports it."""
    declared = (*root["resources"].children, *root["deployment"]["resources"].items)
    return any(_PULUMI_TYPE.fullmatch(one["type"].text) for one in declared)


_MANAGED_TYPE = re.compile(r"(?:gcp-types/)?[a-z]+[.-](?:v\d\w*|alpha|beta)[.:][\w.]+")


def _is_deployment_manager(root: Node) -> bool:
    """A configuration of Google's Deployment Manager; its templates are no YAML."""
    declared = [one for one in root["resources"].items if one["name"].text]
    return any(_MANAGED_TYPE.fullmatch(one["type"].text) for one in declared)


_OF_SERVICES = (
    *("image", "build", "privileged", "network_mode", "cap_add", "security_opt", "container_name"),
    *("depends_on", "env_file", "userns_mode"),
)
_MAPPED = ("ports", "volumes")


def _is_compose(root: Node) -> bool:
    """A file that only overrides another need not say what its services run."""
    return any(
        any(service[key].present for key in _OF_SERVICES)
        or any(":" in one.text for key in _MAPPED for one in service[key].items)
        for _, service in root["services"].entries
    )


def _is_ansible(root: Node) -> bool:
    """A list of plays or of tasks; whether its path is one of tasks, the dialect asks."""
    keys = {key for one in root.items for key in one.keys}
    signed = not keys.isdisjoint(_PLAY_KEYS | _TASK_KEYS) or any(map(_MODULE_NAME.fullmatch, keys))
    return signed and all(one.form is Form.MAP for one in root.items)


def _is_inventory(root: Node) -> bool:
    """Variables of hosts, in an inventory or in a file of their own."""
    return any(not _CONNECTION.isdisjoint(one.keys) for one in root.walk())


def _is_serverless(root: Node) -> bool:
    provider = root["provider"]
    named = provider.text or provider["name"].text
    runs = root["functions"].present or root["resources"].present
    is_other = root["kind"].present and not runs
    return root["service"].present and bool(named) and not is_other


def _is_openapi(root: Node) -> bool:
    version = root["openapi"].text or root["swagger"].text
    return version[:2] in {"2.", "3."} and (root["paths"].present or root["info"].present)


_DOCKER_KEYS = frozenset(_KNOWN["docker-daemon"])
_OF_DOCKER = (
    *("insecure-registries", "registry-mirrors", "userns-remap", "live-restore", "storage-driver"),
    *("exec-opts", "no-new-privileges", "data-root", "icc", "hosts", "tlsverify", "log-driver"),
    *("default-ulimits", "seccomp-profile", "userland-proxy", "iptables"),
)
_SOCKET = re.compile(r"(?:tcp|unix|fd|npipe)://")


def _is_docker(root: Node) -> bool:
    """The settings of its daemon: a word that others use as well does not suffice."""
    if not root.keys or not _DOCKER_KEYS.issuperset(root.keys):
        return False
    is_open = {"hosts", "iptables"}.issuperset(root.keys)
    return not is_open or any(_SOCKET.match(one.text) for one in root["hosts"].items)


def _is_gitlab_ci(root: Node) -> bool:
    """A job's script stands one level down; at the top it is another service's format.

    A map there is a job that is called so.
    """
    if any(root[key].present and not root[key].keys for key in ("script", "language")):
        return False
    jobs = [job for _, job in root.entries if job.form is Form.MAP]
    has_job = any(
        job[key].present
        for job in jobs
        for key in ("script", "before_script", "extends", "trigger")
    )
    return has_job or _includes(root["include"])


def _includes(include: Node) -> bool:
    kinds = ("local", "project", "remote", "template", "component")
    return any(entry[kind].present for entry in include.each for kind in kinds)


KINDS = (
    Recognised(
        DocumentKind.DEPLOYMENT_MANAGER,
        (
            _key(b"resources"),
            _key(b"type"),
            re.compile(rb"[a-z][.-](?:v\d\w*|alpha|beta)[.:][a-zA-Z]"),
        ),
        _is_deployment_manager,
        b"resources:\n- name: a\n  type: compute.v1.instance\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.CHART,
        (_key(b"dependencies"), _key(b"repository")),
        _is_chart,
        b"apiVersion: v2\ndependencies: [{name: a, repository: b}]\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.KUSTOMIZATION,
        (
            re.compile(
                rf"^[\"']?(?:{'|'.join(_OF_KUSTOMIZE)})[\"']?[ \t]*:|{_KUSTOMIZE}".encode(),
                re.MULTILINE,
            ),
        ),
        _is_kustomization,
        b"resources: [a.yaml]\n",
    ),
    Recognised(
        DocumentKind.JSON_PATCH,
        (
            re.compile(rb"\bop[\"']?[ \t]*:"),
            re.compile(rb"\bpath[\"']?[ \t]*:[ \t]*[\"']?/"),
        ),
        _is_json_patch,
        b"- {op: add, path: /spec/a, value: 1}\n",
    ),
    Recognised(
        DocumentKind.KUBERNETES,
        (_key(b"apiVersion"), _key(b"kind")),
        _is_kubernetes,
        b"apiVersion: v1\nkind: Pod\nspec: {}\n",
    ),
    Recognised(
        DocumentKind.CLOUDFORMATION,
        (_key(b"Resources"), re.compile(rb"AWS::|AWSTemplateFormatVersion")),
        _is_cloudformation,
        b"Resources:\n  A:\n    Type: AWS::S3::Bucket\n",
    ),
    Recognised(
        DocumentKind.ARM,
        (_key(rb"\$schema"), re.compile(rb"(?i)deploymentTemplate\.json")),
        _is_arm,
        b'{"$schema": "https://a.example/deploymentTemplate.json#", "resources": [{}]}',
    ),
    Recognised(
        DocumentKind.ARM_PARAMETERS,
        (_key(rb"\$schema"), re.compile(rb"(?i)deploymentParameters\.json")),
        _is_arm_parameters,
        b'{"$schema": "https://a.example/deploymentParameters.json#", "parameters": {"a": {}}}',
    ),
    Recognised(
        DocumentKind.PULUMI,
        (_key(b"resources"), _key(b"type"), re.compile(rb"(?<![\w-])[a-z][\w-]*:[\w/.-]+:\w")),
        _is_pulumi,
        b"resources:\n  a:\n    type: aws:s3:Bucket\n",
    ),
    Recognised(
        DocumentKind.COMPOSE,
        (_key(b"services"), _key(*(key.encode() for key in (*_OF_SERVICES, *_MAPPED)))),
        _is_compose,
        b"services:\n  a:\n    image: b\n",
    ),
    Recognised(
        DocumentKind.AZURE_PIPELINES,
        (
            _key(b"steps", b"jobs", b"stages", b"extends"),
            _key(
                *(b"task", b"script", b"bash", b"pwsh", b"powershell", b"checkout", b"publish"),
                *(b"template", b"pool"),
            ),
        ),
        is_azure,
        b"steps:\n- task: Bash@3\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.CIRCLECI,
        (_key(b"version"), _key(b"jobs", b"workflows", b"orbs", b"commands")),
        is_circleci,
        b"version: 2.1\njobs:\n  a:\n    steps: [checkout]\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.GITHUB_ACTIONS,
        (_key(b"jobs", b"runs"), _key(b"runs-on", b"uses", b"run", b"using")),
        is_github,
        b"on: push\njobs:\n  a:\n    runs-on: b\n",
    ),
    Recognised(
        DocumentKind.BITBUCKET,
        (
            _key(b"pipelines"),
            _key(b"default", b"branches", b"tags", b"bookmarks", b"custom", b"pull-requests"),
        ),
        is_bitbucket,
        b"pipelines:\n  default:\n  - step:\n      script: [a]\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.ANSIBLE,
        (
            re.compile(rb"(?m)^[ \t]*[\[-]"),
            _key(_words(_PLAY_KEYS | _TASK_KEYS), rb"(?:\w+\.){2}\w+|(?:azure_rm|gcp)_\w+"),
        ),
        _is_ansible,
        b"- hosts: a\n  tasks: []\n",
        signs_in_json=(
            _key(
                *(b"tasks", b"roles", b"pre_tasks", b"post_tasks", b"handlers", b"import_playbook"),
                *(b"become", b"register", b"changed_when", rb"(?:\w+\.){2}\w+"),
            ),
        ),
    ),
    Recognised(
        DocumentKind.SERVERLESS,
        (_key(b"service"), _key(b"provider")),
        _is_serverless,
        b"service: a\nprovider:\n  name: aws\n",
    ),
    Recognised(
        DocumentKind.OPENAPI,
        (_key(b"openapi", b"swagger"), _key(b"paths", b"info")),
        _is_openapi,
        b"openapi: 3.0.0\ninfo: {}\npaths: {}\n",
    ),
    Recognised(
        DocumentKind.DOCKER,
        (_key(*(key.encode() for key in _OF_DOCKER)),),
        _is_docker,
        b'{"live-restore": true}',
    ),
    Recognised(
        DocumentKind.GITLAB_CI,
        (
            _key(b"script", b"before_script", b"after_script", b"include"),
            _key(b"stage", b"extends", b"image", b"script", b"include"),
        ),
        _is_gitlab_ci,
        b"a:\n  script: [b]\n  stage: c\n",
        in_json=False,
    ),
    Recognised(
        DocumentKind.ANSIBLE_INVENTORY,
        (_key(_words(_CONNECTION)),),
        _is_inventory,
        b"ansible_user: a\n",
    ),
)
