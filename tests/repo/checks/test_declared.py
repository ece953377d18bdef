"""Each rule is declared once, and whole."""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping

import pytest

from mergegate.core.rule import WORST_IF_UNSURE, Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.repo.checks import all_checks, all_rules

LOW = Confidence.LOW
RULE = Rule(
    id="a-rule",
    title="A rule",
    remedy="Mend it.",
    severity=Severity.MEDIUM,
    milder={Severity.INFO: "here", Severity.LOW: "there", Severity.HIGH: "never"},
    confidence=Confidence.LOW,
    category=Category.SECURITY,
    aspect=Aspect.CODE,
    kind=Kind.RISK,
    cwe=("CWE-1",),
    references=("https://example.org/",),
    engine="lizard",
)


NEEDS: Mapping[str, Callable[[Rule], bool]] = {
    "an id in kebab-case": lambda rule: bool(re.fullmatch(r"[a-z][a-z0-9-]+", rule.id)),
    "a title that is no sentence": lambda rule: rule.title[-1:] not in {"", "."},
    "an explanation": lambda rule: rule.explanation.endswith((".", ":")),
    "a remedy": lambda rule: rule.remedy.endswith("."),
    "a reference": lambda rule: bool(rule.references),
    "safe addresses": lambda rule: all(one.startswith("https://") for one in rule.references),
    "weaknesses by number": lambda rule: all(re.fullmatch(r"CWE-\d{1,4}", o) for o in rule.cwe),
    "a weakness, or why there is none": lambda rule: bool(rule.cwe) != bool(rule.without_cwe),
    "when it is milder": lambda rule: all(rule.milder.values()),
}


NEEDS_OF_RED: Mapping[str, Callable[[Rule], bool]] = {
    "as declared": lambda rule: rule.severity <= WORST_IF_UNSURE or rule.confidence > LOW,
    "as told": lambda rule: rule.finding("a", confidence=LOW).severity <= WORST_IF_UNSURE,
    "whatever is asked": lambda rule: (
        rule.finding("a", confidence=LOW, severity=Severity.CRITICAL).severity <= WORST_IF_UNSURE
    ),
}


@pytest.mark.parametrize("what", NEEDS_OF_RED)
def test_what_is_unsure_stops_no_merge(what: str) -> None:
    assert [rule.id for rule in all_rules().values() if not NEEDS_OF_RED[what](rule)] == []


def test_what_is_sure_enough_keeps_its_severity() -> None:
    finding = RULE.finding("a", confidence=Confidence.MEDIUM, severity=Severity.CRITICAL)
    assert finding.severity is Severity.CRITICAL


def test_every_rule_is_whole() -> None:
    rules = all_rules()
    lacking = [(id, what) for id in rules for what, is_so in NEEDS.items() if not is_so(rules[id])]
    assert lacking == []


def test_pages_are_whole_where_python_drops_docstrings() -> None:
    told = "print([(rule.title, rule.message, rule.references) for rule in all_rules().values()])"
    code = f"from mergegate.repo.checks import all_rules; {told}"
    run = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, check=True)
    rules = [(one.title, one.message, one.references) for one in all_rules().values()]
    assert run.stdout.decode().strip() == repr(rules)


def test_only_what_is_no_weakness_names_none() -> None:
    """A further one asks for a thought: most that a security scan tells of has a number."""
    assert {rule.id for rule in all_rules().values() if not rule.cwe} == {
        *("committed-build-output", "large-file", "merge-conflict", "focused-test"),
        *("missing-licence", "missing-security-policy", "licence-conflict", "unseen-code"),
        "policy-mistake",
    }


def test_check_of_one_rule_bears_its_name() -> None:
    for check in all_checks():
        rules = [*check.rules()]
        assert {rule.aspect for rule in rules} == {check.aspect}
        assert len(rules) > 1 or rules[0].id == check.id


def test_finding_is_stamped_from_its_rule() -> None:
    finding = RULE.finding("It is wrong.")
    assert (finding.rule_id, finding.title) == (RULE.id, RULE.title)
    assert (finding.severity, finding.confidence) == (RULE.severity, RULE.confidence)
    assert (finding.category, finding.kind) == (RULE.category, RULE.kind)
    assert (finding.cwe, finding.references) == (RULE.cwe, RULE.references)
    assert finding.engine == RULE.engine


def test_finding_may_know_better_than_its_rule() -> None:
    finding = RULE.finding("It is wrong.", title="B", severity=Severity.LOW, cwe=())
    assert (finding.title, finding.severity, finding.cwe) == ("B", Severity.LOW, ())


def test_what_is_milder_is_below_and_worst_first() -> None:
    assert list(RULE.milder) == [Severity.LOW, Severity.INFO]
