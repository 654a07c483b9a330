"""Values that do nothing beside another: who writes one means something that the table would never see.

For every key the table below says beside what else it says nothing. A value is judged at each number of players that the
rules allow, against the same rules without it; whatever changes something at one of them is let through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from maumau.cards import Card
from maumau.ruleset import keys
from maumau.ruleset.keys import Value
from maumau.ruleset.stand import ENDLESS, Stand, name_of


class Case(NamedTuple):
    """A value in question: the table with it and without it, its key, and the rank, joker or card the key is about."""

    now: Stand
    was: Stand
    key: str
    thing: str

    @property
    def touched(self) -> set[Card]:
        """The cards of the pack that the thing names."""
        return {card for card in self.now.powers if self.thing in (name_of(card), str(card))}


class Blame(NamedTuple):
    """The key whose value makes another one say nothing, and what would work instead of that value.

    Where nothing is to blame but that no card has a power, ``because`` is a whole value that would give it to one;
    ``penalty.cap=reached`` stands for more cards that answer a penalty than there are.
    """

    because: str
    instead: str | None = None


class Idle(NamedTuple):
    """When a value says nothing, and what is to blame then (see ``Blame``)."""

    when: Callable[[Case], bool]
    because: str | Callable[[Case], str]
    instead: str | Callable[[Case], str] | None = None

    def blame(self, case: Case) -> Blame:
        """What is to blame in a case."""
        because, instead = (said(case) if callable(said) else said for said in (self.because, self.instead))
        assert because is not None
        return Blame(because, instead)


def _beside(key: str, instead: str | None, *values: Value) -> Idle:
    """Idle beside any of these values of another key."""
    return Idle(lambda case: case.now[key] in values, key, instead)


def _lacking(power: str, needed: str) -> Idle:
    """Idle where no card of the pack has a power; ``needed`` would give it to one."""
    return Idle(lambda case: not case.now.having(power) | case.was.having(power), needed)


_NO_DRAW: Final = _lacking("draw", "power.7.draw=2")
_NO_WISH: Final = _lacking("wish", "power.J.wish=yes")
_AUTOMATIC: Final = _beside("call.mode", "call.mode=spoken", "automatic")
_NOT_COUNTED: Final = _beside("score.count", "score.count=rounds", "none")
_NO_CARD_POINTS: Final = _beside("score.count", "score.count=cards", "rounds", "none")
_TWO_ONLY: Final = Idle(lambda case: case.now.seats == 2, "players.max", "players.max=3")
_ABSENT: Final = (
    Idle(lambda case: case.thing == keys.JOKER_NAME and not case.touched, "pack.jokers", "pack.jokers=2"),
    Idle(lambda case: not case.touched, "pack.cards", "pack.cards=52"),
)


def _never_last(case: Case) -> bool:
    return bool(case.touched) and not any(case.now.may_be_last(card) for card in case.touched)


def _drawing_never_last(case: Case) -> bool:
    drawing = case.now.having("draw") | case.was.having("draw")
    return bool(drawing) and not any(case.now.may_be_last(card) for card in drawing)


def _same_starters(case: Case) -> bool:
    """Whether the same cards are put back as without the value."""
    rank = case.now["start.rank"]
    starting = {card for card in case.now.powers if rank in (keys.ANY_RANK, name_of(card))}
    return case.now.redrawn & starting == case.was.redrawn & starting


def _no_starter(power: Callable[[Stand], set[Card]], *, redrawn: bool) -> Callable[[Case], bool]:
    """Whether no card that has a power can be turned first, by its rank or because it is put back."""

    def test(case: Case) -> bool:
        rank = case.now["start.rank"]
        starting = {card for card in power(case.now) if rank in (keys.ANY_RANK, name_of(card))}
        return not any(case.now.may_start(card) for card in starting) if redrawn else not starting

    return test


def _drawing(stand: Stand) -> set[Card]:
    return stand.having("draw")


def _wishing(stand: Stand) -> set[Card]:
    return stand.having("wish")


def _only_the_drawn_one_fits(case: Case) -> bool:
    """Whoever draws only when nothing fits can play only what was drawn, unless the hand or what may be last changes."""
    now = case.now
    if "none" in (now["draw.then"], case.was["draw.then"]) or now["draw.when"] != "stuck":
        return False
    spoken = now["call.mode"] == "spoken"
    more_cards = spoken and (now["call.false"] or now["call.false_catch"] or now["call.mau"])
    # Caught after drawing: only where the window reaches into one's own turn.
    reaches = now["call.window"] == "next-ends" or now["call.false"] or now["call.false_catch"]
    to_finish = spoken and now["call.to_finish"]
    return not to_finish and not (more_cards and reaches) and all(now.may_be_last(card) for card in now.powers)


def _no_wish_on_its_like(case: Case) -> bool:
    wishing = case.now.having("wish")
    ranks = [name_of(card) for card in case.now.pack if card in wishing]
    return len(set(ranks)) == len(ranks)


def _no_suited_wish_on_its_like(case: Case) -> bool:
    wishing = case.now.having("wish")
    ranks = [name_of(card) for card in case.now.pack if card in wishing and not card.is_joker]
    return len(set(ranks)) == len(ranks)


def _grows_alike(case: Case) -> bool:
    """Whether doubling and adding come to the same, because no second answer can follow the first."""
    now = case.now
    if now["play.equal"] or now["play.throw_in"] or now.having("again"):
        return False
    draws = {card: own.get("draw") for card, own in now.powers.items()}
    drawing = now.having("draw")
    alike = all(draws[top] == draws[card] for top, card in now.answers if {top, card} <= drawing)
    return alike and (now["penalty.cap"] == 1 or now.most_answers < 2)


def _cap_out_of_reach(case: Case) -> bool:
    def reached(stand: Stand) -> int:
        return min(int(stand["penalty.cap"]) or ENDLESS, stand.most_answers)

    return reached(case.now) == reached(case.was)


def _no_skip_on_a_skip(case: Case) -> bool:
    skipping = case.now.skipping
    ranks = [name_of(card) for card in case.now.pack if card in skipping]
    return len(set(ranks)) == len(ranks)


def _only_wishes_are_special(case: Case) -> bool:
    now = case.now
    one_rank = len({name_of(card) for card in now.special}) == 1 and now.special == now.having("wish")
    lying = now["wish.on_wish"] or now["wish.suited_on_wish"] or now["play.equal"] or now["play.throw_in"]
    return one_rank and not lying


def _same_last_cards(case: Case) -> bool:
    cards = case.now.powers
    return all(case.now.may_be_last(card) == case.was.may_be_last(card) for card in cards)


def _made_special(case: Case) -> bool:
    """Whether a card has a power with the value, or lacks one, where it matters that a card has any at all."""
    now = case.now
    counts = keys.ANY_POWER in (now["start.redraw"], now["end.forbidden"]) or not now["play.on_special"]
    return counts and now.special != case.was.special


def _unchanged_powers(case: Case) -> bool:
    return all(case.now.powers[card] == case.was.powers[card] for card in case.touched)


def _overriding(case: Case) -> str:
    """The rank that gives a single card its power anyhow, or the single card that keeps its own against its rank's."""
    power, card = case.key.rpartition(".")[2], min(case.touched)
    return f"power.{name_of(card) if case.thing == str(card) else card}.{power}"


