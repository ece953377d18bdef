"""An unsafe value that is written out is replaced, and nothing that is not certain."""

import pytest

from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.mappings import manifest_of
from mergegate.repo.fixes.written_settings import wanted
from mergegate.repo.infrastructure import entries

ENTRY = entries()["iac-ansible-certificates-unchecked"]


def asked(text: str, line: int) -> tuple[dict[str, str], str]:
    """What is to change for a finding on a line."""
    values, on = wanted(ENTRY, manifest_of(text), line)
    return dict(values), on


@pytest.mark.parametrize(
    ("text", "line", "on"),
    [
        ("- uri:\n    url: a\n    validate_certs: false\n", 3, r"0\.uri"),
        ("- uri: {url: a, validate_certs: no}\n", 1, r"0\.uri"),
        ("- hosts: a\n  tasks:\n  - uri:\n      validate_certs: false\n", 4, r"0\.tasks\.0\.uri"),
    ],
)
def test_the_unsafe_value_on_the_line_is_meant(text: str, line: int, on: str) -> None:
    assert asked(text, line) == ({"validate_certs": "true"}, on)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- uri: url=a validate_certs=no\n", 1),
        ("- uri: {validate_certs: true}\n", 1),
        ("- uri: {validate_certs: false, sslverify: false}\n", 1),
        ("- uri:\n    url: '{{ a }}'\n    validate_certs: false\n", 3),
        ("- uri:\n    validate_certs: !vault false\n", 2),
        ("- uri:\n    url: a\n", 2),
    ],
)
def test_what_is_not_certain_is_left_alone(text: str, line: int) -> None:
    with pytest.raises(UncertainError):
        asked(text, line)
