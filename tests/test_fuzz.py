"""Junk at every door: no answer of the 500s, no trace of the program, every refusal in the one shape."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from tests.asgi_kit import Client, Way, serving, ways
from tests.fuzz_kit import FRAMES, Junk, Tally, sound
from tests.leak_walk import deeds, token_in

from maumau.web.app import create_app
from run_server import Server

SLOW = 20.0
"""Seconds that one answer may take on a busy machine; the aim is one second, and how often it was missed is printed."""


async def seats(app: Any) -> tuple[dict[str, str], tuple[str, ...], tuple[str, ...], Client]:
    """A table with two people: what fits into a path, their tokens, their cookies."""
    anna, ben = Client(app), Client(app)
    made = await anna.post("/friends", form={"book": "family", "players": "3", "name": "Anna", "pace": "instant"})
    table = made.header("location").rpartition("/")[2]
    invite = await app.state.tables.invite(table, token_in(anna, table))
    watch = await app.state.tables.watch_link(table, token_in(anna, table))
    await ben.post(f"/j/{invite}", form={"name": "Ben"})
    known = {"table": table, "invite": invite, "watch": watch, "code": "family", "version": app.state.assets.version}
    known |= {"name": "table.js", "seat": "1", "action": "+", "token": token_in(ben, table)}
    cookies = tuple(f"{name}={value}" for client in (anna, ben) for name, value in client.cookies.items())
    return known, (token_in(anna, table), token_in(ben, table), watch), cookies, anna


async def junk_at_every_way(path: Path, seed: int, each: int) -> Tally:
    """So many requests of junk at each way, at a table that waits and at one that plays."""
    tally = Tally()
    chance = random.Random(seed)
    async with serving(path) as (app, _):
        doors = [way for way in ways(app) if way.method != "WS"]
        doors += [Way("POST", f"/t/{{table}}/{deed}") for deed in deeds()]
        for playing in (False, True):
            known, tokens, cookies, anna = await seats(app)
            if playing:
                await anna.post(f"/t/{known['table']}/start", form={})
            junk = Junk(chance, known, tokens, cookies, tally)
            for way in doors:
                for _ in range(each):
                    await junk.ask(Client(app, peer=f"203.0.113.{chance.randrange(256)}"), way)
        assert (await Client(app).get("/livez")).status == 200
        honest = await Client(app).post("/play", form={"players": "2"})
        assert honest.status == 303
    return tally


def report(tally: Tally) -> None:
    """Print the figures, and refuse what cannot be the machine's fault."""
    print(f"{tally.asked} requests, {tally.by_status}, slowest {tally.slowest:.2f} s ({tally.slowest_at:.120})")
    print(f"over a second: {tally.over_a_second}")
    assert tally.slowest < SLOW, tally.slowest_at


def test_junk_at_every_way(tmp_path: Path) -> None:
    tally = asyncio.run(junk_at_every_way(tmp_path, 1, each=8))
    report(tally)
    assert tally.asked > 800
    assert tally.by_status[200] > 50  # some of it fits, else nothing behind the doors was met
    assert {303, 401, 404, 405, 413, 422} <= tally.by_status.keys()


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(2, 12))
def test_much_junk_at_every_way(tmp_path: Path, seed: int) -> None:
    tally = asyncio.run(junk_at_every_way(tmp_path, seed, each=200))
    report(tally)
    assert tally.asked > 20_000


def test_the_look_at_answers_would_see_a_broken_server(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path) as (app, _):
            app.add_api_route("/api/broken", lambda: 1 / 0)
            app.add_api_route(
                "/shapeless", lambda: __import__("starlette.responses").responses.PlainTextResponse("no", 400)
            )
            for path, of_api in (("/api/broken", True), ("/shapeless", False)):
                answer = await Client(app).get(path)
                with pytest.raises(AssertionError):
                    sound(answer, path, api=of_api)

    asyncio.run(main())


# ---- sockets --------------------------------------------------------------------------------------------------------


async def junk_at_the_sockets(path: Path, seed: int, each: int) -> int:
    """Odd handshakes and frames of junk; honest sockets of the same table go on meanwhile."""
    chance = random.Random(seed)
    opened = 0
    async with serving(path) as (app, tables):
        known, tokens, cookies, anna = await seats(app)
        table = known["table"]
        junk = Junk(chance, known, tokens, cookies)
        honest = Client(app, token=tokens[0])
        async with honest.socket(f"/api/tables/{table}/live") as watching:
            await watching.until(lambda s: bool(s.frames))
            for way in [way for way in ways(app) if way.method == "WS"]:
                for _ in range(each):
                    headers = [(name, value) for name, value in junk.headers() if name != "content-length"]
                    async with Client(app).socket(junk.path(way), headers) as socket:
                        await socket.until(lambda s: s.accepted or s.closed is not None, 20)
                        opened += socket.closed is None
                        for frame in chance.sample(FRAMES, 4):
                            kind = {"bytes": frame.encode()} if chance.random() < 0.3 else {"text": frame}
                            socket.say({"type": "websocket.receive", **kind})
                        await asyncio.sleep(0)
                    assert socket.crash is None, (way, headers)
            before = len(watching.frames)
            await anna.post(f"/t/{table}/start", form={})
            await watching.until(lambda s: len(s.frames) > before)
            assert watching.crash is None
        assert app.state.sockets == 0
        assert all(slot.watchers == set() for slot in tables._slots.values())
    return opened


