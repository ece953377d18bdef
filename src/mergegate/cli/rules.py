"""``mergegate rules``, ``mergegate explain`` and ``mergegate policy``: what a tree is judged by."""

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import fields
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from mergegate.ci.testing import TestOrder
from mergegate.cli.own_tests import test_options
from mergegate.core.errors import PolicyError, UsageError
from mergegate.core.render import escape, wording
from mergegate.core.rule import OUTSIDE, Rule
from mergegate.repo.checks import all_rules
from mergegate.terminal.listing import Columns, listed, styles

if TYPE_CHECKING:
    from mergegate.site.manual import Entry

_HEAD = """# Rules

Made by `mergegate rules --format markdown`. The severity is the worst that a rule finds, and what
it may be elsewhere follows; outside production code nearly all is for information.
`mergegate explain RULE` tells each in full.
"""


def rules_page(rules: Iterable[Rule]) -> str:
    """One table a part of the scan, in Markdown."""
    ordered = sorted(rules, key=lambda rule: (rule.aspect, rule.id))
    parts = [_part(aspect, list(group)) for aspect, group in groupby(ordered, _aspect)]
    return "\n".join([_HEAD, *parts])


def _aspect(rule: Rule) -> str:
    return rule.aspect.value


def _part(aspect: str, rules: Sequence[Rule]) -> str:
    rows = [
        f"| `{rule.id}` | {_severity(rule)} | {', '.join(rule.cwe)} | {_cell(rule.title)} |"
        for rule in rules
    ]
    heading = f"## {aspect.capitalize() if aspect != 'iac' else 'Infrastructure as code'}"
    table = ["| Rule | Severity | Weakness | What it finds |", "|---|---|---|---|", *rows]
    return "\n".join([heading, "", f"{len(rules)} rules.", "", *table, ""])


def _severity(rule: Rule) -> str:
    """``high``, or ``high (or low, info)`` where a finding in production code can be milder."""
    milder = [one.label for one, when in rule.milder.items() if when != OUTSIDE]
    return f"{rule.severity.label} (or {', '.join(milder)})" if milder else rule.severity.label


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


_COLUMNS = 80
_AN_ID = re.compile(r"[0-9a-f]{6,64}")


_LIST: Columns[Rule] = {
    "Rule": lambda rule: rule.id,
    "Severity": lambda rule: rule.severity.label,
    "Weakness": lambda rule: ", ".join(rule.cwe),
    "Category": lambda rule: rule.category,
    "Title": lambda rule: rule.title,
}


def _languages(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The languages of rules that begin so, for a shell to complete."""
    return [one for one in _known_languages() if one.startswith(begun)]


def _known_languages() -> list[str]:
    return sorted({one for rule in all_rules().values() for one in rule.languages})


@click.command()
@click.option("--language", shell_complete=_languages, help="Only rules of this language.")
@styles("markdown")
def rules(language: str | None, style: str) -> None:
    """List every rule with its severity.

    \b
    Examples:
      mergegate rules --language python
      mergegate rules --json
    """
    if language not in (None, *_known_languages()):
        near = get_close_matches(language or "", _known_languages(), 1)
        listed_there = f"There are {', '.join(_known_languages())}."
        raise UsageError(
            f"there is no rule for {language!r}",
            remedy=f"Did you mean {near[0]}?" if near else listed_there,
        )
    known = [rule for rule in all_rules().values() if language in (None, *rule.languages)]
    if style == "markdown":
        click.echo(rules_page(known), nl=False)
        return
    listed(style, known, _LIST, _plain)
    if style == "console":
        click.echo(f"{len(known)} rules", err=True)


def _ids(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The rules that begin so, for a shell to complete."""
    from mergegate.site.manual import entries  # noqa: PLC0415 - `rules` does without

    titles = {id: told[0].title for id, told in entries().items()}
    titles |= {id: rule.title for id, rule in all_rules().items()}
    return [CompletionItem(id, help=title) for id, title in titles.items() if id.startswith(begun)]


@click.command()
@click.argument("rule", metavar="RULE|ID", shell_complete=_ids)
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path))
@test_options
def explain(rule: str, path: Path, tests: TestOrder | None) -> None:
    """Tell what RULE looks for, why it matters and what to do.

    Of the ID of a finding in the repository at PATH: why it matters there, and its fix, or what was
    tried and refused. The first characters do. With --test-command also what the repository's own
    tests say of that fix.

    \b
    Examples:
      mergegate explain python-sql-injection
      mergegate explain csp-missing
      mergegate explain 9b7da0127c
    """
    if _AN_ID.fullmatch(rule):
        from mergegate.cli.fix import explain_finding  # noqa: PLC0415 - it needs the engines

        explain_finding(rule, path, tests)
        return
    if tests:
        raise UsageError("tests are of a repository, not of a rule", remedy="Name a finding's ID.")
    from mergegate.site.manual import entries  # noqa: PLC0415 - `rules` does without

    known, of_sites = all_rules(), entries()
    pages = [
        *([_page(known[rule])] if rule in known else ()),
        *map(_site_page, of_sites.get(rule, ())),
    ]
    if not pages and "/" in rule:
        raise UsageError(
            f"{rule!r} is a rule of another scanner, whose findings were imported",
            remedy="Its own documentation tells what it looks for.",
        )
    if not pages:
        ids = [*known, *of_sites]
        begun = rule.lower()
        near = [id for id in ids if begun in id][:5] or get_close_matches(begun, ids, 3)
        hint = f"Did you mean {', '.join(near)}?" if near else "`mergegate rules` lists them."
        raise UsageError(f"there is no rule {rule!r}", remedy=hint)
    click.echo("\n\n".join(pages))


