"""“Who is right?”: a position set by tapping cards, and what the referee says about it. The position is the address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from ...cards import UNKNOWN_TEXT, Card, Suit
from ...game import PositionError
from ...game.pad import copies
from ...game.referee import Ruling, asked, rule
from ...game.round import Round
from ...kernel.layout import DEALER_NAMES, MAY_PLAY
from ...ruleset import BOOKS, RuleError, Ruleset
from ...ruleset import words as rule_words
from ...ruleset.keys import RESHUFFLES
from ...ruleset.tables import kernel_pack, pack_tables
from ...ruleset.words.names import quoted
from ..editing import read, said, trouble
from ..own_rules import choices, own_of
from ..texts import Texts, texts
from ..visitor import visitor_of
from .rule_pages import fields_of, link_of, one, renderer, rules_path, whole

router = APIRouter(include_in_schema=False)
_MOST = 60


def board(lang: str, rules: Ruleset, marked: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The cards of the pack by suit, each as often as it is there, those that are marked tapped in."""
    left = Counter(marked)
    rows: dict[str, list[dict[str, Any]]] = {}
    for card, times in copies(rules):
        text = str(card)
        for copy in range(times):
            on = left[text] > 0
            left[text] -= on
            tile = {
                "card": text,
                "nth": copy,
                "label": rule_words.card_label(lang, card),
                "name": rule_words.card_name(lang, card, "plain"),
                "on": on,
            }
            rows.setdefault("*" if card.suit is None else card.suit.letter, []).append(tile)
    return [{"suit": suit, "tiles": tiles} for suit, tiles in sorted(rows.items(), reverse=True)]


def seats_of(rules: Ruleset, wanted: int | None) -> int:
    """How many play: as asked for, else as near to four as the rules allow."""
    return min(max(4, rules.least_seats), rules.most_seats) if wanted is None else wanted


RARE = (
    "starter",
    "free",
    "direction",
    "stock",
    "passes",
    "answers",
    "skips",
    "extra",
    "due_skips",
    "drew",
    "paid",
    "called",
    "late",
    "hanging",
    "reshuffles",
)
"""What a position may say besides top, hand, wish, penalty and the card drawn, as it is asked for here."""
_TICKS = ("starter", "free", "paid", "called")
_FIELDS = ("turn", "penalty", "drawn", "owing", "fined", "rest", "places", *RARE)
"""Keys of a position that the page has a field for."""
_OF_SEAT = re.compile(r"(cards|rest|place)([0-7])")
"""Fields that there are once for each seat: its number of cards (- where it sits out), its turns to sit out, its place."""
_SITS_OUT = "-"
_MOST_CARDS = 30
"""So many cards in another hand are offered; an address may say more."""


def rare_fields(t: Texts, rules: Ruleset, given: dict[str, str]) -> list[dict[str, Any]]:
    """The fields for what these rules know beyond top, hand and drawing, each with its choices or its greatest number."""
    k = pack_tables(rules)
    inside = [k.bit[number] for number in kernel_pack(rules)]
    wishing = any(k.wishes & bit for bit in inside)
    turning = any(k.reverse) and (rules.seats or 0) > 2
    going_on = ["may", "must"] if any(k.again) else []
    going_on += ["equal"] if k.several else []
    seats = [str(seat) for seat in range(rules.seats or 0)]
    drawing = bool(k.answerable) and any(k.draw)
    there: list[tuple[str, bool, list[str], int]] = [
        ("direction", turning, ["-1"], 0),
        ("stock", True, [], len(rules.pack)),
        ("passes", True, [], max(len(seats) - 1, 1)),
        ("answers", bool(drawing and k.cap), [], k.cap),
        ("skips", bool(k.skip_answerable) and any(k.skip_answers), [], 99),
        ("extra", bool(going_on), going_on, 0),
        ("due_skips", bool(going_on) and any(k.skip), [], 99),
        ("drew", k.draw_most > 1, [], min(k.draw_most, 99)),
        ("late", bool(k.spoken), seats, 0),
        ("hanging", bool(k.final_back), seats[1:], 0),
        ("reshuffles", k.reshuffles < RESHUFFLES, [], k.reshuffles),
        ("starter", True, [], 0),
        ("free", wishing and k.start_wish != DEALER_NAMES, [], 0),
        ("paid", drawing and k.after_penalty == MAY_PLAY, [], 0),
        ("called", bool(k.call_to_finish), [], 0),
    ]
    return [
        {
            "name": name,
            "label": t(f"referee.{name}"),
            "choices": [(choice, _choice(t, name, choice)) for choice in choices],
            "none": t(f"referee.{name}_none") if choices else "",
            "most": most,
            "given": given.get(name, ""),
        }
        for name, known, choices, most in there
        if known
    ]