def test_junk_at_the_sockets(tmp_path: Path) -> None:
    assert asyncio.run(junk_at_the_sockets(tmp_path, 1, each=40)) > 10


@pytest.mark.prove
def test_much_junk_at_the_sockets(tmp_path: Path) -> None:
    assert asyncio.run(junk_at_the_sockets(tmp_path, 2, each=3_000)) > 500


# ---- over a real connection -----------------------------------------------------------------------------------------

RAW = (
    b"",
    b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\nabc",
    b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"1000\r\n" + b"z" * 4096 + b"\r\n5\r\nzzzzz\r\n0\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"GET /%ff%fe/\xff HTTP/1.1\r\nHost: \xff\r\n\r\n",
    b"GET http://evil.test/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /t/x/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: no\r\nSec-WebSocket-Version: 13\r\n\r\n",
    b"GET /t/x/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server of its own; at the end its log must hold no trace of an error."""
    server = Server(tmp_path_factory.mktemp("fuzzed"))
    yield server
    server.stop()
    log = (server.data / "server.log").read_text(encoding="utf-8")
    assert "Traceback" not in log
    assert '"level": "error"' not in log


def _raw(port: int, data: bytes, seconds: float = 2) -> bytes:
    """What comes back within so many seconds; to what is no request that may be nothing."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as link:
        link.settimeout(seconds)
        try:
            link.sendall(data)
            link.shutdown(socket.SHUT_WR)
            return link.recv(65_536)
        except OSError:
            return b""  # it has hung up, as it may


@pytest.mark.parametrize("data", RAW, ids=range(len(RAW)))
def test_what_is_no_request_breaks_nothing(served: Server, data: bytes) -> None:
    answer = _raw(served.port, data)
    status = re.match(rb"HTTP/1\.\d (\d+)", answer)
    assert status is None or int(status[1]) < 500
    assert b"Traceback" not in answer
    assert b" 200 " in _raw(served.port, b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 60)


def test_bytes_of_chance_break_nothing(served: Server) -> None:
    chance = random.Random(3)
    for _ in range(60):
        request = bytearray(b"GET /t/abc?x=1 HTTP/1.1\r\nHost: table.test\r\nCookie: maumau=e30\r\nAccept: */*\r\n\r\n")
        for _ in range(chance.randrange(1, 6)):
            request[chance.randrange(len(request))] = chance.randrange(256)
        status = re.match(rb"HTTP/1\.\d (\d+)", _raw(served.port, bytes(request)))
        assert status is None or int(status[1]) < 500, bytes(request)


def test_whoever_says_too_much_on_a_live_socket_is_hung_up_on(served: Server) -> None:
    """Questions and pings that come in one piece would all be answered before anybody else is."""
    table = httpx.post(f"{served.address}/api/tables", json={"seats": [{"name": "A"}, {"open": True}], "public": True})
    hello = (
        f"GET /t/{table.json()['table']}/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    question, ping, often = b"\x81\x81\0\0\0\0?", b"\x89\x80\0\0\0\0", 20_000
    for frame, answer in ((question, b'"now":'), (ping, b"\x8a\x00")):
        with socket.create_connection(("127.0.0.1", served.port), timeout=120) as link:
            link.sendall(hello.encode())
            heard = link.recv(65_536)
            assert heard.startswith(b"HTTP/1.1 101 ")
            with contextlib.suppress(OSError):  # it may hang up while all this is sent
                link.sendall(frame * often)
                while heard.count(answer) < often and (more := link.recv(65_536)):
                    heard += more
        assert heard.count(answer) < often


# ---- what the API says of itself ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def described(served: Server) -> Any:
    """The API as it describes itself."""
    return schemathesis.openapi.from_url(f"{served.address}/api/openapi.json")


OPERATIONS = [
    (path, method) for path, methods in create_app(Path("unused")).openapi()["paths"].items() for method in methods
]
BY_DESIGN = [positive_data_acceptance]
"""Not checked: whatever fits the description is taken. A table that there is not, a card that is not held is refused."""


def keeps_to_its_description(described: Any, path: str, method: str, examples: int) -> None:
    """Requests that fit the description and some that do not, and whether each answer is one that is described."""
    for mode in GenerationMode:
        strategy = described[path][method].as_strategy(generation_mode=mode)

        @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
        @given(case=strategy)
        def ask(case: Any) -> None:
            answer = case.call(timeout=120)
            too_large = [negative_data_rejection] if answer.status_code == 413 else []
            case.validate_response(answer, excluded_checks=[*BY_DESIGN, *too_large])

        ask()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_api_keeps_to_its_own_description(described: Any, path: str, method: str) -> None:
    keeps_to_its_description(described, path, method, 5)


@pytest.mark.prove
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_api_keeps_to_its_own_description_at_length(described: Any, path: str, method: str) -> None:
    keeps_to_its_description(described, path, method, 1_000)
