"""Passing a device on: several people at one table on one device, each hand covered until its owner has taken the device.

Which hand lies open is an event of the log (``uncovered``) and holds for as long as that turn lasts; so a reload, a second
tab and a restart show the same, and a covered hand is in nobody's bytes. Calls and catches need no hand: anybody at the
device may make them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from maumau.tables import ledger
from maumau.tables.desk import Desk
from maumau.tables.errors import TableError
from maumau.tables.table import LiveTable
from maumau.tables.texts import tell
from maumau.tables.view import SharedDevice, View


class Together(Desk):
    """What a device may ask that holds the tokens of several seats."""

    async def device_view(self, table: str, tokens: Sequence[str], lang: str = "en", known: int | None = None) -> View:
        """The table as a device shows it: with one seat as that seat sees it, with none as a spectator.

        ``known`` is a version that the subscription to the table has told, so that the store need not be asked for it.
        With several seats, the hand of the seat on turn where it is uncovered, else no hand at all. Tokens that open nothing are
        passed over, unless none does: 401 bad-token.
        """
        async with self._slot(table).lock:
            live = await self._fresh(table, lang, known)
            return self._device_view(live, list(self._device(live, tokens, lang)), lang)

    async def tables_of(self, tokens: Mapping[str, Sequence[str]], lang: str = "en") -> list[View]:
        """The tables that a device has seats at, by its tokens for each, the last touched first; others are left out."""
        found: list[tuple[int, View]] = []
        for name, own in tokens.items():
            try:
                view = await self.device_view(name, own, lang)
            except TableError:
                continue
            last = ledger.last_activity(self.store.read(), name)
            if last is not None and (view.you is not None or view.shared is not None):
                found.append((last[1], view))
        found.sort(key=lambda pair: pair[0], reverse=True)
        return [view for _, view in found]

    async def device_seats(self, table: str, tokens: Sequence[str], lang: str = "en") -> dict[int, str]:
        """The seats that a device holds, each with its token; the one that speaks for all of them first."""
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            found = self._device(live, tokens, lang)
            lead = _lead(live, list(found)) if found else None
            return {seat: found[seat] for seat in sorted(found, key=lambda seat: seat != lead)}

    async def uncover(self, table: str, tokens: Sequence[str], seat: int, lang: str = "en") -> View:
        """Whoever is on turn has taken the device: show that hand. Where the turn has moved on, nothing changes."""

        def do(live: LiveTable, _: int | None) -> None:
            if seat in self._device(live, tokens, lang) and _waits_covered(live, seat):
                live.uncover(seat)

        await self._run(table, None, lang, do, anybody=True)
        return await self.device_view(table, tokens, lang)

    async def acting(self, table: str, tokens: Sequence[str], seat: int | None, lang: str = "en") -> str | None:
        """The token for an action of a device: of ``seat`` for a call or a catch, else of the hand that lies open.

        409 covered when the device holds several seats and none of their hands is open.
        """
        async with self._slot(table).lock:
            live = await self._fresh(table, lang)
            found = self._device(live, tokens, lang)
            if len(found) < 2:
                return next(iter(found.values()), tokens[0] if tokens else None)
            opened = seat if seat in found else _opened(live, list(found))
            if opened is None:
                raise TableError("covered", tell(lang, "error.covered"), 409)
            return found[opened]

    def _device(self, live: LiveTable, tokens: Sequence[str], lang: str) -> dict[int, str]:
        """The seats that these tokens open; none for a spectator."""
        found: dict[int, str] = {}
        for token in tokens if len(tokens) > 1 else ():
            try:
                seat = self._seat(live, token, lang)
            except TableError:
                continue
            if seat is not None:
                found[seat] = token
        if found:
            return found
        seat = self._seat(live, tokens[0] if tokens else None, lang)
        return {} if seat is None else {seat: tokens[0]}

    def _device_view(self, live: LiveTable, seats: list[int], lang: str) -> View:
        if len(seats) < 2:
            return self._view(live, seats[0] if seats else None, lang)
        lead = self._view(live, _lead(live, seats), lang)
        if live.state == "waiting":
            return replace(lead, shared=SharedDevice(tuple(seats), covered=False))
        opened = _opened(live, seats)
        return _shared(live, seats, self._view(live, opened, lang), lead)


def _lead(live: LiveTable, seats: list[int]) -> int:
    """The seat that speaks for a device: the host's, else the first where a person plays."""
    return live.host if live.host in seats else next((seat for seat in seats if live.chairs[seat].present), seats[0])


def _waits_covered(live: LiveTable, seat: int) -> bool:
    """Whether this seat is on turn and its hand has not been uncovered in this turn."""
    r, chair = live.round, live.chairs[seat]
    on_turn = r is not None and live.state == "playing" and r.turn == seat and chair.present
    return on_turn and chair.uncovered <= live.turn_began


def _opened(live: LiveTable, seats: list[int]) -> int | None:
    """The seat of a device whose hand lies open."""
    turn = None if live.round is None or live.state != "playing" else live.round.turn
    if turn is None or turn not in seats or not live.chairs[turn].present or _waits_covered(live, turn):
        return None
    return turn


def _shared(live: LiveTable, seats: list[int], seen: View, lead: View) -> View:
    """What the device shows: one seat's view or a spectator's, with what anybody at the device may do."""
    people = [seat for seat in seats if live.chairs[seat].present]
    shouts = [action for seat in people for action in (live.round.shouts.get(seat, ()) if live.round else ())]
    shouts = [action for action in shouts if not live.in_grace(action.target)]
    catches = {action.target: str(action) for action in reversed(shouts) if action.kind == "catch"}
    own = None if seen.you is None else catches.pop(seen.you, None)
    calls = tuple((a.seat, str(a)) for a in shouts if a.kind == "call" and a.seat is not None and a.seat != seen.you)
    device = SharedDevice(
        seats=tuple(seats),
        covered=seen.you is None,
        next=next((seat for seat in people if _waits_covered(live, seat)), None),
        calls=calls,
        catch=own,
        may_concede=tuple(seat for seat in seats if live.may_concede(seat)),
    )
    take_back = live.state in ("playing", "round-over") and not live.proposed.isdisjoint(people)
    shown = tuple(replace(seat, catch=seat.catch or catches.get(seat.seat)) for seat in seen.seats)
    if seen.you is not None:
        return replace(seen, seats=shown, reactions=(), can_take_back=take_back, shared=device)
    standing = [other.can_stand_in for other in lead.seats]
    return replace(
        seen,
        seats=tuple(replace(seat, can_stand_in=can) for seat, can in zip(shown, standing, strict=True)),
        can_next=lead.can_next,
        share_due=lead.share_due,
        can_rematch=lead.can_rematch,
        can_end=lead.can_end,
        can_take_back=take_back,
        can_hurry=lead.can_hurry,
        shared=device,
    )
