"""The conversation with an editor: messages in and out of two pipes, and how it ends."""

import asyncio
import logging
import os
import sys

import psutil
from pygls.io_ import StdoutWriter, run_async

from mergegate.editor.features import editor_server
from mergegate.editor.server import EditorServer

_LONGEST_HEADER = 64 * 1024
_LOOK_AFTER_PARENT_S = 2.0


class _Incoming:
    """What the editor says; a line that is too long is none."""

    def __init__(self, stream: asyncio.StreamReader) -> None:
        self._stream = stream

    async def readline(self) -> bytes:
        try:
            return await self._stream.readuntil(b"\n")
        except asyncio.IncompleteReadError as ended:
            return ended.partial
        except asyncio.LimitOverrunError as longer:
            return await self._stream.readexactly(longer.consumed)

    async def readexactly(self, n: int) -> bytes:
        try:
            return await self._stream.readexactly(n)
        except asyncio.IncompleteReadError:
            return b""


class _Outgoing(StdoutWriter):
    """What the editor is told; when it is gone, nobody is."""

    def write(self, data: bytes) -> None:
        try:
            super().write(data)
        except (BrokenPipeError, ValueError):
            return


async def _converse(server: EditorServer, incoming: int, outgoing: int) -> None:
    """Follow the editor until it has no more to say."""
    stream = asyncio.StreamReader(_LONGEST_HEADER)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(incoming, "rb", buffering=0)
    )
    server.protocol.set_writer(_Outgoing(os.fdopen(outgoing, "wb")))
    watch = loop.create_task(_end_with_parent(server))
    await run_async(
        stop_event=asyncio.Event(),  # type: ignore[arg-type] # it asks whether it is set, no more
        reader=_Incoming(stream),
        protocol=server.protocol,
        error_handler=server.report_server_error,
    )
    watch.cancel()


async def _end_with_parent(server: EditorServer) -> None:
    """End when the process of the editor is gone, even if another one holds its pipe."""
    while server.process_id is None:
        await asyncio.sleep(_LOOK_AFTER_PARENT_S)
    try:
        editor = psutil.Process(server.process_id)
    except psutil.Error:
        return  # in a container it has another number here
    while editor.is_running() and editor.status() != psutil.STATUS_ZOMBIE:
        await asyncio.sleep(_LOOK_AFTER_PARENT_S)
    sys.exit(1)


def serve(incoming: int, outgoing: int) -> int:
    """Serve the editor behind two file descriptors; 0 when it said goodbye as it should, else 1."""
    # The library logs whole messages, and so the text of files.
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False
    server = editor_server()
    try:
        asyncio.run(_converse(server, incoming, outgoing))
    finally:
        server.scans.end()
    return 0 if server.was_told_to_end else 1
