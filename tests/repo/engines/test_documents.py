"""Reading infrastructure files: what they hold, and what hostile ones may not do."""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from mergegate.core.report import EngineStatus
from mergegate.core.tree import Role, SourceFile, Tree
from mergegate.repo.engines.documents import SIZE_BUDGET, DocumentEngine, fact, instructions
from mergegate.repo.engines.documents.nodes import (
    DEPTH_BUDGET,
    Unreadable,
    masked_text,
    parse,
)
from mergegate.repo.facts.documents import ABSENT, MASKED, DocumentKind, Documents, FileDocuments
from mergegate.sandbox.engines.engine import EngineContext, Examination, ask
from mergegate.sandbox.files.stage import Stage

POD = "apiVersion: v1\nkind: Pod\n"


class Forgetful:
    """A memory that keeps nothing."""

    def recall(self, keys: object, anew: object = ()) -> dict[str, bytes]:
        return {}

    def remember(self, values: object) -> None:
        return


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


def source(folder: Path, path: str, content: bytes) -> SourceFile:
    digest = hashlib.sha256(content).hexdigest()
    location = folder / digest
    location.write_bytes(content)
    language = "dockerfile" if path.endswith("Dockerfile") else "yaml"
    return SourceFile(
        path=path, location=location, size=len(content), digest=digest, language=language
    )


def examined(
    tmp_path: Path, context: EngineContext, content: str | bytes
) -> tuple[FileDocuments, str]:
    """Answer and problem for one YAML file."""
    raw = content.encode() if isinstance(content, str) else content
    file = source(tmp_path, "a.yaml", raw)
    examination: Examination[FileDocuments] = DocumentEngine().examine([file], context)
    return examination.answers[file.key], examination.problems.get(file.key, "")


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (POD, ["kubernetes"]),
        (f"{POD}---\n{POD}", ["kubernetes", "kubernetes"]),
        ("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n", ["kubernetes"]),
        ("services:\n  web:\n    build: .\n", ["compose"]),
        ("Resources:\n  A:\n    Type: AWS::S3::Bucket\n", ["cloudformation"]),
        ("AWSTemplateFormatVersion: 2010-09-09\nResources: {}\n", ["cloudformation"]),
        ("build:\n  script: [make]\n", ["gitlab-ci"]),
        ("include:\n  - local: a.yml\n", ["gitlab-ci"]),
        ("services:\n  app.mailer:\n    class: Mailer\n    image: {}\n", ["compose"]),
        ("language: python\njob:\n  script: [make]\n", []),
        ("script: make\nmatrix:\n  include:\n    - script: test\n", []),
        ("openapi: 3.0.0\npaths: {}\n", ["openapi"]),
        ('{"swagger": "2.0", "info": {}, "paths": {}}', ["openapi"]),
        ("openapi: yes\ninfo: generated\n", []),
        ("- hosts: web\n  tasks: []\n", ["ansible"]),
        ("- name: a\n  ansible.builtin.apt:\n    name: b\n", ["ansible"]),
        ("- name: a\n  price: 3\n", []),
        ("service: a\nprovider:\n  name: aws\n", ["serverless"]),
        ("service: a\nprovider: {}\n", []),
        ("kind: a\nservice: b\nprovider: {name: aws}\n", []),
        ("kind: a\nservice: b\nprovider: {name: aws}\nfunctions: {}\n", ["serverless"]),
        (
            f"{POD}service: b\nprovider: {{name: aws}}\nresources: {{}}\n",
            ["kubernetes", "serverless"],
        ),
        ("openapi: 3.0.0\ninfo: {}\napiVersion: v1\nkind: Pod\n", ["kubernetes", "openapi"]),
        ('"api\\x56ersion": v1\nkind: Pod\n', ["kubernetes"]),
        ("? apiVersion\n: v1\n? kind\n: Pod\n", ["kubernetes"]),
        ('{"Resources": {"A": {"Type": "AWS\\u003a:S3::Bucket"}}}', ["cloudformation"]),
        (
            "apiVersion: v1\nkind: PodList\nitems:\n- {kind: Pod}\n- {kind: Pod}\n",
            ["kubernetes"] * 2,
        ),
        (
            "apiVersion: v1\nkind: List\nitems:\n- kind: List\n  items:\n  - {a: 1}\n  - {b: 2}\n",
            ["kubernetes"] * 2,
        ),
        ('build: {"script": [make], image: ruby}\n', ["gitlab-ci"]),
        ('{"build": {"script": ["make"]}}', ["gitlab-ci"]),
        ("a:\n  script: [b]\nAWSTemplateFormatVersion:\n  script: [b]\n", ["gitlab-ci"]),
        ("script:\n  script: [b]\nlanguage:\n  script: [b]\n", ["gitlab-ci"]),
        ('"steps":\n- {script: make}\n', ["azure-pipelines"]),
        ("steps:\n- {script: make, name: a, displayName: b}\n", ["azure-pipelines"]),
        ("pool: a\nsteps:\n- {script: make, name: a}\n", ["azure-pipelines"]),
        ("steps:\n- {script: make, name: a}\n", []),
        ('{"version": 2.1, "jobs": {"a": {"steps": ["checkout"]}}}', ["circleci"]),
        ('"pipelines": {"default": [{"step": {"script": ["a"]}}]}', ["bitbucket"]),
        ("[{hosts: all, tasks: []}]\n", ["ansible"]),
        ("openapi: &version 3.0.0\ninfo: {}\n", ["openapi"]),
        ("services:\n  a:\n    network_mode: host\n", ["compose"]),
        ("services:\n  a:\n    ports: ['80:80']\n", ["compose"]),
        ("services:\n  a:\n    ports: [http]\n", []),
        ("apiVersion: v2\nname: chart\n", []),
        ("- apiVersion: v1\n- kind: Pod\n", []),
        ("", []),
    ],
)
def test_document_kind_is_told_by_content(
    tmp_path: Path, context: EngineContext, content: str, kinds: list[str]
) -> None:
    found, problem = examined(tmp_path, context, content)
    assert ([document.kind for document in found.documents], problem) == (kinds, "")


