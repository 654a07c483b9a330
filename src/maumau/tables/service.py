"""`Tables`: the service that pages, the JSON API and the terminal talk to. Async; one object per process.

A seat is known by its token alone. Every refusal is a `TableError` with a code, one sentence in the language asked for
and an HTTP status.

Not here yet: clocks (``turn_seconds`` is kept, not counted), reactions, the watch link's refusals, the contribution of
browsers to the shuffle and its commitment (``commitment`` is None), wake-ups between processes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import Any

from maumau.tables.store import Store
from maumau.tables.view import View


class Pace(StrEnum):
    """How long bots let people look at what happened."""

    INSTANT = "instant"
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """One seat of a table to be made: a person's ``name``, a ``bot`` by level, or ``open`` for whoever is invited."""

    name: str | None = None
    bot: str | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table to be made. The first seat is the caller's."""

    rules: str = "family"
    seats: tuple[SeatSpec, ...] = (SeatSpec(name="Guest"), SeatSpec(bot="normal"))
    turn_seconds: int | None = None
    public: bool = False
    pace: Pace = Pace.NORMAL


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat taken: the token is shown this once and stored nowhere in the clear."""

    table: str
    seat: int
    token: str = field(repr=False)
    invite: str | None = field(repr=False)
    version: int


class Tables:
    """All tables of one store.

    ``async with Tables(Store(path)) as tables`` opens the service and starts the clockwork that fires bot turns;
    leaving closes both. ``clock`` gives seconds since the epoch, ``seeds`` 128-bit numbers: both only for tests.
    """

    def __init__(
        self, store: Store, *, clock: Callable[[], float] | None = None, seeds: Callable[[], int] | None = None
    ) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> Tables:
        raise NotImplementedError

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        raise NotImplementedError

    # --- making and reading a table -------------------------------------------------------------------------------

    async def create(self, spec: TableSpec, lang: str = "en") -> Seated:
        """Make a table; with no open seat it starts at once.

        422 bad-name, bad-seats (the first seat must be the caller's), unknown-bot, or the code of a RuleError.
        """
        raise NotImplementedError

    async def view(self, table: str, token: str | None, lang: str = "en") -> View:
        """The table as the seat of ``token`` may see it, without a token as a spectator. 404 no-table, 401 bad-token."""
        raise NotImplementedError

    async def seat_of(self, table: str, token: str | None) -> int | None:
        """The seat that a token opens; None without one. 404 no-table, 401 bad-token."""
        raise NotImplementedError

    async def tables_of(self, tokens: dict[str, str], lang: str = "en") -> list[View]:
        """The views of the tables that these tokens (by table) open, newest first; unknown ones are left out."""
        raise NotImplementedError

    async def events(self, table: str, token: str | None, after: int = 0, limit: int = 500) -> list[dict[str, Any]]:
        """The events after ``after`` that this seat may see, as the JSON API gives them."""
        raise NotImplementedError

    def subscribe(self, table: str) -> AsyncIterator[int]:
        """Wake-ups: the version now, then the latest version after each change. Slow readers skip versions, never miss the last.

        Close it (``aclose``) when done.
        """
        raise NotImplementedError

    async def record(self, table: str, token: str | None, lang: str = "en") -> dict[str, Any]:
        """After a match its whole record; during it, finished rounds open and the running one as this seat saw it."""
        raise NotImplementedError

    async def invite(self, table: str, token: str, lang: str = "en") -> str:
        """The invite of a table, for a seated person to pass on."""
        raise NotImplementedError

    # --- playing --------------------------------------------------------------------------------------------------

    async def act(
        self, table: str, token: str | None, command_id: str, version: int | None, action: str, lang: str = "en"
    ) -> View:
        """Play, draw, take, pass, name, call or catch: the text of an action, decided on ``version``.

        422 with the engine's reason when it is not legal; 409 not-your-turn; 409 stale (with the present view) when the
        turn, the top card, the wish, the penalty or the own hand has changed since ``version``; a shout is judged by
        its window alone. The same ``command_id`` again: the same answer as the first time; another action under it:
        422 id-used.
        """
        raise NotImplementedError

    async def start(self, table: str, token: str | None, lang: str = "en") -> View:
        """The host begins; seats still open are filled with bots. 403 not-host, 409 started."""
        raise NotImplementedError

    async def next_round(self, table: str, token: str | None, lang: str = "en", after_round: int | None = None) -> View:
        """Deal the next round. With ``after_round``, a second press for the same round changes nothing."""
        raise NotImplementedError

    async def rematch(self, table: str, token: str | None, lang: str = "en", after_match: int | None = None) -> View:
        """A new match at the same table, when the last is over."""
        raise NotImplementedError

    async def leave(self, table: str, token: str | None, lang: str = "en") -> View:
        """Give the seat to a bot. When no person is left the bots stop and the table waits."""
        raise NotImplementedError

    async def return_(self, table: str, token: str | None, lang: str = "en") -> View:
        """Take the seat back."""
        raise NotImplementedError

    async def end(self, table: str, token: str | None, lang: str = "en") -> View:
        """Propose to end the match; it ends when every person present has."""
        raise NotImplementedError

    async def hurry(self, table: str, token: str | None, lang: str = "en") -> View:
        """Bots act without waiting until it is a person's turn."""
        raise NotImplementedError

    async def set_pace(self, table: str, token: str | None, pace: str, lang: str = "en") -> View:
        """Change the pace of the bots."""
        raise NotImplementedError

    # --- sitting down ---------------------------------------------------------------------------------------------

    async def join(self, table: str, invite: str, name: str, lang: str = "en") -> Seated:
        """Take an open seat. 404 bad-invite or no-table, 409 full or started, 422 bad-name."""
        raise NotImplementedError

    async def remove(self, table: str, token: str | None, seat: int, lang: str = "en") -> View:
        """The host opens a seat again, before the start."""
        raise NotImplementedError

    async def hand_over(self, table: str, token: str | None, seat: int, lang: str = "en") -> View:
        """The host makes another person the host."""
        raise NotImplementedError
