"""What Compose files are as resources: short forms, variables, lines of merged settings."""

import pytest

from mergegate.core.finding import Finding
from mergegate.core.severity import Severity
from mergegate.core.tree import Reason
from mergegate.repo.cache import RunMemory
from mergegate.repo.checks.infrastructure.dialects import described
from mergegate.repo.engines import documents, manifests
from mergegate.repo.facts.documents import Node
from mergegate.sandbox.engines.engine import EngineContext
from tests.repo.engines.helm.charts import read, tree
from tests.repo.infrastructure.reading import answers, told


def judged(text: str) -> list[Finding]:
    """What is told of a file, habits apart."""
    return [one for one in told({"compose.yaml": text}) if one.severity > Severity.INFO]


def service(body: str) -> Node:
    """The settings of the one service."""
    text = f"services:\n  a:\n    image: a:1\n    {body}\n"
    fact = documents.fact(answers(documents.DocumentEngine(), {"compose.yaml": text}))
    [found] = [one for one in described(fact) if one.kind == "compose.service"]
    return found.properties


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        ("80", ("80", "", "", "false")),
        ("8080:80", ("80", "8080", "", "true")),
        ("127.0.0.1:8080:80/udp", ("80", "8080", "127.0.0.1", "false")),
        ("[::1]:8080:80", ("80", "8080", "[::1]", "false")),
        ("[::]:8080:80", ("80", "8080", "[::]", "true")),
        ("${PORT:-8080}:80", ("80", "8080", "", "true")),
        ("${PORT:?unset}:80", ("80", "${PORT:?unset}", "", "true")),
        ("${BIND}:8080:80", ("80", "8080", "${BIND}", "false")),
        ("{target: 80, published: 8080}", ("80", "8080", "", "true")),
        ("{target: 80, published: 8080, host_ip: 127.0.0.1}", ("80", "8080", "127.0.0.1", "false")),
    ],
)
def test_every_form_of_a_port_says_the_same(port: str, expected: tuple[str, ...]) -> None:
    written = port if port.startswith("{") else f'"{port}"'
    [found] = service(f"ports: [{written}]")["ports"].items
    keys = ("target", "published", "address", "everywhere")
    assert tuple(found[key].text for key in keys) == expected


@pytest.mark.parametrize(
    ("mount", "expected"),
    [
        ("./a:/b", ("./a", "/b", "false")),
        ("/a/:/b:ro,z", ("/a", "/b", "true")),
        ("/:/b", ("/", "/b", "false")),
        ("/b", ("", "", "false")),
        ("{type: bind, source: /a, target: /b, read_only: true}", ("/a", "/b", "true")),
    ],
)
def test_every_form_of_a_mount_says_the_same(mount: str, expected: tuple[str, ...]) -> None:
    written = mount if mount.startswith("{") else f'"{mount}"'
    [found] = service(f"volumes: [{written}]")["mounts"].items
    assert tuple(found[key].text for key in ("source", "target", "read_only")) == expected


@pytest.mark.parametrize("environment", ["[A=b, C]", "{A: b, C: }"])
def test_variables_are_a_map_however_they_are_written(environment: str) -> None:
    assert service(f"environment: {environment}")["variables"]["A"].text == "b"


@pytest.mark.parametrize("value", ["${A}", "${A:+true}", "$A"])
def test_what_a_variable_decides_is_not_told(value: str) -> None:
    text = f'services: {{a: {{image: a:1, privileged: "{value}"}}}}\n'
    assert judged(text) == []


def test_two_dollar_signs_are_no_variable() -> None:
    assert service("user: $$root")["user"].tag == ""


def test_merged_settings_count_where_they_are_written() -> None:
    text = """x-base: &base
  privileged: true
services:
  a:
    <<: *base
    image: a:1
"""
    [finding] = judged(text)
    assert (finding.place.start_line, "service a" in finding.message) == (2, True)


def test_a_file_of_two_parts_may_name_what_the_other_defines() -> None:
    text = "services:\n  a: {image: a:1, depends_on: [b]}\n  c: {restart: always}\n"
    assert judged(text) == []


