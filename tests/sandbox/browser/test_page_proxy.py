"""A page's own proxy lets everything through until it is shut, and nothing afterwards."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest

from mergegate.sandbox.browser.attach import page_proxy


@contextlib.asynccontextmanager
async def echo() -> AsyncIterator[str]:
    """A way out that says what it hears, and ends when it has heard all."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1024):
                writer.write(data)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()


async def knock(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", urlsplit(url).port)


async def rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def test_what_is_said_goes_through_to_its_end() -> None:
    async def talk() -> bytes:
        async with echo() as way, page_proxy(way) as held:
            reader, writer = await knock(held.url)
            writer.write(b"x" * 1_000_000)
            writer.write_eof()
            said = await rest(reader)
            writer.close()
            return said

    assert asyncio.run(talk()) == b"x" * 1_000_000


def test_a_shut_one_cuts_who_is_inside_and_turns_away_who_comes() -> None:
    async def talk() -> list[bytes]:
        async with echo() as way, page_proxy(way) as held:
            reader, writer = await knock(held.url)
            writer.write(b"before")
            said = [await reader.readexactly(6)]
            held.shut()
            writer.write(b"after")
            said.append(await rest(reader))
            late, other = await knock(held.url)  # its port is still nobody else's
            other.write(b"late")
            said.append(await rest(late))
            for one in (writer, other):
                one.close()
            return said

    assert asyncio.run(talk()) == [b"before", b"", b""]


def test_where_there_is_no_way_out_nothing_is_answered() -> None:
    async def talk() -> bytes:
        async with echo() as way:
            pass
        async with page_proxy(way) as held:
            reader, writer = await knock(held.url)
            writer.write(b"anyone")
            said = await rest(reader)
            writer.close()
            return said

    assert asyncio.run(talk()) == b""


def test_nothing_is_left_of_it() -> None:
    async def leave() -> str:
        async with echo() as way, page_proxy(way) as held:
            _, writer = await knock(held.url)
            writer.close()
        return held.url

    async def come_back(url: str) -> None:
        with pytest.raises(ConnectionRefusedError):
            await knock(url)

    asyncio.run(come_back(asyncio.run(leave())))