def test_nodes_carry_the_line_of_their_key() -> None:
    [root] = parse("a:\n  b:\n    - x\n    - y: 1\nc: >-\n  folded\n  text\n").roots
    assert (root["a"].line, root.at("a", "b").line, root.at("a", "b").items[1].line) == (1, 2, 4)
    assert (root["c"].text, root["c"].line) == ("folded text", 5)
    assert root.at("a", "missing", "deeper") is ABSENT


def test_merge_keys_fill_in_what_is_not_set() -> None:
    [root] = parse("x: &x {a: 1, b: 2}\ny: &y {c: 3}\nz:\n  <<: [*x, *y]\n  b: 9\n").roots
    assert {key: value.text for key, value in root["z"].entries} == {"b": "9", "a": "1", "c": "3"}


def test_the_last_of_two_equal_keys_counts_and_is_a_problem(
    tmp_path: Path, context: EngineContext
) -> None:
    found, problem = examined(tmp_path, context, POD + "spec: 1\nspec: 2\n")
    assert found.documents[0].root["spec"].text == "2"
    assert "spec in line 4" in problem


def test_a_file_cannot_say_that_a_value_is_not_known() -> None:
    [root] = parse("a: !unknown 1\nb: !null {c: 1}\nd: !document [1]\n").roots
    assert [child.tag for child in root.children] == ["", "", ""]


def test_tags_are_kept_and_nothing_is_built_from_them(
    tmp_path: Path, context: EngineContext
) -> None:
    canary = tmp_path / "canary"
    text = f'{POD}a: !Ref Name\nb: !!python/object/apply:os.system ["touch {canary}"]\n'
    found, _ = examined(tmp_path, context, text)
    root = found.documents[0].root
    assert (root["a"].tag, root["a"].is_literal, canary.exists()) == ("!Ref", False, False)


