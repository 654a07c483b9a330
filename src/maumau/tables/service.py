"""`Tables`: the service that pages, the JSON API and the terminal talk to. Async; one object per process.

A seat is known by its token alone. Every refusal is a `TableError` with a code, one sentence in the language asked for
and an HTTP status.

Not here yet: clocks (``turn_seconds`` is kept, not counted); limits to how much one person may ask for; wake-ups between
processes (another's commits are seen with the next question, not announced), and with them presence across processes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final, TypeVar

from maumau import bots as bot_room
from maumau.game import Action, IllegalActionError, Reason, fair
from maumau.ruleset import words
from maumau.tables import checks, ledger, render
from maumau.tables.clockwork import (
    AWAY_MS,
    BOTS,
    KEPT_MS,
    LIFE,
    LIMIT_MS,
    SEAT,
    Asked,
    BotMaker,
    Clockwork,
    ask,
    ask_all,
    plan,
)
from maumau.tables.errors import ConflictError, LogError, StoreError, TableError
from maumau.tables.ledger import Append, Command, NewTable, Seat, Timer
from maumau.tables.metrics import exposition
from maumau.tables.names import clean_name, derived, digest, is_token, new_table_id, new_token, same
from maumau.tables.slots import Slot, Subscription
from maumau.tables.spec import Pace, Seated, SeatSpec, TableSpec, agreed, known_pace
from maumau.tables.store import Store, Transaction
from maumau.tables.table import BOT_COMMAND, OPEN, REACTION_MS, REACTIONS, LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View

__all__ = ["Pace", "SeatSpec", "Seated", "Subscription", "TableSpec", "Tables"]

log = logging.getLogger(__name__)
T = TypeVar("T")

TRIES: Final = 3
"""So often a command is decided anew when somebody else has appended first."""
LOADED: Final = 2_000
"""So many tables stay in memory; the longest untouched are read again when they are asked for."""
REFUSED_AGAIN: Final = ("stale", "not-your-turn")
"""Refusals that show the present view."""


class Tables:
    """All tables of one store.

    ``async with Tables(Store(path)) as tables`` opens the service and starts the clockwork that fires bot turns;
    leaving closes both. ``clock`` gives seconds since the epoch, ``draw`` the 32 bytes of a deal's secret, ``bots`` makes
    a bot from a level and a seed: for tests. So are ``seeds``, 128-bit numbers to deal from without any commitment.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] = time.time,
        seeds: Callable[[], int] | None = None,
        draw: Callable[[], bytes] | None = None,
        bots: BotMaker | None = None,
    ) -> None:
        self.store = store
        self._clock = clock
        self._seeds = seeds or (lambda: secrets.randbits(128))
        self._draw = None if seeds else draw or (lambda: secrets.token_bytes(fair.SECRET_BYTES))
        self._slots: dict[str, Slot] = {}
        self._actions: Counter[str] = Counter()
        self._running: set[asyncio.Task[Any]] = set()
        self._clockwork = Clockwork(self, bots or bot_room.get)

    async def __aenter__(self) -> Tables:
        await self._clockwork.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._clockwork.stop()
        await asyncio.gather(*self._running, return_exceptions=True)
        for slot in self._slots.values():
            for watcher in list(slot.watchers):
                await watcher.aclose()
        await asyncio.to_thread(self.store.close)

    def now(self) -> int:
        """Milliseconds since the epoch."""
        return int(self._clock() * 1000)

    # --- making and reading a table -------------------------------------------------------------------------------

    async def create(self, spec: TableSpec, lang: str = "en", contribution: str | None = None) -> Seated:
        """Make a table; with no open seat it starts at once.

        A ``contribution``, here and in the commands that lead to a deal, is the seat's share in the shuffle: 16 bytes as
        hexadecimal (422 bad-contribution). One that comes together with the creation has not seen the commitment.

        422 bad-name, bad-seats (the first seat must be the caller's, the others bots or open), unknown-bot, bad-pace,
        bad-clock, or the code of a RuleError.
        """
        rules, chairs = agreed(spec, lang)
        checks.contribution(contribution, lang)
        token = new_token()
        chairs[0].token = digest(token)
        name, key = new_table_id(), secrets.token_bytes(32)
        table = LiveTable(name, rules.code, public=spec.public, key=key)
        table.draw_secret = self._draw
        table.begin(self.now())
        table.create(rules, chairs, str(spec.pace), spec.turn_seconds)
        if contribution:
            table.contribute(0, contribution)
        if not table.open_seats:
            table.start(self._seed)
        what = self._append(table, None, hurried=False)
        life = Timer(name, LIFE, table.version, self.now() + KEPT_MS[table.state])
        what = ledger.with_timer(what, LIFE, life)
        await self._store_it(
            ledger.create(NewTable(rules.code, spec.public, key, digest(derived(key, "invite"))), what), lang
        )
        slot = self._slot(name)
        slot.table = table
        slot.devices_known = True
        self._clockwork.wake()
        return Seated(name, 0, token, derived(key, "invite"), table.version)

    async def view(self, table: str, token: str | None, lang: str = "en") -> View:
        """The table as the seat of ``token`` may see it, without a token as a spectator. 404 no-table, 401 bad-token."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            return self._view(live, self._seat(live, token, lang), lang)

    async def seat_of(self, table: str, token: str | None, lang: str = "en") -> int | None:
        """The seat that a token opens; None without one. 404 no-table, 401 bad-token."""
        async with self._slot(table).lock:
            return self._seat(await self._fresh(table, lang), token, lang)

    async def table_of(self, token: str, lang: str = "en") -> str:
        """The table that a seat's token opens. 404 bad-token."""
        found = ledger.table_of_token(self.store.read(), digest(token))
        if found is None:
            raise TableError("bad-token", tell(lang, "error.bad-token"), 404)
        return found[0]

    async def tables_of(self, tokens: dict[str, str], lang: str = "en") -> list[View]:
        """The views of the tables that these tokens (by table) open, the last touched first; unknown ones are left out."""
        found: list[tuple[int, View]] = []
        for name, token in tokens.items():
            try:
                view = await self.view(name, token, lang)
            except TableError:
                continue
            last = ledger.last_activity(self.store.read(), name)
            if last is not None and view.you is not None:
                found.append((last[1], view))
        found.sort(key=lambda pair: pair[0], reverse=True)
        return [view for _, view in found]

    async def events(
        self, table: str, token: str | None, after: int = 0, limit: int = 500, lang: str = "en"
    ) -> list[dict[str, Any]]:
        """The events after ``after`` that this seat may see, as the JSON API gives them."""
        seat = await self.seat_of(table, token, lang)
        after = max(0, min(after, 2**53))
        rows = await self.store.in_thread(lambda db: ledger.rows_after(db, table, after, max(1, min(limit, 1_000))))
        return [render.event_json(row, seat) | {"at": _iso(row.at)} for row in rows]

    def subscribe(self, table: str, lang: str = "en") -> Subscription:
        """Wake-ups: the version now, then the latest after each change. Slow readers skip versions, never miss the last.

        Close it (``aclose``) when done. 404 no-table.
        """
        head = ledger.head_of(self.store.read(), table)
        if head is None:
            raise checks.no_table(table, lang)
        return Subscription(self._slot(table), head)

    async def record(self, table: str, token: str | None, lang: str = "en") -> dict[str, Any]:
        """After a match its whole record; during it, finished rounds open and the running one as this seat saw it.

        404 not-started before the first deal.
        """
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            seat = self._seat(live, token, lang)
            if live.match is None:
                raise TableError("not-started", tell(lang, "error.not-started", host=checks.host_name(live)), 404)
            return render.record(live, seat)

    async def invite(self, table: str, token: str | None, lang: str = "en") -> str:
        """The invite of a table, for a seated person to pass on."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            self._seated(live, token, lang)
            return derived(live.key, "invite")

    async def watch_link(self, table: str, token: str | None, lang: str = "en") -> str:
        """The token that lets somebody watch without a seat; ``view`` takes it in a token's place."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            self._seated(live, token, lang)
            return derived(live.key, "watch")

    async def metrics(self, sockets: int) -> str:
        """Figures about this server for Prometheus; see ``maumau.tables.metrics``."""
        now, actions = self.now(), Counter(self._actions)
        return await self.store.in_thread(lambda db: exposition(db, now, actions, self.store.batches, sockets))

    async def public_tables(self, lang: str = "en") -> list[View]:
        """Public tables that wait for people, newest first, as a spectator sees them."""
        return [view for view, _ in await self.lobby(lang)]

    async def lobby(self, lang: str = "en") -> list[tuple[View, str]]:
        """Public tables that wait for people, newest first, each with the invite that lets anybody sit down."""
        found: list[tuple[View, str]] = []
        for name in await self.store.in_thread(ledger.public_tables):
            async with self._slot(name).lock:
                live = await self._fresh(name, lang)
                found.append((self._view(live, None, lang), derived(live.key, "invite")))
        return found

    # --- playing --------------------------------------------------------------------------------------------------

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
        slot = self._slot(name)
        async with slot.lock:
            for _ in range(TRIES):
                live = await self._fresh(name, lang)
                seat = self._seated(live, token, lang)
                action = checks.parsed(command_id, text, lang)
                body = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
                found = ledger.find_command(self.store.read(), name, seat, command_id)
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
            live.begin(self.now(), command.id)
            self._push(live, command.seat, action, text, command.lang)
            if live.chairs[command.seat].absent:
                live.come_back(command.seat)
        except TableError as error:
            refusal = json.dumps([error.code, error.text, error.status, error.position])
            kept = Command(command.seat, command.id, command.body, live.version, command.lang, refusal)
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

    async def contribute(self, table: str, token: str | None, contribution: str, lang: str = "en") -> View:
        """Add the seat's share to the next deal's chance; the first one stands. 422 bad-contribution."""

        def do(live: LiveTable, seat: int) -> None:
            checks.contribution(contribution, lang)
            live.contribute(seat, contribution)

        return await self._run(table, token, lang, do)

    async def start(self, table: str, token: str | None, lang: str = "en", contribution: str | None = None) -> View:
        """The host begins; seats still open are filled with bots. 403 not-host, 409 started."""

        def do(live: LiveTable, seat: int) -> None:
            checks.host_only(live, seat, lang)
            checks.before_start(live, lang)
            checks.contribution(contribution, lang)
            if contribution:
                live.contribute(seat, contribution)
            live.start(self._seed)

        return await self._run(table, token, lang, do)

    async def next_round(
        self,
        table: str,
        token: str | None,
        lang: str = "en",
        after_round: int | None = None,
        contribution: str | None = None,
    ) -> View:
        """Deal the next round. With ``after_round``, a second press for the same round changes nothing."""

        def do(live: LiveTable, seat: int) -> None:
            match = checks.match(live, lang)
            if after_round is not None and match.round_number > after_round:
                return
            checks.here(live, seat, lang)
            if live.state != "round-over":
                code = "match-over" if live.state == "match-over" else "round-running"
                raise TableError(code, tell(lang, f"error.{code}"), 409)
            checks.contribution(contribution, lang)
            if contribution:
                live.contribute(seat, contribution)
            live.next_round(self._seed())

        return await self._run(table, token, lang, do)

    async def rematch(
        self,
        table: str,
        token: str | None,
        lang: str = "en",
        after_match: int | None = None,
        contribution: str | None = None,
    ) -> View:
        """A new match at the same table, when the last is over."""

        def do(live: LiveTable, seat: int) -> None:
            checks.match(live, lang)
            if after_match is not None and live.match_number > after_match:
                return
            checks.here(live, seat, lang)
            if live.state != "match-over":
                raise TableError("match-running", tell(lang, "error.match-running"), 409)
            checks.contribution(contribution, lang)
            if contribution:
                live.contribute(seat, contribution)
            live.rematch(self._seed)

        return await self._run(table, token, lang, do)

    async def leave(self, table: str, token: str | None, lang: str = "en") -> View:
        """Give the seat to a bot (before the start: open it again). With no person left the bots stop and the table waits."""

        def do(live: LiveTable, seat: int) -> None:
            checks.here(live, seat, lang)
            if live.state == "waiting":
                if live.people == [seat]:
                    raise TableError("not-removable", tell(lang, "error.not-removable"), 409)
                live.remove(seat)
                return
            live.leave(seat)
            live.end_if_agreed()

        return await self._run(table, token, lang, do)

    async def stand_in(self, table: str, token: str | None, seat: int, lang: str = "en") -> View:
        """Ask a bot to sit in for somebody who has been away for the table's limit. 409 not-overdue before that."""

        def do(live: LiveTable, asking: int) -> None:
            checks.match(live, lang)
            checks.here(live, asking, lang)
            if not 0 <= seat < len(live.chairs) or not live.chairs[seat].overdue:
                raise TableError("not-overdue", tell(lang, "error.not-overdue", limit=LIMIT_MS // 1000), 409)
            live.leave(seat, asked_by=asking)
            live.end_if_agreed()

        return await self._run(table, token, lang, do)

    async def return_(self, table: str, token: str | None, lang: str = "en") -> View:
        """Take the seat back."""

        def do(live: LiveTable, seat: int) -> None:
            if not live.chairs[seat].away:
                raise TableError("not-away", tell(lang, "error.not-away"), 409)
            live.return_(seat)

        return await self._run(table, token, lang, do)

    async def end(self, table: str, token: str | None, lang: str = "en") -> View:
        """Propose to end the match; it ends when every person present has."""

        def do(live: LiveTable, seat: int) -> None:
            checks.match(live, lang)
            checks.here(live, seat, lang)
            if live.state == "match-over":
                raise TableError("match-over", tell(lang, "error.match-over"), 409)
            live.propose_end(seat)

        return await self._run(table, token, lang, do)

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
            live.react(seat, reaction)

        return await self._run(table, token, lang, do)

    async def set_pace(self, table: str, token: str | None, pace: str, lang: str = "en") -> View:
        """Change the pace of the bots: the host among several people."""

        def do(live: LiveTable, seat: int) -> None:
            known_pace(pace, lang)
            checks.here(live, seat, lang)
            checks.host_only(live, seat, lang)
            if live.pace != pace:
                live.set_pace(str(pace), seat)

        return await self._run(table, token, lang, do)

    # --- sitting down ---------------------------------------------------------------------------------------------

    async def invited(self, invite: str, lang: str = "en") -> View:
        """The table that an invite opens, as somebody sees it who has no seat yet. 404 bad-invite."""
        table = ledger.table_of_invite(self.store.read(), digest(invite))
        if table is None:
            raise TableError("bad-invite", tell(lang, "error.bad-invite"), 404)
        async with self._slot(table).lock:
            return self._view(await self._fresh(table, lang), None, lang)

    async def join(self, table: str, invite: str, name: str, lang: str = "en", token: str | None = None) -> Seated:
        """Take an open seat. 404 bad-invite or no-table, 409 full or started, 422 bad-name.

        ``token`` is what a form carried that was sent before: sent twice, it takes one seat.
        """
        token = token if token is not None and is_token(token) else new_token()
        taken: list[int] = []

        def do(live: LiveTable, _: int | None) -> None:
            if not same(derived(live.key, "invite"), invite):
                raise TableError("bad-invite", tell(lang, "error.bad-invite"), 404)
            taken[:] = [seat for seat, chair in enumerate(live.chairs) if chair.token == digest(token)]
            if taken:
                return
            checks.before_start(live, lang)
            if not live.open_seats:
                raise TableError("full", tell(lang, "error.full"), 409)
            taken[:] = live.open_seats[:1]
            live.join(taken[0], clean_name(name, lang, [n for n in live.names if n]), digest(token))

        view = await self._run(table, None, lang, do, anybody=True)
        return Seated(table, taken[0], token, invite, view.version)

    async def set_public(self, table: str, token: str | None, public: bool, lang: str = "en") -> View:
        """The host shows the table in the lobby, or takes it out, before the start. 403 not-host, 409 started."""

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            if live.public != public:
                live.make_public(public, host)

        return await self._run(table, token, lang, do)

    async def remove(self, table: str, token: str | None, seat: int, lang: str = "en") -> View:
        """The host opens a seat again, before the start. 403 not-host, 409 started or not-removable."""

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            if not 0 <= seat < len(live.chairs) or seat == host or live.chairs[seat].kind == OPEN:
                raise TableError("not-removable", tell(lang, "error.not-removable"), 409)
            live.remove(seat)

        return await self._run(table, token, lang, do)

    async def hand_over(self, table: str, token: str | None, seat: int, lang: str = "en") -> View:
        """The host makes another person the host. 403 not-host, 409 no-person."""

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            if seat not in live.people:
                raise TableError("no-person", tell(lang, "error.no-person"), 409)
            if seat != host:
                live.make_host(seat)

        return await self._run(table, token, lang, do)

    # --- who is there ---------------------------------------------------------------------------------------------

    async def arrive(self, table: str, seat: int | None) -> None:
        """A live connection of this seat has opened: whoever was away is here again. None is a spectator."""
        if seat is not None:
            await self._shielded(self._arrive(table, seat))

    async def _arrive(self, name: str, seat: int) -> None:
        slot = self._slot(name)
        async with slot.lock:
            slot.devices[seat] += 1
            live = await self._fresh(name, "en")
            await self._store_it(ledger.clear_timer(name, f"{SEAT}{seat}"), "en")
            if not slot.devices_known:
                slot.devices_known = True
                for other in live.attended:
                    if not slot.devices[other]:
                        await self._store_it(ledger.set_timer(self._gone(name, other)), "en")
                self._clockwork.wake()
            if live.chairs[seat].absent:
                live.begin(self.now())
                live.come_back(seat)
                await self._commit(slot, live, None)

    def depart(self, table: str, seat: int | None) -> asyncio.Task[None]:
        """A live connection of this seat has closed; with the last one its time away begins.

        Nobody needs to wait for it: whoever has gone may be cancelled at any moment.
        """
        task = asyncio.create_task(self._depart(table, seat))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    async def _depart(self, name: str, seat: int | None) -> None:
        if seat is None:
            return
        slot = self._slot(name)
        async with slot.lock:
            slot.devices[seat] -= 1
            if slot.devices[seat] <= 0:
                del slot.devices[seat]
                live = await self._fresh(name, "en")
                if live.chairs[seat].attended:
                    await self._store_it(ledger.set_timer(self._gone(name, seat)), "en")
                    self._clockwork.wake()

    def devices(self, table: str) -> dict[int, int]:
        """How many live connections each seat has here."""
        return dict(self._slot(table).devices)

    def _gone(self, table: str, seat: int) -> Timer:
        return Timer(table, f"{SEAT}{seat}", seat, self.now() + AWAY_MS)

    async def seat_is_due(self, timer: Timer) -> None:
        """Somebody has been gone for so long that it shows, or that a bot may be asked to sit in."""
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            seat = timer.expected
            chair = live.chairs[seat]
            live.begin(self.now())
            later: Timer | None = None
            if not slot.devices[seat] and chair.attended:
                live.go_away(seat)
                later = Timer(timer.table, timer.kind, seat, self.now() + LIMIT_MS - AWAY_MS)
            elif not slot.devices[seat] and chair.present and not chair.overdue:
                live.be_overdue(seat)
            if live.fresh:
                await self._commit(slot, live, None)
            done = ledger.drop_timer(timer) if later is None else ledger.put_off(timer, later)
            await self._store_it(done, "en")

    # --- what the clockwork asks for ------------------------------------------------------------------------------

    async def ask_bots(self, timer: Timer) -> list[Asked]:
        """The bots that have something to decide at the version of a due row; none when the table has moved on."""
        async with self._slot(timer.table).lock:
            live = await self._fresh(timer.table, "en")
            return ask_all(live) if live.version == timer.expected else []

    async def act_for_bot(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        """Do what a bot has decided, as the command ``bot:<version>``; False when it may not, or is too late.

        A pass right after a draw is kept in the same moment as the draw: to the others it looks like the pass that
        follows by itself when the drawn card does not fit.
        """
        return await self._shielded(self._act_for_bot(timer, asked, action, choose))

    async def _act_for_bot(
        self, timer: Timer, asked: Asked, action: Action, choose: Callable[[Asked], Awaitable[Action]]
    ) -> bool:
        slot = self._slot(timer.table)
        async with slot.lock:
            live = await self._fresh(timer.table, "en")
            if live.version != timer.expected:
                return False
            command = f"{BOT_COMMAND}{timer.expected}"
            live.begin(self.now(), command)
            try:
                if not _bot_acts(live, asked, action):
                    return False
                if action.kind == "draw" and live.round is not None and live.round.turn == asked.seat:
                    following = await choose(ask(live, asked.seat, on_turn=True))
                    if following.kind == "pass":
                        live.act(asked.seat, following)
            except BaseException:
                slot.forget()
                raise
            body = hashlib.sha256(str(action).encode()).digest()
            try:
                await self._commit(slot, live, Command(asked.seat, command, body, live.version, "en"))
            except ConflictError:
                return False
            return True

    async def end_of_life(self, timer: Timer) -> None:
        """Delete a table that nobody has touched for its time, or look again later."""
        slot = self._slot(timer.table)
        async with slot.lock:
            found = ledger.last_activity(self.store.read(), timer.table)
            if found is None:
                await self.store.write(ledger.drop_timer(timer))
                return
            state, last_at = found
            over = last_at + KEPT_MS[state]
            if over > self.now():
                await self.store.write(ledger.put_off(timer, Timer(timer.table, timer.kind, timer.expected, over)))
            elif await self.store.write(ledger.drop_table(timer.table, last_at)):
                slot.forget()
                for watcher in list(slot.watchers):
                    await watcher.aclose()
                self._slots.pop(timer.table, None)

    # --- the machinery --------------------------------------------------------------------------------------------

    async def _run(
        self,
        name: str,
        token: str | None,
        lang: str,
        do: Callable[[LiveTable, Any], None],
        *,
        anybody: bool = False,
    ) -> View:
        """Run a command that changes a table: ``do`` refuses before it changes anything."""
        return await self._shielded(self._run_locked(name, token, lang, do, anybody=anybody))

    async def _run_locked(
        self, name: str, token: str | None, lang: str, do: Callable[[LiveTable, Any], None], *, anybody: bool
    ) -> View:
        slot = self._slot(name)
        async with slot.lock:
            for _ in range(TRIES):
                live = await self._fresh(name, lang)
                seat = None if anybody else self._seated(live, token, lang)
                live.begin(self.now())
                try:
                    do(live, seat)
                    if live.fresh:
                        await self._commit(slot, live, None, lang)
                except ConflictError:
                    continue
                except BaseException:
                    if live.fresh:
                        slot.forget()
                    raise
                return self._view(live, seat, lang)
            raise TableError("busy", tell(lang, "error.busy"), 503)

    async def _shielded(self, work: Coroutine[Any, Any, T]) -> T:
        """A command runs to its end although whoever sent it has hung up: what is on the disk is in memory too."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, so that a refusal that nobody waits for is no warning

    async def _commit(self, slot: Slot, live: LiveTable, command: Command | None, lang: str = "en") -> Command | None:
        """Append what is fresh; then announce it. An earlier answer to this command, if there is one.

        Whenever the store does not take it, the table in memory is thrown away: the log is the truth.
        """
        if live.round is None or live.round.turn is None or not live.chairs[live.round.turn].plays_itself:
            slot.hurried = False
        try:
            earlier = await self.store.write(ledger.append(self._append(live, command, hurried=slot.hurried)))
        except ConflictError:
            slot.forget()
            raise
        except StoreError as error:
            slot.forget()
            log.exception("table %s could not be stored", live.name)
            raise TableError("busy", tell(lang, "error.busy"), 503) from error
        except BaseException:
            slot.forget()
            raise
        if earlier is not None:
            slot.forget()
            return earlier
        live.begin(self.now())
        slot.views.clear()
        slot.tell()
        self._clockwork.wake()
        return None

    def _append(self, live: LiveTable, command: Command | None, *, hurried: bool) -> Append:
        chairs = live.chairs
        return Append(
            table=live.name,
            head=live.version - len(live.fresh),
            rows=tuple(live.fresh),
            state=live.state,
            at=self.now(),
            command=command,
            seats=tuple(Seat(seat, chairs[seat].name, chairs[seat].token) for seat in sorted(set(live.fresh_seats))),
            seeds=tuple(live.fresh_seeds),
            secrets=tuple(live.fresh_secrets),
            public=live.public,
            timers=((BOTS, plan(live, self.now(), hurried=hurried)),),
        )

    async def _store_it(self, transaction: Transaction[T], lang: str) -> T:
        try:
            return await self.store.write(transaction)
        except StoreError as error:
            log.exception("the store refused")
            raise TableError("busy", tell(lang, "error.busy"), 503) from error

    def _seed(self) -> bytes:
        return self._seeds().to_bytes(16, "big")

    def _slot(self, name: str) -> Slot:
        slot = self._slots.pop(name, None) or Slot()
        self._slots[name] = slot  # the last touched is the last in the dictionary
        if len(self._slots) > LOADED:
            self._unload()
        return slot

    def _unload(self) -> None:
        """Forget the longest untouched tables that nobody watches or waits for."""
        for name in list(self._slots)[: LOADED // 4]:
            slot = self._slots[name]
            if not slot.watchers and not slot.lock.locked():
                del self._slots[name]

    async def _fresh(self, name: str, lang: str) -> LiveTable:
        """The table as the store has it now; the caller holds its lock. 404 no-table."""
        slot = self._slot(name)
        head = ledger.head_of(self.store.read(), name)
        if head is None:
            if not slot.watchers:
                self._slots.pop(name, None)
            raise checks.no_table(name, lang)
        if slot.table is None or slot.table.version != head:
            slot.forget()
            stored = await self.store.in_thread(lambda db: ledger.load(db, name))
            if stored is None:
                raise checks.no_table(name, lang)
            try:
                slot.table = await asyncio.to_thread(LiveTable.replay, stored)
                slot.table.draw_secret = self._draw
            except LogError as error:
                log.exception("table %s cannot be read", name)
                raise TableError("unreadable-table", tell(lang, "error.unreadable-table"), 503) from error
        return slot.table

    def _seat(self, live: LiveTable, token: str | None, lang: str) -> int | None:
        """The seat that a token opens; None for a spectator. 401 watch-link where only its watch link lets one look."""
        if token is None and not live.public:
            raise TableError("watch-link", tell(lang, "error.watch-link"), 401)
        if token is None or same(derived(live.key, "watch"), token):
            return None
        wanted, found = digest(token), None
        for seat, chair in enumerate(live.chairs):
            if chair.token is not None and secrets.compare_digest(chair.token, wanted):
                found = seat
        if found is None:
            raise TableError("bad-token", tell(lang, "error.bad-token"), 401)
        return found

    def _seated(self, live: LiveTable, token: str | None, lang: str) -> int:
        seat = self._seat(live, token, lang)
        if seat is None:
            raise TableError("not-seated", tell(lang, "error.not-seated"), 401)
        return seat

    def _view(self, live: LiveTable, seat: int | None, lang: str) -> View:
        """The view of a seat now, built once for each version and language."""
        slot = self._slot(live.name)
        if slot.table is not live:
            return render.build(live, seat, lang)
        view = slot.views.get((seat, lang))
        if view is None or view.version != live.version:
            view = slot.views[seat, lang] = render.build(live, seat, lang)
        return view


def _bot_acts(live: LiveTable, asked: Asked, action: Action) -> bool:
    """Do a bot's action; where the rules refuse it, the first legal one of its turn, and the log says so."""
    try:
        live.act(asked.seat, action)
    except IllegalActionError as error:
        log.error("bot %s at table %s: %s is refused (%s)", asked.level, live.name, action.kind, error.reason)
        if not asked.on_turn:
            return False
        live.act(asked.seat, asked.observation.legal[0])
    return True


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
