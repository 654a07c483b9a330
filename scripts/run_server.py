"""A server in a process of its own, as `maumau serve` starts it: for tests and for the README's picture."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def running(data: Path) -> Iterator[str]:
    """The address of a server over the store in `data`; it ends with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    command = [sys.executable, "-m", "maumau.cli", "serve", "--host", "127.0.0.1", "--port", port, "--data", str(data)]
    with (data / "server.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_for(process, f"http://127.0.0.1:{port}/livez", data / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def wait_for(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Returns once the address answers; raises with the server's own words if it ends before."""
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')}")
