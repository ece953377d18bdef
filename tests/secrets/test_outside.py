"""What stands in tests inside a file, in documentation of code, and in code that writes a key."""

import base64
import random

import pytest

from mergegate.core.severity import Confidence
from mergegate.core.tree import Role
from mergegate.repo.checks.secrets import secrets
from mergegate.secrets.found import FileSecrets, Secrets, SecretsFile
from mergegate.secrets.scan import MOST_PLACES, scan
from tests.secrets.mint import SAMPLES, minted

PASSWORD = minted("Vk7-<letters:4>9<letters:3>x!")
NETRC = f"machine api.acme.io login ada password {PASSWORD}"
_DIGITS = base64.b64encode(random.Random(5).randbytes(96)).decode()
KEY = f"-----BEGIN PRIVATE KEY-----\n{_DIGITS[:64]}\n{_DIGITS[64:]}\n-----END PRIVATE KEY-----"
RUST = """\
pub const A: &str = "ONE";

#[cfg(test)]
mod tests {
    #[test]
    fn reads() {
        let text = "TWO";
    }
}

pub const B: &str = "THREE";
"""
WORKFLOW = """\
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    services:
      sql:
        image: sql:2019
        env:
          SA_PASSWORD: ONE
        ports: ["1433:1433"]

    steps:
      - run: make test
        env:
          DB_PASSWORD: TWO
"""


def told(text: str, suffix: str) -> list[tuple[int, str]]:
    """Line and severity of every finding in production code."""
    file = SecretsFile("src/a", Role.SOURCE, scan(text.encode(), suffix))
    return [
        (finding.place.start_line, finding.severity.label) for finding in secrets(Secrets((file,)))
    ]


@pytest.mark.parametrize(("spot", "expected"), [("ONE", [1]), ("TWO", []), ("THREE", [11])])
def test_a_password_in_a_module_for_tests_of_rust_is_none(spot: str, expected: list[int]) -> None:
    assert [line for line, _ in told(RUST.replace(spot, NETRC), ".rs")] == expected


def test_a_token_there_is_told_as_in_a_test() -> None:
    token = SAMPLES["github-token"]
    assert told(RUST.replace("TWO", token), ".rs") == [(7, "medium")]
    assert told(RUST.replace("ONE", token), ".rs") == [(1, "critical")]


def test_many_places_in_tests_do_not_hide_the_one_in_production() -> None:
    text = RUST.replace("TWO", f"\n        {NETRC}" * (MOST_PLACES + 1)).replace("THREE", NETRC)
    last = text.count("\n") - text[: text.index("pub const B")].count("\n")
    assert [line for line, _ in told(text, ".rs")] == [text.count("\n") - last + 1]


@pytest.mark.parametrize(
    ("name", "expected"), [("EXAMPLES", []), ("DOCUMENTATION", []), ("SETTINGS", [(3, "high")])]
)
def test_the_documentation_of_a_module_of_ansible_is_documentation(
    name: str, expected: list[tuple[int, str]]
) -> None:
    text = f'{name} = r"""\n- a.b.c:\n    password: "{PASSWORD}"\n"""\n'
    module = f'{text}OTHER = r"""\nshort_description: Calls.\n"""\n'
    assert told(module, ".py") == expected
    assert told(f'{module}password = "{PASSWORD}"\n', ".py")[-1] == (8, "high")
    assert told(text, ".py") == [(3, "high")]
    assert told(f"{module}use({name})\n", ".py") == [(3, "high")]


def test_the_password_of_a_container_that_a_job_starts_is_none() -> None:
    assert told(WORKFLOW.replace("ONE", PASSWORD).replace("TWO", PASSWORD), ".yml") == []


def test_another_password_of_that_job_is_told() -> None:
    text = WORKFLOW.replace("ONE", "secret").replace("TWO", PASSWORD)
    assert told(text, ".yml") == [(15, "high")]


def test_the_password_of_a_service_of_compose_is_told() -> None:
    text = f"services:\n  sql:\n    environment:\n      SA_PASSWORD: {PASSWORD}\n"
    assert told(text, ".yml") == [(4, "high")]


@pytest.mark.parametrize(
    "text",
    [
        "jobs: [nightly]\napp:\n  services:\n    sql:\n      image: sql\n      password: ONE\n",
        "on: 1\njobs:\n  a: 1\napp:\n  services:\n    s:\n      image: 1\n      password: ONE\n",
        "on: push\njobs:\n  a:\n    services:\n      password: ONE\n",
    ],
)
def test_settings_with_names_like_those_of_a_workflow_are_none(text: str) -> None:
    assert [one for _, one in told(text.replace("ONE", PASSWORD), ".yaml")] == ["high"]


@pytest.mark.parametrize(
    "before",
    [
        "/*\n#[cfg(test)]\nmod x {\n*/\n",
        "/* /* /* */ */\n#[cfg(test)]\nmod x {\n*/\n",
        'const A: &str = r#"\n#[cfg(test)]\nmod x {\n"#;\n',
        "#[cfg(test)]\nmod x {\n  }\n",
        "#[cfg(test)]\nmod x {\n    fn a() { b('}', \"}\"); } }\n",
    ],
)
def test_what_only_looks_as_if_it_stood_in_a_module_for_tests_counts(before: str) -> None:
    text = f'{before}const B: &str = "{NETRC}";\nfn main() {{\n}}\n'
    assert [severity for _, severity in told(text, ".rs")] == ["high"]


def test_half_a_megabyte_of_openings_is_read_at_once() -> None:
    for filler in ("/*", "{", 'r#"', '"', "#[cfg(test)]\nmod x {\n"):
        text = f"#[cfg(test)]\nmod x {{\n{filler * (500_000 // len(filler))}"
        assert told(text, ".rs") == []


def test_code_that_writes_a_key_holds_none() -> None:
    text = """\
    append("-----BEGIN RSA PRIVATE KEY-----\\n")
    encodeBase64Lines(keyPair.private.encoded.toByteString())
    append("-----END RSA PRIVATE KEY-----\\n")
"""
    assert told(text, ".kt") == []


@pytest.mark.parametrize(
    "text",
    [
        KEY,
        'val key = "' + KEY.replace("\n", '\\n" +\n    "') + '"',
        "\n".join(f'"{line}",' for line in KEY.splitlines()),
        "\n".join(f"// {line}" for line in KEY.splitlines()),
    ],
)
def test_a_key_in_code_is_one(text: str) -> None:
    assert [severity for _, severity in told(text, ".kt")] == ["critical"]


def test_a_key_in_documentation_of_code_is_unsure() -> None:
    text = "/**\n" + "\n".join(f" * {line}" for line in KEY.splitlines()) + "\n */\nclass A"
    assert [one.confidence for one in scan(text.encode(), ".kt").matches] == [Confidence.LOW]
    assert told(text, ".kt") == [(2, "medium")]


def test_nothing_outside_is_marked_in_a_file_without_tests() -> None:
    assert scan(b"", ".rs") == FileSecrets()
