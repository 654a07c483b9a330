"""Views made by hand, so that the page can be looked at and measured without a match to get there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from maumau.cards import Card
from maumau.tables.view import HandCard, LogLine, PileCard, ScoreRow, SeatView, View

SUITS = {
    "de": {"c": "Kreuz", "d": "Karo", "h": "Herz", "s": "Pik"},
    "en": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"},
}
RANKS = {
    "de": dict(zip("TJQKA", ("Zehn", "Bube", "Dame", "König", "Ass"), strict=True)),
    "en": dict(zip("TJQKA", ("ten", "jack", "queen", "king", "ace"), strict=True)),
}
NAMES = ("Du", "Emil", "Lotte", "Konrad", "Mathilde", "Bo", "Friederike-Charlotte", "Ida")


def card_name(lang: str, text: str) -> str:
    """Its name in words that the mock knows."""
    rank = RANKS[lang].get(text[0], text[0])
    suit = SUITS[lang][text[1]]
    return f"{suit} {rank}" if lang == "de" else f"{rank} of {suit}"


def hand_card(lang: str, text: str, legal: str, wishers: str, call_due: bool = False, drawn: bool = False) -> HandCard:
    """A card of the hand; those of a rank in `wishers` may always be played, and ask for a suit."""
    card = Card.parse(text)
    wishes = text[0] in wishers
    ok = wishes or text in legal.split()
    name = card_name(lang, text)
    return HandCard(
        card=text,
        name=name,
        label=text,
        legal=ok,
        why="" if ok else f"{name} passt nicht.",
        plays=tuple(f"{text}={s}" for s in "cdhs") if wishes else (text,) if ok else (),
        wishes=wishes,
        call_due=call_due,
        drawn=drawn,
        order=int(card),
        suit_order=(int(card) % 4) * 13 + int(card) // 4,
    )


def _seat(lang: str, seat: int, cards_n: int, turn: int | None) -> SeatView:
    you = seat == 0
    return SeatView(
        seat=seat,
        name={"de": "Du", "en": "You"}[lang] if you else NAMES[seat],
        kind="human" if you else "bot",
        level=None,
        cards_n=cards_n,
        called=seat == 3,
        catchable=False,
        away=False,
        score=(12, 35, 0, 61, 9, 4, 80, 7)[seat],
        on_turn=seat == turn,
        dealer=seat == 2,
        playing=True,
        host=you,
        you=you,
        winner=False,
        catch=None,
    )


def _log(lang: str) -> tuple[LogLine, ...]:
    said = {
        "de": ("Emil legt die Pik-Sieben.", "Lotte zieht zwei Karten.", "Konrad legt die Herz-Zehn und sagt „Mau“."),
        "en": ("Emil plays the seven of spades.", "Lotte draws two cards.", "Konrad plays the ten of hearts: “Mau!”"),
    }
    cards = ("7s", None, "Th")
    return tuple(LogLine(40 + i, said[lang][i], "play", i + 1, cards[i]) for i in range(3))


def mock_view(
    lang: str = "de",
    hand: str = "7h 9s Js Qd Kh",
    legal: str = "7h Kh",
    seats: int = 4,
    wishers: str = "J",
    call_due: bool = False,
    top_from: int | None = 3,
    **more: Any,
) -> View:
    """A view on the viewer's turn in the middle of a round, changed by `more`."""
    de = lang == "de"
    turn = more.get("turn", 0)
    cards = tuple(hand_card(lang, text, legal, wishers if turn == 0 else "", call_due) for text in hand.split())
    counts = [len(cards), 4, 7, 1, 3, 5, 6, 2]
    top, version = more.get("top", "Th"), more.get("version", 57)
    pile = tuple(
        PileCard(card, card_name(lang, card), key, seat)
        for card, key, seat in (("8s", 41, 2), ("7s", 45, 1), (top, version - 5, top_from))
    )
    fields: dict[str, Any] = {
        "table": "k7m2",
        "version": version,
        "rules": "family",
        "state": "playing",
        "you": 0,
        "turn": turn,
        "direction": 1,
        "top": top,
        "top_name": card_name(lang, top),
        "top_label": top,
        "wish": None,
        "wish_name": SUITS[lang].get(more.get("wish") or "", ""),
        "wish_symbol": "",
        "penalty": 0,
        "hand": cards,
        "legal": (),
        "call_due": (),
        "shouts": (),
        "throws": (),
        "drawn": None,
        "stock_n": 14,
        "discard_n": 5,
        "seats": tuple(_seat(lang, seat, counts[seat], turn) for seat in range(seats)),
        "round": 3,
        "match": 1,
        "dealer": 2,
        "host": 0,
        "deadline": None,
        "commitment": None,
        "log": _log(lang),
        "trick": _log(lang),
        "can_draw": True,
        "draw": "+",
        "draw_label": "Ziehen" if de else "Draw",
        "take": None,
        "take_label": "",
        "can_pass": False,
        "pass_": None,
        "pass_label": "Passen" if de else "Pass",
        "names": (),
        "suits": tuple((letter, "♣♦♥♠"["cdhs".index(letter)], SUITS[lang][letter]) for letter in "cdhs"),
        "mau": None,
        "mau_action": None,
        "mau_label": "Mau!",
        "status": "Du bist am Zug: Lege eine Karte oder ziehe." if de else "Your turn: play a card or draw.",
        "pace": "normal",
        "score_sheet": tuple(
            ScoreRow(n + 1, row[:seats], n)
            for n, row in enumerate(((0, 35, 12, 31, 9, 4, 20, 7), (12, 0, 20, 30, 0, 0, 60, 0)))
        ),
        "score_counts": "cards",
        "round_winner": None,
        "match_winners": (),
        "result": "",
        "next_dealer": 3,
        "can_start": False,
        "can_next": False,
        "can_rematch": False,
        "can_leave": True,
        "can_return": False,
        "can_end": True,
        "can_hurry": False,
        "end_proposed": (),
        "pile": pile,
    }
    return View(**{**fields, **more})


def seats_with(view: View, seat: int, **more: Any) -> View:
    """The view with one seat changed."""
    changed = replace(view.seats[seat], **more)
    return replace(view, seats=(*view.seats[:seat], changed, *view.seats[seat + 1 :]))