def _nothing_to_answer(case: Case) -> bool:
    return not case.now.having("draw") and not _made_special(case)


def _turns_nothing(case: Case) -> bool:
    between_two = case.now.seats == 2 and case.now["reverse.two"] == "none"
    return between_two and not _made_special(case)


def _skips_alike(case: Case) -> bool:
    """Whether between two players a card skips as many turns as without the value."""

    def turns(stand: Stand, card: Card) -> Value:
        skip = stand.powers[card].get("skip", 0)
        return 1 if skip == keys.SKIP_ALL else skip

    return case.now.seats == 2 and all(turns(case.now, card) == turns(case.was, card) for card in case.touched)


def _no_fewest(case: Case) -> bool:
    """Whether a blocked round has no winner, with the value as without it."""
    return "fewest" not in (case.now["end.blocked"], case.was["end.blocked"])


def _one_seat_scores(case: Case) -> bool:
    """Whether only a round's winner scores and a total ends the match, so that it is never shared."""
    return not case.now["match.rounds"] and case.now["score.count"] != "none"


_BY_KEY: Final[Mapping[str, tuple[Idle, ...]]] = {
    "start.acts": (
        Idle(lambda case: not case.now.acting, "power.A.skip=1"),
        Idle(_no_starter(lambda stand: stand.acting, redrawn=False), "start.rank", "start.rank=any"),
        Idle(_no_starter(lambda stand: stand.acting, redrawn=True), "start.redraw", "start.redraw=none"),
    ),
    "start.answer": (
        _NO_DRAW,
        _beside("start.acts", "start.acts=yes", False),
        _beside("penalty.answer", "penalty.answer=same", "none"),
        Idle(_no_starter(_drawing, redrawn=False), "start.rank", "start.rank=any"),
        Idle(_no_starter(_drawing, redrawn=True), "start.redraw", "start.redraw=none"),
    ),
    "start.wish": (
        _NO_WISH,
        Idle(_no_starter(_wishing, redrawn=False), "start.rank", "start.rank=any"),
        Idle(_no_starter(_wishing, redrawn=True), "start.redraw", "start.redraw=none"),
    ),
    "start.free_for": (
        _NO_WISH,
        _beside("start.wish", "start.wish=free", "dealer"),
        Idle(_no_starter(_wishing, redrawn=False), "start.rank", "start.rank=any"),
        Idle(_no_starter(_wishing, redrawn=True), "start.redraw", "start.redraw=none"),
    ),
    "start.redraw": (
        Idle(
            lambda case: case.now["start.rank"] != keys.ANY_RANK and _same_starters(case),
            "start.rank",
            "start.rank=any",
        ),
        Idle(
            lambda case: case.now["start.redraw"] == "wish" and _same_starters(case),
            "power.J.wish=yes",
        ),
        Idle(_same_starters, "power.A.skip=1"),
    ),
    "draw.then": (Idle(_only_the_drawn_one_fits, "draw.when", "draw.when=any"),),
    "wish.on_wish": (
        _NO_WISH,
        _beside("play.on_special", "play.on_special=yes", False),
        Idle(_no_wish_on_its_like, "power.J.wish=yes"),
    ),
    "wish.suited_on_wish": (
        _NO_WISH,
        _beside("play.on_special", "play.on_special=yes", False),
        _beside("wish.on_wish", "wish.on_wish=no", True),
        Idle(_no_suited_wish_on_its_like, "power.J.wish=yes"),
    ),
    "wish.fits": (Idle(lambda case: all(card.is_joker for card in case.now.having("wish")), "power.J.wish=yes"),),
    "wish.suits": (_NO_WISH,),
    "wish.lasts": (_NO_WISH,),
    "penalty.answer": (
        _NO_DRAW,
        Idle(
            lambda case: (
                "none" not in (case.now["penalty.answer"], case.was["penalty.answer"])
                and case.now.answers == case.was.answers
            ),
            "power.K.draw=2",
        ),
    ),
    "penalty.grows": (
        _NO_DRAW,
        Idle(lambda case: case.now["penalty.cap"] == 1 and _grows_alike(case), "penalty.cap", "penalty.cap=0"),
        Idle(_grows_alike, "power.7.draw=2"),
    ),
    "penalty.cap": (
        _NO_DRAW,
        _beside("penalty.answer", "penalty.answer=same", "none"),
        Idle(_cap_out_of_reach, "penalty.cap=reached", lambda case: f"penalty.cap={max(case.now.most_answers - 1, 0)}"),
    ),
    "penalty.then": (_NO_DRAW,),
    "skip.answer": (Idle(lambda case: not case.now.skipping, "power.8.skip=1"),),
    "skip.adds": (Idle(_no_skip_on_a_skip, "power.8.skip=1"),),
    "reverse.two": (
        _lacking("reverse", "power.9.reverse=yes"),
        Idle(lambda case: not case.now.two_may_be_left, "players.min", "players.min=2"),
    ),
    "play.on_special": (
        Idle(lambda case: not case.now.special, "power.A.skip=1"),
        Idle(_only_wishes_are_special, "wish.on_wish", "wish.on_wish=yes"),
    ),
    "call.word": (_AUTOMATIC,),
    "call.window": (
        _AUTOMATIC,
        Idle(lambda case: not any(map(case.now.__getitem__, keys.WORTH_A_CATCH)), "call.mau", "call.mau=1"),
    ),
    "call.mau": (_AUTOMATIC,),
    "call.needed": (_AUTOMATIC,),
    "call.maumau": (_AUTOMATIC, _beside("call.needed", "call.needed=yes", False)),
    "call.false": (_AUTOMATIC,),
    "call.false_catch": (_AUTOMATIC,),
    "call.to_finish": (_AUTOMATIC,),
    "end.forbidden": (
        Idle(
            lambda case: case.now["end.forbidden"] == keys.ANY_POWER and _same_last_cards(case),
            "power.A.skip=1",
        ),
        Idle(_same_last_cards, "pack.cards", "pack.cards=52"),
    ),
    "end.final_draw": (
        _NO_DRAW,
        Idle(_drawing_never_last, "end.forbidden", "end.forbidden=none"),
        _beside("end.final_back", "end.final_back=no", True),
    ),
    "end.final_back": (_NO_DRAW, Idle(_drawing_never_last, "end.forbidden", "end.forbidden=none")),
    "end.play_on": (_TWO_ONLY,),
    "end.blocked": (
        Idle(lambda case: _no_fewest(case) and _NO_CARD_POINTS.when(case), "score.count", "score.count=cards"),
        Idle(lambda case: _no_fewest(case) and case.now["score.to"] == "winner", "score.to", "score.to=losers"),
    ),
    "score.to": (_NO_CARD_POINTS,),
    "score.closing_each": (
        _NO_CARD_POINTS,
        Idle(
            lambda case: (
                not any(
                    case.now.may_be_last(card) and case.now[f"closing.{name_of(card)}"] != 1 for card in case.now.powers
                )
            ),
            "closing.J=2",
        ),
    ),
    "match.target": (_NOT_COUNTED,),
    "match.ends": (_NOT_COUNTED, _beside("match.target", "match.target=100", 0)),
    "match.tie": (
        _NOT_COUNTED,
        _beside("match.elimination", "match.elimination=no", True),
        Idle(
            lambda case: not case.now["match.target"] and not case.now["match.rounds"],
            "match.target",
            "match.target=100",
        ),
        _TWO_ONLY,
        Idle(
            lambda case: case.now["score.count"] == "rounds" and _one_seat_scores(case),
            "score.count",
            "score.count=cards",
        ),
        Idle(lambda case: case.now["score.to"] == "winner" and _one_seat_scores(case), "score.to", "score.to=losers"),
    ),
    "power": (*_ABSENT, Idle(_unchanged_powers, _overriding)),
    "power.pass_on": (Idle(_nothing_to_answer, "power.7.draw=2"),),
    "power.cancel": (Idle(_nothing_to_answer, "power.7.draw=2"),),
    "power.reverse": (Idle(_turns_nothing, "reverse.two", "reverse.two=skip"),),
    "power.skip": (Idle(_skips_alike, "players.max", "players.max=3"),),
    "points": (_NO_CARD_POINTS, *_ABSENT),
    "closing": (_NO_CARD_POINTS, *_ABSENT, Idle(_never_last, "end.forbidden", "end.forbidden=none")),
    "fine": (_NO_CARD_POINTS, *_ABSENT, Idle(_never_last, "end.forbidden", "end.forbidden=none")),
}
"""Beside what a key says nothing; a family of keys by its first word, a power by its last one as well."""


