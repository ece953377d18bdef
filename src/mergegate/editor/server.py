"""The editor server: what the editor says → scans, and what they found → the editor."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from mergegate import __version__
from mergegate.core.render.escape import visible
from mergegate.editor.actions import Policy
from mergegate.editor.scanning import Order, Outcome, Scans, read_file
from mergegate.editor.shown import Shown, shown
from mergegate.editor.text import Text, lower_by
from mergegate.repo.policy_file import LARGEST_BYTES
from mergegate.repo.settings import POLICY_FILE
from mergegate.sandbox.files.stage import read_regular
from mergegate.sandbox.git.repository import Repository


class _Protocol(LanguageServerProtocol):
    """Answers a request also where it cannot be read: the library leaves its sender waiting."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if {"id", "method"} <= data.keys():
                self._send_response(data["id"], error=error.to_response_error())
            raise


class EditorServer(LanguageServer):
    """Knows what each file was told to hold."""

    def __init__(self) -> None:
        # With single changes the library loses its way behind a form feed.
        whole = types.TextDocumentSyncKind.Full
        super().__init__(
            "mergegate", __version__, text_document_sync_kind=whole, protocol_cls=_Protocol
        )
        self.scans = Scans(self._publish)
        self.shown: dict[Path, Shown] = {}
        self.was_told_to_end = False
        self._said: set[str] = set()

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Tell the editor's log of the kind alone: what went wrong may hold text of a file."""
        if source is not FeatureRequestError:
            self.log(f"A message could not be followed: {type(error).__name__}")

    def log(self, message: str) -> None:
        """A line in the editor's log."""
        said = types.LogMessageParams(types.MessageType.Info, visible(message))
        self.window_log_message(said)

    def order(self, uri: str, text: str | None = None) -> None:
        """Scan the file; not one that was opened with a ``text`` other than it has on disk."""
        path = file_of(uri)
        folder = self._folder(path) if path else None
        if path is None or folder is None:
            self.log("A file outside of the folders that are open is not scanned")
            return
        if text is not None and read_file(path).is_shown_as(text) is False:
            return
        document = self.open_documents().get(path)
        self.scans.order(Order(uri, path, folder, document.version if document else None))

    def order_changed(self, uri: str) -> None:
        """Scan a file that another program wrote, unless it is what was or is being scanned."""
        path = file_of(uri)
        known = self.shown.get(path) if path else None
        document = self.open_documents().get(path) if path else None
        if path is None or (known is None and document is None):
            return
        is_ordered = self.scans.has(path, document.version if document else None)
        if not is_ordered and not (known and known.outcome.scanned == read_file(path)):
            self.order(uri)

    def order_all(self) -> None:
        """Scan again what is open, and what findings are shown of: the policy has changed."""
        uris = {path: one.order.uri for path, one in self.shown.items() if one.diagnostics}
        uris |= {path: one.uri for path, one in self.open_documents().items()}
        for uri in uris.values():
            self.order(uri)

    def open_documents(self) -> dict[Path, TextDocument]:
        """The files that are open in the editor."""
        found = ((file_of(one.uri), one) for one in self.workspace.text_documents.values())
        return {path: one for path, one in found if path}

    def is_policy(self, path: Path) -> bool:
        """Whether the file is a policy that findings were judged by, or may be."""
        return path.name == POLICY_FILE

    def forget_gone(self) -> None:
        """Take back what was said of files that are no longer there."""
        for path, one in list(self.shown.items()):
            if not os.path.lexists(path):
                self.scans.forget(path)
                self._clear(one)

    def current(self, uri: str) -> Shown | None:
        """What is shown of an open file, if its text is still the one that was scanned."""
        path = file_of(uri)
        known = self.shown.get(path) if path else None
        document = self.open_documents().get(path) if path else None
        if known is None or document is None:
            return None
        order = _of_now(known.order, known.outcome, document)
        return replace(known, order=order) if order else None

    def lower_by(self, uri: str, line: int) -> int | None:
        """How many lines lower the ``line`` of the file stood when it was scanned; None of none."""
        path = file_of(uri)
        known = self.shown.get(path) if path else None
        document = self.open_documents().get(path) if path else None
        if known is None or document is None:
            return None
        return lower_by(line, document.source, known.outcome.scanned.text())

    def policy(self, shown: Shown) -> Policy:
        """The policy that a dismissal of what is ``shown`` goes into."""
        path, codec = shown.outcome.policy, self.workspace.position_codec
        document = self.open_documents().get(path)
        if document:
            return Policy(document.uri, document.source, document.version, codec)
        try:
            text = read_regular(path, LARGEST_BYTES + 1).decode("utf-8", "replace")
        except OSError:
            text = None
        # An editor does not show the mark that a file may begin with.
        plain = None if text is None else text.removeprefix("\ufeff")
        return Policy(_beside(shown.order, path), plain, None, codec)

    def _publish(self, order: Order, outcome: Outcome) -> None:
        """Show what was found, unless the text is another one by now."""
        document = self.open_documents().get(order.path)
        if document:
            current = _of_now(order, outcome, document)
            if current is None:
                return
            order = current
        if not os.path.lexists(order.path) or not outcome.is_ours:
            if known := self.shown.get(order.path):
                self._clear(known)
            if outcome.trouble:
                self.log(f"Not scanned: {outcome.trouble}")
            return
        publishing = self._publishing()
        told = shown(
            order,
            outcome,
            Text(outcome.scanned, self.workspace.position_codec),
            related=bool(publishing and publishing.related_information),
        )
        self.shown[order.path] = told
        self._send(order.uri, told.diagnostics, order.version if document else None)
        if outcome.trouble:
            self._complain(str(outcome.trouble))
        else:
            self._said.clear()

    def _complain(self, message: str) -> None:
        """Say it once, not with every file, until something is scanned again."""
        if message not in self._said:
            self._said.add(message)
            said = types.ShowMessageParams(
                types.MessageType.Error, visible(f"Mergegate: {message}")
            )
            self.window_show_message(said)

    def _clear(self, known: Shown) -> None:
        del self.shown[known.order.path]
        self._send(known.order.uri, [], None)

    def _send(self, uri: str, diagnostics: list[types.Diagnostic], version: int | None) -> None:
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, version)
        )

    def _publishing(self) -> types.PublishDiagnosticsClientCapabilities | None:
        documents = self.client_capabilities.text_document
        return documents.publish_diagnostics if documents else None

    def _folder(self, path: Path) -> Path | None:
        """The innermost folder of the editor that holds ``path``; without one its repository."""
        uris = list(self.workspace.folders) or [self.workspace.root_uri or ""]
        folders = [Path(one).resolve() for one in map(to_fs_path, filter(None, uris)) if one]
        holding = [one for one in folders if path.is_relative_to(one)]
        if holding:
            return max(holding, key=lambda one: len(one.parts))
        alone = None if folders else Repository.around(path.parent)
        return alone.top() if alone else None


def _beside(order: Order, policy: Path) -> str:
    """The policy as the editor would write it, which may have come to its folder by a link."""
    with suppress(ValueError):
        below = order.path.relative_to(policy.parent).parts
        uri = f"{order.uri.rsplit('/', len(below))[0]}/{policy.name}"
        if file_of(uri) == policy:
            return uri
    return from_fs_path(str(policy)) or ""


def _of_now(order: Order, outcome: Outcome, document: TextDocument) -> Order | None:
    """The order with the version of the same text that the editor has now; None of another text.

    A file that is closed and opened again begins with version 1 anew.
    """
    is_same = outcome.scanned.is_shown_as(document.source)
    if is_same is None:
        is_same = document.version == order.version
    return replace(order, version=document.version) if is_same else None


def file_of(uri: str) -> Path | None:
    """The file that ``uri`` names, links in its own place aside; None for what is no file."""
    found = Path(to_fs_path(uri) or "")
    try:
        return found.parent.resolve() / found.name if found.name else None
    except (OSError, ValueError, RuntimeError):  # a NUL, or links in a circle
        return None
