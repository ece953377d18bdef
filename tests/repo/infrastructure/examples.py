"""The examples of entries as the files that they stand for, one function a dialect."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import indent

import yaml

from mergegate.repo.facts.resources import Dialect, dialect_of
from mergegate.repo.infrastructure import Entry, Subject
from tests.repo.infrastructure import pipelines

_BLOCK = re.compile(r"^(?:resource|data|module|provider|terraform) |^kind: ", re.MULTILINE)
_INSTRUCTION = re.compile(
    r"(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL"
    r"|STOPSIGNAL|USER|VOLUME|WORKDIR) "
)
_NGINX_FILE = re.compile(r"^(?:server|http|stream|location|map|geo|mail) ?[^\n]*\{", re.MULTILINE)


def examples(entry: Entry, verdict: str) -> Iterator[tuple[Subject, dict[str, str]]]:
    """Each example of each kind, as the files that it stands for."""
    for subject in entry.subjects:
        for kind in subject.kinds:
            for body in getattr(subject, verdict):
                if kind == subject.kinds[0] or not _BLOCK.search(body):
                    yield subject, written(subject, kind, body)


def written(subject: Subject, kind: str, body: str) -> dict[str, str]:
    """The file that an example stands for; a whole file is one already."""
    return _WRITTEN[dialect_of(kind)](kind, body)


_HOLDERS = {"rights": "AWS::IAM::ManagedPolicy", "trust": "AWS::IAM::Role"}


def _template(kind: str, body: str) -> dict[str, str]:
    """A body is the properties of a resource, or of a policy one statement."""
    if re.search(r"^Resources:", body, re.MULTILINE):
        return {"template.yaml": body}
    family, _, use = kind.lower().partition("::")
    if family == "policy":
        kind = _HOLDERS.get(use, "AWS::SQS::QueuePolicy")
        setting = "AssumeRolePolicyDocument" if use == "trust" else "PolicyDocument"
        body = f"{setting}:\n  Statement:\n  - {body.replace(chr(10), chr(10) + '    ')}"
    indented = body.replace("\n", "\n      ") or "{}"
    inside = f"  Tested:\n    Type: {kind}\n    Properties:\n      {indented}\n"
    return {"template.yaml": f"Resources:\n{inside}"}


_STATEMENTS = {
    "rights": ("aws_iam_policy", "policy"),
    "trust": ("aws_iam_role", "assume_role_policy"),
    "resource": ("aws_sqs_queue_policy", "policy"),
    "document": ("aws_sqs_queue_policy", "policy"),
}


def _configuration(kind: str, body: str) -> dict[str, str]:
    if _BLOCK.search(body):
        return {"main.tf": body}
    family, _, name = kind.rpartition(".")
    if family == "policy":
        kind, setting = _STATEMENTS[name]
        said = f"jsonencode({{ Statement = [{{\n{body}\n}}] }})"
        text = f'resource "{kind}" "a" {{\n{setting} = {said}\n}}\n'
    elif family == "module":
        text = f'module "a" {{\nsource = "{name}"\n{body}\n}}\n'
    elif family == "backend":
        text = f'terraform {{\n  backend "{name}" {{\n{body}\n}}\n}}\n'
    elif family == "provider":
        text = f'provider "{name}" {{\n{body}\n}}\n'
    else:
        text = f'{family or "resource"} "{name}" "tested" {{\n{body}\n}}\n'
    return {"main.tf": text}


def _dockerfile(kind: str, body: str) -> dict[str, str]:
    """A body is lines of a Dockerfile, or what stands behind the program or instruction."""
    name = kind.partition(".")[2]
    if not _INSTRUCTION.match(body):
        body = f"{name} {body}" if name.isupper() else f"RUN {name} {body}"
    if kind == "dockerfile.FROM":
        body += "\nEXPOSE 80"  # an image that serves, where all weighs in full
    is_whole = re.search(r"^FROM ", body, re.MULTILINE)
    return {"Dockerfile": f"{body}\n" if is_whole else f"FROM example:1\n{body}\n"}


SCHEMA = "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"


_DECLARATIONS = {"arm.parameter": "parameters", "arm.output": "outputs"}


def _azure(kind: str, body: str) -> dict[str, str]:
    """A template of one resource, whose properties the body says in YAML."""
    said = yaml.safe_load(body) or {}
    resource = {"type": kind, "apiVersion": "2024-01-01", "name": "tested"}
    template: dict[str, object] = {"$schema": SCHEMA, "resources": [resource | said]}
    if kind in _DECLARATIONS:
        name = said.pop("name", "tested")
        template = {"$schema": SCHEMA, "resources": [], _DECLARATIONS[kind]: {name: said}}
    return {"azuredeploy.json": json.dumps(template, indent=2)}


def in_bicep(kind: str, body: str) -> str | None:
    """A resource of a template in Bicep; None for what an expression of JSON says."""
    said = yaml.safe_load(body) or {}
    if kind in _DECLARATIONS or '"[' in json.dumps(said):
        return None
    resource = {"name": "tested"} | said
    return f"resource tested '{kind}@2024-01-01' = {_value(resource, '')}\n"


def _value(value: object, indent: str) -> str:
    inner = f"{indent}  "
    if isinstance(value, dict):
        said = (f"{inner}{_key(key)}: {_value(one, inner)}\n" for key, one in value.items())
        return f"{{\n{''.join(said)}{indent}}}"
    if isinstance(value, list):
        items = (f"{inner}{_value(one, inner)}\n" for one in value)
        return f"[\n{''.join(items)}{indent}]"
    if isinstance(value, str):
        return "'{}'".format(value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\${"))
    return json.dumps(value)


def _key(key: str) -> str:
    return key if key.isidentifier() else f"'{key}'"


def _manifest(kind: str, body: str) -> dict[str, str]:
    if _BLOCK.search(body):
        return {"tested.yaml": body}
    name = kind.partition(".")[2]
    if name in {"container", "program"}:
        body = f"containers:\n- name: tested\n{indent(body, '  ')}"
    elif name == "pod" and "containers:" not in body:
        body = f"{body}\ncontainers:\n- name: tested\n"
    if name in {"container", "program", "pod"}:
        name, body = "Deployment", f"spec:\n  template:\n    spec:\n{indent(body, ' ' * 6)}"
    version = "" if "apiVersion:" in body else "apiVersion: v1\n"
    metadata = "" if "metadata:" in body else "metadata:\n  name: tested\n"
    return {"tested.yaml": f"{version}kind: {name}\n{metadata}{body}\n"}


_SECTIONS = {"service": "services", "network": "networks", "volume": "volumes"}


def _compose(kind: str, body: str) -> dict[str, str]:
    """A body is what a service or another part of the file says, or the file from its top."""
    part = kind.partition(".")[2]
    if part == "file" or re.search(r"^services:", body, re.MULTILINE):
        whole = body if "services:" in body else f"{body}\nservices:\n  a:\n    image: example:1\n"
        return {"compose.yaml": f"{whole}\n"}
    inside = body.strip("\n").replace("\n", "\n    ")
    if part != "service":
        part_said = f"{_SECTIONS[part]}:\n  tested:\n    {inside}\n"
        return {"compose.yaml": f"services:\n  a:\n    image: example:1\n{part_said}"}
    image = "" if re.search(r"^(image|build):", body, re.MULTILINE) else "    image: example:1\n"
    return {"compose.yaml": f"services:\n  tested:\n{image}    {inside}\n"}


def _indented(body: str, depth: int) -> str:
    return "".join(f"{' ' * depth}{line}\n" for line in body.splitlines())


def _nginx(kind: str, body: str) -> dict[str, str]:
    _, _, name = kind.partition(".")
    if _NGINX_FILE.search(body) or name == "main":
        return {"nginx.conf": body}
    around = {"http": "http {{\n{}}}\n", "location": "server {{\nlocation /a/ {{\n{}}}\n}}\n"}
    return {"nginx.conf": around.get(name, "server {{\n{}}}\n").format(_indented(body, 2))}


def _apache(kind: str, body: str) -> dict[str, str]:
    section = {
        "directory": ("<Directory /srv/www>", "</Directory>"),
        "location": ("<Location /a>", "</Location>"),
        "files": ('<Files "a">', "</Files>"),
        "proxy": ("<Proxy *>", "</Proxy>"),
    }.get(kind.partition(".")[2], ("<VirtualHost *:443>", "</VirtualHost>"))
    if body.startswith("<") or kind == "apache.main":
        return {"httpd.conf": f"{body}\n"}
    return {"httpd.conf": f"{section[0]}\n{_indented(body, 2)}{section[1]}\n"}


def _openapi(kind: str, body: str) -> dict[str, str]:
    del kind  # an example is a description but for its first lines
    version = "" if re.search(r"^(?:swagger|openapi):", body) else "openapi: 3.0.3\n"
    return {"openapi.yaml": f"{version}info: {{title: Tested, version: '1'}}\n{body}\n"}


def _serverless(kind: str, body: str) -> dict[str, str]:
    del kind  # an example is a service but for its name
    provider = "" if "provider:" in body else "provider: {name: aws}\n"
    return {"serverless.yml": f"service: tested\n{provider}{body}\n"}


def _ansible(kind: str, body: str) -> dict[str, str]:
    _, _, name = kind.partition(".")
    if name == "settings":
        return {"ansible.cfg": f"{body}\n"}
    if name == "variables":
        return {"inventory.ini" if body.startswith("[") else "group_vars/all.yml": f"{body}\n"}
    if body.startswith("- hosts:"):
        return {"site.yml": f"{body}\n"}
    if name == "play":
        return {"site.yml": f"- hosts: all\n{_indented(body, 2)}"}
    given, _, keywords = body.partition("\n\n")  # an empty line parts them
    task = (
        body
        if name == "task"
        else f"tested.tested.{name}:\n{_indented(given or '{}', 2)}{keywords}"
    )
    return {"roles/a/tasks/main.yml": f"- name: tested\n{_indented(task, 2)}"}


def _whole_file(name: str) -> Callable[[str, str], dict[str, str]]:
    return lambda _, body: {name: f"{body}\n"}


_WRITTEN: Mapping[Dialect, Callable[[str, str], dict[str, str]]] = {
    Dialect.TERRAFORM: _configuration,
    Dialect.CLOUDFORMATION: _template,
    Dialect.DOCKERFILE: _dockerfile,
    Dialect.ARM: _azure,
    Dialect.KUBERNETES: _manifest,
    Dialect.COMPOSE: _compose,
    Dialect.AZURE_PIPELINES: pipelines.of_azure,
    Dialect.BITBUCKET: pipelines.of_bitbucket,
    Dialect.CIRCLECI: pipelines.of_circleci,
    Dialect.GITHUB_ACTIONS: pipelines.of_github,
    Dialect.GITLAB_CI: pipelines.of_gitlab,
    Dialect.JENKINS: pipelines.of_jenkins,
    Dialect.ANSIBLE: _ansible,
    Dialect.SERVERLESS: _serverless,
    Dialect.OPENAPI: _openapi,
    Dialect.NGINX: _nginx,
    Dialect.APACHE: _apache,
    Dialect.PHP: _whole_file("php.ini"),
    Dialect.SSHD: _whole_file("sshd_config"),
    Dialect.DOCKER: _whole_file("daemon.json"),
    Dialect.HAPROXY: _whole_file("haproxy.cfg"),
    Dialect.CADDY: _whole_file("Caddyfile"),
}
