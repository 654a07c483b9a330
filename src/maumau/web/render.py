"""From a view to HTML. The page shows what the view says; nothing here decides what may be played."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import BaseLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..ruleset import RuleError, Ruleset
from ..ruleset import words as rule_words
from ..tables.codes import syllables
from ..tables.view import HandCard, SeatView, View
from .art import face, sign, signs, sprite
from .assets import Assets
from .lang import other
from .pieces import Pieces, Worded, log_lines
from .sitting import waiting_slots
from .texts import Texts, texts

HELP_KEYS = (
    (("←", "→"), "arrows"),
    (("Home", "End"), "home_end"),
    (("1", "…", "9"), "digits"),
    (("1", "…", "4"), "suits"),
    (("Enter",), "enter"),
    (("D", "Z"), "draw"),
    (("P",), "pass"),
    (("M",), "mau"),
    (("X",), "catch"),
    (("S",), "sort"),
    (("T",), "table"),
    (("C",), "cards"),
    (("O",), "opponents"),
    (("L",), "log"),
    (("F",), "forward"),
    (("⇧ ←", "⇧ →"), "move"),
    (("?",), "help"),
)
"""What each key does, in the order of the help; the script has the same letters."""

_WITH_CARDS = ("home.html", "table.html", "referee.html")
_FRAGMENTS = 256
"""So many of the last fragments are kept."""
_HANDS = 2048
"""So many hands are kept as they are shown."""
_FRESH_ID = "a-new-id-in-each-copy"
_RENEWED = {"playing": 5, "waiting": 8}
"""After so many seconds a page that runs no script asks for itself again, by the table's state."""
_RENEWED_AT_REST = 20
"""Nothing goes on there, or there is a sentence to read that a new page would not have."""
_RENEWED_ON_TURN = 45
"""Whoever is on turn reads and thinks; this often is enough to be known as there."""
_SCRIPT_WORDS = ("title", "your_turn_title", "sending", "offline")


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of the hand as its button shows it: the view's words, a key that is unique, and what the button sends."""

    key: str
    card: str
    name: str
    why: str
    legal: bool
    wishes: bool
    call_due: bool
    drawn: bool
    plays: tuple[str, ...]
    value: str
    order: int
    suit_order: int


def _shown(card: HandCard, copy: int) -> ShownCard:
    """The second copy of a card (two packs) gets a key of its own; a card to be wished with is sent bare and then asked about."""
    asks = card.wishes or not card.plays
    return ShownCard(
        key=card.card if copy == 0 else f"{card.card}-{copy}",
        card=card.card,
        name=card.name,
        why=card.why,
        legal=card.legal,
        wishes=card.wishes,
        call_due=card.call_due,
        drawn=card.drawn,
        plays=card.plays,
        value=card.card if asks else card.plays[0],
        order=card.order,
        suit_order=card.suit_order,
    )


def shown_hand(view: View) -> list[ShownCard]:
    """The own hand, sorted by suit; the browser may sort it differently."""
    return _shown_cards(view.hand)


def _shown_cards(hand: Iterable[HandCard]) -> list[ShownCard]:
    seen: Counter[str] = Counter()
    shown = []
    for card in sorted(hand, key=lambda c: c.suit_order):
        shown.append(_shown(card, seen[card.card]))
        seen[card.card] += 1
    return shown


def others(view: View) -> list[SeatView]:
    """The other seats, beginning with the one that follows the viewer."""
    start = 0 if view.you is None else view.you + 1
    turned = [*view.seats[start:], *view.seats[:start]]
    return [seat for seat in turned if not seat.you]


@dataclass(frozen=True, slots=True)
class Lying:
    """A card of the discard pile: where it came from, and how crookedly it lies (which stays, as `key` does)."""

    card: str
    name: str
    key: str
    source: str
    turn: int


def _source(view: View, seat: int | None) -> str:
    """The id of the place that a card flies from."""
    return "stock" if seat is None else "hand" if seat == view.you else f"seat-{seat}"


