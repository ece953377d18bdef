"""What an editor may do about a finding: apply its fix, dismiss it, explain its rule."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol.types import (
    ClientCapabilities,
    CodeAction,
    CodeActionKind,
    Command,
    CreateFile,
    CreateFileOptions,
    OptionalVersionedTextDocumentIdentifier,
    Range,
    ResourceOperationKind,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from pygls.workspace import PositionCodec

from mergegate.core.finding import Edit, Finding
from mergegate.core.render.escape import visible
from mergegate.core.report import Fix
from mergegate.editor.dismissal import REASON, addition
from mergegate.editor.shown import Flagged, Shown
from mergegate.editor.text import Text, position_at
from mergegate.repo.settings import POLICY_FILE

EXPLAIN = "mergegate.explain"
SHOW_DISMISSAL = "mergegate.showDismissal"
_HOLDS_FOR = dt.timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy that a dismissal goes into."""

    uri: str
    text: str | None
    """As the editor has it, else as it lies on disk; None where there is no such file."""
    version: int | None
    """None of a file that is not open."""
    codec: PositionCodec


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the editor can do with an edit."""

    versions: bool
    """Whether it holds an edit against the version that it was made for."""
    creates: bool
    """Whether an edit may create a file."""

    @classmethod
    def of(cls, client: ClientCapabilities) -> "Abilities":
        """As the client told when it started."""
        edits = client.workspace.workspace_edit if client.workspace else None
        operations = (edits.resource_operations if edits else None) or ()
        return cls(
            bool(edits and edits.document_changes), ResourceOperationKind.Create in operations
        )


def actions(
    flagged: Sequence[Flagged], shown: Shown, policy: Policy, able: Abilities, today: dt.date
) -> Iterator[CodeAction]:
    """Every action on what is ``flagged``, fixes first."""
    for one in flagged:
        if one.fix:
            yield _fix(one, one.fix, shown, able)
    for one in flagged:
        dismissal = _dismiss(one, shown, policy, able, today)
        if dismissal:
            yield dismissal
    for one in {one.finding.rule_id: one for one in flagged}.values():
        rule = one.finding.rule_id
        yield CodeAction(
            title=f"Explain {rule}",
            kind=CodeActionKind.QuickFix,
            diagnostics=[one.diagnostic],
            command=Command("Explain", EXPLAIN, arguments=[rule]),
        )


def _fix(flagged: Flagged, fix: Fix, shown: Shown, able: Abilities) -> CodeAction:
    edits = [_edit(one, shown.text) for one in fix.edits]
    order = shown.order
    return CodeAction(
        title=f"Apply the fix: {visible(fix.title)}",
        kind=CodeActionKind.QuickFix,
        diagnostics=[flagged.diagnostic],
        is_preferred=True,
        edit=_workspace_edit(order.uri, order.version, edits, able),
    )


def _edit(edit: Edit, text: Text) -> TextEdit:
    if not edit.replacement:
        return TextEdit(text.through(edit.start_line, edit.end_line), "")
    lines = (one.removesuffix("\r") for one in edit.replacement.split("\n"))
    return TextEdit(text.lines(edit.start_line, edit.end_line), text.ending.join(lines))


def _workspace_edit(
    uri: str, version: int | None, edits: Sequence[TextEdit], able: Abilities, *, new: bool = False
) -> WorkspaceEdit:
    if not able.versions:
        return WorkspaceEdit(changes={uri: list(edits)})
    document = OptionalVersionedTextDocumentIdentifier(uri, version)
    change = TextDocumentEdit(document, list(edits))
    if new and able.creates:
        created = CreateFile(uri, options=CreateFileOptions(ignore_if_exists=True))
        return WorkspaceEdit(document_changes=[created, change])
    return WorkspaceEdit(document_changes=[change])


def _dismiss(
    flagged: Flagged, shown: Shown, policy: Policy, able: Abilities, today: dt.date
) -> CodeAction | None:
    """An entry in the policy; None where its layout takes none."""
    finding, text = flagged.finding, policy.text or ""
    entry = {
        "id": finding.id,
        "reason": REASON,
        "owner": shown.outcome.owner or REASON,
        "expires": (today + _HOLDS_FOR).isoformat(),
    }
    added = addition(text, entry, _note(finding))
    if added is None:
        return None
    start = position_at(text, added.at, policy.codec)
    end = position_at(text, added.at + added.replaced, policy.codec)
    edits = [TextEdit(Range(start=start, end=end), added.text)]
    whole = added.applied(text)
    first, last = (position_at(whole, at, policy.codec) for at in added.reason)
    reason = Range(start=first, end=last)
    return CodeAction(
        title=f"Dismiss in {POLICY_FILE}: {visible(finding.title)}",
        kind=CodeActionKind.QuickFix,
        diagnostics=[flagged.diagnostic],
        edit=_workspace_edit(policy.uri, policy.version, edits, able, new=policy.text is None),
        command=Command("Show", SHOW_DISMISSAL, arguments=[policy.uri, reason]),
    )


def _note(finding: Finding) -> str:
    return visible(f"{finding.rule_id} in {finding.place.file}")
