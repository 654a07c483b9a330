"""No value that does nothing: what is refused changes no round, what is let through changes the kernel's tables."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.random_rules import THINGS, random_rules

from maumau.cards import RANK_LETTERS
from maumau.game.round import Round
from maumau.kernel import layout
from maumau.ruleset import ALL_BOOKS, HOUSE_RULES, RuleError, Ruleset, ruleset
from maumau.ruleset.keys import CLOSING, FINE, JOKER_NAME, PLAIN_KEYS, POINTS, POWERS, Key, format_value
from maumau.ruleset.tables import kernel_pack, pack_tables
from maumau.ruleset.words import rule_error_sentence
from maumau.web.editing import trouble
from maumau.web.texts import texts


def refusal(code: str) -> RuleError:
    with pytest.raises(RuleError) as refused:
        Ruleset.parse(code)
    return refused.value


@pytest.mark.parametrize(
    ("code", "error", "second", "instead"),
    [
        ("classic+call.mau=3", "no-effect", "call.mode=automatic", "call.mode=spoken"),
        ("family+no-stacking+penalty.cap=2", "no-effect", "no-stacking", "penalty.answer=same"),
        ("family+casual+points.J=5", "no-effect", "casual", "score.count=cards"),
        ("family+casual+match.ends=pass", "no-effect", "casual", "score.count=rounds"),
        ("study+draw.then=any", "no-effect", "draw.when=stuck", "draw.when=any"),
        ("classic+nine-reverse+reverse.two=none", "no-effect", "players.min=4", "players.min=2"),
        ("family+players-2+end.play_on=yes", "no-effect", "players-2", "players.max=3"),
        ("family+players-6+pack.cards=36", "no-effect", "pack.full_from=5", "pack.full_from=0"),
        ("classic+power.2.draw=2", "no-effect", "pack.cards=32", "pack.cards=52"),
        ("family+points.joker=5", "no-effect", "pack.jokers=0", "pack.jokers=2"),
        ("family+end.forbidden=7+final-seven-draws", "no-effect", "end.forbidden=7", "end.forbidden=none"),
        ("study+match.tie=tied", "no-effect", "match.target=0", "match.rounds=5"),
        ("family+win-points-5+match.tie=tied", "no-effect", "win-points-5", "score.count=cards"),
        ("crazy-eights+match.tie=tied", "no-effect", "score.to=winner", "score.to=losers"),
        ("family+no-draw-two+penalty.cap=2", "no-effect", "no-draw-two", "power.7.draw=2"),
        ("family+call.maumau=2", "no-effect", "call.needed=no", "call.needed=yes"),
        ("family+deal.two=5", "no-effect", "deal.cards=5", None),
        ("crazy-eights+final-seven-draws", "needs", None, "power.7.draw=2"),
        ("family+penalty.answer=any", "needs", None, "power.K.draw=2"),
        ("family+skip.answer=same+power.8.skip=0", "no-effect", "power.8.skip=0", "power.8.skip=1"),
        ("classic+penalty.cap=5", "needs", None, "penalty.cap=2"),
        ("family+penalty.cap=8", "needs", None, "penalty.cap=6"),
        ("switch+pack.cards=36+power.A.cancel=yes", "needs", None, "power.7.draw=2"),
        ("family+power.7h.draw=2", "no-effect", "power.7.draw=2", None),
        ("neunerln+automatic-calls", "contradiction", "call.to_finish=yes", "call.to_finish=no"),
        ("crazy-eights+casual", "contradiction", "score.to=winner", "score.to=losers"),
        ("classic+players.max=3", "contradiction", "players.min=4", "players.min=3"),
        ("study+power.J.cancel=yes", "contradiction", "penalty.answer=none", "penalty.answer=same"),
    ],
)
def test_what_does_nothing_is_refused_with_both_sides_and_what_would_work(
    code: str, error: str, second: str | None, instead: str | None
) -> None:
    refused = refusal(code)
    assert (refused.code, refused.params.get("second"), refused.params.get("instead")) == (error, second, instead)
    for lang in ("de", "en"):
        sentence = rule_error_sentence(lang, refused)
        assert str(refused.params["first"]) in code
        assert all(f"{text}" in sentence for text in (refused.params["first"], second, instead) if text)


def test_a_companion_that_another_value_needs_is_no_value_without_effect() -> None:
    for code in ("neunerln+automatic-calls+call.to_finish=no", "crazy-eights+casual+score.to=losers"):
        assert Ruleset.parse(code).code == code


def test_house_rules_that_hold_anyhow_are_let_through() -> None:
    for code in ("family+players-6+two-packs", "family+players-5+52-cards", "study+no-stacking"):
        assert Ruleset.parse(code).code == code


def works(book: str, part: str, refused: RuleError) -> bool:
    """Whether the refusal's way out leads on: to rules with the part, or one that lacks something else as well."""
    instead = str(refused.params["instead"])
    rather = instead.partition("=")[0] == part.partition("=")[0]
    again = why_refused("+".join((book, *([] if rather else [part]), instead)))
    return again is None or (again.code, again.params) != (refused.code, refused.params)