def _choice(t: Texts, name: str, choice: str) -> str:
    return seat_name(t, int(choice)) if choice.isdigit() else t(f"referee.{name}_{choice.replace('-', 'minus_')}")


def seat_name(t: Texts, seat: int) -> str:
    """A seat as this page calls it: the asking one, then those that follow it."""
    return t("referee.you") if seat == 0 else t("referee.nth", n=seat + 1)


def seat_rows(rules: Ruleset, question: Question) -> dict[str, Any]:
    """What is asked about each seat: its cards, and what these rules know of debts, turns to sit out and places."""
    k, seats, dealt = pack_tables(rules), rules.seats or 0, rules.number("deal.cards")
    return {
        "owing": bool(k.spoken),
        "fined": bool(k.spoken and (k.false_call or k.false_catch)),
        "rest": bool(k.skip_answerable),
        "places": bool(k.play_on) and seats > 2,
        "dealt": dealt,
        "rows": [
            {
                "seat": seat,
                **{name: question.of_seat.get(f"{name}{seat}", "") for name in ("cards", "rest", "place")},
                "counts": _counts(question.of_seat.get(f"cards{seat}", ""), dealt),
                "owes": seat in question.owing,
                "paid": seat in question.fined,
            }
            for seat in range(seats)
        ],
    }


def _counts(given: str, dealt: int) -> list[int]:
    """The numbers of cards to choose from beside the one that is dealt; one that came with the address is among them."""
    number = whole(given)
    return sorted({*range(1, _MOST_CARDS + 1), *([] if number is None else [number])} - {dealt})


