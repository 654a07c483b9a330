"""Builds the View of a seat: by allow-list, from the Observation of that seat and the public part of the log."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final

from maumau.cards import UNKNOWN_TEXT, Card, Suit
from maumau.game import Action, Event, Observation, Reason, Record
from maumau.ruleset import Ruleset, words
from maumau.tables.chairs import HUMAN, Chair
from maumau.tables.events import BOT_COMMAND, seen
from maumau.tables.ledger import Row
from maumau.tables.names import derived
from maumau.tables.rounds import FinishedRound
from maumau.tables.table import REACTIONS, LiveTable
from maumau.tables.texts import tell
from maumau.tables.told import laid, told
from maumau.tables.view import HandCard, LogLine, PileCard, ScoreRow, SeatView, View

LOG_LINES: Final = 40
PILE: Final = 3
HANDS: Final = 2_048
"""So many hands that rest are kept."""
REASONS: Final = 4_096
"""So many sentences about cards are kept."""
REACTION_LASTS: Final = 6
"""A reaction is shown until so many events have followed; a page takes it away sooner."""


def build(table: LiveTable, seat: int | None, lang: str) -> View:
    """The table as a seat sees it now."""
    return _Builder(table, seat, lang).view()


class _Builder:
    """One viewer, one moment."""

    def __init__(self, table: LiveTable, seat: int | None, lang: str) -> None:
        self.table = table
        self.seat = seat
        self.lang = lang
        self.seen = table.observation(seat)
        self.state = table.state
        chair = None if seat is None else table.chairs[seat]
        self.here = chair is not None and chair.present
        self.legal: tuple[Action, ...] = ()
        self.due: tuple[Action, ...] = ()
        self.shouts: tuple[Action, ...] = ()
        if self.seen is not None and self.here and self.state == "playing":
            self.shouts = tuple(shout for shout in self.seen.shouts if not table.in_grace(shout.target))
            if self.seen.turn == seat:
                self.legal, self.due = tuple(self.seen.legal), tuple(self.seen.call_due)

    def view(self) -> View:
        t, o = self.table, self.seen
        hand = self.hand()
        log = told(t, self.seat, self.lang)
        by_kind = {kind: self.first(kind) for kind in ("draw", "take", "pass")}
        top = None if o is None else o.top
        wish = None if o is None else o.wish
        taken = by_kind["take"]
        return View(
            table=t.name,
            version=t.version,
            rules=t.code,
            state=self.state,
            you=self.seat,
            turn=None if o is None or self.state != "playing" else o.turn,
            direction=1 if o is None else o.direction,
            top=None if top is None else str(top),
            top_name="" if top is None else words.card_name(self.lang, top, case="plain"),
            top_label="" if top is None else words.card_label(self.lang, top),
            wish=None if wish is None else wish.letter,
            wish_name="" if wish is None else words.suit_name(self.lang, wish),
            wish_symbol="" if wish is None else wish.symbol,
            penalty=0 if o is None else o.penalty,
            hand=hand,
            legal=tuple(self.text(action) for action in self.legal),
            call_due=tuple(self.text(action) for action in self.due),
            shouts=tuple(str(action) for action in self.shouts),
            throws=tuple(
                (self.text(action), action.wish.letter if action.wish is not None else None)
                for action in self.shouts
                if action.kind == "throw"
            ),
            drawn=None if o is None or o.drawn is None else str(o.drawn),
            stock_n=0 if o is None else o.stock_n,
            discard_n=0 if o is None else o.discard_n,
            seats=self.seats(),
            reactions=_reactions(self.lang) if self.here else (),
            public=t.public,
            invite=derived(t.key, "invite") if self.here and self.state == "waiting" else None,
            share_due=self.here
            and self.state != "playing"
            and t.committed is not None
            and self.seat not in t.contributions,
            knocks=tuple((number, knock.name) for number, knock in t.knocking.items())
            if self.here and self.seat == t.host and self.state == "waiting"
            else (),
            asks=t.asks,
            word=t.word if self.here and self.state == "waiting" and t.open_seats else None,
            round=0 if t.match is None else t.match.round_number,
            match=t.match_number,
            dealer=None if o is None else o.dealer,
            host=t.host,
            deadline=None if t.clock is None or t.clock.due is None else iso(t.clock.due),
            turn_seconds=t.turn_seconds,
            stand_in_seconds=t.stand_in_seconds,
            deadline_at=None if t.clock is None else t.clock.due,
            can_extend=self.here and t.clock is not None and t.clock.seat == self.seat and not t.clock.extended,
            commitment=t.commitment,
            log=log[-LOG_LINES:],
            trick=self.trick(log),
            can_draw=by_kind["draw"] is not None,
            draw=by_kind["draw"],
            draw_label=tell(self.lang, "button.draw"),
            take=taken,
            take_label="" if taken is None else tell(self.lang, "button.take", n=0 if o is None else o.penalty),
            can_pass=by_kind["pass"] is not None,
            pass_=by_kind["pass"],
            pass_label=self.pass_label(),
            names=tuple(str(action) for action in self.legal if action.kind == "name"),
            suits=_suits(self.lang),
            mau=self.mau(),
            mau_action=self.late_call(),
            mau_label=tell(self.lang, "button.mau"),
            status=self.status(),
            pace=t.pace,
            score_sheet=tuple(
                ScoreRow(row.round, row.points, row.winner) for row in t.finished if row.match == t.match_number
            ),
            score_counts="none" if t.rules is None else str(t.rules["score.count"]),
            round_winner=self.round_winner(),
            match_winners=self.match_winners(),
            result=self.result(),
            next_dealer=None if t.match is None or self.state != "round-over" else t.match.next_dealer,
            can_start=self.state == "waiting" and self.here and self.seat == t.host,
            can_next=self.state == "round-over" and self.here,
            can_rematch=self.state == "match-over" and self.here,
            can_leave=self.here and self.state != "waiting",
            can_return=self.seat is not None and t.chairs[self.seat].away,
            can_end=self.here and self.state in ("playing", "round-over"),
            can_take_back=self.here and self.state in ("playing", "round-over") and self.seat in t.proposed,
            can_concede=self.seat is not None and t.may_concede(self.seat),
            can_hurry=self.can_hurry(),
            end_proposed=tuple(sorted(t.proposed)),
            pile=self.pile(),
            free=o is not None and o.free,
            last_hands=self.last_hands(),
        )

    # --- the own hand and what may be done ------------------------------------------------------------------------

    def hand(self) -> tuple[HandCard, ...]:
        o = self.seen
        if o is None or self.seat is None:
            return ()
        resting = _resting(self.lang, o.hand)
        if not self.legal and (self.state != "playing" or o.turn != self.seat):
            return resting
        plays: dict[Card, list[Action]] = {}
        for action in self.legal:
            if action.card is not None:
                plays.setdefault(action.card, []).append(action)
        why = self.reasons()
        due = {action.card for action in self.due}
        last = {card: place for place, card in enumerate(o.hand)}
        return tuple(
            replace(
                held,
                legal=card in plays,
                why=why.get(card, ""),
                plays=tuple(str(action) for action in plays.get(card, ())),
                wishes=any(action.wish is not None for action in plays.get(card, ())),
                call_due=card in due,
                drawn=card == o.drawn and place == last[card],
            )
            for place, (card, held) in enumerate(zip(o.hand, resting, strict=True))
        )

    def reasons(self) -> dict[Card, str]:
        """Why each card of the own hand may or may not be played, while this seat is on turn."""
        o, r = self.seen, self.table.round
        if o is None or r is None or self.seat is None or self.state != "playing" or o.turn != self.seat:
            return {}
        found: Iterable[tuple[Card, Reason]] = r.explain(self.seat)
        names = tuple(self.table.names)
        return {card: _reason(self.lang, reason, o.rules, names) for card, reason in found}

    def text(self, action: Action) -> str:
        """An action as it is written here, a take with its number."""
        r = self.table.round
        return str(action) if r is None else r.text(action)

    def first(self, kind: str) -> str | None:
        return next((self.text(action) for action in self.legal if action.kind == kind), None)

    def pass_label(self) -> str:
        if self.seen is not None and self.seen.phase == "waiting":
            return tell(self.lang, "button.stand")
        drawn = self.seen is not None and self.seen.drawn is not None
        return tell(self.lang, "button.keep" if drawn else "button.pass")

    def late_call(self) -> str | None:
        return next((str(action) for action in self.shouts if action.kind == "call"), None)

    def mau(self) -> str | None:
        if self.late_call() is not None:
            return "late"
        return "armed-possible" if self.due else None

    def can_hurry(self) -> bool:
        t, o = self.table, self.seen
        if not self.here or o is None or self.state != "playing" or o.turn is None:
            return False
        return t.chairs[o.turn].plays_itself and (self.seat == t.host or len(t.people) == 1)

    # --- the table's middle ---------------------------------------------------------------------------------------

    def pile(self) -> tuple[PileCard, ...]:
        """The last cards of the discard pile; a reshuffle leaves only the top one."""
        lying: list[PileCard] = []
        most = PILE
        for row in reversed(self.table.tail):
            if row.seq <= self.table.round_began or len(lying) == most:
                break
            if row.kind == "reshuffle":
                most = min(most, len(lying) + 1)
            card = laid(row)
            if card is not None:
                who = row.seat if row.kind == "play" else None
                lying.append(PileCard(card, words.card_name(self.lang, card, case="plain"), row.seq, who))
        return tuple(reversed(lying))

    def last_hands(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """What each seat had left: open to all once the round is over."""
        outcome = self.table.outcome()
        if outcome is None or self.table.match is None:
            return ()
        return tuple((seat, tuple(map(str, outcome.hands[seat]))) for seat in self.table.match.players)

    # --- the seats ------------------------------------------------------------------------------------------------

    def seats(self) -> tuple[SeatView, ...]:
        t, o = self.table, self.seen
        catches = {action.target: str(action) for action in self.shouts if action.kind == "catch"}
        winners = self.winners()
        return tuple(
            SeatView(
                seat=seat,
                name=chair.name,
                kind=chair.kind,
                level=chair.level,
                cards_n=0 if o is None else o.counts[seat],
                called=o is not None and seat in o.called,
                catchable=o is not None and seat in o.owing and not t.in_grace(seat),
                away=chair.away or chair.absent,
                score=t.totals[seat],
                on_turn=o is not None and self.state == "playing" and o.turn == seat,
                dealer=o is not None and o.dealer == seat,
                playing=o is not None and (seat in o.players or seat in o.places),
                host=seat == t.host and chair.kind == HUMAN,
                you=seat == self.seat,
                winner=seat in winners,
                catch=catches.get(seat),
                reaction=self.reaction(chair),
                reaction_key=0 if chair.reaction is None else chair.reaction[1],
                stand_in_at=t.stand_in_at(seat),
                can_stand_in=self.here and chair.overdue and self.state == "playing",
            )
            for seat, chair in enumerate(t.chairs)
        )

    def reaction(self, chair: Chair) -> str:
        """The words of a reaction, until a few more things have happened."""
        if chair.reaction is None or chair.reaction[1] <= self.table.version - REACTION_LASTS:
            return ""
        return tell(self.lang, f"reaction.{chair.reaction[0]}")

    def winners(self) -> tuple[int, ...]:
        if self.state == "match-over":
            return self.match_winners()
        winner = self.round_winner()
        return () if winner is None else (winner,)

    def round_winner(self) -> int | None:
        last = self.last_round()
        return None if last is None else last.winner

    def last_round(self) -> FinishedRound | None:
        """The round that has just ended; None while one runs."""
        over = self.state in ("round-over", "match-over") and self.table.finished
        return self.table.finished[-1] if over else None

    def match_winners(self) -> tuple[int, ...]:
        return self.table.winners if self.state == "match-over" else ()

    # --- sentences ------------------------------------------------------------------------------------------------

    def name(self, seat: int) -> str:
        """A name as it stands in a sentence."""
        return words.isolate(self.table.chairs[seat].name)

    def status(self) -> str:
        t, o = self.table, self.seen
        if self.state == "waiting":
            mine = "-host" if self.here and self.seat == t.host else ""
            waits = "waiting" if t.open_seats else "full"
            return tell(self.lang, f"status.{waits}{mine}", n=len(t.open_seats), host=self.name(t.host))
        if self.state != "playing":
            return self.result()
        if not t.attended:
            return tell(self.lang, "status.paused")
        if o is None or o.turn is None:
            return ""
        stood_in = self.seat is not None and not self.here
        if stood_in and o.turn == self.seat:
            sentence = tell(self.lang, "status.bot-for-you")
        else:
            sentence = self.own_turn(o) if o.turn == self.seat else self.turn_of(o, o.turn)
            sentence = f"{tell(self.lang, 'status.bot-for-you')} {sentence}" if stood_in else sentence
        if o.wish is not None:
            sentence += " " + tell(self.lang, "status.wish", suit=words.suit_name(self.lang, o.wish))
        if self.late_call() is not None:
            sentence += " " + tell(self.lang, "status.late")
        return sentence

    def turn_of(self, o: Observation, turn: int) -> str:
        name = self.name(turn)
        if self.table.chairs[turn].absent:
            return tell(self.lang, "status.turn-away", name=name)
        if o.phase in ("naming", "waiting"):
            return tell(self.lang, f"status.turn-{o.phase}", name=name)
        if o.penalty:
            return tell(self.lang, "status.turn-penalty", name=name, n=o.penalty)
        return tell(self.lang, "status.turn", name=name)

    def own_turn(self, o: Observation) -> str:
        if o.phase in ("naming", "waiting"):
            return tell(self.lang, f"status.yours-{o.phase}")
        kinds = {action.kind for action in self.legal}
        if "take" in kinds:
            return tell(self.lang, "status.yours-answer" if "play" in kinds else "status.yours-take", n=o.penalty)
        if o.drawn is not None and "play" in kinds:
            playable = {action.card for action in self.legal if action.kind == "play"}
            which = "-any" if playable != {o.drawn} else "" if "pass" in kinds else "-must"
            return tell(self.lang, f"status.yours-drawn{which}", card=words.card_name(self.lang, o.drawn))
        if "play" in kinds:
            return tell(self.lang, "status.yours")
        doing = "-".join(kind for kind in ("draw", "pass") if kind in kinds)
        return tell(self.lang, f"status.yours-{doing}")

    def result(self) -> str:
        if self.state == "match-over":
            return self.match_result()
        last, t = self.last_round(), self.table
        if last is None or t.rules is None:
            return ""
        return words.event_sentence(self.lang, Event("round-over", last.winner), t.names, t.rules, you=self.seat)

    def match_result(self) -> str:
        return words.match_over_sentence(self.lang, self.match_winners(), self.table.names, self.seat)

    # --- the log --------------------------------------------------------------------------------------------------

    def trick(self, log: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
        """The lines since the viewer's own last action, or since the round began."""
        since = self.table.round_began
        if self.seat is not None:
            since = max(since, self.table.acted[self.seat])
        return tuple(line for line in log if line.seq > since)


