"""Figures on a port of their own, so that a proxy can pass on the tables and keep the figures to itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = 5
_MOST = 8_192


@asynccontextmanager
async def figures_on(host: str, port: int, told: Callable[[], Awaitable[str]]) -> AsyncIterator[int]:
    """Answer ``GET /metrics`` on a port while the block runs; gives the port, also where 0 took a free one."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(TimeoutError, ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_SECONDS):
                asked = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)
                found = asked[:1] == [b"GET"] and asked[1].partition(b"?")[0] == b"/metrics"
                body = (await told()).encode() if found else b"not found\n"
                head = f"HTTP/1.1 {'200 OK' if found else '404 Not Found'}\r\nContent-Type: {TYPE}\r\n"
                writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
                await writer.drain()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(answer, host, port, limit=_MOST)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()
