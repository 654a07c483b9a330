"""Sitting down before a match: making a table, joining by invite, opening a seat again, the host's role, the lobby."""

from __future__ import annotations

import secrets
from typing import Final

from maumau.tables import checks, ledger
from maumau.tables.chairs import HUMAN, OPEN
from maumau.tables.clockwork import KEPT_MS, LIFE, plans
from maumau.tables.codes import new_code
from maumau.tables.desk import Desk
from maumau.tables.errors import TableError
from maumau.tables.ledger import NewTable, Timer
from maumau.tables.names import clean_name, derived, digest, is_token, new_table_id, new_token, same
from maumau.tables.spec import PUBLIC_SECONDS, Seated, TableSpec, agreed, known_clock, known_stand_in
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View

CODES: Final = 20
"""So many words are thought of for a table; the first that no other table has becomes its own."""


class Joining(Desk):
    """How people come to a seat, and lose it before the start."""

    async def create(self, spec: TableSpec, lang: str = "en", contribution: str | None = None) -> Seated:
        """Make a table; with no open seat it starts at once.

        A ``contribution``, here and in the commands that lead to a deal, is the seat's share in the shuffle: 16 bytes as
        hexadecimal (422 bad-contribution). One that comes together with the creation has not seen the commitment.

        422 bad-name, bad-seats (the first seat must be the caller's, the others bots or open), unknown-bot, bad-pace,
        bad-clock, bad-stand-in, or the code of a RuleError.
        """
        rules, chairs = agreed(spec, lang)
        checks.contribution(contribution, lang)
        token, *beside = (new_token() for chair in chairs if chair.kind == HUMAN)
        for chair, own in zip((chair for chair in chairs if chair.kind == HUMAN), (token, *beside), strict=True):
            chair.token = digest(own)
        seconds = PUBLIC_SECONDS if spec.public and spec.turn_seconds is None else spec.turn_seconds
        name, key = new_table_id(), secrets.token_bytes(32)
        table = LiveTable(name, rules.code, public=spec.public, key=key)
        table.draw_secret = self._draw
        table.begin(self.now())
        table.create(rules, chairs, str(spec.pace), seconds, spec.stand_in_seconds)
        if contribution:
            table.contribute(0, contribution)
        if not table.open_seats:
            table.start(self._seed)
        slot = self._slot(name)
        what = self._append(table, None, plans(table, self.now(), hurried=False) + self._newcomers(slot, table))
        life = Timer(name, LIFE, table.version, self.now() + KEPT_MS[table.state])
        what = ledger.with_timer(what, LIFE, life)
        codes = tuple(new_code() for _ in range(CODES)) if table.open_seats else ()
        new = NewTable(rules.code, spec.public, key, digest(derived(key, "invite")), codes)
        table.word = await self._store_it(ledger.create(new, what), lang)
        slot.table = table
        slot.devices_known = True
        self._clockwork.wake()
        return Seated(name, 0, token, derived(key, "invite"), table.version, tuple(beside))

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
            checks.room(live, taken[0], lang)
            live.join(taken[0], clean_name(name, lang, [n for n in live.names if n]), digest(token))

        view = await self._run(table, None, lang, do, anybody=True)
        return Seated(table, taken[0], token, invite, view.version)

    async def set_public(self, table: str, token: str | None, public: bool, lang: str = "en") -> View:
        """The host shows the table in the lobby, or takes it out, before the start. 403 not-host, 409 started."""

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            if live.public != public:
                checks.room(live, host, lang)
                live.make_public(public, host)
                if public and live.turn_seconds is None:
                    live.set_clock(PUBLIC_SECONDS, host)

        return await self._run(table, token, lang, do)

    async def set_clock(self, table: str, token: str | None, seconds: int | None, lang: str = "en") -> View:
        """The host says how long a turn may take, before the start; None: as long as it takes.

        403 not-host, 409 started, 422 bad-clock; 409 public-clock: a public table keeps one.
        """

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            known_clock(seconds, lang)
            if seconds is None and live.public:
                raise TableError("public-clock", tell(lang, "error.public-clock"), 409)
            if live.turn_seconds != seconds:
                checks.room(live, host, lang)
                live.set_clock(seconds, host)

        return await self._run(table, token, lang, do)

    async def set_stand_in(self, table: str, token: str | None, seconds: int | None, lang: str = "en") -> View:
        """The host says after how long away a bot sits in by itself, before the start; None: only on request.

        403 not-host, 409 started, 422 bad-stand-in.
        """

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            known_stand_in(seconds, lang)
            if live.stand_in_seconds != seconds:
                checks.room(live, host, lang)
                live.set_stand_in(seconds, host)

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
                checks.room(live, host, lang)
                live.make_host(seat)

        return await self._run(table, token, lang, do)
