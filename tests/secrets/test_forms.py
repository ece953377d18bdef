"""Every form of ``forms.toml``: a secret is found where it stands, and nothing else is."""

import tomllib
from pathlib import Path

import pytest

from tests.secrets.written import filled, told

_FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))


def _cases(kind: str) -> list[object]:
    return [
        pytest.param(one["path"], form, id=f"{name}-{number}")
        for name, one in _FORMS.items()
        for number, form in enumerate(one[kind])
    ]


@pytest.mark.parametrize(("path", "form"), _cases("told"))
def test_the_secret_is_told_where_it_stands(path: str, form: str) -> None:
    text, values = filled(form, path)
    found = told(path, text)
    assert any(value in one for value in values.values() for one in found)


@pytest.mark.parametrize(("path", "form"), _cases("silent"))
def test_nothing_is_told(path: str, form: str) -> None:
    text, _ = filled(form, path)
    assert told(path, text) == set()
