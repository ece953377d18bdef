import json
import re

import pytest
from click.testing import CliRunner

from mergegate.cli.rules import explain, rules
from mergegate.core.errors import UsageError
from mergegate.repo.checks import all_rules
from mergegate.sandbox.process.node import packaged
from mergegate.secrets.detectors import DETECTORS
from mergegate.site.browser_test.checks.suggest import REMEDIES
from mergegate.site.security.checks.flaw import RULES
from mergegate.site.seo.checks import point
from tests.conftest import Mergegate


def test_a_reader_of_the_pipe_gets_one_line_for_each_rule() -> None:
    """Such as ``grep``; an identifier that is folded is found by none."""
    heading, *lines = CliRunner().invoke(rules, []).stdout.splitlines()
    assert heading.split() == ["Rule", "Severity", "Weakness", "Category", "Title"]
    assert [line.split()[0] for line in lines] == list(all_rules())


def told(rule: str) -> str:
    done = CliRunner().invoke(explain, [rule])
    return done.stdout if done.exit_code == 0 else ""


def test_every_id_that_a_site_tool_prints_is_explained() -> None:
    """Lighthouse's audits and axe's rules are as their packages name them."""
    axe = json.loads(packaged("axe-core", "locales/_template.json").read_text("utf-8"))["rules"]
    audits = packaged("lighthouse", "core/config/default-config.js").read_text("utf-8")
    scored = re.findall(r"{id: '([\w-]+)', weight: [1-9]\d*", audits)
    secret = [f"{'public' if one.public else 'secret'}-{one.id}" for one in DETECTORS.values()]
    ids = {*RULES, *point.RULES, *REMEDIES, *axe, *scored, *secret, "token-anon", "token-lasting"}

    assert len(scored) > 80
    assert {one for one in ids if not told(one)} == set()


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("csp-missing", ["mergegate security-scan", "high", "CWE-693", "Nothing limits"]),
        ("hreflang", ["mergegate audit", "developer.chrome.com"]),
        ("document-title", ["mergegate audit", "mergegate browser-test", "Give the pages a title"]),
        ("secret-github-token", ["read the repository or a clone", "mergegate security-scan"]),
    ],
)
def test_a_rule_is_told_by_every_tool_that_prints_it(rule: str, words: list[str]) -> None:
    assert [one for one in words if one not in told(rule)] == []


def test_a_misspelt_rule_of_a_site_is_guessed() -> None:
    done = CliRunner().invoke(explain, ["csp-misin"])
    assert isinstance(done.exception, UsageError)
    assert "csp-missing" in str(done.exception.remedy)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", "python-sql-injecton"), "Did you mean python-sql-injection, "),
        (("explain", "bandit/B602"), "is a rule of another scanner"),
        (("explain", "Python-SQL-Injection"), "Did you mean python-sql-injection?"),
        (("explain", "zzz"), "`mergegate rules` lists them"),
        (("rules", "--language", "pyton"), "Did you mean python?"),
        (("rules", "--language", "zzz"), "There are dockerfile, go"),
    ],
)
def test_of_a_mistyped_name_it_is_said_what_was_meant(
    arguments: tuple[str, ...], said: str, mergegate: Mergegate
) -> None:
    ended = mergegate(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
