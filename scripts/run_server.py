"""A server in a process of its own, as `maumau serve` starts it: for tests, load, and the README's picture."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PORTS = (12_000, 32_000)
START_SECONDS = 120
"""So long at most a start is waited for, on however busy a machine."""


class Server:
    """A server over one store; it can be killed and started again on the same port.

    ``before`` is Python that runs in its process first (a fault planted on purpose), ``prefix`` a command to start it
    with, such as ``taskset -c 0``, ``options`` stand at the end of it.
    """

    def __init__(
        self,
        data: Path,
        host: str = "127.0.0.1",
        *,
        before: str = "",
        prefix: tuple[str, ...] = (),
        options: tuple[str, ...] = (),
    ) -> None:
        self.data = data
        self.host = host
        self.before = before
        self.prefix = prefix
        self.options = options
        self.port = free_port(host)
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def launch(self) -> None:
        """Start, and wait for nothing. As at home, a second start finds the bytecode that the first has made."""
        python = [sys.executable, "-c", f"{self.before}\nfrom maumau.cli import main\nmain()"]
        command = [*self.prefix, *python, "serve", "--host", self.host, "--port", str(self.port)]
        kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(ROOT / ".pytest_cache" / "bytecode")}
        with self.log.open("a", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [
                    *command,
                    "--tables-per-hour",
                    "0",
                    "--commands-per-second",
                    "0",
                    "--data",
                    str(self.data),
                    *self.options,
                ],
                stdout=out,
                stderr=out,
                cwd=ROOT,
                env=os.environ | kept,
            )

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.launch()
        wait_for(self.process, f"{self.address}/livez", self.log)

    @property
    def log(self) -> Path:
        """What the server has said."""
        return self.data / "server.log"

    def kill(self) -> None:
        """End it without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=60)

    def stop(self) -> int:
        """End it politely; returns the exit code."""
        self.process.terminate()
        return self.process.wait(timeout=60)


def free_port(host: str) -> int:
    """A port that nobody listens on. The system gives ports of this range to nobody who connects, so that a server that
    has been killed finds its own free again.
    """
    for _ in range(1_000):
        port = random.SystemRandom().randrange(*PORTS)  # the seed of a test shall not give two servers one port
        with socket.socket() as probe:
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"no port from {PORTS[0]} to {PORTS[1]} is free")


@contextmanager
def running(data: Path) -> Iterator[str]:
    """The address of a server over the store in `data`; it ends with the block."""
    server = Server(data)
    try:
        yield server.address
    finally:
        server.stop()


def wait_for(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Returns once the address answers; raises with the server's own words if it ends before."""
    over = time.monotonic() + START_SECONDS
    while time.monotonic() < over:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')}")
