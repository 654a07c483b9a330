"""A small client of the JSON API over one kept connection: for tests and load, where a large one would be the load."""

from __future__ import annotations

import asyncio
import json
from typing import Any

PATIENCE = 30.0
"""Seconds until an answer counts as none."""


class GoneError(Exception):
    """The server did not answer: it is gone, or went while it was asked."""


class Wire:
    """One connection, opened when it is needed and again when it has broken."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.host, self.port = host, port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Status and body of the answer; GoneError where there is none."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, body, headers or {})
        except (OSError, EOFError, ValueError, TimeoutError) as error:
            self.close()
            raise GoneError(f"{method} {path}: {error!r}") from error
        except BaseException:
            self.close()  # an answer may still come, to nobody
            raise

    async def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        said = {"Host": f"{self.host}:{self.port}", "Content-Length": str(len(body)), **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in said.items()), "", ""]
        writer.write("\r\n".join(lines).encode() + body)
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        answered = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        content = await reader.readexactly(int(answered["content-length"]))
        if answered.get("connection") == "close":
            self.close()
        return int(head[0].split(" ")[1]), content

    async def say(self, method: str, path: str, body: object = None, token: str | None = None) -> tuple[int, Any]:
        """As ``ask``, with JSON both ways and a token."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        data = b""
        if body is not None:
            headers["Content-Type"], data = "application/json", json.dumps(body).encode()
        status, content = await self.ask(method, path, data, headers)
        return status, json.loads(content)

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