@pytest.mark.parametrize(
    "text",
    [
        "image: {{ .Values.image }}\n",
        "{{- if .Values.on }}\nspec: {}\n{{- end }}\n",
        "spec:\n{{ toYaml .Values.spec | indent 2 }}\n",
        "{% if on %}\nspec: {}\n{% endif %}\n",
    ],
)
def test_templates_are_recorded_and_not_read(
    tmp_path: Path, context: EngineContext, text: str
) -> None:
    found, problem = examined(tmp_path, context, POD + text)
    assert (found.template, found.documents, problem) == (True, (), "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: [\n", "it is not valid YAML"),
        ("---\n{{- if .Values.on }}\na: b\n{{- end }}\n", ""),
        ("---\n{{ include }}: b\n", ""),
    ],
)
def test_a_broken_document_hides_none_before_it(
    tmp_path: Path, context: EngineContext, text: str, problem: str
) -> None:
    found, told = examined(tmp_path, context, POD + text)
    assert (len(found.documents), found.template) == (1, not problem)
    assert told.startswith(problem) and bool(told) == bool(problem)


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("pod", POD, 1),
        ("pod.txt", POD, 1),
        ("pod.yaml.tmpl", POD, 1),
        ("pod.j2", POD + "---\n{{ include }}: b\n", 1),
        ("notes.txt", f"This is a pod.\n\n{POD}", 0),
        ("tasks", "- hosts: a\n  tasks: []\n", 0),
        ("pod.svg", POD, 0),
    ],
)
def test_a_manifest_is_one_under_any_name(
    tmp_path: Path, context: EngineContext, path: str, text: str, count: int
) -> None:
    file = replace(source(tmp_path, path, text.encode()), language=None)
    engine = DocumentEngine()
    files = [file] if engine.wants(file) else []
    found = engine.examine(files, context).answers
    assert sum(len(one.documents) for one in found.values()) == count


def test_quoted_braces_are_no_template(tmp_path: Path, context: EngineContext) -> None:
    found, _ = examined(tmp_path, context, POD + 'a: "{{ inputs.name }}"\n')
    assert (found.template, len(found.documents)) == (False, 1)


def bomb() -> str:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for name, before in zip("bcdefghijk", "abcdefghij", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("hostile", "reason"),
    [
        (bomb(), "aliases counted in full"),
        ("a: [" + "1," * 300_000 + "]", "more than 200,000 values"),
        ("a: " + "[" * 100_000, "nested more than"),
        ("a: " + "{a: " * 100_000, "nested more than"),
        ("\n".join(" " * depth + "a:" for depth in range(2_000)), "nested more than"),
        ("a: &a [*a]", "not complete"),
        ("a: *nowhere", "not complete"),
        ("a: [1", "not valid YAML"),
        ("a: \0", "not valid YAML"),
        ("\ta: 1", "not valid YAML"),
    ],
)
def test_hostile_file_is_a_problem_and_takes_no_time(
    tmp_path: Path, context: EngineContext, hostile: str, reason: str
) -> None:
    started = time.process_time()
    found, problem = examined(tmp_path, context, POD + hostile)
    assert found == FileDocuments()
    assert reason in problem
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "filler",
    ["secret " * 30_000, "a" * 500_000, "eyJ-" * 70_000, "-" * 500_000, "://a:" * 50_000],
)
def test_masking_is_linear_in_the_length_of_a_line(
    tmp_path: Path, context: EngineContext, filler: str
) -> None:
    started = time.process_time()
    examined(tmp_path, context, f"{POD}a: 'token {filler}'\n")
    assert time.process_time() - started < 5


def test_oversized_file_is_a_problem(tmp_path: Path, context: EngineContext) -> None:
    _, problem = examined(tmp_path, context, POD + "#" * SIZE_BUDGET)
    assert "larger than 8 MiB" in problem


def test_oversized_file_that_is_no_infrastructure_is_none(
    tmp_path: Path, context: EngineContext
) -> None:
    assert examined(tmp_path, context, "#" * (SIZE_BUDGET + 1)) == (FileDocuments(), "")


