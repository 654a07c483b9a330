"""Acting: what a seat does in a round, and how it is answered, the first time and every time after."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Final

from maumau.game import Action, IllegalActionError, Reason
from maumau.ruleset import words
from maumau.tables import checks, ledger, render
from maumau.tables.clockwork import plan
from maumau.tables.desk import TRIES, Desk
from maumau.tables.errors import ConflictError, TableError
from maumau.tables.ledger import Command
from maumau.tables.slots import Slot
from maumau.tables.spec import known_pace
from maumau.tables.table import REACTION_MS, REACTIONS, LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View

HELD_SECONDS: Final = 0.05
"""So often an action that waits for a grace looks whether it may go down."""
HELD_TIMES: Final = 400
"""After so many looks something is wrong with the time, and it is refused."""
REFUSED_AGAIN: Final = ("stale", "not-your-turn")
"""Refusals that show the present view."""


class Acting(Desk):
    """What a seat can do while a round runs."""

    async def act(
        self, table: str, token: str | None, command_id: str, version: int | None, action: str, lang: str = "en"
    ) -> View:
        """Play, draw, take, pass, name, call or catch: the text of an action, decided on ``version``.

        422 with the engine's reason when it is not legal; 409 not-your-turn; 409 stale (with the present view) when the
        turn, the top card, the wish, the penalty or the own hand has changed since ``version``; a shout is judged by
        its window alone. The same ``command_id`` again: the same answer as the first time; another action under it:
        422 id-used. ``version`` None is not checked.
        """
        try:
            view = await self._shielded(self._act(table, token, command_id, version, action.strip(), lang))
        except TableError as error:
            self._actions[error.code] += 1
            raise
        self._actions["done"] += 1
        return view

    async def _act(
        self, name: str, token: str | None, command_id: str, version: int | None, text: str, lang: str
    ) -> View:
        for _ in range(HELD_TIMES):
            answer = await self._act_now(name, token, command_id, version, text, lang)
            if answer is not None:
                return answer
            await asyncio.sleep(HELD_SECONDS)
        raise TableError("busy", tell(lang, "error.busy"), 503)

    async def _act_now(
        self, name: str, token: str | None, command_id: str, version: int | None, text: str, lang: str
    ) -> View | None:
        """Do it and answer; None while it has to wait for the grace after somebody's card."""
        slot = self._slot(name)
        async with slot.lock:
            for _ in range(TRIES):
                live = await self._fresh(name, lang)
                seat = self._seated(live, token, lang)
                await self._heard(slot, live, seat)
                action = checks.parsed(command_id, text, lang)
                body = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
                found = ledger.find_command(self.store.read(), name, seat, command_id)
                if found is None and checks.held(live, seat, action):
                    if live.grace is not None and live.grace.until > self.now():
                        return None
                    if not await self._end_grace(slot, live):
                        continue
                if found is None:
                    command = Command(seat, command_id, body, live.version, lang)
                    found = await self._decide(slot, live, command, action, text, version)
                if found is not None:
                    return await self._answer(live, found, body)
            raise TableError("busy", tell(lang, "error.busy"), 503)

    async def _decide(
        self, slot: Slot, live: LiveTable, command: Command, action: Action, text: str, version: int | None
    ) -> Command | None:
        """Do an action and keep its answer, or keep its refusal; None when somebody else was first: decide anew."""
        try:
            checks.check(live, command.seat, action, version, command.lang)
            checks.grace(live, action, self.now(), command.lang)
            live.begin(self.now(), command.id)
            self._push(live, command.seat, action, text, command.lang)
            if live.chairs[command.seat].absent:
                live.come_back(command.seat)
        except TableError as error:
            refusal = json.dumps([error.code, error.text, error.status, error.position])
            kept = Command(command.seat, command.id, command.body, live.version, command.lang, refusal)
            if live.refused[command.seat] >= checks.MOST_REFUSED:
                return kept
            live.refused[command.seat] += 1
            return await self._store_it(ledger.refuse(live.name, kept), command.lang)
        done = Command(command.seat, command.id, command.body, live.version, command.lang)
        try:
            earlier = await self._commit(slot, live, done, command.lang)
        except ConflictError:
            return None
        return earlier or done

    def _push(self, live: LiveTable, seat: int, action: Action, text: str, lang: str) -> None:
        try:
            live.act(seat, action, text)
        except IllegalActionError as error:
            status = 409 if error.reason == "not-your-turn" else 422
            text = words.reason_sentence(lang, Reason(error.reason, error.params), error.rules, live.names)
            raise TableError(error.reason, text, status, checks.position(live, seat)) from error

    async def _answer(self, live: LiveTable, found: Command, body: bytes) -> View:
        """The answer that stands for a command: the view or the refusal of the first time."""
        if found.body != body:
            raise TableError("id-used", tell(found.lang, "error.id-used"))
        if found.refusal is None:
            return await self._view_at(live, found.seat, found.version, found.lang)
        code, text, status, position = json.loads(found.refusal)
        again = await self._view_at(live, found.seat, found.version, found.lang) if code in REFUSED_AGAIN else None
        raise TableError(code, text, status, position, again)

    async def _view_at(self, live: LiveTable, seat: int, version: int, lang: str) -> View:
        """The view of a seat at a version: a fold of the log as far as that."""
        slot = self._slot(live.name)
        if slot.table is not None and slot.table.version == version:
            return self._view(slot.table, seat, lang)
        stored = await self.store.in_thread(lambda db: ledger.load(db, live.name))
        if stored is None:
            raise checks.no_table(live.name, lang)
        return await asyncio.to_thread(lambda: render.build(LiveTable.replay(stored, version), seat, lang))

    async def hurry(self, table: str, token: str | None, lang: str = "en") -> View:
        """Bots act without waiting until it is a person's turn. Among several people only the host can."""
        slot = self._slot(table)
        async with slot.lock:
            live = await self._fresh(table, lang)
            seat = self._seated(live, token, lang)
            checks.here(live, seat, lang)
            if seat != live.host and len(live.people) > 1:
                raise TableError("not-host", tell(lang, "error.hurry-host", host=checks.host_name(live)), 403)
            timer = plan(live, self.now(), hurried=True)
            if timer is not None:
                slot.hurried = True
                await self._store_it(ledger.set_timer(timer), lang)
            self._clockwork.wake()
            return self._view(live, seat, lang)

    async def more_time(self, table: str, token: str | None, lang: str = "en") -> View:
        """The person on turn gets half a minute more, once a turn. 409 no-clock, not-your-turn or extended."""

        def do(live: LiveTable, seat: int) -> None:
            checks.match(live, lang)
            checks.here(live, seat, lang)
            clock = live.clock
            if clock is None or clock.due is None:
                raise TableError("no-clock", tell(lang, "error.no-clock"), 409)
            if clock.seat != seat:
                raise TableError("not-your-turn", tell(lang, "error.not-your-clock"), 409)
            if clock.extended:
                raise TableError("extended", tell(lang, "error.extended"), 409)
            live.more_time(seat)

        return await self._run(table, token, lang, do)

    async def react(self, table: str, token: str | None, reaction: str, lang: str = "en") -> View:
        """Show one of the quick reactions. 422 unknown-reaction, 429 too-fast within three seconds of the last."""

        def do(live: LiveTable, seat: int) -> None:
            if reaction not in REACTIONS:
                told = tell(lang, "error.unknown-reaction", reaction=reaction[:24], reactions=", ".join(REACTIONS))
                raise TableError("unknown-reaction", told)
            checks.here(live, seat, lang)
            last = live.chairs[seat].reaction
            if last is not None and self.now() < last[2] + REACTION_MS:
                raise TableError("too-fast", tell(lang, "error.too-fast", n=REACTION_MS // 1000), 429)
            checks.room(live, seat, lang)
            live.react(seat, reaction)

        return await self._run(table, token, lang, do)

    async def set_pace(self, table: str, token: str | None, pace: str, lang: str = "en") -> View:
        """Change the pace of the bots: the host among several people."""

        def do(live: LiveTable, seat: int) -> None:
            known_pace(pace, lang)
            checks.here(live, seat, lang)
            checks.host_only(live, seat, lang)
            if live.pace != pace:
                checks.room(live, seat, lang)
                live.set_pace(str(pace), seat)

        return await self._run(table, token, lang, do)