def test_a_secret_is_in_no_resource() -> None:
    found = service("environment: [DB_PASSWORD=no-real-one]")
    assert "no-real" not in repr(found)
    assert [one.text for one in found["written_secrets"].items] == ["DB_PASSWORD"]


def test_thousands_of_services_are_told_of_to_the_end() -> None:
    services = "".join(
        f'  s{n}: {{image: a:1, ports: ["80:80"], depends_on: [s1]}}\n' for n in range(3_000)
    )
    assert len(judged(f"services:\n{services}")) == 3_000


def test_a_habit_is_told_once_of_a_file() -> None:
    text = "services:\n  a: {image: a:1}\n  b: {image: b:1}\n"
    found = [one.rule_id for one in told({"compose.yaml": text})]
    assert found.count("iac-compose-capabilities-kept") == 1


@pytest.mark.parametrize("value", ["${ALL:-true}", "${ALL-true}"])
def test_a_variable_that_nobody_sets_has_its_default(value: str) -> None:
    text = f"services:\n  a:\n    image: a:1\n    privileged: {value}\n"
    assert "iac-compose-privileged" in {one.rule_id for one in judged(text)}


@pytest.mark.parametrize("value", ["${ALL}", "${ALL:+true}", "$${ALL:-true}", "${A:-${B:-true}}"])
def test_other_variables_stay_unknown(value: str) -> None:
    assert service(f"privileged: {value}")["privileged"].text != "true"


@pytest.mark.parametrize(("name", "told_of"), [("web", False), ("other", True)])
def test_what_another_file_defines_is_no_undefined_name(name: str, told_of: bool) -> None:
    files = {
        "compose.yaml": "services:\n  web:\n    image: a:1\n",
        "adapters/compose.yaml": f"services:\n  a:\n    image: a:1\n    depends_on: [{name}]\n",
    }
    assert ("iac-compose-undefined-name" in {one.rule_id for one in told(files)}) is told_of


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("command: serve", Severity.HIGH),
        ("entrypoint: /bin/bash", Severity.INFO),
        ("entrypoint: tini --\n    command: [bash, -l]", Severity.INFO),
        ("entrypoint: bash\n    command: -c serve", Severity.HIGH),
        ("command: tox -e py3", Severity.INFO),
        ("command: sleep infinity", Severity.INFO),
        ("command: bash\n    ports: ['80:80']", Severity.HIGH),
    ],
)
def test_a_service_to_work_in_may_rule_its_machine(body: str, severity: Severity) -> None:
    text = f"services:\n  a:\n    image: a:1\n    privileged: true\n    {body}\n"
    [found] = [one for one in told({"compose.yaml": text}) if "privileged" in one.rule_id]
    assert found.severity is severity


@pytest.mark.parametrize("naming", ["include: [more.inc]", "include: [{path: [more.inc]}]"])
def test_what_a_file_includes_is_read_whatever_its_name_is(naming: str) -> None:
    files = {
        "compose.yaml": f"{naming}\nservices: {{a: {{image: 'a:1'}}}}\n",
        "more.inc": "include: [last.py]\nservices:\n  b: {image: 'b:1', privileged: true}\n",
        "last.py": "services:\n  c: {image: 'c:1', privileged: true}\n",
    }
    read_ones = [one for one in read(files).files if one.found.documents]
    assert [one.path for one in read_ones] == ["compose.yaml", "last.py", "more.inc"]
    alone = {path: text for path, text in files.items() if path != "compose.yaml"}
    assert not any(one.found.documents for one in read(alone).files)


def test_files_that_name_one_another_without_end_are_named() -> None:
    services = "services: {a: {image: 'a:1'}}\n"
    files = {f"{n}.inc": f"include: [{n + 1}.inc]\n{services}" for n in range(40)}
    files |= {"compose.yaml": f"include: [0.inc]\n{services}", "40.inc": "include: [0.inc]\n"}
    with tree(files) as (seen, stage):
        found = manifests.source(RunMemory()).gather(seen, EngineContext(stage), {})
    [limit] = found.limited
    assert (limit.path, limit.cause) == ("20.inc", Reason.GIVE_UP)
    assert "19.inc" in found.searched
    assert "20.inc" not in found.searched
