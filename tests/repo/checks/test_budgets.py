"""What is beyond a budget is named: a file that was not judged in full is no file without flaws."""

import json
from pathlib import Path

import pytest

from mergegate.core.check import Unrun, apply
from mergegate.core.languages import language_of
from mergegate.core.severity import Aspect
from mergegate.core.tree import Reason, Skipped, SourceFile, Tree
from mergegate.repo.engines import documents
from mergegate.repo.facts.documents import Documents
from mergegate.repo.facts.resources import Resources
from mergegate.repo.search_map import draw
from mergegate.sandbox.engines.runner import Gatherings, Search
from tests.repo.infrastructure.examples import SCHEMA
from tests.repo.infrastructure.reading import answers, check


def named(path: str, text: str) -> tuple[Skipped, ...]:
    """The files that are named as not judged in full."""
    read = documents.fact(answers(documents.DocumentEngine(), {path: text}))
    outcome = apply(check(), {Resources: Resources(), Documents: read})
    assert not isinstance(outcome, Unrun)
    return outcome.limited


def _template(count: int) -> str:
    """A template whose loop makes that many resources, each with a large value."""
    large = {f"a{n}": "b" for n in range(500)}
    made = {
        "type": "Microsoft.Storage/storageAccounts",
        "name": "a",
        "copy": {"name": "c", "count": count},
        "properties": "[variables('large')]",
    }
    return json.dumps({"$schema": SCHEMA, "variables": {"large": large}, "resources": [made]})


def _program(count: int) -> str:
    values = "".join(f"      a{n}: ${{x}}\n" for n in range(count))
    return (
        f"variables: {{x: [{'b, ' * 500}]}}\nresources:\n  a:\n    type: aws:s3:Bucket\n"
        f"    properties:\n{values}  z: {{type: 'aws:s3:Bucket'}}\n"
    )


def _looped(count: int) -> str:
    over = ", ".join(f"N{n}" for n in range(count))
    return (
        "AWSTemplateFormatVersion: 2010-09-09\nTransform: AWS::LanguageExtensions\nResources:\n"
        f"  Fn::ForEach::All:\n  - Name\n  - [{over}]\n"
        "  - Bucket${Name}: {Type: AWS::S3::Bucket}\n"
    )


def _services(count: int) -> str:
    return "services:\n" + "".join(f"  s{n}: {{image: 'a:1'}}\n" for n in range(count))


def _job(words: int) -> str:
    return f"a:\n  stage: b\n  script:\n  - echo {'a ' * words}; curl x | sh\n"


def _going_on(lines: int) -> str:
    going_on = "    echo a \\\n" * lines
    return f"a:\n  stage: b\n  script:\n  - |\n{going_on}    ; curl x | sh\n"


def _task(words: int) -> str:
    return f"- hosts: a\n  tasks:\n  - shell: echo {'a ' * words}; curl x | sh\n"


def _pod(words: int) -> str:
    order = json.dumps(f"etcd {'--a=b ' * words} --client-cert-auth=false")
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n"
        f"  - {{name: a, image: 'b:1', command: [sh, -c, {order}]}}\n"
    )


@pytest.mark.parametrize(
    ("path", "small", "large"),
    [
        ("azuredeploy.json", _template(2), _template(900)),
        ("azuredeploy.json", _template(2), _template(1_001)),
        ("Pulumi.yaml", _program(2), _program(500)),
        ("template.yaml", _looped(200), _looped(201)),
        ("compose.yml", _services(2), _services(5_000)),
        (".gitlab-ci.yml", _job(10), _job(3_000)),
        (".gitlab-ci.yml", _going_on(10), _going_on(1_000)),
        ("play.yml", _task(10), _task(5_000)),
        ("pod.yaml", _pod(10), _pod(12_000)),
    ],
    ids=lambda one: one[:20] if "." in one[:20] else "",
)
def test_what_is_beyond_a_budget_is_named(path: str, small: str, large: str) -> None:
    assert named(path, small) == ()
    assert [one.path for one in named(path, large)] == [path]


def test_a_file_that_was_not_judged_in_full_counts_as_not_searched() -> None:
    tree = Tree((_file("a.yml"), _file("b.yml")))
    searched = Search("documents", frozenset({Aspect.IAC}), frozenset({"a.yml", "b.yml"}))
    seen = draw(
        tree, Gatherings(searches=(searched,)), {Aspect.IAC}, [Skipped("a.yml", "it is too long")]
    )
    assert [(one.path, one.search, one.cause) for one in seen.gaps] == [
        ("a.yml", Aspect.IAC, Reason.GIVE_UP)
    ]
    assert seen.searched[Aspect.IAC] == {"b.yml": ("documents",)}


def _file(path: str) -> SourceFile:
    return SourceFile(
        path=path, location=Path(path), size=1, digest=path, language=language_of(path)
    )


def test_a_dockerfile_within_a_compose_file_is_named() -> None:
    text = 'services:\n  a:\n    build: {context: ., dockerfile_inline: "FROM a:1"}\n'
    (one,) = named("compose.yaml", text)
    assert (one.path, one.cause) == ("compose.yaml", Reason.LANGUAGE)
    assert "dockerfile_inline" in one.reason
