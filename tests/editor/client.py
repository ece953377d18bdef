"""A real client of the protocol, against the installed command over its standard streams."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

from tests.ready import PROGRAM, Order, fork, start

LONGEST_S = 180
FULL = types.ClientCapabilities(
    general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf16]),
    window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(True)),
    workspace=types.WorkspaceClientCapabilities(
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Create]
        ),
        file_operations=types.FileOperationClientCapabilities(did_delete=True),
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        ),
    ),
    text_document=types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, data_support=True
        ),
    ),
)


@dataclass
class Editor:
    """What a client said and heard."""

    client: LanguageClient
    root: Path
    heard: asyncio.Condition = field(default_factory=asyncio.Condition)
    published: list[types.PublishDiagnosticsParams] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    logs: list[str] = field(default_factory=list)
    opened: list[types.ShowDocumentParams] = field(default_factory=list)
    watched: list[types.Registration] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file with what it has on disk, line ends as they are, or with another text."""
        uri = self.uri(name)
        self.versions[uri] = 1
        held = (self.root / name).read_bytes().decode() if text is None else text
        document = types.TextDocumentItem(uri, "plaintext", 1, held.removeprefix("\ufeff"))
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))

    def type(self, name: str, text: str) -> None:
        """Replace the text, without saving it."""
        uri = self.uri(name)
        self.versions[uri] += 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [types.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, name: str, text: str | None = None) -> None:
        """Save ``text``, or what is on disk already."""
        if text is not None:
            if self.uri(name) in self.versions:
                self.type(name, text)
            (self.root / name).write_bytes(text.encode())
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    def close(self, name: str) -> None:
        document = types.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))
        del self.versions[self.uri(name)]

    async def told(self, name: str, times: int = 1) -> list[types.Diagnostic]:
        """What was published of the file, once that was done so many times."""
        uri = self.uri(name)
        async with self.heard:
            await asyncio.wait_for(
                self.heard.wait_for(lambda: len(self.of(uri)) >= times), LONGEST_S
            )
        return list(self.of(uri)[times - 1].diagnostics)

    async def message(self, text: str) -> None:
        """Wait for a message or a line of the log that holds ``text``."""
        async with self.heard:
            await asyncio.wait_for(
                self.heard.wait_for(lambda: any(text in m for m in (*self.messages, *self.logs))),
                LONGEST_S,
            )

    def of(self, uri: str) -> list[types.PublishDiagnosticsParams]:
        return [one for one in self.published if one.uri == uri]

    async def hover(self, name: str, line: int, character: int) -> str:
        """What is told at a place, lines and characters from 0; empty for nothing."""
        found = await self.client.text_document_hover_async(
            types.HoverParams(
                types.TextDocumentIdentifier(self.uri(name)), types.Position(line, character)
            )
        )
        return found.contents.value if found else ""  # type: ignore[union-attr]

    async def actions(
        self, name: str, diagnostic: types.Diagnostic, only: Sequence[str] | None = None
    ) -> list[types.CodeAction]:
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(
                types.TextDocumentIdentifier(self.uri(name)),
                diagnostic.range,
                types.CodeActionContext([diagnostic], only=only),
            )
        )
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    def apply(self, edit: types.WorkspaceEdit) -> list[str]:
        """Carry an edit out on disk; the names of the files that it changed or made."""
        done: dict[str, None] = {}
        for change in edit.document_changes or ():
            if isinstance(change, types.CreateFile):
                Path(change.uri.removeprefix("file://")).touch()
                continue
            assert isinstance(change, types.TextDocumentEdit)
            path = Path(change.text_document.uri.removeprefix("file://"))
            edits = [one for one in change.edits if isinstance(one, types.TextEdit)]
            path.write_bytes(edited(path.read_bytes().decode(), edits).encode())
            done[path.name] = None
        return list(done)


