"""Pipelines of Jenkins as nodes, and what hostile ones may not do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from mergegate.core.languages import language_of
from mergegate.core.tree import SourceFile
from mergegate.repo.engines.documents import DocumentEngine
from mergegate.repo.engines.documents.groovy import script
from mergegate.repo.engines.documents.nodes import Unreadable
from mergegate.repo.facts.documents import MASKED, DocumentKind, Node
from mergegate.repo.facts.groovy import ASSIGNMENT, CALL, EXPRESSION, INTERPOLATED, NAME
from mergegate.sandbox.engines.engine import EngineContext
from mergegate.sandbox.files.stage import Stage
from tests.secrets.mint import minted


def calls(text: str) -> list[tuple[str, int]]:
    """Name and line of each call."""
    return [(one.text, one.line) for one in script(text).walk() if one.tag == CALL]


def only(text: str) -> Node:
    """The one statement of the text."""
    [statement] = script(text).children
    return statement


def shape(node: Node) -> object:
    """The node as plain values."""
    if node.keys:
        return {key: shape(value) for key, value in node.entries}
    return [shape(one) for one in node.items] if node.items else node.text


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sh 'make'", {"0": "make"}),
        ("sh('make')", {"0": "make"}),
        ("sh(script: 'make', returnStdout: true)", {"script": "make", "returnStdout": "true"}),
        ("sh script: 'make',\n   label: 'build'", {"script": "make", "label": "build"}),
        ("sh 'a', [b: 1, 'c': 2]", {"0": "a", "1": {"b": "1", "c": "2"}}),
        ("sh([$class: 'X', y: [[z: '1']]])", {"0": {"$class": "X", "y": [{"z": "1"}]}}),
        ("sh /* a */ 'make' // b", {"0": "make"}),
        ("sh('a', b: 'c', 'd', 7: 'e', 'f')", {"0": "a", "b": "c", "1": "d", "7": "e", "3": "f"}),
        (f"sh({'a,' * 40_000}b)", {**{str(n): "a" for n in range(40_000)}, "40000": "b"}),
    ],
    ids=lambda one: str(one)[:40],
)
def test_arguments_are_known_by_name_or_number(text: str, given: object) -> None:
    assert shape(only(text)) == given


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("'a\\'b'", "a'b"),
        ('"a\\$b"', "a$b"),
        ("'''a'b\nc'''", "a'b\nc"),
        ('"""a\\\nb"""', "ab"),
        ("/a\\/b\\d/", "a/b\\d"),
        ("$/a/b/$", "a/b"),
        ("''", ""),
        ('"costs $ 5"', "costs $ 5"),
    ],
)
def test_texts_are_what_groovy_takes_them_for(written: str, meant: str) -> None:
    node = only(f"x({written})")["0"]
    assert (node.text, node.tag) == (meant, "")


def test_interpolated_names_are_children_of_their_text() -> None:
    text = only('sh "a ${params.X} $env.B ${c ? "d ${e}" : f(g)}"')["0"]
    assert text.tag == INTERPOLATED
    names = [one.text for one in text.walk() if one.tag == NAME]
    assert names == ["params.X", "env.B", "c", "e", "g"]


def test_an_escaped_dollar_interpolates_nothing() -> None:
    assert only('sh "echo \\${HOME}"')["0"] == Node(1, text="echo ${HOME}")


def test_lines_of_a_long_text_stand_where_they_stand_in_the_file() -> None:
    text = only("sh '''\n  a\n  b\n'''")["0"]
    assert (text.line, text.text_line, text.text) == (1, 1, "\n  a\n  b\n")


def test_closures_are_read_where_braces_begin_on_a_later_line() -> None:
    told = calls("pipeline\n{\n  stages\n  {\n    stage('a')\n    {\n      sh 'b'\n    }\n  }\n}\n")
    assert told == [("pipeline", 1), ("stages", 3), ("stage", 5), ("sh", 7)]


@pytest.mark.parametrize(
    "text",
    [
        "if (a == 'b' && !c) { sh 'x' } else if (d) { sh 'y' } else { sh 'z' }",
        "for (int i = 0; i < 3; i++) { sh 'x' }\nwhile (a) { sh 'y' }\ntry { sh 'z' } finally { }",
        "m.each { k, v -> sh 'x' }\ndef f(String a) { sh 'y' }\nparallel a: { sh 'z' }, b: { }",
        "x['a'] = { node('b') { sh 'x' } }\ny = a ? sh('y') : b\nreturn sh('z')",
        "switch (a) { case 'b': sh 'x'\n break\n default: sh 'y' }\nassert sh('z') ==~ /a\\/b/",
    ],
)
def test_calls_are_found_in_every_construct(text: str) -> None:
    assert [name for name, _ in calls(text)].count("sh") == (3 if "'z'" in text else 2)


def test_joined_texts_keep_their_parts() -> None:
    value = only("sh 'a ' + params.X + ' b'")["0"]
    assert value.tag == EXPRESSION
    assert [one.text for one in value.children] == ["a ", "+", "params.X", "+", " b"]


def test_secrets_are_masked_when_read() -> None:
    secret = minted("<alnum:24>")
    text = (
        f"environment {{ API_TOKEN = '{secret}' }}\npassword(name: 'a', defaultValue: '{secret}')\n"
        f"string(name: 'API_TOKEN', defaultValue: '{secret}')"
    )
    root = script(text)
    assert secret not in repr(root)
    [assigned] = [one for one in root.walk() if one.tag == ASSIGNMENT]
    assert assigned["value"].text == MASKED


def test_credentials_are_no_secret_in_the_text() -> None:
    value = only("API_TOKEN = credentials('deploy')")["value"]
    assert (value.text, shape(value)) == ("credentials", {"0": "deploy"})


@pytest.mark.parametrize(
    "text",
    [
        "sh 'a",
        'sh """a',
        "node { sh 'a'",
        "sh 'a' }",
        "sh(",
        "x = [1, 2",
        'sh "${a"',
        'sh "${"',
        "}",
    ],
)
def test_what_is_no_groovy_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        script(text)
    assert refused.value.is_syntax


