"""What our semgrep rules matched, as findings; the rule tells how bad it is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mergegate.core.finding import Edit, Finding, Place
from mergegate.core.rule import WORST_IF_UNSURE, Rule
from mergegate.core.severity import Aspect, Category, Confidence, Kind, Severity
from mergegate.core.tree import Role, Tree
from mergegate.repo import rules
from mergegate.repo.checks import check, check_of_many
from mergegate.repo.checks.infrastructure.purposes import purpose_of
from mergegate.repo.facts.code import CodeFile, CodeMatch, CodeMatches
from mergegate.repo.facts.documents import Documents

_OUTSIDE_PRODUCTION = frozenset({Role.TEST, Role.EXAMPLE, Role.DOCS, Role.VENDORED})

_MANIFEST = "package.json"
_NO_LIBRARY = (
    "No manifest and no import of the repository names a library whose queries are objects, so this"
    " may be a method of another kind."
)


def _ours(aspect: Aspect) -> Callable[[], list[Rule]]:
    return lambda: [rule for rule in rules.catalogue().rules.values() if rule.aspect is aspect]


@check_of_many("code-security", Aspect.CODE, _ours(Aspect.CODE))
def code_security(code: CodeMatches, tree: Tree) -> Iterator[Finding]:
    """Code that an attacker can misuse, found by our semgrep rules.

    Each rule has its own page: ``mergegate rules`` lists them, ``mergegate explain RULE`` tells
    what is wrong and what to do. All code is searched. A finding is for information only in what
    the tree shows to be a test, a sample, documentation or vendored. Where several rules meet on
    one line, the worst is reported. What is wrong with certain libraries alone is unsure where
    nothing in the tree names one.
    """
    lacking: dict[tuple[str, str], bool] = {}
    for file in code.files:
        for one in _findings(file, code, Aspect.CODE):
            libraries = code.rules[one.rule_id].only_with
            where = (libraries, file.path.rpartition("/")[0])
            if libraries and where not in lacking:
                lacking[where] = tree.lacks(libraries, file.path, _MANIFEST)
            yield _unsure(one) if libraries and lacking[where] else one


@check_of_many("infrastructure-rules", Aspect.IAC, _ours(Aspect.IAC))
def infrastructure_rules(code: CodeMatches, documents: Documents) -> Iterator[Finding]:
    """Terraform and Dockerfiles that open more than they should, found by our semgrep rules.

    Each rule has its own page: ``mergegate explain RULE``. Some weigh less in a Dockerfile whose
    image serves nothing.
    """
    built = {one.path: one.found.instructions for one in documents.files if one.found.instructions}
    for file in code.files:
        for one in _findings(file, code, Aspect.IAC):
            by_purpose = code.rules[one.rule_id].by_purpose
            purpose = purpose_of(built[file.path]) if by_purpose and file.path in built else ""
            severity = by_purpose.get(purpose, one.severity)
            yield replace(one, severity=min(one.severity, severity))


@check(
    "unseen-code",
    Severity.INFO,
    without_cwe="It speaks of the scan, not of a weakness.",
    category=Category.SECURITY,
    aspect=Aspect.CODE,
    kind=Kind.RISK,
    engine="semgrep",
)
def unseen_code(rule: Rule, code: CodeMatches) -> Iterator[Finding]:
    """A source file that semgrep could not read in full: what stands there was not checked.

    Either it is not valid in its language, or a rule ran out of time on it.

    Title: Source file not fully checked

    Remedy: Mend the syntax or split the file.

    Reference: https://semgrep.dev/docs/troubleshooting/rules
    """
    for file in code.files:
        if file.found.problems and file.role is Role.SOURCE:
            yield rule.finding(
                f"semgrep reported {file.found.problems[0]}, so part of this file was not"
                f" checked. {rule.remedy}",
                Place(file.path),
            )


def _findings(file: CodeFile, code: CodeMatches, aspect: Aspect) -> Iterator[Finding]:
    matches = [m for m in file.found.matches if code.rules[m.rule_id].aspect is aspect]
    told = _worst_of_each_line(matches, code) if aspect is Aspect.CODE else matches
    for match in told:
        yield _finding(file, match, code.rules[match.rule_id])


def _unsure(one: Finding) -> Finding:
    """``one``, as it is told where nothing in the tree names a library that makes it true."""
    return replace(
        one,
        message=f"{one.message} {_NO_LIBRARY}",
        confidence=Confidence.LOW,
        severity=min(one.severity, WORST_IF_UNSURE),
    )


def _worst_of_each_line(matches: Sequence[CodeMatch], code: CodeMatches) -> list[CodeMatch]:
    """One match a line and weakness; the others say the same with less certainty."""
    told = {(match.rule_id, match.start_line) for match in matches}
    best: dict[tuple[int, tuple[str, ...]], CodeMatch] = {}
    for match in matches:
        rule = code.rules[match.rule_id]
        if any((other, match.start_line) in told for other in rule.covered_by):
            continue
        key = (match.start_line, rule.cwe[:1])
        if key not in best or _rank(rule) > _rank(code.rules[best[key].rule_id]):
            best[key] = match
    return list(best.values())


def _rank(rule: Rule) -> tuple[Severity, Confidence]:
    return rule.severity, rule.confidence


def _finding(file: CodeFile, match: CodeMatch, rule: Rule) -> Finding:
    return rule.finding(
        match.message + _flow(match),
        Place(file.path, match.start_line, match.end_line, match.start_column, match.end_column),
        severity=Severity.INFO if file.role in _OUTSIDE_PRODUCTION else rule.severity,
        repair=_repair(file.path, match),
    )


def _flow(match: CodeMatch) -> str:
    """Where the data comes from, unless the source is the flagged line itself."""
    source = match.trace[0] if match.trace else match.start_line
    return "" if source == match.start_line else f" The data enters at line {source}."


def _repair(path: str, match: CodeMatch) -> Edit | None:
    if match.fix is None:
        return None
    return Edit(path, match.start_line, match.end_line, match.fix)
