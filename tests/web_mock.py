"""Views made by hand, so that the page can be looked at and measured without a match to get there."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from maumau.cards import Card
from maumau.tables.view import HandCard, LogLine, ScoreRow, SeatView, View

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
    rank = RANKS[lang].get(text[0], text[0])
    suit = SUITS[lang][text[1]]
    return f"{suit} {rank}" if lang == "de" else f"{rank} of {suit}"


def hand_card(lang: str, text: str, legal: str, wishers: str = "J", **more: Any) -> HandCard:
    card = Card.parse(text)
    ok = text in legal.split() or text[0] in wishers
    wishes = text[0] in wishers
    plays = tuple(f"{text}={s}" for s in "cdhs") if wishes else (text,) if ok else ()
    return HandCard(
        card=text, name=card_name(lang, text), label=text, legal=ok, why="" if ok else f"{card_name(lang, text)} passt nicht.",
        plays=plays, wishes=wishes, call_due=more.get("call_due", False), drawn=more.get("drawn", False),
        order=int(card), suit_order=(int(card) % 4) * 13 + int(card) // 4,
    )  # fmt: skip


def view(lang: str = "de", hand: str = "7h 9s Js Qd Kh", legal: str = "7h Kh", seats: int = 4, **more: Any) -> Any:
    """A view on somebody's turn in the middle of a round, changed by `more`."""
    de = lang == "de"
    cards = tuple(hand_card(lang, text, legal) for text in hand.split())
    counts = [len(cards), 4, 7, 1, 3, 5, 6, 2]
    people = tuple(
        SeatView(i, ("Du" if de else "You") if i == 0 else NAMES[i], "human" if i == 0 else "bot", None, counts[i], i == 3, False, False,
                 (12, 35, 0, 61, 9, 4, 80, 7)[i], i == more.get("turn", 0), i == 2, True, i == 0, i == 0, False, None)
        for i in range(seats)
    )  # fmt: skip
    say = (
        ("Emil legt Pik Sieben.", "Lotte zieht 2 Karten.", "Konrad legt Herz Zehn. „Mau!“")
        if de
        else ("Emil plays the seven of spades.", "Lotte draws 2 cards.", "Konrad plays the ten of hearts. “Mau!”")
    )
    log = tuple(LogLine(40 + i, line, "play") for i, line in enumerate(say))
    base = View(
        table="k7m2", version=57, rules="family", state="playing", you=0, turn=0, direction=1, top="Th", top_name=card_name(lang, "Th"),
        top_label="10♥", wish=None, wish_name="", wish_symbol="", penalty=0, hand=cards, legal=(), call_due=(), shouts=(), drawn=None,
        stock_n=14, discard_n=5, seats=people, round=3, match=1, dealer=2, host=0, deadline=None, commitment=None, log=log, trick=log,
        can_draw=True, draw="+", draw_label="Ziehen" if de else "Draw", take=None, take_label="", can_pass=False, pass_=None,
        pass_label="Passen" if de else "Pass", names=(), suits=tuple((s, "♣♦♥♠"["cdhs".index(s)], SUITS[lang][s]) for s in "cdhs"),
        mau=None, mau_action=None, mau_label="Mau!", status="Du bist dran: Herz Zehn liegt, 3 Karten passen." if de else "Your turn: ten of hearts on top, 3 cards playable.",
        pace="normal", score_sheet=(ScoreRow(1, (12, 0, 0, 31, 9, 4, 20, 7)[:seats], 1), ScoreRow(2, (0, 35, 0, 30, 0, 0, 60, 0)[:seats], 0)),
        score_counts="cards", round_winner=None, match_winners=(), result="", next_dealer=3, can_start=False, can_next=False,
        can_rematch=False, can_leave=True, can_return=False, can_end=True, can_hurry=False, end_proposed=(),
    )  # fmt: skip
    extra = {
        k: more.pop(k)
        for k in ("pile", "rules_line", "last_hands", "free")
        if k in more and k not in View.__dataclass_fields__
    }
    base = replace(base, **more)
    fields = {name: getattr(base, name) for name in View.__dataclass_fields__}
    pile = tuple(
        SimpleNamespace(card=c, name=card_name(lang, c), key=k, seat=s)
        for c, k, s in (("8s", 41, 2), ("7s", 45, 1), ("Th", 52, 3))
    )
    trick = tuple(
        SimpleNamespace(text=line.text, kind="play", card=c, seq=line.seq)
        for line, c in zip(base.trick, ("7s", None, "Th"), strict=False)
    )
    if "pile" in View.__dataclass_fields__:
        return base
    return SimpleNamespace(
        **{
            **fields,
            "pile": pile,
            "trick": trick,
            "rules_line": "Familie" if de else "Family",
            "last_hands": (),
            "free": False,
            **extra,
        }
    )