def iso(at: int) -> str:
    """A moment in milliseconds since the epoch as the API writes it."""
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(maxsize=HANDS)
def _resting(lang: str, cards: tuple[Card, ...]) -> tuple[HandCard, ...]:
    """A hand while nobody asks its seat: the same at every table, and from one action to the next."""
    numbers = range(len(cards))
    by_rank = {i: place for place, i in enumerate(sorted(numbers, key=lambda i: int(cards[i])))}
    by_suit = {i: n for n, i in enumerate(sorted(numbers, key=lambda i: (_suit_place(cards[i]), int(cards[i]))))}
    return tuple(
        HandCard(
            card=str(card),
            name=words.card_name(lang, card, case="plain"),
            label=words.card_label(lang, card),
            legal=False,
            why="",
            plays=(),
            wishes=False,
            call_due=False,
            drawn=False,
            order=by_rank[i],
            suit_order=by_suit[i],
        )
        for i, card in enumerate(cards)
    )


def _reason(lang: str, reason: Reason, rules: Ruleset, names: tuple[str, ...]) -> str:
    named = names if "seat" in reason.params or "target" in reason.params else ()
    return _reason_sentence(lang, reason.code, tuple(reason.params.items()), rules, named)


@lru_cache(maxsize=REASONS)
def _reason_sentence(
    lang: str, code: str, params: tuple[tuple[str, Any], ...], rules: Ruleset, names: tuple[str, ...]
) -> str:
    return words.reason_sentence(lang, Reason(code, dict(params)), rules, names)