def test_invalid_utf8_is_a_problem(tmp_path: Path, context: EngineContext) -> None:
    assert (
        examined(tmp_path, context, POD.encode() + b"a: \xff\xfe\n")[1] == "it is not valid UTF-8"
    )


def test_broken_yaml_that_is_no_infrastructure_is_none(
    tmp_path: Path, context: EngineContext
) -> None:
    assert examined(tmp_path, context, "a: [1\nb: }\n") == (FileDocuments(), "")


@pytest.mark.parametrize("depth", [1, DEPTH_BUDGET - 4])
def test_answers_survive_saving(tmp_path: Path, context: EngineContext, depth: int) -> None:
    """As deep as the budget allows: JSON readers have limits of their own."""
    text = f"{POD}a: {'[' * depth}!Ref x{']' * depth}\n"
    found, _ = examined(tmp_path, context, text)
    adapter = TypeAdapter(FileDocuments)
    assert adapter.validate_json(adapter.dump_json(found)) == found


def test_deeper_than_the_budget_is_refused() -> None:
    with pytest.raises(Unreadable):
        parse("[" * (DEPTH_BUDGET + 1) + "]" * (DEPTH_BUDGET + 1))


SECRETS = [
    "env: [{name: DB_PASSWORD, value: no-real-pass}]",
    "password: no-real-pass",
    "variables: {API_TOKEN: {value: no-real-pass}}",
    "command: run --password no-real-pass",
    "args: ['--token=no-real-pass']",
    "url: postgres://app:no-real-pass@db.example.org/app",
    "environment: ['SECRET_KEY=no-real-pass']",
    "key: |\n  -----BEGIN RSA PRIVATE KEY-----\n  no-real-pass\n  -----END RSA PRIVATE KEY-----",
    "AWS_SECRET_ACCESS_KEY: no-real-pass",
    "x: glpat-no-real-pass-0000000000",
    "environment: [RABBITMQ_DEFAULT_PASS=no-real-pass]",
]


@pytest.mark.parametrize("line", SECRETS)
def test_secrets_are_masked_when_read(tmp_path: Path, context: EngineContext, line: str) -> None:
    found, _ = examined(
        tmp_path, context, f"{POD}spec:\n" + "".join(f"  {part}\n" for part in line.split("\n"))
    )
    assert "no-real" not in repr(found)
    assert MASKED in repr(found)


@pytest.mark.parametrize(
    "line",
    [
        "password: ${PASSWORD}",
        "secretName: db",
        "tokenFile: /run/secrets/token",
        "passwordKey: database-password",
        "image: registry.example.org/secret/app:1",
        "password: changeme",
        "password: test-password1",
        "command: echo $TOKEN",
        "automountServiceAccountToken: false",
        "bypass: everything",
        "passThrough: everything",
    ],
)
def test_references_and_stand_ins_are_not_masked(
    tmp_path: Path, context: EngineContext, line: str
) -> None:
    assert MASKED not in repr(examined(tmp_path, context, f"{POD}spec:\n  {line}\n"))


def test_what_a_command_puts_there_is_no_secret_that_is_written_out() -> None:
    assert masked_text("A_PASSWORD=`aws ecr get-login`").startswith("A_PASSWORD=`")
    assert masked_text("A_PASSWORD=no-real-pass") == f"A_PASSWORD={MASKED}"


def test_payloads_of_secrets_are_dropped(tmp_path: Path, context: EngineContext) -> None:
    text = "apiVersion: v1\nkind: Secret\ndata:\n  a: bm8tcmVhbA==\nstringData:\n  b: no-real\n"
    found, _ = examined(tmp_path, context, text)
    root = found.documents[0].root
    assert (root.keys, root["stringData"].keys) == (("apiVersion", "kind", "stringData"), ())


