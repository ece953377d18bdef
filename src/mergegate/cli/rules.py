"""``mergegate rules`` and ``mergegate explain``."""

import json
import sys
import textwrap
from dataclasses import asdict

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mergegate.cli.reference import rules_page, severity
from mergegate.core.errors import UsageError
from mergegate.core.rule import RuleCard
from mergegate.repo.catalogue import rule_cards

_COLUMNS = 80


@click.command()
@click.option("--language", help="Only rules of this language.")
@click.option(
    "--format", "style", type=click.Choice(["console", "json", "markdown"]), default="console"
)
def rules(language: str | None, style: str) -> None:
    """List every rule with its severity.

    \b
    Examples:
      mergegate rules --language python
      mergegate rules --format json
    """
    cards = [card for card in rule_cards() if language in (None, *card.languages)]
    if style == "json":
        click.echo(json.dumps([_plain(card) for card in cards], indent=2))
        return
    if style == "markdown":
        click.echo(rules_page(cards), nl=False)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("Rule", "Severity", "Category", "Title"):
        table.add_column(heading, overflow="fold")
    for card in cards:
        table.add_row(card.id, severity(card), card.category, escape(card.title))
    Console(file=sys.stdout).print(table)
    click.echo(f"{len(cards)} rules", err=True)


@click.command()
@click.argument("rule")
def explain(rule: str) -> None:
    """Tell what RULE looks for, why it matters and what to do.

    \b
    Example:
      mergegate explain python-sql-injection
    """
    known = {card.id: card for card in rule_cards()}
    if rule not in known:
        near = [id for id in known if rule in id][:5]
        hint = f"Did you mean {', '.join(near)}?" if near else "`mergegate rules` lists them."
        raise UsageError(f"there is no rule {rule!r}", remedy=hint)
    click.echo(_page(known[rule]))


def _plain(card: RuleCard) -> dict[str, object]:
    labels = {"severity": severity(card), "confidence": card.confidence.label}
    return asdict(card) | labels


def _page(card: RuleCard) -> str:
    facts = f"{severity(card)} · {card.category} · confidence {card.confidence.label}"
    weaknesses = ", ".join(card.cwe)
    lines = [
        f"{card.id}: {card.title}",
        f"{facts} · {weaknesses}" if weaknesses else facts,
        "",
        *_wrapped(card.message),
    ]
    if card.references:
        lines += ["", *card.references]
    return "\n".join(lines)


def _wrapped(message: str) -> list[str]:
    paragraphs = [textwrap.fill(part, _COLUMNS) for part in message.split("\n\n")]
    return ["\n\n".join(paragraphs)]