@lru_cache(maxsize=16)
def _reactions(lang: str) -> tuple[tuple[str, str], ...]:
    return tuple((code, tell(lang, f"reaction.{code}")) for code in REACTIONS)


@lru_cache(maxsize=16)
def _suits(lang: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((suit.letter, suit.symbol, words.suit_name(lang, suit)) for suit in Suit)


def _suit_place(card: Card) -> int:
    return len(Suit) if card.suit is None else int(card.suit)


def position_text(o: Observation) -> str:
    """The position as one seat may see it: its own hand, the others as counts, the stock as a count."""
    dealt = {event.seat for event in o.events if event.kind == "deal"}
    hands: list[Any] = [o.counts[seat] if seat in dealt else None for seat in range(o.seats)]
    if o.seat is not None and hands[o.seat] is not None:
        hands[o.seat] = [str(card) for card in o.hand]
    said: dict[str, Any] = {
        "top": str(o.top),
        "wish": None if o.wish is None else o.wish.letter,
        "penalty": o.penalty,
        "hands": hands,
        "turn": o.turn,
        "direction": o.direction,
        "stock": o.stock_n,
        "discard": o.discard_n,
        "dealer": o.dealer,
    }
    if o.drawn is not None:
        said["drawn"] = str(o.drawn)
    return json.dumps(said)


def record(table: LiveTable, seat: int | None) -> dict[str, Any]:
    """The record of the match: open as far as it is over, a running round as the seat has seen it."""
    assert table.match is not None
    data = Record.of(table.match, tuple(table.names)).data
    for number, deal in table.deals.items():
        data["rounds"][number - 1]["fair"] = deal.as_json(table.name)
    running = table.match.round
    if table.state != "playing":
        return data
    seen = running.observation(seat)
    deals = {event.seat: event for event in seen.events if event.kind == "deal"}
    data["rounds"][-1] = {
        "running": True,
        **{key: value for key, value in data["rounds"][-1].items() if key == "fair"},
        "dealer": seen.dealer,
        "sitting_out": [other for other in range(seen.seats) if other not in deals],
        "hands": [
            [_card_text(card) for card in deals[other].cards] if other in deals else None for other in range(seen.seats)
        ],
        "events": [event.as_json() for event in seen.events if event.kind != "deal"],
    }
    return data


def _card_text(card: Card | None) -> str:
    return UNKNOWN_TEXT if card is None else str(card)


def event_json(row: Row, seat: int | None) -> dict[str, Any]:
    """A stored event as the JSON API gives it to a seat, without the time."""
    said: dict[str, Any] = {"seq": row.seq, "kind": row.kind, "seat": row.seat}
    said |= seen(row, seat)
    own = row.by_seat is not None and row.by_seat == seat
    if own and row.command is not None and not row.command.startswith(BOT_COMMAND):
        said["id"] = row.command
    return said
