"""HTTPS in front of a server: a certificate, a small proxy that ends TLS, and clients that know the host by its name."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from find_browser import in_ci
from run_server import free_port

HOST = "cards.example.org"
HERE = "127.0.0.1"
CLOSE_SECONDS = 5
"""So long at most a connection is closed politely."""
PATIENCE = 120
"""So many seconds something is waited for that must come."""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for the host that it signs itself, and its key."""
    if shutil.which("openssl") is None:
        (pytest.fail if in_ci() else pytest.skip)("no openssl on this machine, which makes the certificate")
    pem, key = folder / "cards.pem", folder / "cards.key"
    made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"]
    names = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},DNS:localhost"]
    command = ["openssl", *made, *names, "-keyout", str(key), "-out", str(pem)]
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    return pem, key


class Front:
    """A proxy as the hosting page asks for: it ends TLS, passes the host on, and says by itself who came and how."""

    def __init__(self, port: int, pem: Path, key: Path) -> None:
        self.behind = port
        self.port = 0
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(pem, key)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def stop(self) -> None:
        """Close every connection and end."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE)
        self._loop.close()

    async def _serve(self) -> None:
        self._over = asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(self._came, HERE, 0, ssl=self.tls)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._over.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._pass_on(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request a connection: its head anew, then bytes both ways until the server has answered."""
        async with _closing(writer):
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                head = await reader.readuntil(b"\r\n\r\n")
                answer, inner = await asyncio.open_connection(HERE, self.behind)
                async with _closing(inner):
                    inner.write(rewritten(head, writer.get_extra_info("peername")[0]))
                    sending = asyncio.ensure_future(_copy(reader, inner, last=True))
                    try:
                        await _copy(answer, writer)
                    finally:
                        sending.cancel()


def rewritten(head: bytes, peer: str) -> bytes:
    """The head of a request as a proxy passes it on: what the client says about proxies does not get through."""
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    named = [(line.partition(":")[0].lower(), line) for line in lines]
    upgrade = any(name == "upgrade" for name, _ in named)
    dropped = ("forwarded", "x-forwarded-proto", "x-forwarded-for", "x-forwarded-host")
    kept = [line for name, line in named if name not in dropped and (upgrade or name != "connection")]
    own = ["X-Forwarded-Proto: https", f"X-Forwarded-For: {peer}", *([] if upgrade else ["Connection: close"])]
    return "\r\n".join([first, *kept, *own, "", ""]).encode("latin-1")


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Whatever happens, the connection is closed and gone at the end."""
    try:
        yield
    finally:
        writer.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await writer.wait_closed()
        except (OSError, TimeoutError, asyncio.CancelledError):
            writer.transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, last: bool = False) -> None:
    """Bytes one way until there are no more; ``last`` where nobody waits for an answer then."""
    with contextlib.suppress(OSError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    if last:
        writer.close()


class Installed:
    """A proxy of this machine, set up by nothing but what the hosting page says: only places and ports are others."""

    def __init__(self, name: str, port: int, pem: Path, key: Path) -> None:
        if shutil.which(name) is None:
            pytest.skip(f"no {name} on this machine")
        self.port = free_port(HERE)
        page = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text(encoding="utf-8")
        told = re.search(rf"```{name}\n(.*?)```", page, re.DOTALL)
        assert told is not None
        text = told[1].replace(f"{HERE}:8000", f"{HERE}:{port}")
        command = getattr(self, f"_{name}")(text, pem, key)
        kept = {"XDG_DATA_HOME": str(pem.parent), "XDG_CONFIG_HOME": str(pem.parent)}
        self.process = subprocess.Popen(command, env=os.environ | kept, stderr=subprocess.DEVNULL)
        over = time.monotonic() + PATIENCE
        while time.monotonic() < over:
            with contextlib.suppress(OSError), socket.create_connection((HERE, self.port), 1):
                return
            time.sleep(0.05)
        raise RuntimeError(f"{name} did not start")

    def _nginx(self, text: str, pem: Path, key: Path) -> list[str]:
        listened = re.compile(r"listen (?:\[::\]:)?(80|443)( ssl)?;")
        first = re.compile(r"^\s*listen \[::\].*\n", re.MULTILINE)
        site = listened.sub(
            lambda m: f"listen {HERE}:{self.port if m[2] else free_port(HERE)}{m[2] or ''};", first.sub("", text)
        )
        site = site.replace("/etc/ssl/cards.pem", str(pem)).replace("/etc/ssl/cards.key", str(key))
        places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = "".join(f"{place}_temp_path {pem.parent}/{place};\n" for place in places)
        config = pem.parent / "nginx.conf"
        config.write_text(
            f"daemon off; error_log stderr; pid {pem.parent}/nginx.pid; events {{}}\n"
            f"http {{ access_log off;\n{temporary}{site} }}\n",
            encoding="utf-8",
        )
        return ["nginx", "-p", str(pem.parent), "-c", str(config)]

    def _caddy(self, text: str, pem: Path, key: Path) -> list[str]:
        own = f"{{\n\tadmin off\n\thttps_port {self.port}\n\tauto_https disable_redirects\n}}\n"
        config = pem.parent / "Caddyfile"
        site = text.replace(f"{HOST} {{\n", f"{HOST} {{\n\ttls {pem} {key}\n")
        config.write_text(own + site, encoding="utf-8")
        return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


FRONTS = ("own", pytest.param("nginx", marks=pytest.mark.prove), pytest.param("caddy", marks=pytest.mark.prove))
"""The proxies in front; those that must be installed only where everything is proved."""


def front_of(kind: str, port: int, pem: Path, key: Path) -> Front | Installed:
    """A proxy in front of the server at this port."""
    return Front(port, pem, key) if kind == "own" else Installed(kind, port, pem, key)


class Named(httpx.HTTPTransport):
    """Finds the host by its name without asking for it: on this machine, at the proxy's port."""

    def __init__(self, port: int, trusted: ssl.SSLContext, source: str) -> None:
        super().__init__(verify=trusted, local_address=source)
        self.port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Ask this machine; the `Host` of the request has been written already."""
        here = httpx.Request(
            request.method,
            request.url.copy_with(host=HERE, port=self.port),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": HOST},
        )
        return super().handle_request(here)


class Site:
    """The public host, as those see it who come from outside."""

    def __init__(self, port: int, pem: Path) -> None:
        self.port = port
        self.trusted = ssl.create_default_context(cafile=str(pem))

    def client(self, source: str = HERE, **headers: str) -> httpx.Client:
        """A browser that takes no redirect by itself."""
        named = Named(self.port, self.trusted, source)
        return httpx.Client(
            transport=named, base_url=f"https://{HOST}", headers=headers, timeout=PATIENCE, trust_env=False
        )

    @contextmanager
    def socket(self, path: str, headers: dict[str, str], **more: Any) -> Iterator[ClientConnection]:
        """A live socket."""
        raw = socket.create_connection((HERE, self.port), timeout=PATIENCE)
        raw.settimeout(None)
        address = f"wss://{HOST}{path}"
        with connect(
            address,
            sock=raw,
            ssl=self.trusted,
            additional_headers=headers,
            open_timeout=PATIENCE,
            proxy=None,
            compression=None,
            **more,
        ) as live:
            yield live
