"""Start the server and say where the table stands: here, in this network, and as a code for a phone's camera."""

from __future__ import annotations

import errno
import gc
import itertools
import os
import signal
import socket
import sys
import threading
import time
from pathlib import Path

import apsw
import uvicorn

from ..tables import Store
from . import logs
from .app import STORE_FILE, create_app
from .limits import COMMANDS_PER_SECOND, TABLES_PER_HOUR
from .upward import Upward

_GRACE_SECONDS = 3
THIS_MACHINE = "127.0.0.1,::1,::ffff:127.0.0.1"
"""Where a proxy is believed about HTTPS and addresses unless FORWARDED_ALLOW_IPS names others; last, as a socket for both
kinds of addresses writes it."""
SWITCH_SECONDS = 0.0005
"""So long a thread may keep another waiting: the store's writer hands over at each statement, and people wait for it."""
YOUNGEST, OLDEST = 0, 2
"""Generations of the collector of cycles."""
YOUNG_SECONDS = 0.25
YOUNG_TO_ALL = 2_400
"""So often what is young is looked at until all is: once in ten minutes."""


def lan_address() -> str | None:
    """The address by which other devices of this network reach this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def _outside(host: str, port: int) -> str | None:
    """The address of this server for other devices, where it listens to them."""
    address = lan_address() if host in ("0.0.0.0", "::", "") else None
    return None if address is None else f"http://{address}:{port}/"


def _listen(host: str, port: int) -> socket.socket:
    """A socket on the port, or one sentence why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise SystemExit(_why_not(host, port, error)) from error
    return listener


def _why_not(host: str, port: int, error: OSError) -> str:
    """What is wrong with the address or with the port, and what would be right."""
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return (
            f"{host} is no address of this machine ({error.strerror}); "
            "try --host 0.0.0.0 for all of its addresses, or 127.0.0.1 to keep other devices out"
        )
    return f"port {port} of {host} cannot be used ({error.strerror}); try --port 0 for a free one"


def _open_store(data_dir: Path) -> Store:
    """The store in a folder, made where it is missing, or one sentence why it cannot be used."""
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        return Store(data_dir / STORE_FILE)
    except (OSError, apsw.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SystemExit(
            f"the store in {data_dir} cannot be used ({reason}); name another folder with --data"
        ) from error


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _greet(host: str, port: int, address: str | None) -> str:
    """Print where the table is; returns the local address."""
    everywhere = host in ("0.0.0.0", "::", "")
    local = f"http://{'localhost' if everywhere else host}:{port}/"
    _say(f"Mau-Mau: {local}")
    outside = address or _outside(host, port)
    if outside is not None:
        _say(f"For others: {address}" if address else f"In this network: {outside}")
        if sys.stdout.isatty():
            import segno

            segno.make(outside, error="m").terminal(compact=True)
    return local


def _ended(number: int, frame: object) -> None:
    """The server has closed everything and passes on the signal that asked it to: that is a good end."""


def _collect_apart() -> None:
    """Look for dead cycles at moments of our own.

    Python looks when enough has been made; with hundreds of tables that is seldom, takes a tenth of a second then, and
    holds everybody up. What is young is looked at so often that it is little; all of it takes long, and is seldom due.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    threading.Thread(target=_collect, name="maumau-collector", daemon=True).start()


def _collect() -> None:
    for times in itertools.count(1):
        time.sleep(YOUNG_SECONDS)
        gc.collect(OLDEST if times % YOUNG_TO_ALL == 0 else YOUNGEST)


def run(
    host: str,
    port: int,
    data_dir: Path,
    address: str | None = None,
    open_browser: bool = False,
    metrics: bool = False,
    metrics_port: int | None = None,
    tables_per_hour: int = TABLES_PER_HOUR,
    commands_per_second: int = COMMANDS_PER_SECOND,
) -> None:
    """Serve until a signal comes; open tabs do not hold the end up for more than three seconds.

    ``address`` is where others reach this server, with a slash at its end, where that cannot be found out from here.
    """
    logs.configure()
    listener = _listen(host, port)
    port = listener.getsockname()[1]
    try:
        store = _open_store(data_dir)
    except SystemExit:
        listener.close()
        raise
    local = _greet(host, port, address)
    if open_browser:
        import webbrowser

        threading.Timer(0.8, webbrowser.open, [local]).start()
    figures = None if metrics_port is None else ("127.0.0.1", metrics_port)
    config = uvicorn.Config(
        create_app(
            store=store,
            metrics=metrics,
            metrics_at=figures,
            outside=lambda: address or _outside(host, port),
            tables_per_hour=tables_per_hour,
            commands_per_second=commands_per_second,
        ),
        log_config=None,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", THIS_MACHINE),
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws=Upward,
        ws_max_size=4096,
        ws_per_message_deflate=False,  # a compressor for each socket takes more memory than all else of its seat
        server_header=False,
    )
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, _ended)
    _collect_apart()
    sys.setswitchinterval(SWITCH_SECONDS)
    uvicorn.Server(config).run(sockets=[listener])