def house_codes() -> Iterator[str]:
    for code, rule in HOUSE_RULES.items():
        numbers = sorted({rule.least, 2, min(rule.most, 8)}) if rule.takes_number else [0]
        yield from (code.replace("-N", f"-{number}") for number in numbers if rule.least <= number or not number)


def why_refused(code: str) -> RuleError | None:
    try:
        Ruleset.parse(code)
    except RuleError as refused:
        return refused
    return None


def check_refusals(book: str, parts: Sequence[str]) -> None:
    for part in parts:
        refused = why_refused(f"{book}+{part}")
        if refused is not None and "first" in refused.params:
            assert refused.params["first"] == part, f"{book}+{part}"
            if refused.params.get("instead"):
                assert works(book, part, refused), f"{book}+{part}"


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_refusal_names_what_was_written_and_its_way_out_works(book: str) -> None:
    check_refusals(book, [*house_codes(), *sample(book, 25)])


@pytest.mark.prove
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_every_refusal_names_what_was_written_and_its_way_out_works(book: str) -> None:
    check_refusals(book, list(single_values()))


# ---- what is let through says something ------------------------------------------------------------------------------


def live(rules: Ruleset) -> dict[str, Any]:
    """What of the packed tables and the match's values is ever looked at, read off the kernel, not off the rules' words."""
    t, pack = pack_tables(rules), kernel_pack(rules)
    cards = sorted(set(pack))
    mask = sum(1 << card for card in cards)
    draws = [card for card in cards if t.draw[card]]
    last = [card for card in cards if t.last_allowed >> card & 1]
    starts = [c for c in cards if (not t.start_cards or t.start_cards >> c & 1) and not t.redraw >> c & 1]
    counted = t.count == layout.COUNT_CARDS
    found: dict[str, Any] = {"pack": sorted(pack), "hand": t.hand_size, "start": (t.start_cards & mask)}
    found["redraw"] = t.redraw & mask & (t.start_cards or mask)
    found["starter"] = t.start_acts and any(t.powers[card] for card in starts)
    if t.answerable and t.start_acts and any(t.draw[card] for card in starts):
        found["paying starter"] = t.start_pays
    wished = any(t.wishes >> card & 1 for card in starts)
    found["wishing starter"] = t.start_wish if wished else None
    found["free for"] = t.free_one_turn if wished and t.start_wish != layout.DEALER_NAMES else None
    for name in ("follow", "equals"):
        rows = getattr(t, name)
        width = len(rows) // layout.CARDS
        found[name] = [rows[card * width + at] & mask for card in cards for at in range(min(width, layout.ANYTHING))]
    if any(t.wishes >> card & 1 for card in starts):
        found["free"] = [t.follow[card * layout.DEMANDS + layout.ANYTHING] & mask for card in starts]
    for name in ("powers", "draw", "skip", "reverse", "others", "back", "again"):
        found[name] = [getattr(t, name)[card] for card in cards]
    found["wishes"], found["last"] = t.wishes & mask, t.last_allowed & mask
    found["supply"] = t.reshuffles
    found["choices"] = (t.voluntary, t.draw_most, t.draw_then, t.forced, t.free_pass, t.several, t.throw_in)
    if t.wishes & mask:
        found["wish"] = (t.wish_other, t.wish_one_turn)
    if draws and t.answerable:
        found["penalty"] = (t.doubling, t.cap, t.after_penalty, [t.answers[c] & mask for c in cards], t.cancel)
    found["answerable"] = t.answerable if draws else None
    if any(t.skip[card] or t.reverse[card] for card in cards):
        found["skips"] = (t.skip_answerable, t.skip_adds, [t.skip_answers[card] & mask for card in cards])
    few = rules.seats == 2 or t.play_on or rules["match.elimination"] or rules["match.tie"] == "tied"
    found["two"] = t.reverse_skips if few and any(t.reverse[card] for card in cards) else None
    found["spoken"] = t.spoken
    if t.spoken:
        found["calls"] = (t.mau, t.needed, t.needed and t.maumau, t.false_call, t.false_catch, t.call_to_finish)
        found["window"] = t.window if t.mau or t.false_catch else None
        found["word"] = rules["call.word"]
    if any(card in last for card in draws):
        found["final"] = (t.final_back, 0 if t.final_back else t.final_draw)
    found["on"] = t.play_on and rules.seats != 2
    found["count"] = t.count
    found["blocked"] = (t.blocked_fewest, t.blocked_free if counted and not t.winner_takes else 0)
    if counted:
        found["points"] = (t.winner_takes, [t.points[card] for card in cards])
        found["closing"] = [(t.closing[card], t.fine[card]) for card in last]
        found["each"] = t.closing_each and any(t.closing[card] > 1 for card in last)
    return found | match_rules(rules)


