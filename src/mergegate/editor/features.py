"""What the server does for an editor: each message that it follows, and how."""

import datetime as dt
from collections.abc import Iterator

from lsprotocol import types

from mergegate.editor import hover
from mergegate.editor.actions import EXPLAIN, SHOW_DISMISSAL, Abilities, actions
from mergegate.editor.server import EditorServer, file_of
from mergegate.editor.shown import SOURCE, Flagged, Shown
from mergegate.repo.settings import POLICY_FILE


def _opened(ls: EditorServer, params: types.DidOpenTextDocumentParams) -> None:
    ls.forget_gone()
    ls.order(params.text_document.uri, params.text_document.text)


def _saved(ls: EditorServer, params: types.DidSaveTextDocumentParams) -> None:
    ls.forget_gone()
    path = file_of(params.text_document.uri)
    if path and ls.is_policy(path):
        ls.order_all()
    ls.order(params.text_document.uri)


def _closed(ls: EditorServer, _: types.DidCloseTextDocumentParams) -> None:
    ls.forget_gone()  # and nothing else: what was found is still so


def _deleted(ls: EditorServer, _: types.DeleteFilesParams) -> None:
    ls.forget_gone()


def _changed_outside(ls: EditorServer, params: types.DidChangeWatchedFilesParams) -> None:
    ls.forget_gone()
    uris = [one.uri for one in params.changes]
    if any(path and ls.is_policy(path) for path in map(file_of, uris)):
        ls.order_all()
        return
    for uri in uris:
        ls.order_changed(uri)


def _hover(ls: EditorServer, params: types.HoverParams) -> types.Hover | None:
    here = params.position
    path = file_of(params.text_document.uri)
    known = ls.shown.get(path) if path else None
    lower = ls.lower_by(params.text_document.uri, here.line)
    if known is None or lower is None:
        return None
    then = types.Position(here.line + lower, here.character)
    flagged = known.at(types.Range(then, then))
    if not flagged:
        return None
    documents = ls.client_capabilities.text_document
    formats = documents.hover.content_format if documents and documents.hover else None
    is_markdown = types.MarkupKind.Markdown in (formats or ())
    kind = types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText
    told = hover.markdown(flagged) if is_markdown else hover.plain(flagged)
    there = flagged[0].diagnostic.range
    start, end = (
        types.Position(max(one.line - lower, 0), one.character) for one in (there.start, there.end)
    )
    return types.Hover(types.MarkupContent(kind, told), types.Range(start, end))


def _actions(ls: EditorServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    wanted = params.context.only
    if wanted is not None and types.CodeActionKind.QuickFix not in wanted and "" not in wanted:
        return []
    path = file_of(params.text_document.uri)
    known = ls.shown.get(path) if path else None
    if known is None:
        return []
    flagged = list(_meant(ls, known, params))
    able = Abilities.of(ls.client_capabilities)
    today = dt.datetime.now(dt.UTC).date()
    return list(actions(flagged, known, ls.policy(known), able, today))


def _meant(ls: EditorServer, known: Shown, params: types.CodeActionParams) -> Iterator[Flagged]:
    """The findings at the place; in a text that has changed those that the editor names itself."""
    ids = frozenset(filter(None, map(_finding_id, params.context.diagnostics)))
    if ls.current(params.text_document.uri):
        yield from known.at(params.range, ids)
        return
    for one in known.flagged:
        if one.finding.id in ids:
            yield Flagged(one.finding, one.diagnostic)  # its fix is for another text


def _finding_id(diagnostic: types.Diagnostic) -> str:
    """Which finding a diagnostic is about that the editor sends back; empty where it is none."""
    data = diagnostic.data
    return str(data.get("id")) if diagnostic.source == SOURCE and isinstance(data, dict) else ""


def _explain(ls: EditorServer, rule: str) -> None:
    told = hover.explained(rule)
    if told:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))


async def _show_dismissal(ls: EditorServer, uri: str, place: types.Range) -> None:
    """Open the policy where the reason is to be written; an editor that cannot is told so."""
    window = ls.client_capabilities.window
    if window and window.show_document and window.show_document.support:
        await ls.window_show_document_async(
            types.ShowDocumentParams(uri, external=False, take_focus=True, selection=place)
        )
        return
    said = f"Give a reason in line {place.start.line + 1} of {POLICY_FILE}, and save it."
    ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, said))


async def _initialized(ls: EditorServer, _: types.InitializedParams) -> None:
    ls.scans.warm_up()
    workspace = ls.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace else None
    if watching and watching.dynamic_registration:
        options = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher("**/*", types.WatchKind.Change | types.WatchKind.Delete)]
        )
        registration = types.Registration(
            "watched", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options
        )
        await ls.client_register_capability_async(types.RegistrationParams([registration]))


def _shut_down(ls: EditorServer, _: None) -> None:
    ls.was_told_to_end = True


_EVERY_FILE = types.FileOperationRegistrationOptions(
    [types.FileOperationFilter(types.FileOperationPattern("**/*"), "file")]
)


def editor_server() -> EditorServer:
    """A server that follows an editor."""
    server = EditorServer()
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.SHUTDOWN)(_shut_down)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_opened)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(types.WORKSPACE_DID_DELETE_FILES, _EVERY_FILE)(_deleted)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_changed_outside)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)(_actions)
    server.command(EXPLAIN)(_explain)
    server.command(SHOW_DISMISSAL)(_show_dismissal)
    return server
