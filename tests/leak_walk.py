"""A party that plays while everything it is sent is handed on: two people, bots, a spectator, a stranger, every route."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import inspect
import io
import json
import logging
import random
import re
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from tests.asgi_kit import Answer, Client, Socket, Way, serving, ways
from tests.leak_kit import Truth
from tests.tables_kit import PATIENCE

from maumau.cards import CARDS
from maumau.tables import Tables, View, ledger
from maumau.web.logs import SafeFormatter
from maumau.web.routes import pages

LONGEST_LEAP_MS = 60_000
SHARE = "00112233445566778899aabbccddeeff"
STATIC = ("/static/", "/livez", "/readyz")


def deeds() -> list[str]:
    """What can be done at `/t/{table}/{deed}`: read from the program, so that a new deed is met without being told."""
    found = re.findall(r'"([a-z-]+)": lambda', inspect.getsource(pages))
    assert len(found) > 8
    return found


class StoppedClock:
    """A clock that goes on only when everything else waits for it."""

    def __init__(self) -> None:
        self.ms = 1_800_000_000_000

    def __call__(self) -> float:
        return self.ms / 1000


@dataclass
class Member:
    """One who looks at the table: a page, and a token for the API where there is one."""

    name: str
    seat: int | None
    page: Client
    api: Client
    sockets: list[tuple[str, Socket]] = field(default_factory=list)
    read: dict[str, int] = field(default_factory=dict)


@dataclass
class Heard:
    """One thing that somebody was sent."""

    who: Member | None
    """None: written by the server for its operator."""
    label: str
    answer: Answer
    asked: str
    versions: tuple[int, ...]


Ear = Callable[[Heard], None]
LATEST: list[Party] = []
"""The party that plays now: for leaks that are made on purpose."""


class Party:
    """One table and all who look at it; `ear` is told of every answer, frame, log line and figure."""

    def __init__(self, app: FastAPI, tables: Tables, clock: StoppedClock, ear: Ear, chance: random.Random) -> None:
        self.app = app
        self.tables = tables
        self.clock = clock
        self.ear = ear
        self.chance = chance
        self.ways = ways(app)
        self.members: list[Member] = []
        self.table = self.invite = self.watch = ""
        self.rules = ""
        self.truth: Truth
        self.log = io.StringIO()
        self._ids = 0
        self.named: tuple[str, ...] = ()
        """Cards that refused actions name."""
        self.probes = 2
        self.short = False
        """Not everything is listened to, so that many matches can be played."""

    # ---- sitting down -----------------------------------------------------------------------------------------------

    async def sit(self, rules: str, players: int, *, public: bool) -> None:
        """Anna makes a table, Ben joins, bots fill it, and it starts; others look on."""
        anna, ben = Client(self.app), Client(self.app, lang="de", peer="203.0.113.8")
        made = await anna.post(
            "/friends", form={"book": rules, "players": str(players), "pace": "instant", "name": "Anna"}
        )
        assert made.status == 303, made.text
        self.rules = rules
        self.table = made.header("location").rpartition("/")[2]
        token = token_in(anna, self.table)
        self.invite = await self.tables.invite(self.table, token)
        self.watch = await self.tables.watch_link(self.table, token)
        joined = await ben.post(f"/j/{self.invite}", form={"name": "Ben"})
        assert joined.status == 303, joined.text
        if public:
            await anna.post(f"/t/{self.table}/public", form={"public": "1"})
        self.members = [
            Member("Anna", 0, anna, Client(self.app, token=token)),
            Member("Ben", 1, ben, Client(self.app, token=token_in(ben, self.table), peer="203.0.113.8")),
            Member("a spectator", None, Client(self.app), Client(self.app, token=self.watch, peer="203.0.113.9")),
            Member("a stranger", None, Client(self.app), Client(self.app, peer="203.0.113.10")),
        ]
        started = await anna.post(f"/t/{self.table}/start", form={"contribution": SHARE})
        assert started.status == 303, started.text
        self.truth = Truth(self.tables.store.path, self.table)
        self.truth.follow()

    @asynccontextmanager
    async def live(self) -> AsyncIterator[None]:
        """Live sockets, as long as this lasts: of everybody, or where time is short of one for pages."""
        lucky = self.chance.choice(self.members)
        async with AsyncExitStack() as stack:
            for member in self.members:
                path = f"/w/{self.table}/{self.watch}/live" if member.name == "a spectator" else f"/t/{self.table}/live"
                for name, client, where in (
                    ("page socket", member.page, path),
                    ("API socket", member.api, f"/api/tables/{self.table}/live"),
                ):
                    if self.short and name == "page socket" and member is not lucky:
                        continue
                    socket = await stack.enter_async_context(client.socket(where))
                    member.sockets.append((name, socket))
            yield

    # ---- waiting ----------------------------------------------------------------------------------------------------

    async def settle(self) -> View:
        """Wait until nothing moves by itself and a person has to act; the clock goes on only where all wait for it."""
        token = self.members[0].api.token
        work = self.tables._clockwork
        async with asyncio.timeout(PATIENCE):
            while True:
                db = self.tables.store.read()
                if not work._firing and not ledger.due(db, self.clock.ms, 1):
                    view = await self.tables.view(self.table, token)
                    live = self.tables._slot(self.table).table
                    waiting = live is not None and live.grace is not None  # whoever is on turn would wait for it
                    if view.state != "playing" or (view.turn in (0, 1) and not waiting):
                        self.truth.follow()
                        return view
                    moment = ledger.next_after(db, self.clock.ms)
                    assert moment is not None, "nothing is due, and it is a bot's turn"
                    assert moment - self.clock.ms < LONGEST_LEAP_MS, "a bot's turn, and no bot acts"
                    if not work._firing and not ledger.due(self.tables.store.read(), self.clock.ms, 1):
                        self.clock.ms = moment
                        work.wake()
                work.wake()
                await asyncio.sleep(0.0005)

    def command(self) -> str:
        """The id of a command of our own."""
        self._ids += 1
        return str(uuid.UUID(int=self._ids, version=4))

    # ---- asking -----------------------------------------------------------------------------------------------------

    async def ask(
        self, member: Member | None, client: Client, method: str, path: str, about: str = "", **more: Any
    ) -> Answer:
        """One request, its answer handed on with what had been asked."""
        before = self.truth.version
        answer = await client.ask(method, path, **more)
        self.truth.follow()
        asked = f"{about} {path} {json.dumps(more.get('data') or more.get('form') or {})}"
        self.ear(Heard(member, f"{method} {path}", answer, asked, self._versions(answer, before)))
        return answer

    def _versions(self, answer: Answer, before: int) -> tuple[int, ...]:
        """What an answer is about: the version it says, else any between question and answer; a record's is its format's."""
        if answer.text.startswith('{"format":'):
            return tuple(range(before, self.truth.version + 1))
        said = re.search(r'data-version="(\d+)"|"version":\s?(\d+)', answer.text)
        version = int(said[1] or said[2]) if said else -1
        if 0 < version <= self.truth.version:
            return (version,)
        return tuple(range(before, self.truth.version + 1))

    def hear_frames(self) -> None:
        """Hand on what has come through the sockets."""
        self.truth.follow()
        for member in self.members:
            for name, socket in member.sockets:
                first = member.read.get(name, 0)
                for frame in socket.frames[first:]:
                    said = json.loads(frame)
                    version = said["version"] if "html" in said else said["seq"]
                    answer = Answer(200, [(b"content-type", b"application/json")], frame.encode())
                    self.ear(Heard(member, name, answer, "", (version,)))
                member.read[name] = len(socket.frames)
                assert socket.crash is None

    def hear_log(self) -> None:
        """Hand on what the server has written."""
        text = self.log.getvalue()
        if text:
            self.log.seek(0)
            self.log.truncate()
            self.ear(Heard(None, "log", Answer(200, [], text.encode()), "", (self.truth.version,)))

    def filled(self, way: Way, member: Member) -> str:
        """The address of a way, its parameters filled with what the member knows, or at least looks as if it fitted."""
        values = {
            "table": self.table,
            "invite": "no-such-invite" if member.seat is None else self.invite,
            "watch": "no-such-link" if member.name == "a stranger" else self.watch,
            "seat": self.chance.randrange(3),
            "deed": "pace",
            "code": self.rules,
            "version": self.app.state.assets.version,
            "name": "table.js",
        }
        return way.at(**{name: values.get(name, self.table) for name in way.fields})

    def looking(self) -> list[Way]:
        """The GETs that know a table."""
        return [way for way in self.ways if way.method == "GET" and {"table", "invite", "watch"} & set(way.fields)]

    async def look_at(self, member: Member, way: Way) -> None:
        """One GET, in one of the languages."""
        client = member.api if way.path.startswith("/api") else member.page
        client.lang = self.chance.choice(("de", "en"))
        await self.ask(member, client, "GET", self.filled(way, member))

    async def refused(self, member: Member, card: str) -> None:
        """An action that is refused (or, rarely, is not): by the API and by the page."""
        action = self.chance.choice((card, f"{card}!", f"{card}=h", "+", "+9", "-", "0?1", "2?0", "1!", "!!", "=c"))
        version = self.chance.choice((None, 0, self.truth.version, self.truth.version + 3))
        if self.chance.random() < 0.5:
            data = {"id": self.command(), "version": version, "action": action}
            await self.ask(member, member.api, "POST", f"/api/tables/{self.table}/actions", data=data)
        else:
            form = {"id": self.command(), "version": "" if version is None else str(version), "action": action}
            kind = self.chance.choice(("application/json", "text/html"))
            await self.ask(member, member.page, "POST", f"/t/{self.table}/act", form=form, headers=[("accept", kind)])

    async def deed(self, member: Member, *, ending: bool = False) -> None:
        """Any POST that knows the table, with a body in which each finds something."""
        found = [way for way in self.ways if way.method == "POST" and "table" in way.fields]
        way = self.chance.choice([w for w in found if not w.path.endswith(("/actions", "/act", "/join"))])
        deed = self.chance.choice(deeds())
        path = (
            self.filled(way, member).replace("/pace", f"/{deed}") if "deed" in way.fields else self.filled(way, member)
        )
        if path.endswith(("/concede", "/resign")) and not ending:
            return
        said = {
            "take_back": path.endswith("/end") and not ending,
            "contribution": SHARE,
            "reaction": self.chance.choice(("wow", "hello", "nothing")),
            "seat": self.chance.randrange(4),
            "pace": "instant",
            "public": "0",
            "version": self.truth.version,
        }
        if path.startswith("/api"):
            await self.ask(member, member.api, "POST", path, data=said)
        else:
            kind = self.chance.choice(("application/json", "text/html"))
            form = {key: str(int(value) if isinstance(value, bool) else value) for key, value in said.items()}
            await self.ask(member, member.page, "POST", path, form=form, headers=[("accept", kind)])
        await self.come_back()

    async def come_back(self) -> None:
        """Whoever has given the seat to a bot takes it back."""
        for member in self.members[:2]:
            if (await self.tables.view(self.table, member.api.token)).can_return:
                await self.ask(member, member.api, "POST", f"/api/tables/{self.table}/return")

    # ---- playing ----------------------------------------------------------------------------------------------------

    async def act(self, member: Member, pick: Callable[[View], str]) -> None:
        """The turn of a person, by the API or by the page."""
        view = await self.tables.view(self.table, member.api.token)
        action = pick(view)
        if self.chance.random() < 0.5:
            data = {"id": self.command(), "version": view.version, "action": action}
            path = f"/api/tables/{self.table}/actions"
            answer = await self.ask(member, member.api, "POST", path, data=data)
        else:
            form = {"id": self.command(), "version": str(view.version), "action": action}
            headers = [("accept", "application/json")]
            answer = await self.ask(member, member.page, "POST", f"/t/{self.table}/act", form=form, headers=headers)
        assert answer.status == 200, answer.text

    async def step(self, pick: Callable[[View], str]) -> str:
        """Look around, act, wait; the state afterwards."""
        view = await self.settle()
        self.hear_frames()
        for _ in range(self.probes):
            await self.probe()
            view = await self.settle()
        if view.state == "playing" and view.turn in (0, 1):
            await self.act(self.members[view.turn], pick)
        elif view.state == "round-over":
            answer = await self.ask(
                self.members[0], self.members[0].api, "POST", f"/api/tables/{self.table}/next", data={}
            )
            assert answer.status == 200, answer.text
        view = await self.settle()
        self.hear_frames()
        self.hear_log()
        return view.state

    async def probe(self) -> None:
        """One question of one who looks: a page, an action that is refused, a deed, or a figure."""
        member = self.chance.choice(self.members)
        lot = self.chance.random()
        if lot < 0.7:
            await self.look_at(member, self.chance.choice(self.looking()))
        elif lot < 0.85:
            await self.refused(member, self.chance.choice(self.named or tuple(map(str, CARDS[:-1]))))
        elif lot < 0.95:
            await self.deed(member, ending=self.chance.random() < 0.02)
        else:
            await self.ask(None, Client(self.app), "GET", "/metrics")

    async def everything(self) -> None:
        """Every GET once by everybody, and a refusal for each."""
        for member in self.members:
            for way in self.looking():
                await self.look_at(member, way)
            await self.refused(member, self.chance.choice(self.named or ("As", "7c")))
        await self.ask(None, Client(self.app), "GET", "/metrics")
        await self.settle()
        self.hear_frames()
        self.hear_log()


def token_in(client: Client, table: str) -> str:
    """The token of a seat in the cookie of a device."""
    value = next(iter(client.cookies.values())).strip('"')
    token: str = json.loads(base64.urlsafe_b64decode(value))["s"][table]
    return token


@contextlib.contextmanager
def listening(out: io.StringIO) -> Any:
    """Everything that the product logs, down to the lowest level, as a server writes it."""
    handler = logging.StreamHandler(out)
    handler.setFormatter(SafeFormatter(as_json=True))
    logger = logging.getLogger("maumau")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


@asynccontextmanager
async def party(
    path: Path,
    ear: Ear,
    chance: random.Random,
    *,
    rules: str = "family",
    players: int = 4,
    public: bool = False,
    short: bool = False,
    **more: Any,
) -> AsyncIterator[Party]:
    """A party at a running table, with live sockets; its store lies in a folder that is there."""
    clock = StoppedClock()
    async with serving(path, clock=clock, **more) as (app, tables):
        found = Party(app, tables, clock, ear, chance)
        LATEST[:] = [found]
        found.short = short
        with listening(found.log):
            await found.sit(rules, players, public=public)
            async with found.live():
                yield found
        found.truth.db.close()


def any_of(chance: random.Random) -> Callable[[View], str]:
    """Any lawful action; mostly a card, mostly with its call."""

    def pick(view: View) -> str:
        plays = [action for card in view.hand for action in card.plays] if chance.random() < 0.9 else []
        action = chance.choice(plays or view.legal)
        return f"{action}!" if action in view.call_due and chance.random() < 0.8 else action

    return pick


__all__ = ("Heard", "Member", "Party", "any_of", "deeds", "party", "token_in")