class Question:
    """What was asked: the fields of the page."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self.code = one(fields, "rules", BOOKS[0])[:2000].strip().replace(" ", "+") or BOOKS[0]
        self.top = one(fields, "top")[:8]
        self.hand = [card[:8] for text in fields.get("hand", [])[:_MOST] for card in text.split()][:_MOST]
        self.wish = one(fields, "wish")[:4]
        self.penalty = one(fields, "penalty")[:6]
        self.drawn = one(fields, "drawn")[:8]
        self.players = whole(one(fields, "players"))
        self.turn = whole(one(fields, "turn")[:4].strip()) or 0
        self.more = {name: value for name in RARE if (value := one(fields, name)[:8].strip())}
        given = ((name, one(fields, name)[:4].strip()) for name in sorted(fields) if _OF_SEAT.fullmatch(name))
        self.of_seat = {name: value for name, value in given if value and value != "0"}
        self.owing, self.fined = (
            sorted({seat for text in fields.get(name, [])[:8] if (seat := whole(text)) is not None})
            for name in ("owing", "fined")
        )

    @property
    def rare(self) -> bool:
        """Whether anything is given that few ask about."""
        return bool(self.more or self.of_seat or self.owing or self.fined)

    def position(self, rules: Ruleset) -> dict[str, Any]:
        """The position as plain data; the others hold what they were dealt, and a card just drawn whoever is on turn."""
        seats = seats_of(rules, self.players)
        dealt = rules.at(seats).number("deal.cards")
        hands = [self.hand, *(self._cards_of(seat, dealt) for seat in range(1, seats))]
        position: dict[str, Any] = {"starter" if "starter" in self.more else "top": self.top, "hands": hands}
        if self.penalty.strip():
            number = whole(self.penalty.strip().removeprefix("-"))
            sign = -1 if self.penalty.strip().startswith("-") else 1
            position["penalty"] = self.penalty if number is None else sign * number
        if self.turn and self.drawn and self.turn < seats and isinstance(held := hands[self.turn], int) and held:
            hands[self.turn] = [self.drawn, *[UNKNOWN_TEXT] * (held - 1)]
        given = {"wish": self.wish, "drawn": self.drawn, "turn": self.turn}
        return position | {name: value for name, value in given.items() if value} | self._rare() | self._of_seats(seats)

    def _cards_of(self, seat: int, dealt: int) -> int | None:
        """How many cards a seat holds: none where it is out already, None where it sits out."""
        if f"place{seat}" in self.of_seat or self.more.get("hanging") == str(seat):
            return 0
        written = self.of_seat.get(f"cards{seat}", "")
        return None if written == _SITS_OUT else dealt if (number := whole(written)) is None else number

    def _of_seats(self, seats: int) -> dict[str, Any]:
        """What the position says of each seat besides its cards."""
        rest = [whole(self.of_seat.get(f"rest{seat}", "")) or 0 for seat in range(seats)]
        placed = [(whole(self.of_seat.get(f"place{seat}", "")), seat) for seat in range(seats)]
        places = [seat for place, seat in sorted((place, seat) for place, seat in placed if place)]
        found = {"rest": rest if any(rest) else [], "places": places, "owing": self.owing, "fined": self.fined}
        return {name: value for name, value in found.items() if value}

    def _rare(self) -> dict[str, Any]:
        """The keys that few rules know, as a position writes them; what cannot be read is left to the engine to refuse."""
        rare: dict[str, Any] = {}
        for name, value in self.more.items():
            number = whole(value.removeprefix("-"))
            if name == "starter":
                continue
            if name == "called":
                rare[name] = [0]
            elif name in ("free", "paid"):
                rare[name] = True
            elif number is None:
                rare[name] = value
            elif value.startswith("-") or number or name in ("stock", "late", "direction"):
                rare[name] = -number if value.startswith("-") else number
        return rare

    def query(self) -> str:
        """The address of the position."""
        fields: list[tuple[str, str]] = [("rules", self.code), ("top", self.top)]
        fields += [("hand", " ".join(self.hand))] if self.hand else []
        fields += [("wish", self.wish), ("penalty", self.penalty if self.penalty != "0" else ""), ("drawn", self.drawn)]
        fields += [*self.more.items(), *self.of_seat.items()]
        fields += [(name, str(seat)) for name in ("owing", "fined") for seat in getattr(self, name)]
        fields += [("turn", str(self.turn or ""))]
        fields += [("players", str(self.players))] if self.players is not None else []
        return urlencode([(name, value) for name, value in fields if value], safe="=")


def _cards(t: Texts, ruling: Ruling) -> list[dict[str, Any]]:
    return [
        {
            "card": str(card),
            "name": rule_words.card_name(t.lang, card, "plain"),
            "may": may,
            "why": why,
            "rule": _stated(t, ruling, str(card)),
        }
        for card, may, why in ruling.cards
    ]


def _others(t: Texts, ruling: Ruling) -> list[dict[str, Any]]:
    names = {"+": t("referee.draw"), "-": t("referee.pass")}
    return [
        {"name": _name_of(t, text, names), "may": may, "why": why, "rule": _stated(t, ruling, text)}
        for text, may, why in ruling.others
    ]


def _name_of(t: Texts, text: str, names: dict[str, str]) -> str:
    if text.startswith("="):
        return t("referee.name", suit=rule_words.suit_name(t.lang, Suit.parse(text[1:])))
    return names.get(text, t("referee.take"))


def _stated(t: Texts, ruling: Ruling, text: str) -> str:
    """The sentence of the rule that decides, if one does."""
    key = ruling.keys.get(text)
    return said(t.lang, ruling.rules, key, ruling.rules[key]) if key else ""


def _answer(t: Texts, question: Question, rules: Ruleset | None) -> dict[str, Any]:
    """The ruling as a template shows it, or the sentence that says why there is none."""
    slots: dict[str, Any] = {
        "problem": "",
        "cards": [],
        "others": [],
        "start": (),
        "asked": bool(question.top and question.hand),
        "on_turn": True,
    }
    if rules is None or not slots["asked"]:
        return slots
    try:
        position = asked(question.code, question.position(rules))
        ruling = rule(question.code, position, t.lang, seat=0 if question.turn else None)
    except PositionError as error:
        return slots | {"problem": _in_words_of_fields(t, error).sentence(t.lang)}
    except RuleError as error:  # rules that do not seat so many
        return slots | {"problem": rule_words.rule_error_sentence(t.lang, error)}
    except ValueError as error:  # a card that cannot be read
        return slots | {"problem": str(error)}
    return slots | {
        "cards": _cards(t, ruling),
        "others": [*_others(t, ruling), *_shouts(t, question.code, position, ruling)],
        "start": ruling.start,
        "on_turn": ruling.on_turn,
    }


def _shouts(t: Texts, code: str, position: dict[str, Any], ruling: Ruling) -> list[dict[str, Any]]:
    """Who may be caught, and who may still call."""
    round_ = Round.from_position(code, position)
    found = [action for actions in round_.shouts.values() for action in actions]
    calls = sorted({action.seat or 0 for action in found if action.kind == "call"})
    caught = sorted({action.target for action in found if action.kind == "catch" and action.target is not None})
    told = [("referee.catch", "call.mau", seat) for seat in caught] + [
        ("referee.call", "call.window", seat) for seat in calls
    ]
    return [
        {
            "name": t(name, who=seat_name(t, seat)),
            "may": True,
            "why": said(t.lang, ruling.rules, key, ruling.rules[key]),
            "rule": "",
        }
        for name, key, seat in told
    ]


def _in_words_of_fields(t: Texts, error: PositionError) -> PositionError:
    """The same error with the field called as on the page, and what was written there in the page's quotes."""
    params = dict(error.params)
    key, value = params.get("key"), params.get("value")
    if key in _FIELDS:
        params["key"] = t(f"referee.{key}")
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        params["value"] = quoted(t.lang, value[1:-1])
    return PositionError(error.code, **params)