def shown_pile(view: View) -> list[Lying]:
    """The last cards of the discard pile, the top one last."""
    shown = []
    for lying in getattr(view, "pile", ()):
        key = str(lying.key)
        shown.append(Lying(lying.card, lying.name, key, _source(view, lying.seat), sum(key.encode()) % 7))
    if not shown and view.top is not None:
        shown.append(Lying(view.top, view.top_name, f"{view.round}-{view.discard_n}", "stock", 0))
    return shown


@lru_cache(maxsize=256)
def rules_line(lang: str, code: str) -> str:
    """The rules of a table in a few words: the book, its house rules by name, and what single values change."""
    try:
        rules = Ruleset.parse(code)
    except RuleError:
        return code
    return " · ".join([rule_words.book_title(lang, rules.book), *rule_words.part_names(lang, rules).values()])


def _renewed(view: View, here: str, wish_for: str | None, *, armed: bool, problem: str) -> str:
    """After how many seconds a page without scripts asks for which page: this one, with what had been begun on it."""
    at_device = view.shared.seats if view.shared is not None else (view.you,)
    on_turn = view.state == "playing" and view.turn in at_device
    at_ease = _RENEWED_AT_REST if problem else _RENEWED.get(view.state, _RENEWED_AT_REST)
    seconds = _RENEWED_ON_TURN if on_turn else at_ease
    begun = {"wish": wish_for} if wish_for else {}
    asked = urlencode(begun | ({"mau": "1"} if armed else {}))
    return f"{seconds}; url={here}{'?' if asked else ''}{asked}"


