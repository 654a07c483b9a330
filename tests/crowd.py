"""People who play over HTTP against a real server, repeat what was not answered, and keep what was."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from benchmarks.wire import GoneError, Wire
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException


@dataclass(frozen=True)
class Said:
    """An action, and the answer to it: the status, and the SHA-256 of the whole answer."""

    table: str
    seat: int
    token: str
    id: str
    version: int
    action: str
    status: int
    answer: dict[str, Any]
    digest: str


@dataclass
class Crowd:
    """What the people of a test share."""

    port: int
    chance: random.Random
    said: list[Said] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)
    """Ids of actions that have been sent and not been answered."""
    broken: int = 0
    """How many actions lost their answer, and were sent again."""
    wrong: list[str] = field(default_factory=list)
    """What no answer should be, and gaps in what the sockets told."""
    people: list[Person] = field(default_factory=list)
    written: asyncio.Event = field(default_factory=asyncio.Event)
    """An action has been sent."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """An action has been answered."""

    async def sit_down(self, persons: int, bots: int = 0, rules: str = "family") -> str:
        """A table of so many people and bots; its name."""
        wire = Wire(self.port)
        seats = [{"name": "Anna"}, *[{"open": True}] * (persons - 1), *[{"bot": "easy"}] * bots]
        _, made = await wire.say("POST", "/api/tables", {"rules": rules, "seats": seats, "pace": "instant"})
        table, sitting = made["table"], [Person(self, made["table"], 0, made["token"])]
        for number in range(1, persons):
            join = {"invite": made["invite"], "name": f"Gast {number}"}
            _, seated = await wire.say("POST", f"/api/tables/{table}/join", join)
            sitting.append(Person(self, table, seated["seat"], seated["token"]))
        if persons > 1:
            await wire.say("POST", f"/api/tables/{table}/start", {}, made["token"])
        wire.close()
        self.people += sitting
        return str(table)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Everybody plays until the block ends; then each finishes what it is about."""
        tasks = [asyncio.create_task(person.live()) for person in self.people]
        try:
            yield
        finally:
            for person in self.people:
                person.going = False
                person.changed.set()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            self.wrong += [repr(error) for error in done if isinstance(error, BaseException)]


@dataclass
class Person:
    """One seat: a socket that tells what happens, and a connection that says what this person does."""

    crowd: Crowd
    table: str
    seat: int
    token: str
    going: bool = True
    seq: int = 0
    """The last event that the socket has told."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def live(self) -> None:
        """Listen and play."""
        self.wire = Wire(self.crowd.port)
        listening = asyncio.create_task(self._listen())
        try:
            await self._play()
        finally:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
            self.wire.close()

    async def _listen(self) -> None:
        """Take the events in, one number after the other, through any number of new connections."""
        headers = {"Authorization": f"Bearer {self.token}"}
        while True:
            address = f"ws://127.0.0.1:{self.crowd.port}/api/tables/{self.table}/live?after={self.seq}"
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(address, additional_headers=headers, compression=None) as socket:
                    async for message in socket:
                        seq = json.loads(message)["seq"]
                        if seq != self.seq + 1:
                            self.crowd.wrong.append(f"{self.table}: event {seq} after {self.seq}")
                        self.seq = seq
                        self.changed.set()
            await asyncio.sleep(0.05)

    async def _play(self) -> None:
        while self.going:
            self.changed.clear()
            view = await self._until_answered("GET", "")
            if view and not await self._do(view):
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.changed.wait(), 0.5)

    async def _do(self, view: dict[str, Any]) -> bool:
        """Do what there is to do; False when there is nothing."""
        if view.get("state") in ("round-over", "match-over"):
            deed = "next" if view["state"] == "round-over" else "rematch"
            await self._until_answered("POST", f"/{deed}", {})
            return True
        if view.get("turn") == self.seat:
            await self._act(view["version"], self._choice(view))
            return True
        if view.get("shouts") and self.crowd.chance.random() < 0.3:
            await self._act(view["version"], view["shouts"][0])
            return True
        return False

    def _choice(self, view: dict[str, Any]) -> str:
        plays = [action for action in view["legal"] if action[0] not in "+-"]
        action = str(self.crowd.chance.choice(plays or view["legal"]))
        return action + "!" if action in view["call_due"] and self.crowd.chance.random() < 0.8 else action

    async def _act(self, version: int, action: str) -> None:
        id_ = str(uuid.uuid4())
        self.crowd.sent.add(id_)
        answer = await self._until_answered("POST", "/actions", {"id": id_, "version": version, "action": action})
        if answer:
            whole = json.dumps(answer, sort_keys=True).encode()
            said = (self.table, self.seat, self.token, id_, version, action, self._status, answer)
            self.crowd.said.append(Said(*said, hashlib.sha256(whole).hexdigest()))
            self.crowd.answered.set()

    async def _until_answered(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The answer, asked for with the same words until there is one; empty when the play is over before."""
        id_ = str(body.get("id", "")) if body else ""
        if id_:
            self.crowd.waiting.add(id_)
            asyncio.get_running_loop().call_soon(self.crowd.written.set)
        while self.going or id_:
            try:
                self._status, answer = await self.wire.say(method, f"/api/tables/{self.table}{path}", body, self.token)
            except GoneError:
                if id_ in self.crowd.waiting:
                    self.crowd.waiting.discard(id_)
                    self.crowd.broken += 1
                await asyncio.sleep(0.02)
                continue
            self.crowd.waiting.discard(id_)
            if self._status >= 500:
                self.crowd.wrong.append(f"{method} {path}: {self._status} {answer}")
                await asyncio.sleep(0.02)
                continue
            return dict(answer)
        return {}
