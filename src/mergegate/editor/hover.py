"""What an editor tells of a finding, as ``mergegate explain`` does of its rule."""

from collections.abc import Iterator, Sequence

from mergegate.core.finding import Finding
from mergegate.core.render import escape
from mergegate.core.rule import Rule
from mergegate.editor.shown import Flagged
from mergegate.repo.checks import all_rules


def markdown(flagged: Sequence[Flagged]) -> str:
    """Everything of each finding; whatever the tree says in it is text, and no link."""
    return "\n\n---\n\n".join("\n\n".join(_markdown(one)) for one in flagged)


def plain(flagged: Sequence[Flagged]) -> str:
    """The same for an editor that shows no Markdown."""
    return "\n\n".join("\n".join(_plain(one.finding)) for one in flagged)


def _markdown(flagged: Flagged) -> Iterator[str]:
    finding = flagged.finding
    yield f"**{escape.markdown(finding.title)}**"
    yield " · ".join((*_facts(finding), escape.code(finding.rule_id), *finding.cwe))
    for paragraph in _paragraphs(finding):
        yield escape.markdown(paragraph)
    if flagged.fix:
        yield "A fix is there: it was applied to a copy, and that was scanned again."
    # The rule's own: an address that a finding brings along is the tree's or a stranger's.
    page = flagged.diagnostic.code_description
    if page:
        yield f"<{page.href}>"


def _plain(finding: Finding) -> Iterator[str]:
    yield escape.visible(finding.title)
    yield " · ".join((*_facts(finding), finding.rule_id, *finding.cwe))
    for paragraph in _paragraphs(finding):
        yield escape.visible(paragraph)


def _facts(finding: Finding) -> tuple[str, str]:
    return finding.severity.label, f"confidence {finding.confidence.label}"


def _paragraphs(finding: Finding) -> Iterator[str]:
    """What was found, then what of the rule's page that does not say already."""
    yield finding.message
    rule = all_rules().get(finding.rule_id)
    for paragraph in _page(rule) if rule else ():
        if paragraph not in finding.message:
            yield paragraph


def _page(rule: Rule) -> tuple[str, ...]:
    return (*(" ".join(one.split()) for one in rule.explanation.split("\n\n")), rule.remedy)


def explained(rule_id: str) -> str:
    """What ``mergegate explain`` says of a rule, in a few plain lines; empty where it is none."""
    rule = all_rules().get(rule_id)
    if rule is None:
        return ""
    facts = f"{rule.severity.label} · confidence {rule.confidence.label}"
    return "\n".join((f"{rule.id}: {rule.title}", facts, *_page(rule), *rule.references))