def match_rules(rules: Ruleset) -> dict[str, Any]:
    """What orders the rounds of a match, as far as it is looked at."""
    found: dict[str, Any] = {"next": rules["deal.next"]}
    if rules["score.count"] == "none":
        return found
    target, rounds = rules["match.target"], rules["match.rounds"]
    found["end"] = (target, rules["match.ends"] if target else None, rounds, rules["match.elimination"])
    shared = rounds or (target and rules["score.count"] == "cards" and rules["score.to"] == "losers")
    if shared and not rules["match.elimination"] and rules.seats != 2:
        found["tie"] = rules["match.tie"]
    return found


def at(rules: Ruleset, seats: int) -> Any:
    """What is looked at with so many players, None where they cannot play."""
    try:
        return live(rules.at(seats))
    except RuleError:
        return None


def differ(one: Ruleset, other: Ruleset) -> bool:
    """Whether anything that is looked at differs at some number of players."""
    return any(at(one, seats) != at(other, seats) for seats in range(2, 9))


def without(rules: Ruleset, part: str) -> Ruleset | None:
    """The rules without a part of their code, None where they need it."""
    try:
        return Ruleset.parse("+".join((rules.book, *(other for other in rules.parts if other != part))))
    except RuleError:
        return None


def assert_every_value_says_something(rules: Ruleset) -> int:
    rules = Ruleset.parse(rules.code)
    checked = 0
    for part in rules.parts:
        rest = without(rules, part)
        if rest is None or rest == rules:
            continue
        assert differ(rest, rules), f"{part} does nothing in {rules.code}"
        checked += 1
    return checked


def test_every_single_value_of_random_rules_changes_the_tables() -> None:
    assert sum(assert_every_value_says_something(random_rules(random.Random(number))) for number in range(12)) > 20


@pytest.mark.prove
def test_every_single_value_of_many_random_rules_changes_the_tables() -> None:
    assert sum(assert_every_value_says_something(random_rules(random.Random(number))) for number in range(500)) > 1000


def values_of(key: Key) -> Sequence[Any]:
    if key.kind == "bool":
        return (True, False)
    if key.kind == "ranks":
        return (*key.words, "J", "8A", "2")
    return (*key.words, *(range(key.least, min(key.most, 9) + 1) if key.kind in ("int", "either") else ()))


def single_values() -> Iterator[str]:
    """A code's part for every value of every key; of what hangs on cards, for some cards."""
    keys = list(PLAIN_KEYS.items())
    keys += [(f"power.{thing}.{power}", key) for thing in ("2", *THINGS) for power, key in POWERS.items()]
    keys += [(f"{family}.{thing}", key) for family, key in (("points", POINTS), ("closing", CLOSING), ("fine", FINE))
             for thing in (*RANK_LETTERS, JOKER_NAME)]  # fmt: skip
    for name, key in keys:
        yield from (f"{name}={format_value(value)}" for value in values_of(key))


