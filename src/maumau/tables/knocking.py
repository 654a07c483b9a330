"""Knocking: whoever comes by the word called out in a room, or from the lobby, asks the host to be let in.

The secret of a knock is what will open the seat: only the browser that knocked has it, so that admission sends no token.
A door is a link of the table's like its invite, but it lets one knock only; it is nowhere shown as a link to pass on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from maumau.tables import checks, ledger, played
from maumau.tables.codes import heard
from maumau.tables.desk import Desk
from maumau.tables.errors import TableError
from maumau.tables.knocks import AWAY, IN, MOST_KNOCKS, MOST_WAITING, WAITING, WITHDRAWN
from maumau.tables.names import clean_name, derived, digest, is_token, new_token, same
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View


@dataclass(frozen=True, slots=True)
class Entrance:
    """How one comes in at a table: by its invite where one sits down at once, else by its door, where one knocks."""

    table: str
    door: str = field(repr=False)
    invite: str | None = field(default=None, repr=False)


class Knocking(Desk):
    """How people ask to be let in, and how the host answers."""

    async def entrance_of_word(self, word: str, lang: str = "en") -> Entrance:
        """The way to the table that somebody names by its word. 404 bad-word, whatever is the reason.

        Only while the table waits and has a free seat. Whoever asks must be held to few mistakes.
        """
        table = played.table_of_code(self.store.read(), heard(word))
        if table is not None:
            async with self._slot(table).lock:
                live = await self._fresh(table, lang)
                if live.state == "waiting" and live.open_seats:
                    return _entrance(live)
        raise TableError("bad-word", tell(lang, "error.bad-word"), 404)

    async def lobby(self, lang: str = "en") -> list[tuple[View, Entrance]]:
        """Public tables that wait for people, newest first, each with the way in."""
        found: list[tuple[View, Entrance]] = []
        for name in await self.store.in_thread(ledger.public_tables):
            async with self._slot(name).lock:
                live = await self._fresh(name, lang)
                found.append((self._view(live, None, lang), _entrance(live)))
        return found

    async def public_tables(self, lang: str = "en") -> list[View]:
        """Public tables that wait for people, newest first, as a spectator sees them."""
        return [view for view, _ in await self.lobby(lang)]

    async def at_door(self, table: str, door: str, lang: str = "en") -> tuple[View, Entrance]:
        """The table behind a door, as somebody sees it who has no seat, and how one comes in now. 404 bad-invite."""
        try:
            async with self._slot(table).lock:
                live = await self._fresh(table, lang)
                _behind(live, door, lang)
                return self._view(live, None, lang), _entrance(live)
        except TableError as error:
            if error.code != "no-table":
                raise
            raise _bad_door(lang) from error

    async def knock(self, table: str, door: str, name: str, lang: str = "en", token: str | None = None) -> str:
        """Ask to be let in; the secret of the knock, which opens the seat once the host has said yes.

        404 bad-invite, 409 started, full or too-many-knocks, 422 bad-name. ``token`` is the secret that a form carried:
        sent twice, it is one knock.
        """
        secret = token if token is not None and is_token(token) else new_token()

        def do(live: LiveTable, _: int | None) -> None:
            _behind(live, door, lang)
            if _knock_of(live, secret) is not None:
                return
            checks.before_start(live, lang)
            if not live.open_seats:
                raise TableError("full", tell(lang, "error.full"), 409)
            waiting = live.knocking.values()
            if len(waiting) >= MOST_WAITING or len(live.knocks) >= MOST_KNOCKS:
                raise TableError("too-many-knocks", tell(lang, "error.too-many-knocks"), 409)
            taken = [n for n in live.names if n] + [knock.name for knock in waiting]
            live.knock(clean_name(name, lang, taken), digest(secret))

        await self._run(table, None, lang, do, anybody=True)
        return secret

    async def knock_state(self, table: str, door: str, secret: str, lang: str = "en") -> str:
        """What became of a knock: ``waiting``, ``in``, ``away``, ``withdrawn``, ``started``, ``full``, or empty for none.

        Whoever was let in and has no seat any more was turned away. 404 bad-invite.
        """
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            _behind(live, door, lang)
            number = _knock_of(live, secret)
            if number is None:
                return ""
            state = live.knocks[number].state
            seated = any(chair.token == digest(secret) for chair in live.chairs)
            return AWAY if state == IN and not seated else state

    async def withdraw(self, table: str, secret: str, lang: str = "en") -> None:
        """Whoever knocks waits no more. Nothing happens where the knock has been answered."""

        def do(live: LiveTable, _: int | None) -> None:
            number = _knock_of(live, secret)
            if number is not None and live.knocks[number].state == WAITING:
                live.end_knock(number, WITHDRAWN)

        await self._run(table, None, lang, do, anybody=True)

    async def let_in(self, table: str, token: str | None, knock: int, lang: str = "en") -> View:
        """The host gives somebody who knocks the first free seat. 403 not-host, 409 started or no-knock."""

        def do(live: LiveTable, host: int) -> None:
            _answerable(live, host, knock, lang)
            live.let_in(knock, clean_name(live.knocks[knock].name, lang, [n for n in live.names if n]))

        return await self._run(table, token, lang, do)

    async def turn_away(self, table: str, token: str | None, knock: int, lang: str = "en") -> View:
        """The host does not let somebody in who knocks. 403 not-host, 409 started or no-knock."""

        def do(live: LiveTable, host: int) -> None:
            _answerable(live, host, knock, lang)
            live.end_knock(knock, AWAY)

        return await self._run(table, token, lang, do)

    async def set_asks(self, table: str, token: str | None, asks: bool, lang: str = "en") -> View:
        """The host says whether those who come by the word or from the lobby knock. 403 not-host, 409 started."""

        def do(live: LiveTable, host: int) -> None:
            checks.host_only(live, host, lang)
            checks.before_start(live, lang)
            if live.asks != asks:
                checks.room(live, host, lang)
                live.ask_first(asks, host)

        return await self._run(table, token, lang, do)


def _entrance(live: LiveTable) -> Entrance:
    return Entrance(live.name, derived(live.key, "door"), None if live.asks else derived(live.key, "invite"))


def _bad_door(lang: str) -> TableError:
    return TableError("bad-invite", tell(lang, "error.bad-invite"), 404)


def _behind(live: LiveTable, door: str, lang: str) -> None:
    """Refuse a door that is not this table's."""
    if not same(derived(live.key, "door"), door):
        raise _bad_door(lang)


def _knock_of(live: LiveTable, secret: str) -> int | None:
    """The number of the knock with this secret."""
    wanted = digest(secret)
    return next((number for number, knock in live.knocks.items() if knock.token == wanted), None)


def _answerable(live: LiveTable, host: int, knock: int, lang: str) -> None:
    """Refuse to answer a knock where that is not this seat's, or nobody waits behind that number."""
    checks.host_only(live, host, lang)
    checks.before_start(live, lang)
    if knock not in live.knocking:
        raise TableError("no-knock", tell(lang, "error.no-knock"), 409)