_AZURE = '{"$schema": "https://a.example/deploymentTemplate.json#", "resources": [], '
_SERVICE = "service: a\nprovider:\n  name: aws\nfunctions: {}\n"


@pytest.mark.parametrize(
    "text",
    [
        _AZURE + '"outputs": {"a": {"type": "string", "value": "no-real-one"}}}',
        _AZURE + '"outputs": {"a": {"type": "string", "value": "[[no-real-one]"}}}',
        _AZURE + '"outputs": {"a": {"type": "object", "value": {"b": ["no-real-one"]}}}}',
        _SERVICE.replace(
            "aws\n", "aws\n  apiGateway: {apiKeys: [{name: a, value: no-real-one}]}\n"
        ),
        _SERVICE.replace("aws\n", "aws\n  apiKeys: [no-real-one, {free: [no-real-one]}]\n"),
        _AZURE.replace("Template", "Parameters") + '"parameters": {"a": {"value": "no-real-1A!"}}}',
        "openapi: 3.0.0\ninfo: {}\npaths: {a: {format: password, example: no-real-one}}\n",
        "openapi: 3.0.0\ninfo: {}\npaths: {password: {type: string, example: no-real-one}}\n",
        "openapi: 3.0.0\ninfo: {}\npaths: {a: [{name: password, example: no-real-one}]}\n",
    ],
)
def test_what_holds_a_secret_is_known_where_no_name_tells(
    tmp_path: Path, context: EngineContext, text: str
) -> None:
    found, _ = examined(tmp_path, context, text)
    assert found.documents
    assert "no-real" not in repr(found)


def test_what_a_template_is_given_is_known_where_it_is_no_password(
    tmp_path: Path, context: EngineContext
) -> None:
    values = '{"a": {"value": "Standard_LRS"}, "b": {"value": ["10.0.0.0/8", "TLS1_2"]}}'
    text = f'{_AZURE.replace("Template", "Parameters")}"parameters": {values}}}'
    found, _ = examined(tmp_path, context, text)
    given = found.documents[0].root["parameters"]
    texts = [one.text for one in given.walk() if one.is_literal]
    assert texts == ["Standard_LRS", "10.0.0.0/8", "TLS1_2"]


_USER = ("USER", "c", 3, 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM a\nRUN b \\\n  c\n", [("FROM", "a", 1, 1), ("RUN", "b c", 2, 3)]),
        ("# note\n\nfrom a\n", [("FROM", "a", 3, 3)]),
        ("FROM a\nRUN b \\\n# note\n  c\n", [("FROM", "a", 1, 1), ("RUN", "b c", 2, 4)]),
        ("FROM a\nRUN b\\\nc\\\n d \\\ne", [("FROM", "a", 1, 1), ("RUN", "bc d e", 2, 5)]),
        ("FROM a\nRUN b '<<E'\nUSER c\n", [("FROM", "a", 1, 1), ("RUN", "b '<<E'", 2, 2), _USER]),
        ("FROM a\nRUN b <<<E\nUSER c\n", [("FROM", "a", 1, 1), ("RUN", "b <<<E", 2, 2), _USER]),
        ("FROM a\nRUN b <<E\nUSER c\n", [("FROM", "a", 1, 1), ("RUN", "b <<E", 2, 2), _USER]),
        ("FROM a\nRUN <<E\n E\nUSER d\nE\n",
         [("FROM", "a", 1, 1), ("RUN", "<<E\n E\nUSER d", 2, 5)]),
        ("FROM a\nRUN b \\\\\nUSER c\n", [("FROM", "a", 1, 1), ("RUN", "b \\\\", 2, 2), _USER]),
        ("FROM a\n# b\fUSER d\x85USER e\nUSER c\n", [("FROM", "a", 1, 1), _USER]),
        ("FROM a\n# escape=`\nRUN b \\\n c\n", [("FROM", "a", 1, 1), ("RUN", "b c", 3, 4)]),
        ("# escape=`\nFROM a\nRUN b `\n c\n", [("FROM", "a", 2, 2), ("RUN", "b c", 3, 4)]),
        ("FROM a\nRUN <<E\nx\nE\nUSER b\n",
         [("FROM", "a", 1, 1), ("RUN", "<<E\nx", 2, 4), ("USER", "b", 5, 5)]),
        ("FROM a\nENV API_TOKEN=no-real X=1\n",
         [("FROM", "a", 1, 1), ("ENV", "API_TOKEN=*** X=1", 2, 2)]),
        ("FROM a\nRUN b \\", [("FROM", "a", 1, 1), ("RUN", "b", 2, 2)]),
        ("", []),
    ],
)  # fmt: skip
def test_dockerfile_instructions(text: str, expected: list[tuple[str, str, int, int]]) -> None:
    found = [(one.name, one.text, one.start_line, one.end_line) for one in instructions(text)]
    assert found == expected


