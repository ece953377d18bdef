"""The answers to comment commands, in Markdown that every forge shows alike: no HTML."""

import datetime as dt
from typing import Any

import yaml

from mergegate.core.finding import Finding
from mergegate.core.render import templates, wording
from mergegate.core.report import Fix, RefusedFix
from mergegate.forges.publication import Dialect
from mergegate.repo.report import entries as detail
from mergegate.repo.report import excerpt


def ignored(
    *, id: str, until: dt.date, reason: str, owner: str, finding: Finding | None = None
) -> str:
    """A finding is set aside; with the lines that make it last.

    ``finding`` is None where none of this id stands: the dismissal holds should it appear.
    """
    whole = finding.id if finding else id
    snippet = _snippet(whole, until, reason, owner)
    return _render(
        "ignored", id=id, until=until, reason=reason, owner=owner, finding=finding, snippet=snippet
    )


def unignored(*, id: str, found: bool) -> str:
    """A finding counts again; ``found``: whether it was set aside at all."""
    return _render("unignored", id=id, found=found)


def rescanning(*, head: str, moved: bool) -> str:
    """A scan of ``head`` begins; ``moved``: the change has a newer commit."""
    return _render("rescanning", head=head, moved=moved)


def explained(*, id: str, finding: Finding | None) -> str:
    """What the finding is; None: there is none of this id."""
    lines = [line for line in finding.message.split("\n") if line.strip()] if finding else []
    links = wording.links(finding) if finding else ()
    return _render("explained", id=id, finding=finding, message=lines, links=links)


def fixed(*, finding: Finding, fix: Fix, diff: str, dialect: Dialect) -> str:
    """The fix of a finding, with the patch of it where that can be read as it is."""
    told = detail.of(finding, fix)
    return _render("fixed", patch=templates.Escaped(excerpt.diff_block(diff, dialect)), **told)


def without_fix(*, finding: Finding, refused: RefusedFix | None) -> str:
    """There is no fix of the finding that was proved."""
    return _render("without_fix", finding=finding, refused=refused)


def usage() -> str:
    """Which commands there are."""
    return _render("help")


def misread(*, reason: str, hint: str) -> str:
    """The command was not understood."""
    return _render("misread", reason=reason, hint=hint)


def refused(*, account: str) -> str:
    """The author may not order this."""
    return _render("refused", account=account)


def failed(*, reason: str, remedy: str = "") -> str:
    """The command was understood, and could not be carried out."""
    return _render("failed", reason=reason, remedy=remedy)


def _render(name: str, **values: Any) -> str:
    template = templates.markdown().get_template(f"reply/{name}.md.j2")
    return template.render(**values).strip("\n") + "\n"


def _snippet(id: str, until: dt.date, reason: str, owner: str) -> tuple[str, ...]:
    """Lines for the policy file: ASCII alone, so that what is copied is what was said."""
    entry = {"id": id, "reason": reason, "owner": owner, "expires": until}
    text = yaml.safe_dump({"suppressions": [entry]}, sort_keys=False, width=10_000)
    return tuple(text.rstrip("\n").split("\n"))
