"""Which tool reads a YAML or JSON document, told by its content: one row a kind."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mergegate.core.data_table import read_lists
from mergegate.repo.engines.documents.pipelines import is_azure, is_bitbucket, is_circleci
from mergegate.repo.facts.documents import Document, DocumentKind, Form, Node

_PRUNED = {
    # Schemas and payloads: large, of no use to a check, and where secrets would be.
    "CustomResourceDefinition": frozenset({"spec", "status"}),
    "ConfigMap": frozenset({"data", "binaryData"}),
    "Secret": frozenset({"data", "stringData"}),
}

_KNOWN = read_lists(Path(__file__).with_name("words.toml"))
_PLAY_KEYS = frozenset(_KNOWN["ansible-plays"])
_TASK_KEYS = frozenset(_KNOWN["ansible-tasks"])
_FULL_NAME = re.compile(r"(?:[a-z]\w*\.){2,}[a-z]\w*")


def _words(names: frozenset[str]) -> bytes:
    return "|".join(map(re.escape, sorted(names))).encode()


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


def looks_like_infrastructure(content: bytes) -> bool:
    """A cheap test on the bytes: whether it is worth parsing."""
    return any(all(sign.search(content) for sign in one.signs) for one in KINDS)


def documents(root: Node) -> Iterator[Document]:
    """The documents ``root`` stands for: none when it is no infrastructure."""
    if kind := next((one.kind for one in KINDS if one.is_one(root)), None):
        for part in _parts(root) if kind is DocumentKind.KUBERNETES else (root,):
            yield Document(kind, part)


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


def _is_json_patch(root: Node) -> bool:
    items = root.items
    return bool(items) and all(one["op"].text and one["path"].text[:1] == "/" for one in items)


def _is_kubernetes(root: Node) -> bool:
    return bool(root["apiVersion"].text and root["kind"].text)


def _parts(root: Node) -> Iterator[Node]:
    """The resources of a manifest: of a ``List`` its items."""
    yield from map(_pruned, root["items"].items if root["kind"].text == "List" else (root,))


def _pruned(root: Node) -> Node:
    dropped = _PRUNED.get(root["kind"].text)
    if not dropped:
        return root
    kept = [(key, value) for key, value in root.entries if key not in dropped]
    keys, values = tuple(key for key, _ in kept), tuple(value for _, value in kept)
    return Node(root.line, Form.MAP, keys=keys, children=values)


def _is_cloudformation(root: Node) -> bool:
    if root["AWSTemplateFormatVersion"].present:
        return True
    return any(child["Type"].text.startswith("AWS::") for _, child in root["Resources"].entries)


def _is_arm(root: Node) -> bool:
    """Deployments of every scope have a schema of that name."""
    is_template = "deploymenttemplate.json" in root["$schema"].text.lower()
    return is_template and root["resources"].present


_PULUMI_TYPE = re.compile(r"[a-z][\w-]*:[\w/.-]+:\w+")


def _is_pulumi(root: Node) -> bool:
    """A program in YAML, or a stack as Pulumi exports it."""
    declared = (*root["resources"].children, *root["deployment"]["resources"].items)
    return any(_PULUMI_TYPE.fullmatch(one["type"].text) for one in declared)


def _is_compose(root: Node) -> bool:
    return any(
        service["image"].present or service["build"].present
        for _, service in root["services"].entries
    )


def _is_ansible(root: Node) -> bool:
    """A list of plays or of tasks; whether its path is one of tasks, the dialect asks."""
    keys = {key for one in root.items for key in one.keys}
    signed = not keys.isdisjoint(_PLAY_KEYS | _TASK_KEYS) or any(map(_FULL_NAME.fullmatch, keys))
    return signed and all(one.form is Form.MAP for one in root.items)


def _is_serverless(root: Node) -> bool:
    provider = root["provider"]
    named = provider.text or provider["name"].text
    return root["service"].present and bool(named) and not root["kind"].present


def _is_openapi(root: Node) -> bool:
    version = root["openapi"].text or root["swagger"].text
    return version[:2] in {"2.", "3."} and (root["paths"].present or root["info"].present)


def _is_gitlab_ci(root: Node) -> bool:
    """A job's script stands one level down; at the top it is another service's format."""
    if root["script"].present or root["language"].present:
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
        (re.compile(rb"\bapiVersion[\"']?[ \t]*:"), re.compile(rb"\bkind[\"']?[ \t]*:")),
        _is_kubernetes,
        b"apiVersion: v1\nkind: Pod\nspec: {}\n",
    ),
    Recognised(
        DocumentKind.CLOUDFORMATION,
        (
            re.compile(rb"\bResources[\"']?[ \t]*:"),
            re.compile(rb"AWS::|AWSTemplateFormatVersion"),
        ),
        _is_cloudformation,
        b"Resources:\n  A:\n    Type: AWS::S3::Bucket\n",
    ),
    Recognised(
        DocumentKind.ARM,
        (
            re.compile(rb"\$schema[\"'][ \t]*:"),
            re.compile(rb"(?i)deploymentTemplate\.json"),
        ),
        _is_arm,
        b'{"$schema": "https://a.example/deploymentTemplate.json#", "resources": [{}]}',
    ),
    Recognised(
        DocumentKind.PULUMI,
        (
            re.compile(rb"\bresources[\"']?[ \t]*:"),
            re.compile(rb"\btype[\"']?[ \t]*:[ \t]*[\"']?[a-z][\w-]*:[\w/.-]+:\w"),
        ),
        _is_pulumi,
        b"resources:\n  a:\n    type: aws:s3:Bucket\n",
    ),
    Recognised(
        DocumentKind.COMPOSE,
        (
            re.compile(rb"\bservices[\"']?[ \t]*:"),
            re.compile(rb"\b(?:image|build)[\"']?[ \t]*:"),
        ),
        _is_compose,
        b"services:\n  a:\n    image: b\n",
    ),
    Recognised(
        DocumentKind.AZURE_PIPELINES,
        (
            re.compile(rb"(?m)^[ \t-]*(?:steps|jobs|stages|extends)[ \t]*:"),
            re.compile(
                rb"(?m)^[ \t-]*(?:task|script|bash|pwsh|powershell|checkout|publish|template|pool)"
                rb"[ \t]*:"
            ),
        ),
        is_azure,
        b"steps:\n- task: Bash@3\n",
    ),
    Recognised(
        DocumentKind.CIRCLECI,
        (
            re.compile(rb"(?m)^version[ \t]*:[ \t]*[\"']?2"),
            re.compile(rb"(?m)^(?:jobs|workflows|orbs|commands)[ \t]*:"),
        ),
        is_circleci,
        b"version: 2.1\njobs:\n  a:\n    steps: [checkout]\n",
    ),
    Recognised(
        DocumentKind.BITBUCKET,
        (
            re.compile(rb"(?m)^pipelines[ \t]*:"),
            re.compile(
                rb"(?m)^[ \t]+(?:default|branches|tags|bookmarks|custom|pull-requests)[ \t]*:"
            ),
        ),
        is_bitbucket,
        b"pipelines:\n  default:\n  - step:\n      script: [a]\n",
    ),
    Recognised(
        DocumentKind.ANSIBLE,
        (
            re.compile(rb"(?m)^-[ \t]+[\"']?[\w.]+[\"']?[ \t]*:"),
            re.compile(
                rb"(?m)^[ \t-]+(?:%s|(?:\w+\.){2}\w+)[ \t]*:" % _words(_PLAY_KEYS | _TASK_KEYS)
            ),
        ),
        _is_ansible,
        b"- hosts: a\n  tasks: []\n",
    ),
    Recognised(
        DocumentKind.SERVERLESS,
        (
            re.compile(rb"(?m)^[ \t{]*[\"']?service[\"']?[ \t]*:"),
            re.compile(rb"(?m)^[ \t{,]*[\"']?provider[\"']?[ \t]*:"),
        ),
        _is_serverless,
        b"service: a\nprovider:\n  name: aws\n",
    ),
    Recognised(
        DocumentKind.OPENAPI,
        (
            re.compile(rb"\b(?:openapi|swagger)[\"']?[ \t]*:[ \t]*[\"']?[23]\."),
            re.compile(rb"\b(?:paths|info)[\"']?[ \t]*:"),
        ),
        _is_openapi,
        b"openapi: 3.0.0\ninfo: {}\npaths: {}\n",
    ),
    Recognised(
        DocumentKind.GITLAB_CI,
        (
            re.compile(rb"(?m)^[ \t]+(?:before_|after_)?script[ \t]*:|^include[ \t]*:"),
            re.compile(rb"(?m)^[ \t]+(?:stage|extends|image|script)[ \t]*:|^include[ \t]*:"),
        ),
        _is_gitlab_ci,
        b"a:\n  script: [b]\n  stage: c\n",
    ),
)