def edited(text: str, edits: Sequence[types.TextEdit]) -> str:
    """``text`` after ``edits``, by characters of UTF-16, as the protocol counts."""
    for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character))[
        ::-1
    ]:
        start, end = (_offset(text, one) for one in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def _offset(text: str, position: types.Position) -> int:
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: position.line])
    wide = lines[position.line].encode("utf-16-le")[: 2 * position.character]
    return before + len(wide.decode("utf-16-le"))


def marked(text: str, range: types.Range) -> str:
    """What of ``text`` stands in ``range``."""
    return text[_offset(text, range.start) : _offset(text, range.end)]


def _converter() -> Converter:
    """The library's own takes an action that has a command for that command."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]

    def structured(said: dict[str, Any], _: type) -> Any:
        is_command = isinstance(said.get("command"), str)
        return converter.structure(said, types.Command if is_command else types.CodeAction)

    converter.register_structure_hook(types.Command | types.CodeAction, structured)
    return converter


@asynccontextmanager
async def editor(
    root: Path,
    *,
    capabilities: types.ClientCapabilities = FULL,
    process_id: int | None = None,
    folders: bool = True,
    cwd: Path | None = None,
) -> AsyncIterator[Editor]:
    """An initialized server; ended as the protocol wants.

    It is started from an interpreter of its own where it is given a folder to start in.
    """
    client = LanguageClient("tests", "1", converter_factory=_converter)
    environment = {"PATH": "/usr/bin:/bin", "MERGEGATE_DATA_DIR": str(root.parents[1] / "answers")}
    environment |= {"HOME": str(root.parent)}
    order = Order((PROGRAM, "lsp", "--stdio"), environment, str(cwd or Path.cwd()))
    ours, theirs = socket.socketpair()
    with theirs, open(os.devnull, "w") as nothing:
        streams = (theirs.fileno(), theirs.fileno(), nothing.fileno())
        wait = (start if cwd else fork)(order, streams)
    writer = await _connect(client, ours)
    one = Editor(client, root)
    _listen(one)
    found = await client.initialize_async(
        types.InitializeParams(
            capabilities,
            process_id=process_id,
            root_uri=root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), root.name)]
            if folders
            else None,
        )
    )
    assert found.server_info
    assert found.server_info.name == "mergegate"
    client.initialized(types.InitializedParams())
    try:
        yield one
        await client.shutdown_async(None)
        client.exit(None)
        assert await asyncio.wait_for(asyncio.to_thread(wait), LONGEST_S) == 0
    finally:
        writer.close()  # what has not ended ends with it
        await client.stop()  # type: ignore[no-untyped-call]


async def _connect(client: LanguageClient, stream: socket.socket) -> asyncio.StreamWriter:
    """As the client's own ways to start do it."""
    reader, writer = await asyncio.open_connection(sock=stream)
    client.protocol.set_writer(writer)
    conversation = run_async(
        stop_event=client._stop_event,
        reader=reader,
        protocol=client.protocol,
        error_handler=client.report_server_error,
    )
    client._async_tasks.append(asyncio.create_task(conversation))
    return writer


def _listen(one: Editor) -> None:
    async def hear() -> None:
        async with one.heard:
            one.heard.notify_all()

    async def published(params: types.PublishDiagnosticsParams) -> None:
        one.published.append(params)
        await hear()

    async def message(params: types.ShowMessageParams) -> None:
        one.messages.append(params.message)
        await hear()

    async def log(params: types.LogMessageParams) -> None:
        one.logs.append(params.message)
        await hear()

    async def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        one.opened.append(params)
        await hear()
        return types.ShowDocumentResult(success=True)

    async def register(params: types.RegistrationParams) -> None:
        one.watched += params.registrations
        await hear()

    one.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
    one.client.feature(types.WINDOW_SHOW_MESSAGE)(message)
    one.client.feature(types.WINDOW_LOG_MESSAGE)(log)
    one.client.feature(types.WINDOW_SHOW_DOCUMENT)(show)
    one.client.feature(types.CLIENT_REGISTER_CAPABILITY)(register)


def carried_out(scenario: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scenario, 2 * LONGEST_S))