@router.get("/referee")
async def referee(request: Request) -> Response:
    """The board and the ruling; with `part=answer` only the ruling."""
    fields = fields_of(request)
    t = texts(visitor_of(request).lang)
    question = Question(fields)
    rules, error = read(question.code)
    wrong = trouble(t, question.code, error) if error is not None else None
    shown = rules if rules is not None else Ruleset.parse(BOOKS[0])
    here = f"/referee?{question.query()}"
    slots = _answer(t, question, rules) | {
        "trouble": wrong,
        "top": question.top,
        "top_name": _name(t, question.top),
        "link": link_of(request, here),
        "wish": question.wish,
        "penalty": question.penalty,
    }
    page = renderer(request)
    if one(fields, "part") == "answer":
        return HTMLResponse(page.env.get_template("_ruling.html").render(t=t, **slots))
    seats = seats_of(shown, question.players)
    with_pack = shown.at(min(max(seats, shown.least_seats), shown.most_seats))
    html = page.page(
        "referee.html",
        t.lang,
        here,
        **slots,
        code=question.code,
        rules_path=rules_path(question.code),
        choices=choices(t.lang, question.code, own_of(request)),
        sizes=range(shown.least_seats, shown.most_seats + 1),
        size=seats,
        tops=board(t.lang, with_pack, [question.top]),
        hands=board(t.lang, with_pack, question.hand),
        drawn=question.drawn,
        turn=question.turn,
        throws=bool(pack_tables(with_pack).throw_in),
        faces=[(str(card), rule_words.card_name(t.lang, card, "plain")) for card, _ in copies(with_pack)],
        rare=rare_fields(t, with_pack, question.more),
        rare_open=question.rare,
        per_seat=seat_rows(with_pack, question),
        seat_name=partial(seat_name, t),
        wishes=bool(pack_tables(with_pack).wishes & sum({1 << number for number in kernel_pack(with_pack)})),
        draws=bool(pack_tables(with_pack).answerable and any(pack_tables(with_pack).draw)),
        suits=[(suit.letter, rule_words.suit_name(t.lang, suit)) for suit in reversed(Suit)],
    )
    return HTMLResponse(html)


def _name(t: Texts, card: str) -> str:
    """A card by its name; what is no card stays as it was written."""
    try:
        return rule_words.card_name(t.lang, Card.parse(card), "plain")
    except ValueError:
        return card