def _site_page(entry: "Entry") -> str:
    facts = " · ".join((f"mergegate {entry.tool}", *entry.facts))
    lines = [f"{entry.id}: {entry.title}", facts]
    for paragraph in filter(None, entry.paragraphs):
        lines += ["", *_wrapped([paragraph])]
    return "\n".join([*lines, "", *entry.references]).rstrip()


def _plain(rule: Rule) -> dict[str, object]:
    labels = {"severity": rule.severity.label, "confidence": rule.confidence.label}
    milder = {one.label: condition for one, condition in rule.milder.items()}
    # Families of rules carry more, which is theirs and not the reader's.
    told = {one.name: getattr(rule, one.name) for one in fields(Rule)}
    return told | labels | {"milder": milder, "message": rule.message}


def _page(rule: Rule) -> str:
    weaknesses = ", ".join(rule.cwe) or f"no CWE: {rule.without_cwe}"
    facts = (rule.severity.label, rule.category, f"confidence {rule.confidence.label}", weaknesses)
    milder = [f"{one.label}: {condition}" for one, condition in rule.milder.items()]
    lines = [f"{rule.id}: {rule.title}", " · ".join(facts), *_wrapped(milder)]
    for paragraph in (*rule.explanation.split("\n\n"), rule.remedy):
        lines += ["", *_wrapped([paragraph])]
    return "\n".join([*lines, "", *rule.references])


def _wrapped(paragraphs: Sequence[str]) -> list[str]:
    return [textwrap.fill(one, _COLUMNS, break_on_hyphens=False) for one in paragraphs]


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--schema", is_flag=True, help="Print the JSON Schema instead.")
def policy(file: Path | None, schema: bool) -> None:
    """Check the policy in FILE, or print the schema of policies.

    It tells every mistake with its line: settings and rules that there are not, and paths that no
    file has.

    \b
    Examples:
      mergegate policy
      mergegate policy --schema > mergegate-policy.schema.json
    """
    from mergegate.repo.policy import check_policy  # noqa: PLC0415 - it brings pydantic along
    from mergegate.repo.policy_file import REMEDY, told_apart  # noqa: PLC0415
    from mergegate.repo.settings import POLICY_FILE, Policy  # noqa: PLC0415

    if schema:
        click.echo(json.dumps(Policy.model_json_schema(by_alias=True), indent=2))
        return
    checked = file or Path(POLICY_FILE)
    found, mistakes = check_policy(checked)
    for line in told_apart(mistakes):
        click.echo(escape.terminal(f"{checked}: {line}"), err=True)
    if mistakes:
        count = wording.counted(len(mistakes), "mistake")
        raise PolicyError(f"{checked} has {count}", remedy=REMEDY)
    count = wording.counted(len(found.suppressions), "suppression")
    click.echo(f"{checked} is valid: {count}.")
