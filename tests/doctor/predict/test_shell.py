"""Calls of Mergegate in scripts, and what becomes of their exit code."""

import pytest

from mergegate.doctor.predict.shell import Swallowed, calls, installs_unpinned


@pytest.mark.parametrize(
    ("script", "verb"),
    [
        ("mergegate ci", "ci"),
        (".venv/bin/mergegate scan --base main", "scan"),
        ("python -m mergegate publish report.json", "publish"),
        ("pipx run mergegate==1.2.3 ci", "ci"),
        ('docker run --rm -v "$PWD:/work" registry.example.org/acme/mergegate:1.2 ci', "ci"),
        ("docker run acme/mergegate@sha256:abc scan /work", "scan"),
        ("cd src && mergegate ci", "ci"),
        ("MERGEGATE_ONLY=code mergegate ci", "ci"),
        ("mergegate \\\n  ci --offline", "ci"),
        ('sh -c "mergegate ci"', "ci"),
    ],
)
def test_a_call_is_seen_in_all_its_forms(script: str, verb: str) -> None:
    assert [call.verb for call in calls(script)] == [verb]


@pytest.mark.parametrize(
    "script",
    [
        "# mergegate ci",
        "make test # then mergegate ci",
        "echo run mergegate ci yourself",
        "mergegate --version",
        "mergegate doctor",
        "mergegate-lint ci",
        "my-mergegate ci",
        "mergegate city",
    ],
)
def test_what_only_names_it_is_no_call(script: str) -> None:
    assert calls(script) == []


@pytest.mark.parametrize(
    ("script", "swallowed", "excess"),
    [
        ("mergegate ci", None, ""),
        ("mergegate ci || true", Swallowed.ALTERNATIVE, "|| true"),
        ("mergegate ci ||:", Swallowed.ALTERNATIVE, "||:"),
        ("mergegate ci || echo failed", Swallowed.ALTERNATIVE, "|| echo failed"),
        ("mergegate ci || notify && echo", Swallowed.ALTERNATIVE, ""),
        ("mergegate ci || exit 1", None, ""),
        ("mergegate ci || { echo no; exit 1; }", None, ""),
        ("mergegate ci | tee log", Swallowed.PIPE, ""),
        ("set -o pipefail\nmergegate ci | tee log", None, ""),
        ("set -euo pipefail; mergegate ci > log", None, ""),
        ("mergegate ci && echo fine", None, ""),
        ("mergegate ci && echo fine\necho next", Swallowed.CHAIN, ""),
        ("mergegate ci &\nwait", Swallowed.BACKGROUND, ""),
        ("mergegate ci 2>&1", None, ""),
        ("mergegate ci > log 2>&1", None, ""),
        ("! mergegate ci", Swallowed.INVERTED, ""),
        ("if mergegate ci; then echo ok; fi", None, ""),
        ("set +e\nmergegate ci\necho next", Swallowed.TOLERANT, ""),
        ("set +e\nmergegate ci", None, ""),
        ("set +e\nmergegate ci\ncode=$?\nexit $code", None, ""),
        ("mergegate ci; true", None, ""),
    ],
)
def test_a_lost_exit_code_is_told_apart_from_one_that_counts(
    script: str, swallowed: Swallowed | None, excess: str
) -> None:
    (call,) = calls(script)
    assert call.swallowed is swallowed
    assert call.excess == excess


def test_options_are_read_with_their_values() -> None:
    (call,) = calls("mergegate ci --sarif true --comment=false --offline --report 'a b' | cat")
    assert call.options == {
        "sarif": "true",
        "comment": "false",
        "offline": "true",
        "report": "a b",
    }


@pytest.mark.parametrize(
    ("script", "unpinned"),
    [
        ("pip install mergegate", True),
        ("pip install -q requests 'mergegate>=1'", True),
        ("pip install mergegate==1.2", False),
        ("pip install --require-hashes -r mergegate/requirements.txt", False),
        ("pipx run mergegate==1.2 ci", False),
        ("pipx run mergegate ci", True),
        ("uvx mergegate ci", True),
        ("docker run acme/mergegate:1 ci", False),
    ],
)
def test_a_package_without_a_version_is_seen(script: str, unpinned: bool) -> None:
    assert installs_unpinned(script) is unpinned
