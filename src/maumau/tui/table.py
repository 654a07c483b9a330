"""A match against bots in the terminal, over the same tables as the page."""

from __future__ import annotations

import asyncio
import re
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final

from maumau.ruleset import Ruleset
from maumau.ruleset.words.catalogue import Catalogue
from maumau.tables import Pace, Seated, SeatSpec, Store, TableError, Tables, TableSpec, View

_TEXTS: Final = Catalogue("maumau.tui.texts")
_NAMES: Final = ("Berta", "Carl", "Dora", "Emil", "Frieda", "Gustav", "Hanna")
_MARK: Final = "*"
_CONCEDE: Final = "concede"
_YES: Final = ("y", "j")
_CARD: Final = re.compile(r"(\d{1,2})(!?)")

Ask = Callable[[str], str]
Say = Callable[[str], None]


class StopError(Exception):
    """The person wants to stop."""


def play(rules: str, players: int | None, level: str, lang: str, ask: Ask = input, say: Say = print) -> None:
    """Play a match against bots until it is over or the person stops (``q``, end of input).

    Raises RuleError and TableError where these rules, players or bots cannot be.
    """
    parsed = Ruleset.parse(rules)
    seats = players if players is not None else min(max(4, parsed.least_seats), parsed.most_seats)
    parsed.at(seats)
    me = SeatSpec(name=_TEXTS.say(lang, "tui.you"))
    spec = TableSpec(rules, (me, *(SeatSpec(bot=level) for _ in _NAMES[: seats - 1])), pace=Pace.INSTANT)
    with tempfile.TemporaryDirectory(prefix="maumau-") as folder:
        asyncio.run(_Terminal(lang, ask, say).match(Path(folder), spec))
    say(_TEXTS.say(lang, "tui.bye"))


class _Terminal:
    """One person at one table: shows each view as text and turns what is typed into actions."""

    def __init__(self, lang: str, ask: Ask, say: Say) -> None:
        self.lang = lang
        self.ask = ask
        self.say = say
        self.told = -1

    def text(self, key: str, **slots: object) -> str:
        return _TEXTS.say(self.lang, f"tui.{key}", **slots)

    async def match(self, folder: Path, spec: TableSpec) -> None:
        async with Tables(Store(folder / "tables.sqlite")) as tables:
            seated = await tables.create(spec, self.lang)
            versions = tables.subscribe(seated.table)
            try:
                async for _ in versions:
                    view = await tables.view(seated.table, seated.token, self.lang)
                    if not await self.follow(tables, seated, view):
                        return
            except (StopError, EOFError):
                return
            finally:
                versions.close()

    async def follow(self, tables: Tables, seated: Seated, view: View) -> bool:
        """Tell what is new and let the person act while it is up to it; False when the match is over."""
        self.tell(view)
        if view.state == "playing" and view.throws and (thrown := self.throw(view)):
            view = await self.act(tables, seated, view, thrown)
            self.tell(view)
        while view.state == "playing" and view.turn == view.you:
            self.show(view)
            action = self.choose(view)
            if action is not None:
                view = await self.act(tables, seated, view, action)
                self.tell(view)
        if view.state == "round-over":
            self.totals(view)
            if self.ask(self.text("next")).strip().lower() == "q":
                raise StopError
            await tables.next_round(seated.table, seated.token, self.lang)
        elif view.state == "match-over":
            self.totals(view)
            return False
        return True

    async def act(self, tables: Tables, seated: Seated, view: View, action: str) -> View:
        try:
            if action == _CONCEDE:
                return await tables.concede(seated.table, seated.token, self.lang)
            command = uuid.uuid4().hex
            return await tables.act(seated.table, seated.token, command, view.version, action, self.lang)
        except TableError as error:
            self.say(error.text)
            return await tables.view(seated.table, seated.token, self.lang)

    def tell(self, view: View) -> None:
        for line in view.log:
            if line.seq > self.told:
                self.say(f"  {line.text}")
                self.told = line.seq

    def totals(self, view: View) -> None:
        self.say(self.text("totals", totals=", ".join(f"{seat.name} {seat.score}" for seat in view.seats)))

    def show(self, view: View) -> None:
        others = " · ".join(self.text("seat", name=seat.name, n=seat.cards_n) for seat in view.seats if not seat.you)
        lying = [self.text("top", card=view.top_label), self.text("stock", n=view.stock_n)]
        if view.wish is not None:
            lying.insert(1, self.text("wish", suit=f"{view.wish_name} {view.wish_symbol}"))
        if view.penalty:
            lying.insert(1, self.text("penalty", n=view.penalty))
        self.say("")
        self.say(f"{' · '.join(lying)}    {others}")
        self.say(self.text("hand", mark=_MARK))
        cards = (f"{number} {card.label}{_MARK if card.legal else ''}" for number, card in enumerate(view.hand, 1))
        self.say("   ".join(cards))
        self.say(view.status)

    def choose(self, view: View) -> str | None:
        """What the person types as an action; None where it was none, and that was said."""
        if view.names:
            return self.suit(view, view.names)
        typed = self.ask(self.text("prompt")).strip().lower()
        if typed == "q":
            raise StopError
        if typed == "a":
            sure = self.ask(self.text("concede")).strip().lower() in _YES
            return _CONCEDE if sure else None
        if typed == "?":
            self.say(self.text("help"))
            return None
        if typed[:1] == "w" and typed[1:].isdigit() and 1 <= int(typed[1:]) <= len(view.hand):
            self.say(view.hand[int(typed[1:]) - 1].why)
            return None
        card = _CARD.fullmatch(typed)
        if card and 1 <= int(card[1]) <= len(view.hand):
            return self.card(view, int(card[1]) - 1, card[2])
        return self.other(view, typed)

    def card(self, view: View, index: int, call: str) -> str | None:
        card = view.hand[index]
        if not card.plays:
            self.say(card.why)
            return None
        played = self.suit(view, card.plays) if card.wishes else card.plays[0]
        return None if played is None else played + call

    def throw(self, view: View) -> str | None:
        """The throw of the card on top that the person wants, though it is not their turn; None where they let it be."""
        typed = self.ask(self.text("throw", card=view.top_label)).strip().lower()
        if typed == "q":
            raise StopError
        if typed not in ("e", "t"):
            return None
        actions = tuple(action for action, _ in view.throws)
        return self.suit(view, actions) if len(actions) > 1 else actions[0]

    def suit(self, view: View, actions: tuple[str, ...]) -> str | None:
        """Let the person choose among actions that name a suit each."""
        offered = [(text, name) for letter, _, name in view.suits for text in actions if text.endswith(f"={letter}")]
        told = "  ".join(f"{number} {name}" for number, (_, name) in enumerate(offered, 1))
        typed = self.ask(self.text("suit", suits=told)).strip()
        if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(offered):
            return offered[int(typed) - 1][0]
        self.say(self.text("nothing"))
        return None

    def other(self, view: View, typed: str) -> str | None:
        catches = [seat.catch for seat in view.seats if seat.catch is not None]
        doings = {
            "d": view.draw or view.take,
            "z": view.draw or view.take,
            "p": view.pass_,
            "m": view.mau_action,
            "x": catches[0] if catches else None,
        }
        if typed not in doings:
            self.say(self.text("unknown", n=len(view.hand)))
        elif doings[typed] is None:
            self.say(self.text("nothing"))
        return doings.get(typed)
