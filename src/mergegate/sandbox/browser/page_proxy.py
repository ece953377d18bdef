"""A page's own proxy before the egress, which can be shut while the page stays open."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from functools import partial
from urllib.parse import urlsplit

_CHUNK_BYTES = 64 * 1024


class PageProxy:
    """A port on loopback that leads to the way out; made by :func:`page_proxy`."""

    def __init__(self, way_out: str) -> None:
        parts = urlsplit(way_out)
        self._host, self._port = parts.hostname, parts.port
        self._passing: set[asyncio.Task[None]] = set()
        self._is_shut = False
        self.url = ""
        """The proxy's address, in the form that a browser takes."""

    def shut(self) -> None:
        """Cut every connection and let no other one through, whatever it carries.

        Chromium's own means forget some: its DevTools break off no request of a shared worker, no
        WebSocket and no prefetch (seen in 156).
        """
        self._is_shut = True
        for one in self._passing:
            one.cancel()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one connection on; break it off once this is shut."""
        if self._is_shut:
            writer.transport.abort()
            return
        task = asyncio.get_running_loop().create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(partial(self._left, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond, back = await asyncio.open_connection(self._host, self._port)
        try:
            await asyncio.gather(_carry(reader, back), _carry(beyond, writer))
        except BaseException:
            back.transport.abort()
            raise
        for one in (writer, back):
            one.close()  # once the last bytes are out

    def _left(self, writer: asyncio.StreamWriter, task: asyncio.Task[None]) -> None:
        self._passing.discard(task)
        if task.cancelled() or task.exception():  # it was shut, or one side broke off
            writer.transport.abort()


@contextlib.asynccontextmanager
async def page_proxy(way_out: str) -> AsyncIterator[PageProxy]:
    """A proxy before ``way_out`` (``Chromium.way_out``), for one browser context.

    A shut one goes on taking connections, to break them off: no other program shall get its port
    while there is a page that takes it for its proxy. Leave only when there is none.
    """
    held = PageProxy(way_out)
    server = await asyncio.start_server(held.accept, "127.0.0.1", 0)
    held.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield held
    finally:
        held.shut()
        server.close()


def proxy_settings(own: PageProxy) -> Mapping[str, str]:
    """The ``proxy`` of Playwright's ``Browser.new_context``; no host goes past it."""
    return {"server": own.url, "bypass": "<-loopback>"}


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK_BYTES):
        writer.write(data)
        await writer.drain()
    writer.write_eof()
