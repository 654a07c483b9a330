"""A page's live socket as a client that costs next to nothing: it looks only at the head of what comes in.

The part of RFC 6455 that a server's pushes need: text frames of any length, pings, and the close.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import time
from collections.abc import Callable
from typing import Final

_TEXT: Final = 0x81
_PING: Final = 0x89
_CLOSE: Final = 0x88
_PONG: Final = 0x8A


class RefusedError(Exception):
    """The server did not open the socket, or hung up before it was open."""


class Push(asyncio.Protocol):
    """One socket. ``told`` is called with each text that comes in and the moment when it was whole."""

    def __init__(self, told: Callable[[bytes, float], None]) -> None:
        self._told = told
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._upgraded = False
        self._held = b""
        self.gone = asyncio.Event()
        """The connection is over."""

    @classmethod
    async def open(cls, port: int, path: str, headers: dict[str, str], told: Callable[[bytes, float], None]) -> Push:
        """A socket that the server has accepted; RefusedError or OSError where there is none."""
        _, push = await asyncio.get_running_loop().create_connection(lambda: cls(told), "127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        said = {
            "Host": f"127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
            **headers,
        }
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items()), "", ""]
        assert push._transport is not None
        push._transport.write("\r\n".join(lines).encode())
        await push._opened
        return push

    def say(self, text: bytes) -> None:
        """A short text to the server, under a mask of zeros."""
        if self._transport is not None:
            self._transport.write(bytes((_TEXT, 0x80 | len(text))) + bytes(4) + text)

    def cut(self) -> None:
        """The network goes, without a word."""
        if self._transport is not None:
            self._transport.abort()

    # --- what the loop calls --------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over, whoever ended it."""
        if not self._opened.done():
            self._opened.set_exception(RefusedError("the server hung up"))
        self.gone.set()

    def data_received(self, data: bytes) -> None:
        """Bytes have come; whole frames are handed on."""
        now = time.perf_counter()
        held = self._held + data if self._held else data
        if not self._upgraded:
            head, end, held = held.partition(b"\r\n\r\n")
            if not end:
                self._held = head
                return
            self._upgraded = True
            if not self._opened.done() and not head.startswith(b"HTTP/1.1 101"):
                self._opened.set_exception(RefusedError(head[:60].decode("latin-1")))
                self.cut()
                return
            if not self._opened.done():
                self._opened.set_result(None)
        at = 0
        while (whole := _frame(held, at)) is not None:
            kind, begin, at = whole
            self._take(kind, held[begin:at], now)
        self._held = held[at:]

    def _take(self, kind: int, content: bytes, now: float) -> None:
        if kind == _TEXT:
            self._told(content, now)
        elif kind == _PING and self._transport is not None:
            self._transport.write(bytes((_PONG, 0x80 | len(content))) + bytes(4) + content)  # a mask of zeros
        elif kind == _CLOSE:
            self.cut()
        elif kind != _PONG:
            raise ValueError(f"a frame of kind {kind:#x} came; the server sends whole texts, pings and closes")


def _frame(held: bytes, at: int) -> tuple[int, int, int] | None:
    """Kind, begin and end of the frame that begins at a place; None while it is not whole."""
    if len(held) < at + 2:
        return None
    size, begin = held[at + 1], at + 2
    if size == 126:
        if len(held) < at + 4:
            return None
        size, begin = struct.unpack_from("!H", held, at + 2)[0], at + 4
    elif size == 127:
        if len(held) < at + 10:
            return None
        size, begin = struct.unpack_from("!Q", held, at + 2)[0], at + 10
    end = begin + size
    return None if len(held) < end else (held[at], begin, end)
