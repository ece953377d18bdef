"""What semgrep matched, told once and as badly as it is."""

from mergegate.core.finding import Edit, Finding
from mergegate.core.rule import Rule
from mergegate.core.severity import Aspect, Category, Kind, Severity
from mergegate.core.tree import Role, Tree
from mergegate.repo.checks.code import code_security, infrastructure_rules, unseen_code
from mergegate.repo.facts.code import CodeFile, CodeMatch, CodeMatches, FileMatches
from mergegate.repo.facts.documents import Documents


def rule(
    id: str, severity: Severity, cwe: str = "CWE-78", covered_by: tuple[str, ...] = ()
) -> Rule:
    return Rule(
        id=id,
        title=id,
        remedy="Remedy.",
        severity=severity,
        category=Category.SECURITY,
        aspect=Aspect.CODE,
        kind=Kind.CODE,
        cwe=(cwe,),
        references=(),
        covered_by=covered_by,
    )


def match(id: str, line: int = 3, trace: tuple[int, ...] = (), fix: str | None = None) -> CodeMatch:
    return CodeMatch(
        rule_id=id,
        message="Message.",
        start_line=line,
        end_line=line,
        start_column=1,
        end_column=9,
        trace=trace,
        fix=fix,
    )


def facts(*matches: CodeMatch, rules: tuple[Rule, ...], role: Role = Role.SOURCE) -> CodeMatches:
    found = FileMatches(matches)
    return CodeMatches((CodeFile("a.py", role, found),), {one.id: one for one in rules})


def told(code: CodeMatches) -> list[Finding]:
    return list(code_security(code, Tree(())))


FLOW = rule("flow", Severity.CRITICAL)
SHAPE = rule("shape", Severity.MEDIUM)


def test_the_worst_of_a_line_is_told_once() -> None:
    found = told(facts(match("shape"), match("flow"), rules=(FLOW, SHAPE)))
    assert [one.rule_id for one in found] == ["flow"]


def test_what_a_surer_rule_covers_is_not_told_again() -> None:
    covered = rule("shape", Severity.MEDIUM, cwe="CWE-95", covered_by=("flow",))
    code = facts(match("shape"), match("flow"), match("shape", 9), rules=(FLOW, covered))
    assert [(one.rule_id, one.place.start_line) for one in told(code)] == [
        ("flow", 3),
        ("shape", 9),
    ]


def test_another_weakness_on_the_line_is_told_too() -> None:
    other = rule("other", Severity.LOW, cwe="CWE-22")
    found = told(facts(match("flow"), match("other"), rules=(FLOW, other)))
    assert len(found) == 2


def test_examples_are_for_information() -> None:
    (found,) = told(facts(match("flow"), rules=(FLOW,), role=Role.EXAMPLE))
    assert found.severity is Severity.INFO


def test_a_flow_names_where_the_data_enters() -> None:
    (found,) = told(facts(match("flow", trace=(1, 2, 3)), rules=(FLOW,)))
    assert found.message == "Message. The data enters at line 1."


def test_a_rule_with_a_fix_proposes_it() -> None:
    (found,) = told(facts(match("flow", fix="safe()"), rules=(FLOW,)))
    assert found.repair == Edit("a.py", 3, 3, "safe()")


def test_code_rules_are_no_infrastructure() -> None:
    assert list(infrastructure_rules(facts(match("flow"), rules=(FLOW,)), Documents())) == []


def test_a_file_that_was_not_read_in_full_is_told() -> None:
    problem = CodeFile("a.py", Role.SOURCE, FileMatches((), ("Syntax error at line 3",)))
    (found,) = unseen_code(CodeMatches((problem,)))
    assert "Syntax error at line 3" in found.message
