"""Who people are: the names they go by, what each has played, and how a person is forgotten."""

from __future__ import annotations

from maumau.tables import checks, played
from maumau.tables.desk import Desk
from maumau.tables.errors import TableError
from maumau.tables.names import clean_name, digest, is_token, told_apart
from maumau.tables.played import Played
from maumau.tables.rounds import PlayedMatch
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View


class People(Desk):
    """Names, statistics, and what deletes them."""

    async def rename(self, table: str, token: str | None, name: str, lang: str = "en") -> View:
        """Go by another name, before a match or during it. 422 bad-name; one that is taken gets a number."""

        def do(live: LiveTable, seat: int) -> None:
            taken = [chair.name for other, chair in enumerate(live.chairs) if other != seat and chair.name]
            kept = clean_name(name, lang, taken)
            if kept != live.chairs[seat].name:
                checks.room(live, seat, lang)
                live.rename(seat, kept)

        return await self._run(table, token, lang, do)

    async def rekey(self, table: str, token: str | None, new: str, lang: str = "en") -> None:
        """From now on ``new`` opens the seat, and ``token`` nothing: devices that only know the old one are out.

        ``new`` comes with the form that asks for it, so that the form sent twice finds the seat rekeyed. 422 bad-token.
        """

        def do(live: LiveTable, _: int | None) -> None:
            if any(chair.token == digest(new) for chair in live.chairs):
                return
            if not is_token(new):
                raise TableError("bad-token", tell(lang, "error.bad-token"))
            seat = self._seated(live, token, lang)
            checks.room(live, seat, lang)
            live.rekey(seat, digest(new))

        await self._run(table, None, lang, do, anybody=True)

    async def is_mine(self, table: str, token: str | None, visitor: bytes, lang: str = "en") -> None:
        """The seat of this token is this person's: what is played there counts among its games."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            seat = self._seated(live, token, lang)
            await self._store_it(lambda db: played.keep_visitors(db, table, [(seat, visitor)], ()), lang)

    async def games(self, visitor: bytes) -> list[Played]:
        """Every match of a person, the last first."""
        return await self.store.in_thread(lambda db: played.results_of(db, visitor, self.now()))

    async def drop_results(self, visitor: bytes, lang: str = "en") -> None:
        """Nothing that a person has played counts any more; its seats stay."""
        await self._store_it(lambda db: played.forget_results(db, visitor), lang)

    async def history(self, table: str, token: str | None, lang: str = "en") -> tuple[PlayedMatch, ...]:
        """The matches of a table so far, the running one last, with their rounds. Whoever may see the table may ask."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            self._seat(live, token, lang)
            return live.matches

    async def forget(self, visitor: bytes, lang: str = "en") -> int:
        """Take a person out of all that is kept: its results, its seats' names and tokens. How many seats it had.

        Before a start the seat is free again; in a match a bot goes on under the name of a guest, and nobody can take
        that seat back.
        """
        seats = await self.store.in_thread(lambda db: played.seats_of(db, visitor))
        for table, seat in seats:
            await self._forget(table, seat, lang)
        await self._store_it(lambda db: played.forget_visitor(db, visitor), lang)
        return len(seats)

    async def _forget(self, table: str, seat: int, lang: str) -> None:
        def do(live: LiveTable, _: int | None) -> None:
            if live.chairs[seat].token is None:
                return  # nobody's already
            taken = [chair.name for other, chair in enumerate(live.chairs) if other != seat and chair.name]
            live.forget(seat, told_apart(tell(lang, "guest.name", n=seat + 1), taken))

        try:
            await self._run(table, None, lang, do, anybody=True)
        except TableError as error:
            if error.code != "no-table":  # it has been swept meanwhile
                raise
