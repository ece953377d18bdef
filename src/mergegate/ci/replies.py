"""The answers to comment commands, in Markdown that every forge shows alike: no HTML."""

import datetime as dt
from typing import Any

import yaml

from mergegate.ci.commits import Uncommitted
from mergegate.core.finding import Finding
from mergegate.core.render import templates, wording
from mergegate.core.report import Fix, RefusedFix
from mergegate.forges.branches import Committed
from mergegate.forges.publication import Dialect
from mergegate.forges.variables import is_address
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


def fixed(
    *, finding: Finding, fix: Fix, diff: str, dialect: Dialect, why_not: Uncommitted | None = None
) -> str:
    """The fix of a finding, with the patch of it where that can be read as it is.

    ``why_not``: why it was not committed, where the policy would let it.
    """
    block = templates.Escaped(excerpt.diff_block(diff, dialect))
    return _render("fixed", patch=block, why_not=why_not, **detail.of(finding, fix))


def committed(*, finding: Finding, fix: Fix, done: Committed) -> str:
    """The fix of a finding is on the change's branch."""
    url = done.url if is_address(done.url) else ""
    return _render("committed", finding=finding, fix=fix, done=done, url=url)


def in_place(*, id: str, commit: str) -> str:
    """The fix was committed before."""
    return _render("in_place", id=id, commit=commit)


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