@pytest.mark.parametrize(
    "text",
    [
        "a { " * 5_000,
        "(" * 5_000,
        "[" * 100_000,
        '"${' * 5_000,
        '"${"' * 5_000,
        "a " * 100_001,
        "a(b: " * 5_000,
        "a = " * 5_000,
        "a == " * 5_000,
        "a { " * 40 + "}" * 40,
        'a "${' * 15 + "b { " * 20 + "}" * 20 + '}"' * 15,
        'a "' + "$" * 100_001 + '"',
        'a "' + "${b}" * 100_001 + '"',
    ],
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        script(text)


@pytest.mark.parametrize("text", ["\n" * 90_000, "a\n" * 40_000, "'a'\n" * 20_000])
def test_long_text_is_read(text: str) -> None:
    assert len(script(text).children) == text.count("a")


@pytest.fixture
def context() -> Iterator[EngineContext]:
    with Stage() as stage:
        yield EngineContext(stage)


@pytest.mark.parametrize(
    ("path", "text", "is_read"),
    [
        ("Jenkinsfile", "node { }", True),
        ("ci/Jenkinsfile-nightly", "build()", True),
        ("release.jenkinsfile", "node { }", True),
        ("release.groovy", "node('a')\n{\n}", True),
        ("vars/deploy.groovy", "def call() {\n  pipeline {\n  }\n}", True),
        ("src/Tool.groovy", "class Tool { String a }", False),
        ("build.gradle", "node { }", False),
    ],
)
def test_pipelines_are_known_by_name_or_by_how_they_begin(
    tmp_path: Path, context: EngineContext, path: str, text: str, is_read: bool
) -> None:
    location = tmp_path / "file"
    location.write_text(text, "utf-8")
    file = SourceFile(
        path=path, location=location, size=len(text), digest="a", language=language_of(path)
    )
    engine = DocumentEngine()
    answers = engine.examine([file], context).answers if engine.wants(file) else {}
    kinds = [one.kind for found in answers.values() for one in found.documents]
    assert kinds == [DocumentKind.JENKINS] * is_read


def test_answers_survive_saving() -> None:
    root = script("a { " * 30 + 'sh "b ${c}"' + "}" * 30)
    saved = TypeAdapter(Node)
    assert saved.validate_json(saved.dump_json(root)) == root


def test_a_broken_pipeline_is_named(tmp_path: Path, context: EngineContext) -> None:
    location = tmp_path / "file"
    location.write_text("node {", "utf-8")
    file = SourceFile(path="Jenkinsfile", location=location, size=6, digest="a", language="groovy")
    problems = DocumentEngine().examine([file], context).problems
    assert list(problems.values()) == ["a bracket is missing or left over in line 1"]


@pytest.mark.parametrize(
    "text",
    ["// a\rsh 'b'\r", "// a\r\nsh 'b'", "s\\u0068 'b'", "\\uu0073h '\\u0062'", "sh 'b' // a"],
)
def test_no_sign_hides_a_step(text: str) -> None:
    [step] = script(text).items
    assert (step.text, step["0"].text) == ("sh", "b")


def test_an_end_of_line_written_as_its_number_is_refused() -> None:
    with pytest.raises(Unreadable):
        script("// a\\u000ash 'b'")


def test_a_comment_that_never_ends_is_refused_soon() -> None:
    with pytest.raises(Unreadable, match="never ends"):
        script("/*a" * 2_000_000)