def idle_at(now: Stand, was: Stand, key: str) -> Blame | None:
    """What is to blame where a key's value says nothing at a table, against the table without it; None where it speaks."""
    parts = key.split(".")
    families = (key,) if key in _BY_KEY else (parts[0], f"{parts[0]}.{parts[-1]}")
    case = Case(now, was, key, parts[1] if len(parts) > 1 else "")
    for idle in (idle for family in families for idle in _BY_KEY.get(family, ())):
        if idle.when(case):
            return idle.blame(case)
    return None


def settled_away(values: Mapping[str, Value], key: str) -> Blame:
    """What is to blame where the number of players leaves nothing of a value."""
    if key == "pack.cards":
        return Blame("pack.full_from", "pack.full_from=0")
    if key == "pack.packs":
        return Blame("pack.double_from", "pack.double_from=0")
    if key == "deal.cards":
        return Blame("deal.two", "deal.two=0")
    if key == "deal.two":
        too_many = int(values["players.min"]) > 2
        return Blame("players.min", "players.min=2") if too_many else Blame("deal.cards", None)
    if key == "pack.full_from" and values["pack.cards"] == "52":
        return Blame("pack.cards", "pack.cards=32")
    if key == "pack.double_from" and values["pack.packs"] == 2:
        return Blame("pack.packs", "pack.packs=1")
    return Blame("players.max", "players.max=8")
