"""Which language a name stands for."""

import pytest

from mergegate.core.languages import builds_an_image, language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/a.py", "python"),
        ("src/A.PY", "python"),
        ("Dockerfile", "dockerfile"),
        ("deploy/Dockerfile.prod", "dockerfile"),
        ("deploy/Dockerfile-prod", "dockerfile"),
        ("Jenkinsfile_nightly", "groovy"),
        ("dockerfile-schema.json", language_of("a.json")),
        ("deploy/app.dockerfile", "dockerfile"),
        ("Containerfile", "dockerfile"),
        ("checks/dockerfile.py", "python"),
        (".py", None),
        ("Makefile", None),
        ("a.unknown", None),
        ("Rakefile", "ruby"),
        ("lib/Parser.pm", "perl"),
    ],
)
def test_a_name_tells_the_language(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM a:1\nRUN b\n", True),
        ("# syntax=docker/dockerfile:1\n\nARG TAG=1\nfrom a:${TAG} as b\r\ncmd c\n", True),
        ("FROM --platform=$BUILDPLATFORM a.example:5000/a@sha256:0 AS b\n\nCOPY . .", True),
        ("From me\nto you\n", False),
        ("FROM a\n", False),
        ("From: a@acme.io\nRUN b\n", False),
        ("SELECT a\nFROM b\nRUN c\n", False),
        ("\n" * 5_000 + "FROM a\nRUN b\n", False),
    ],
)
def test_a_dockerfile_is_known_by_how_it_begins(text: str, expected: bool) -> None:
    assert builds_an_image(text.encode()) is expected