def sample(book: str, n: int) -> list[str]:
    """Some single values, others for each book."""
    return random.Random(book).sample(list(single_values()), n)


def check_let_through(book: str, parts: Sequence[str]) -> None:
    base = Ruleset.parse(book)
    for part in parts:
        if why_refused(f"{book}+{part}") is None:
            rules = Ruleset.parse(f"{book}+{part}")
            assert rules == base or differ(rules, base), f"{book}+{part}"


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_single_values_that_a_book_lets_through_change_the_tables(book: str) -> None:
    check_let_through(book, sample(book, 25))


@pytest.mark.prove
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_every_single_value_that_a_book_lets_through_changes_the_tables(book: str) -> None:
    check_let_through(book, list(single_values()))


# ---- what is refused does nothing ------------------------------------------------------------------------------------


@pytest.fixture
def unjudged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rules are read without asking whether every value says something."""
    forget = (ruleset._parse.cache_clear, ruleset._resolve.cache_clear)
    monkeypatch.setattr(ruleset, "refuse_needless_parts", lambda *_: None)
    for clear in forget:
        clear()
    yield
    monkeypatch.undo()
    for clear in forget:
        clear()


def refused_values(book: str, parts: Sequence[str]) -> list[str]:
    refused = {part: why_refused(f"{book}+{part}") for part in parts}
    return [part for part, error in refused.items() if error is not None and error.code in ("no-effect", "needs")]


def course(rules: Ruleset, seed: int) -> list[Any]:
    """A round played by chance: what could be done, and what came of it."""
    round_, chance, seen = Round(rules, rules.seats or 0, seed), random.Random(seed), []
    for _ in range(150):
        if round_.over:
            break
        legal, due = list(round_.legal_actions), set(round_.call_due)
        shouts = [action for actions in round_.shouts.values() for action in actions]
        seen.append((round_.turn, legal, due, shouts, round_.penalty, round_.top, tuple(round_.counts)))
        plays = [action for action in legal if action.kind == "play"]
        action = chance.choice(plays if plays and chance.random() < 0.8 else legal)
        if shouts and chance.random() < 0.3:
            action = chance.choice(shouts)
        elif action in due and chance.random() < 0.4:
            action = action.with_call
        round_.push(action)
    outcome = round_.outcome()
    return [*seen, outcome and (outcome.winner, outcome.points, outcome.hands, outcome.places)]


def assert_refused_values_change_no_round(book: str, parts: Sequence[str], rounds: int) -> None:
    base = Ruleset.parse(book)
    for part in parts:
        try:
            rules = Ruleset.parse(f"{book}+{part}")
        except RuleError:  # a contradiction, or cards that are not there
            continue
        for seats in {base.least_seats, min(base.most_seats, 4)}:
            for seed in range(rounds):
                assert course(rules.at(seats), seed) == course(base.at(seats), seed), f"{book}+{part} at {seats}"


def test_refused_values_change_no_round(request: pytest.FixtureRequest) -> None:
    books = ("classic", "study", "pesten")
    refused = {book: refused_values(book, sample(book, 40)) for book in books}
    assert all(len(parts) > 5 for parts in refused.values())
    request.getfixturevalue("unjudged")
    for book, parts in refused.items():
        assert_refused_values_change_no_round(book, parts[:10], rounds=1)


@pytest.mark.prove
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_refused_values_change_no_round_of_many(book: str, request: pytest.FixtureRequest) -> None:
    parts = refused_values(book, list(single_values()))
    request.getfixturevalue("unjudged")
    assert_refused_values_change_no_round(book, parts, rounds=20)


@pytest.mark.parametrize(("lang", "inner"), [("de", "‚Mau‘"), ("en", "‘Mau’")])
def test_marks_within_marks_are_single(lang: str, inner: str) -> None:
    code = "neunerln+automatic-calls"
    text = trouble(texts(lang), code, refusal(code)).text
    assert inner in text
    assert not re.search("„[^“]*„|“[^”„]*“[^”]*”[^”]*”", text)