def _last_hands(view: View, lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """What each seat was left with when the round ended: its name, its cards and their names."""
    return [
        (view.seats[seat].name, [(card, rule_words.card_name(lang, card, case="plain")) for card in cards])
        for seat, cards in getattr(view, "last_hands", ())
    ]


def wish_plays(view: View, card: str | None) -> dict[str, str]:
    """By suit letter the action that plays `card` with that wish; empty when there is nothing to ask."""
    for held in view.hand:
        if held.card == card and held.wishes:
            return {action[-1]: action for action in held.plays}
    return {}


def _seat_piece(view: View, seat: SeatView) -> tuple[Any, ...]:
    """All that the piece of another seat hangs on."""
    clock = (view.deadline_at, view.turn_seconds) if seat.on_turn and view.deadline_at else (None, None)
    return seat, *clock, view.table if seat.can_stand_in else ""


class Spoken:
    """What the table's page is made from in one language."""

    def __init__(self, t: Texts, env: Environment) -> None:
        self.t, self.env, self.pieces = t, env, Pieces(env)
        self.hand = lru_cache(maxsize=_HANDS)(self._hand)

    def _hand(self, hand: tuple[HandCard, ...], mine: bool) -> Markup:
        """The cards of a hand; ``mine``: its seat is on turn."""
        return self.pieces.all("held", [(card, mine) for card in _shown_cards(hand)])


class Renderer:
    """The templates, with what every page shares."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self.env = self._environment(PackageLoader(__package__, "templates"))
        self._spoken: dict[str, Spoken] = {}
        self._fragments: dict[tuple[str, int | None, str, str], tuple[View | None, str]] = {}

    def _environment(self, loader: BaseLoader) -> Environment:
        env = Environment(
            loader=loader,
            autoescape=True,
            undefined=StrictUndefined,
            auto_reload=False,  # a template does not change under a running server
            trim_blocks=True,
            lstrip_blocks=True,
        )
        env.globals["asset"] = self._assets.url
        env.globals["face"] = face
        env.globals["sign"] = sign
        env.globals["log_lines"] = log_lines
        env.globals["help_keys"] = HELP_KEYS
        env.globals["isolate"] = rule_words.isolate
        env.globals["rules_line"] = rules_line
        env.globals["syllables"] = syllables
        return env

    def _in(self, lang: str) -> Spoken:
        """What the table's page is made from in a language."""
        spoken = self._spoken.get(lang)
        if spoken is None:
            t = texts(lang)
            env = self._environment(Worded(t.words))
            env.globals["t"] = t
            spoken = self._spoken[lang] = Spoken(t, env)
        return spoken

    def page(self, name: str, lang: str, here: str, **slots: Any) -> str:
        """One whole page; `here` is its own address, where the language switch leads back to."""
        t = texts(lang)
        drawings = sprite(tuple(t("site.letters").split())) if name in _WITH_CARDS else signs()
        env = self._in(lang).env if name == "table.html" else self.env
        return env.get_template(name).render(
            t=t,
            here=here,
            other_lang=other(lang),
            sprite=Markup(drawings),  # our own drawing
            **slots,
        )

    def table(
        self,
        view: View,
        lang: str,
        here: str,
        wish_for: str | None = None,
        armed: bool = False,
        problem: str = "",
        base: str = "",
        now: int = 0,
    ) -> str:
        """The page of a table at the server's time in milliseconds; with `wish_for` the picker stands open, for browsers without scripts."""
        plays = wish_plays(view, wish_for)
        slots = self._slots(view, self._in(lang), base)
        words = json.dumps({key: texts(lang)(f"table.{key}") for key in _SCRIPT_WORDS})
        return self.page(
            "table.html",
            lang,
            here,
            **slots,
            wish_for=bool(plays),
            wish_plays=plays,
            words_json=words,
            renewed=_renewed(view, here, wish_for if plays else None, armed=armed, problem=problem),
            armed=armed,
            problem=problem,
            now=now,
        )

    def fragment(self, view: View, lang: str, base: str = "") -> str:
        """The part of a table's page that changes, as the socket sends it; `base` is where links to pass on begin.

        Whoever acts gets it as the answer, and by the socket of each device: it is put together once.
        """
        base = base if view.invite is not None else ""  # else no link is in it, and one for all addresses will do
        key = (view.table, view.you, lang, base)
        of, whole = self._fragments.pop(key, (None, ""))
        if of is not view:
            spoken = self._in(lang)
            slots = self._slots(view, spoken, base) | {"fresh_id": _FRESH_ID}
            whole = spoken.env.get_template("_table.html").render(t=spoken.t, armed=False, problem="", **slots)
        self._fragments[key] = (view, whole)
        if len(self._fragments) > _FRAGMENTS:
            del self._fragments[next(iter(self._fragments))]
        return whole.replace(_FRESH_ID, str(uuid.uuid4()))

    def _slots(self, view: View, spoken: Spoken, base: str) -> dict[str, Any]:
        t, pieces = spoken.t, spoken.pieces
        beside, pile = others(view), shown_pile(view)
        own = view.you is not None and view.shared is None
        company = own and sum(seat.kind != "bot" for seat in view.seats) > 1
        return {
            "v": view,
            "mine": view.state == "playing" and view.you is not None and view.turn == view.you,
            "others_n": len(beside),
            "seat_pieces": pieces.all("seat", [_seat_piece(view, seat) for seat in beside]),
            "hand_pieces": spoken.hand(view.hand, view.turn == view.you),
            "pile_pieces": pieces.all("lying", [(card, card is pile[-1]) for card in pile]),
            "trick_pieces": pieces.all("done", [(line.text, line.card) for line in view.trick]),
            "names": {letter: name for letter, _, name in view.suits},
            "last_hands": _last_hands(view, t.lang),
            "rules_line": rules_line(t.lang, view.rules),
            "company": company,
            "friendly": company or not own or view.state == "waiting",
            "at_home": own or view.shared is not None,
            "free": getattr(view, "free", False),
            "fresh_id": str(uuid.uuid4()),
            **waiting_slots(view, t.lang, base),
        }


__all__ = ["Renderer", "others", "shown_hand", "wish_plays"]
