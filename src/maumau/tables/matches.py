"""Rounds and matches: beginning, dealing again, leaving to a bot and coming back, ending by agreement, conceding."""

from __future__ import annotations

from maumau.tables import checks
from maumau.tables.clockwork import LIMIT_MS
from maumau.tables.desk import Desk
from maumau.tables.errors import TableError
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import View


class Matches(Desk):
    """What frames the rounds of a table."""

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
            checks.room_to_deal(live, checks.MOST_EVENTS_IN_MATCH, lang)
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
            checks.room_to_deal(live, checks.MOST_EVENTS, lang)
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
            checks.room(live, seat, lang)
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

    async def end(self, table: str, token: str | None, lang: str = "en", *, take_back: bool = False) -> View:
        """Propose to end the match; it ends when every person present has. With the next deal a proposal lapses.

        ``take_back`` withdraws the seat's own proposal; where there is none, nothing changes. 409 match-over.
        """

        def do(live: LiveTable, seat: int) -> None:
            checks.match(live, lang)
            checks.here(live, seat, lang)
            if live.state == "match-over":
                raise TableError("match-over", tell(lang, "error.match-over"), 409)
            if take_back:
                live.take_back_end(seat)
            else:
                if seat not in live.proposed:
                    checks.room(live, seat, lang)
                live.propose_end(seat)

        return await self._run(table, token, lang, do)

    async def concede(self, table: str, token: str | None, lang: str = "en") -> View:
        """Give the match up; it is over. 409 several-people where more than two sit there and another one is no bot."""

        def do(live: LiveTable, seat: int) -> None:
            checks.match(live, lang)
            checks.here(live, seat, lang)
            if live.state == "match-over":
                raise TableError("match-over", tell(lang, "error.match-over"), 409)
            if not live.may_concede(seat):
                raise TableError("several-people", tell(lang, "error.several-people"), 409)
            live.concede(seat)

        return await self._run(table, token, lang, do)