def test_dockerfile_stages_are_numbered() -> None:
    stages = [one.stage for one in instructions("ARG A\nFROM a\nRUN b\nFROM c\nRUN d\n")]
    assert stages == [-1, 0, 0, 1, 1]


@pytest.mark.parametrize(
    "text", ["ENV " + "a" * 1_000_000, "RUN a \\\n" * 200_000, "RUN <<A " * 9_999]
)
def test_hostile_dockerfile_takes_no_time(text: str) -> None:
    started = time.process_time()
    instructions(text)
    assert time.process_time() - started < 5


def gathered(tmp_path: Path, context: EngineContext, files: dict[str, str]) -> Documents:
    tree = Tree(
        tuple(source(tmp_path, path, text.encode()) for path, text in sorted(files.items()))
    )
    return fact(ask(DocumentEngine(), tree, Forgetful(), context))


def test_included_pipelines_are_followed(tmp_path: Path, context: EngineContext) -> None:
    files = {
        ".gitlab-ci.yml": "include: [{local: /ci/a.yml}]\nx: {script: [a]}\n",
        "ci/a.yml": "include:\n  - local: ci/b.yml\ny:\n  script: [b]\n",
        "ci/b.yml": "include:\n  - local: ci/a.yml\nz:\n  script: [c]\n",
        "ci/unused.yml": "u:\n  script: [d]\n",
    }
    found = gathered(tmp_path, context, files)
    assert [file.path for file in found.files] == [".gitlab-ci.yml", "ci/a.yml", "ci/b.yml"]


def test_files_without_infrastructure_are_not_in_the_fact(
    tmp_path: Path, context: EngineContext
) -> None:
    found = gathered(
        tmp_path, context, {"a.yaml": "a: 1\n", "k/b.yaml": POD, "Dockerfile": "FROM a"}
    )
    assert [file.path for file in found.files] == ["Dockerfile", "k/b.yaml"]
    assert [root["kind"].text for _, root in found.of(DocumentKind.KUBERNETES)] == ["Pod"]


def test_broken_manifest_limits_the_run(tmp_path: Path, context: EngineContext) -> None:
    tree = Tree((source(tmp_path, "a.yaml", f"{POD}a: [1".encode()),))
    answers = ask(DocumentEngine(), tree, Forgetful(), context)
    assert answers.run.status is EngineStatus.LIMITED
    assert [skipped.path for skipped in answers.limited] == ["a.yaml"]


def test_equal_input_gives_equal_answers(tmp_path: Path, context: EngineContext) -> None:
    text = f"{POD}spec: {{b: 1, a: 2}}\n"
    assert examined(tmp_path, context, text) == examined(tmp_path, context, text)


def test_role_is_kept(tmp_path: Path, context: EngineContext) -> None:
    found = gathered(tmp_path, context, {"a.yaml": POD})
    assert found.files[0].role is Role.SOURCE


def test_comments_in_json_that_never_end_are_read_once(
    tmp_path: Path, context: EngineContext
) -> None:
    text = '{"$schema": "deploymentTemplate.json", "resources": []' + "/*a" * 1_000_000
    assert "not valid YAML" in examined(tmp_path, context, text)[1]
