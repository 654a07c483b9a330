"""Four short matches worked by hand, one under each rule book, as records.

The notes say what was reckoned with real cards on a table before the engine was asked. ``deal`` lists the pack in the order
in which it is drawn: one card at a time from the dealer's left, then the starter, then the stock. Run this file as a module
(``python -m tests.test_golden_records``) to write the records anew after the format has changed; the reckoning stays.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from maumau import Match, Record, RecordError, Round, Ruleset
from maumau.cards import Card, parse_cards

RECORDS = Path(__file__).parent / "data" / "records"


class Golden(NamedTuple):
    rules: str
    seats: int
    dealer: int
    drawn_first: str
    actions: str
    winner: int
    hands: tuple[str, ...]
    points: tuple[int, ...]
    note: str


GOLDENS = {
    "family": Golden(
        "family",
        2,
        1,
        "9h 7s 7h Qs Kc Ts 8s Ac Jd 9c  Th  As Kd Qd Qc Kh Ks 9d",
        "9h 9c Kc Ac Jd=h + 7h! 7s +4 Qs 8s + Ks As! + Ts!",
        1,
        ("9d Qc Qd Kd Kh", ""),
        (23, 0),
        "Hearts are wished and seat 1 draws the ace of spades, which does not serve the wish: the turn ends by itself. The "
        "seven of hearts serves it, seat 1 answers with its own seven, and seat 0 pays four. The eight skips seat 1, so seat 0 "
        "plays on, draws the king of spades and may lay it. Seat 1 says Mau with the ace and Mau-Mau with the ten. Seat 0 "
        "holds two kings (4 each), two queens (3 each) and a nine: 8 + 6 + 9 = 23.",
    ),
    "classic": Golden(
        "classic+deal.cards=2",
        4,
        3,
        "9h Ks Tc Qd Jd 7c As 8d  Th  9s Ac",
        "9h + 9s As + Ac Jd",
        0,
        ("", "7c Ks", "Tc", "8d Qd"),
        (0, 34, 20, 36),
        "Seat 1 buys the nine of spades and lays it, seat 3 buys the ace of clubs and lays it. Seat 0 goes out with its Jack, "
        "which needs no wish and doubles: 7 + 10 = 17 makes 34, 10 makes 20, 8 + 10 = 18 makes 36. Nobody has to call.",
    ),
    "international": Golden(
        "international+deal.cards=2",
        2,
        1,
        "9h 9d 4c Kc  2h  5c 6c 7d 8d 3s Jh Qs 2d",
        "9h 1?0 9d! + 7d +2 + Jh=c Kc 4c + 5c! + 6c -",
        0,
        ("", "2d 3s 8d Qs"),
        (0, 23),
        "Seat 0 forgets Mau, is caught at once and draws the five and six of clubs. It draws the seven of diamonds and lays "
        "it; seat 1 has no seven, takes two and loses the turn. The Jack just drawn wishes clubs. In the end seat 0 lays its "
        "six silently: the round waits, seat 1 lets it stand, and so it is over. Seat 1 holds 2 + 3 + 8 + 10 = 23.",
    ),
    "study": Golden(
        "study+deal.cards=2",
        2,
        1,
        "Kh Ad 7h Qs  9h  Ts 8c 8d",
        "Kh! + 7h!",
        0,
        ("", "8c 8d Ts Qs Ad"),
        (1, 0),
        "Seat 1 has no heart and no king, draws the ten of spades, which does not fit, and the turn ends by itself. Seat 0 "
        "goes out with a seven, and seat 1 still draws two. A round won counts one.",
    ),
}


def play(golden: Golden) -> Match:
    """The match as it is reckoned: the cards named are drawn first, the rest of the pack after them."""
    rules = Ruleset.parse(golden.rules).at(golden.seats)
    first = list(parse_cards(golden.drawn_first))
    rest = list(rules.pack)
    for card in first:
        rest.remove(card)
    round_ = Round(rules, golden.seats, 0, golden.dealer, orders=[[*first, *rest]])
    for action in golden.actions.split():
        round_.push(action)
    return Match.from_rounds(rules, 0, [round_])


@pytest.mark.parametrize("name", GOLDENS)
def test_the_record_replays_to_what_was_reckoned_by_hand(name: str) -> None:
    golden = GOLDENS[name]
    match = Record.load(RECORDS / f"{name}.json").replay()
    outcome = match.round.outcome()
    assert outcome is not None
    assert outcome.winner == golden.winner
    hands: list[tuple[Card, ...]] = [parse_cards(hand) for hand in golden.hands]
    assert [tuple(sorted(hand)) for hand in outcome.hands] == [tuple(sorted(hand)) for hand in hands]
    assert outcome.points == golden.points
    assert [event.text for event in match.round.events if event.action is not None and not event.by_itself] == (
        golden.actions.split()
    )


@pytest.mark.parametrize("name", GOLDENS)
def test_the_same_match_is_written_down_the_same(name: str) -> None:
    assert play(GOLDENS[name]).record() == Record.load(RECORDS / f"{name}.json")


def test_a_record_from_before_a_value_could_be_chosen_replays() -> None:
    data = dict(Record.load(RECORDS / "family.json").data)
    data["values"] = {name: value for name, value in data["values"].items() if name != "draw.reshuffles"}
    assert Record(data).replay().round.over
    data["values"]["draw.most"] = 2
    with pytest.raises(RecordError, match="have changed"):
        Record(data).replay()


def write() -> None:
    """Write the records anew."""
    for name, golden in GOLDENS.items():
        play(golden).record().save(RECORDS / f"{name}.json")


if __name__ == "__main__":
    write()
