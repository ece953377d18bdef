"""Which language a name stands for."""

import pytest

from mergegate.core.languages import language_of


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
