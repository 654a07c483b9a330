"""The score pad for people with real cards: what their rounds are worth, who deals next, who has won.

Nothing is played here: for each round people say who went out with which card and what the others were left with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from maumau.cards import Card
from maumau.game.errors import PositionError
from maumau.game.match import Standing
from maumau.game.outcome import Outcome
from maumau.kernel.deal import clear_round
from maumau.kernel.ending import fewest
from maumau.kernel.layout import COUNT_CARDS, NOBODY, State, Tables
from maumau.kernel.score import closing_factor, round_points
from maumau.kernel.supply import add_to_hand
from maumau.ruleset import Ruleset
from maumau.ruleset.tables import pack_tables


class PlayedRound(NamedTuple):
    """A round as people report it: ``winner`` is None where it was blocked (whoever then wins it is reckoned).

    ``last`` is the winner's last card, first the top one; more cards under it matter only where each closing card counts.
    ``left`` are the cards left in each hand.
    """

    winner: int | None
    last: tuple[Card, ...]
    left: tuple[tuple[Card, ...], ...]


class Line(NamedTuple):
    """A round on the pad: what it added, and the totals after it; who played it and who dealt it."""

    points: tuple[int, ...]
    totals: tuple[int, ...]
    players: tuple[int, ...]
    dealer: int


class Pad(NamedTuple):
    """What stands on the pad: its lines, and what follows from them. ``winners`` is () while the match goes on."""

    lines: tuple[Line, ...]
    totals: tuple[int, ...]
    dealer: int
    players: tuple[int, ...]
    winners: tuple[int, ...]


class Asked(NamedTuple):
    """What the points of a round hang on, and so what people must say: the cards left, the last card, those under it."""

    cards: bool
    last: bool
    under: bool


def asked(rules: Ruleset) -> Asked:
    """What must be said about a round under these rules."""
    t = pack_tables(rules)
    cards = t.count == COUNT_CARDS
    faces = {int(card) for card in rules.pack}
    last = cards and any(t.closing[number] != 1 or t.fine[number] for number in faces)
    return Asked(cards, last, last and bool(t.closing_each))


def unnamed(rules: Ruleset, played: PlayedRound, players: Iterable[int]) -> tuple[int, ...]:
    """Those of the players who must have a card left and for whom none is named: whoever is not out holds one.

    () where the cards do not count, and where play goes on until only one has cards.
    """
    t = pack_tables(rules)
    if t.count != COUNT_CARDS or t.play_on:
        return ()
    return tuple(seat for seat in players if seat != played.winner and not played.left[seat])


def points(rules: Ruleset, played: PlayedRound) -> tuple[int, ...]:
    """What one round adds to each seat's total; ``rules`` are settled for the seats.

    Raises PositionError where a card is not in the pack or is named more often than the pack has it.
    """
    s, t = _final_state(rules, played, range(len(played.left)))
    return tuple(round_points(s, t, seat) for seat in range(s.seats))


def _final_state(rules: Ruleset, played: PlayedRound, players: Iterable[int]) -> tuple[State, Tables]:
    """The state of a round of these players that is over, as far as points hang on it."""
    _refuse_wrong_cards(rules, [*played.last, *(card for hand in played.left for card in hand)])
    s, t = State(), pack_tables(rules)
    seats = rules.seats or len(played.left)
    clear_round(s, seats)
    s.active[:seats] = [int(seat in players) for seat in range(seats)]
    s.winner = NOBODY if played.winner is None else played.winner
    s.places_n = seats - 1 if t.play_on else int(played.winner is not None)
    for seat, hand in enumerate(played.left):
        jokers = 0
        for card in hand if seat != played.winner else ():
            add_to_hand(s, t, seat, int(card) + (jokers % 2 if card.is_joker else 0))
            jokers += card.is_joker
    _lay_last(s, t, rules, played.last)
    return s, t


def _lay_last(s: State, t: Tables, rules: Ruleset, last: Sequence[Card]) -> None:
    """Lay the cards named last; with none named, a card that changes no points."""
    plain = (card for card in rules.pack if t.closing[card] == 1 and not t.fine[card])
    lying = [int(card) for card in reversed(last)] or [int(next(plain, rules.pack[0]))]
    s.discard_n = len(lying)
    s.discard[: len(lying)] = lying
    s.top = lying[-1]
    s.blocked = int(s.winner == NOBODY)
    s.closed_with = NOBODY if s.blocked else s.top
    if s.blocked and t.blocked_fewest:
        s.winner = fewest(s)


def _refuse_wrong_cards(rules: Ruleset, named: Iterable[Card]) -> None:
    held = Counter(rules.pack)
    for card, times in Counter(named).items():
        if card not in held:
            raise PositionError("not-in-pack", card=card)
        if times > held[card]:
            raise PositionError("card-too-often", card=card, held=held[card])


def keep(rules: Ruleset, seats: int, rounds: Iterable[PlayedRound], dealer: int = 0) -> Pad:
    """Everything on the pad from the rounds in order; rounds after the match was decided do not count.

    Raises RuleError for so many seats under these rules, PositionError for cards that cannot be.
    """
    rules = rules.at(seats)
    totals, players = (0,) * seats, tuple(range(seats))
    lines: list[Line] = []
    winners: tuple[int, ...] = ()
    for number, played in enumerate(rounds, 1):
        if winners:
            break
        outcome = _outcome(rules, seats, played, players)
        totals = tuple(total + more for total, more in zip(totals, outcome.points, strict=True))
        lines.append(Line(outcome.points, totals, players, dealer))
        standing = Standing(rules, number)
        winners = standing.winners(totals, outcome, players)
        following = players if winners else standing.next_players(totals, players)
        dealer, players = standing.next_dealer(outcome, dealer, following), following
    return Pad(tuple(lines), totals, dealer, players, winners)


def _outcome(rules: Ruleset, seats: int, played: PlayedRound, players: tuple[int, ...]) -> Outcome:
    """The round as the match counts it; who did not play it wins nothing and has nothing left."""
    if len(played.left) != seats:
        raise PositionError("no-hands")
    if played.winner is not None and played.winner not in players:
        raise PositionError("seat-not-in-round", seat=played.winner)
    left = tuple(hand if seat in players and seat != played.winner else () for seat, hand in enumerate(played.left))
    played = played._replace(left=left)
    s, t = _final_state(rules, played, players)
    places = () if played.winner is None else (played.winner,)
    return Outcome(
        winner=None if s.winner == NOBODY else s.winner,
        blocked=played.winner is None,
        points=tuple(round_points(s, t, seat) for seat in range(seats)),
        hands=left,
        places=places,
        closing=played.last[0] if played.last else None,
        factor=closing_factor(s, t),
    )


def copies(rules: Ruleset) -> tuple[tuple[Card, int], ...]:
    """Each card of the pack once, sorted, with how often it is there."""
    return tuple(sorted(Counter(rules.pack).items()))


__all__ = ["Asked", "Line", "Pad", "PlayedRound", "asked", "copies", "keep", "points", "unnamed"]
