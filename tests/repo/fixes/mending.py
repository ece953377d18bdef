"""A recipe of ours on a text, without a scan: what it makes of it, or that it leaves it alone."""

from collections.abc import Mapping
from pathlib import Path

from mergegate.core.finding import Finding, Place
from mergegate.core.severity import Category, Kind, Severity
from mergegate.core.tree import Role, SourceFile
from mergegate.repo.fixes.edits import apply
from mergegate.repo.fixes.proposals import proposed

_NONE: Mapping[str, str] = {}


def mended(
    rule: str,
    language: str,
    marked: str,
    others: Mapping[str, str] = _NONE,
    *,
    role: Role = Role.SOURCE,
) -> str | None:
    """A text after the rule's recipe, which found what stands between ``«`` and ``»``.

    None where nothing is proposed. ``others`` are the texts of further files by their paths.
    """
    before, found, behind = marked.replace("»", "«").split("«")
    text = before + found + behind
    upto = before + found
    path = f"shop/a.{language}"
    place = Place(
        path,
        before.count("\n") + 1,
        upto.count("\n") + 1,
        len(before) - before.rfind("\n"),
        len(upto) - upto.rfind("\n"),
    )
    finding = Finding(
        rule_id=rule,
        title="Title",
        message="Message.",
        severity=Severity.HIGH,
        category=Category.SECURITY,
        kind=Kind.CODE,
        place=place,
        id="one",
    )
    file = SourceFile(
        path=path, location=Path(path), size=len(text), digest="0", language=language, role=role
    )
    made = proposed(finding, file, ({path: text} | dict(others)).get)
    return apply(text, *made.edits) if made and made.edits else None
