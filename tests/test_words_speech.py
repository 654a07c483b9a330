"""What is said at the table: a sentence for every reason, event and error, to oneself and to the others."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.words_kit import LANGS, assert_plain, assert_sentence

from maumau.cards import Card, Suit
from maumau.game.action import Action
from maumau.game.errors import IllegalActionError, PositionError, Reason
from maumau.game.event import Event
from maumau.game.match import Match
from maumau.game.round import Round
from maumau.ruleset import BOOKS, RuleError, Ruleset
from maumau.ruleset.words import (
    event_sentence,
    match_over_sentence,
    position_error_sentence,
    reason_sentence,
    rule_error_sentence,
)

FAMILY = Ruleset.parse("family")
NAMES = ("Anna", "Ben", "Carla", "Emil")

REASONS = [
    "fits-suit", "fits-rank", "fits-wish", "fits-any", "fits-joker", "fits-free", "fits-answer", "drawn-fits", "may-draw", "may-take", "may-pass", "may-name",
    "not-your-turn", "round-over", "not-in-hand", "suit-not-followed", "wish-not-followed", "wish-missing", "wish-not-due", "penalty-pending", "wish-on-wish",
    "free-not-wish", "may-not-finish", "only-drawn-card", "must-play", "already-drawn", "nothing-to-draw", "draw-first", "penalty-amount", "no-penalty",
    "take-instead", "name-first", "name-not-asked", "last-card-waits", "call-not-due", "call-automatic", "too-late", "too-early", "nothing-to-catch",
    "fits-skip", "fits-equal", "fits-pass-on", "fits-cancel", "special-on-special", "skip-pending", "equal-only", "must-cover", "no-draw-now", "wish-same-suit", "not-called",
    "must-play-drawn", "nothing-after-drawing", "cannot-throw-in", "may-throw-in", "not-the-same-card", "too-late-to-throw-in", "catch-yourself", "not-playing", "unreadable-action", "stale",
]  # fmt: skip

KINDS = [
    "deal", "starter", "play", "draw", "take", "pass", "wish", "call", "catch", "made-to-draw", "skip", "reverse", "reshuffle", "silent", "out", "round-over", "match-over",
    "false-call", "false-catch",
]  # fmt: skip


def card(text: str) -> Card:
    return Card.parse(text)


def reason(lang: str, code: str, **params: Any) -> str:
    return reason_sentence(lang, Reason(code, params), FAMILY)


# --- reasons ---------------------------------------------------------------------------------------------------------

ALL_PARAMS = {
    "card": card("Jh"), "top": card("7s"), "drawn": card("Kd"), "wish": "c", "penalty": 4, "said": 2, "rank": "J", "seat": 1,
    "target": 2, "rule": "wish.on_wish", "text": "9x",
}  # fmt: skip


@pytest.mark.parametrize("code", REASONS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_reason_has_a_sentence_however_much_is_known(code: str, lang: str) -> None:
    full, bare = reason(lang, code, **ALL_PARAMS), reason(lang, code)
    for text in (full, bare):
        assert_sentence(text)
        assert text != reason(lang, "no-such-reason")
    for name in ALL_PARAMS:
        assert_sentence(reason(lang, code, **{key: value for key, value in ALL_PARAMS.items() if key != name}))


@pytest.mark.parametrize("lang", LANGS)
def test_different_reasons_have_different_sentences(lang: str) -> None:
    """Fault U-08: “not your turn” for an invalid card."""
    assert len({reason(lang, code, **ALL_PARAMS) for code in REASONS}) == len(REASONS)
    assert len({reason(lang, code) for code in REASONS}) == len(REASONS)


@pytest.mark.parametrize(
    ("code", "params", "german", "english"),
    [
        ("wish-on-wish", {"card": card("Jd"), "top": card("Jh")}, "Bube auf Bube ist an diesem Tisch nicht erlaubt.",
         "A Jack may not go on a Jack at this table."),
        ("suit-not-followed", {"card": card("Kd"), "top": card("9h")},
         "Der Karo-König passt nicht auf die Herz-Neun: Weder Farbe noch Wert sind gleich.",
         "The King of diamonds does not fit the nine of hearts: neither suit nor rank is the same."),
        ("wish-not-followed", {"card": card("Jd"), "top": card("Jh"), "wish": "c"}, "Gewünscht ist Kreuz; der Karo-Bube passt nicht dazu.",
         "The wish is clubs; the Jack of diamonds does not fit it."),
        ("penalty-pending", {"card": card("Jd"), "top": card("7h"), "penalty": 4, "rule": "penalty.answer"},
         "Auf die Herz-Sieben passt jetzt nur eine Sieben, nicht der Karo-Bube; sonst ziehst du vier Karten.",
         "Only a seven may go on the seven of hearts now, not the Jack of diamonds; otherwise you draw four cards."),
        ("penalty-pending", {"card": card("7d"), "top": card("7h"), "penalty": 4, "rule": "penalty.cap"},
         "Weiter antworten geht an diesem Tisch nicht: Du ziehst vier Karten.",
         "No further answer is allowed at this table: you draw four cards."),
        ("penalty-pending", {"top": card("7h"), "penalty": 2, "rule": "penalty.answer"}, "Erst kommt die Strafe: Du ziehst zwei Karten.",
         "The penalty comes first: you draw two cards."),
        ("penalty-amount", {"said": 2, "penalty": 4}, "Du wolltest zwei Karten ziehen, aber du musst vier Karten ziehen.",
         "You wanted to draw two cards, but you must draw four cards."),
        ("not-in-hand", {"card": card("Js")}, "Du hast den Pik-Buben nicht auf der Hand.", "You do not hold the Jack of spades."),
        ("fits-answer", {"card": card("7c"), "top": card("7h"), "penalty": 2}, "Mit der Kreuz-Sieben antwortest du und gibst die Strafe weiter.",
         "With the seven of clubs you answer and pass the penalty on."),
        ("may-not-finish", {"card": card("Jd"), "top": card("9h")}, "Ein Bube darf an diesem Tisch nicht die letzte Karte sein.",
         "A Jack may not be the last card at this table."),
        ("only-drawn-card", {"card": card("Jd"), "drawn": card("Ah")}, "Nach dem Ziehen darfst du nur das Herz-Ass legen, nicht den Karo-Buben.",
         "After drawing you may play only the Ace of hearts, not the Jack of diamonds."),
    ],
)  # fmt: skip
def test_reasons_name_the_card_and_the_rule(code: str, params: dict[str, Any], german: str, english: str) -> None:
    assert reason("de", code, **params) == german
    assert reason("en", code, **params) == english


def test_reasons_name_players_where_names_are_known() -> None:
    spoken = reason_sentence("de", Reason("nothing-to-catch", {"target": 1}), FAMILY, NAMES)
    assert spoken == "Ben hat kein „Mau“ vergessen."
    assert reason("de", "nothing-to-catch", target=1) == "Platz 2 hat kein „Mau“ vergessen."


# --- events ----------------------------------------------------------------------------------------------------------


def told(lang: str, event: Event, you: int | None = None, left: int | None = None) -> str:
    return event_sentence(lang, event, NAMES, FAMILY, you, left=left)


def play(text: str, seat: int = 3) -> Event:
    action = Action.parse(text)
    return Event("play", seat, action, text, (action.card,), wish=action.wish)


@pytest.mark.parametrize(
    ("event", "german", "you_german", "english", "you_english"),
    [
        (play("7s"), "Emil legt die Pik-Sieben.", "Du legst die Pik-Sieben.", "Emil plays the seven of spades.", "You play the seven of spades."),
        (play("Js=c"), "Emil legt den Pik-Buben und wünscht sich Kreuz.", "Du legst den Pik-Buben und wünschst dir Kreuz.",
         "Emil plays the Jack of spades and wishes for clubs.", "You play the Jack of spades and wish for clubs."),
        (play("9h!"), "Emil legt die Herz-Neun und sagt „Mau“.", "Du legst die Herz-Neun und sagst „Mau“.",
         "Emil plays the nine of hearts and says “Mau”.", "You play the nine of hearts and say “Mau”."),
        (play("Js=c!"), "Emil legt den Pik-Buben, wünscht sich Kreuz und sagt „Mau“.", "Du legst den Pik-Buben, wünschst dir Kreuz und sagst „Mau“.",
         "Emil plays the Jack of spades, wishes for clubs and says “Mau”.", "You play the Jack of spades, wish for clubs and say “Mau”."),
        (Event("draw", 3, cards=(card("9h"),), count=1), "Emil zieht eine Karte.", "Du ziehst die Herz-Neun.", "Emil draws one card.",
         "You draw the nine of hearts."),
        (Event("draw", 3, cards=(None,), count=1), "Emil zieht eine Karte.", "Du ziehst eine Karte.", "Emil draws one card.", "You draw one card."),
        (Event("take", 3, cards=(None,) * 4, count=4), "Emil zieht die Strafe: vier Karten.", "Du ziehst die Strafe: vier Karten.",
         "Emil draws the penalty: four cards.", "You draw the penalty: four cards."),
        (Event("take", 3), "Emil müsste ziehen, aber es ist keine Karte mehr da.", "Du müsstest ziehen, aber es ist keine Karte mehr da.",
         "Emil would have to draw, but there is no card left.", "You would have to draw, but there is no card left."),
        (Event("pass", 3), "Emil passt.", "Du passt.", "Emil passes.", "You pass."),
        (Event("pass", 3, by_itself=True), "Emil passt.", "Du kannst nicht legen; dein Zug ist zu Ende.", "Emil passes.",
         "You cannot play; your turn is over."),
        (Event("wish", 3, wish=Suit.HEARTS), "Emil wünscht sich Herz.", "Du wünschst dir Herz.", "Emil wishes for hearts.", "You wish for hearts."),
        (Event("call", 3), "Emil sagt „Mau“.", "Du sagst „Mau“.", "Emil says “Mau”.", "You say “Mau”."),
        (Event("catch", 3, target=1), "Emil erwischt Ben: „Mau“ vergessen!", "Du erwischst Ben: „Mau“ vergessen!",
         "Emil catches Ben: “Mau” forgotten!", "You catch Ben: “Mau” forgotten!"),
        (Event("made-to-draw", 3, cards=(None,), count=1), "Emil muss eine Karte ziehen.", "Du musst eine Karte ziehen.", "Emil must draw one card.",
         "You must draw one card."),
        (Event("skip", 3), "Emil setzt aus.", "Du setzt aus.", "Emil is skipped.", "You are skipped."),
        (Event("silent", 3), "Emil hat „Mau-Mau“ nicht gesagt; noch ist die Runde nicht gewonnen.",
         "Du hast „Mau-Mau“ nicht gesagt; noch ist die Runde nicht gewonnen.",
         "Emil did not say “Mau-Mau”; the round is not won yet.", "You did not say “Mau-Mau”; the round is not won yet."),
        (Event("out", 3, count=2), "Emil ist fertig und hat Platz zwei.", "Du bist fertig und hast Platz zwei.", "Emil is out and takes place two.",
         "You are out and take place two."),
        (Event("deal", 3, cards=(None,) * 5, count=5), "Emil bekommt fünf Karten.", "Du bekommst fünf Karten.", "Emil gets five cards.",
         "You get five cards."),
        (Event("round-over", 3), "Emil hat die Runde gewonnen.", "Du hast die Runde gewonnen.", "Emil has won the round.", "You have won the round."),
        (Event("match-over", 3), "Emil hat das Spiel gewonnen.", "Du hast das Spiel gewonnen.", "Emil has won the match.",  # type: ignore[arg-type]  # a table makes it, no round
         "You have won the match."),
    ],
)  # fmt: skip
def test_events_are_told_to_others_and_to_oneself(
    event: Event, german: str, you_german: str, english: str, you_english: str
) -> None:
    assert [told("de", event), told("de", event, you=0), told("de", event, you=3)] == [german, german, you_german]
    assert [told("en", event), told("en", event, you=0), told("en", event, you=3)] == [english, english, you_english]


@pytest.mark.parametrize(
    ("event", "german", "english"),
    [
        (Event("starter", 0, cards=(card("9h"),)), "Zum Start liegt die Herz-Neun offen.", "The starter is the nine of hearts."),
        (Event("reverse", 0, count=-1), "Die Richtung dreht sich: Es geht gegen den Uhrzeigersinn weiter.",
         "The direction turns: play goes on counter-clockwise."),
        (Event("reverse", 0, count=1), "Die Richtung dreht sich: Es geht im Uhrzeigersinn weiter.", "The direction turns: play goes on clockwise."),
        (Event("reshuffle", count=21), "Der Stapel ist leer: 21 abgelegte Karten werden neu gemischt.",
         "The stock is empty: 21 played cards are shuffled again."),
        (Event("reshuffle"), "Der Stapel ist leer: Die abgelegten Karten werden neu gemischt.",
         "The stock is empty: the played cards are shuffled again."),
        (Event("round-over"), "Nichts geht mehr: Die Runde endet ohne Sieg.", "Nothing moves any more: the round ends without a winner."),
    ],
)  # fmt: skip
def test_events_of_the_whole_table(event: Event, german: str, english: str) -> None:
    for you in (None, 0, 1):
        assert told("de", event, you) == german
        assert told("en", event, you) == english


def test_who_is_caught_hears_it_said_to_them() -> None:
    caught = Event("catch", 3, target=1)
    assert told("de", caught, you=1) == "Emil erwischt dich: Du hast „Mau“ vergessen!"
    assert told("en", caught, you=1) == "Emil catches you: you forgot “Mau”!"
    costly = Event("catch", 3, target=1, count=2)
    assert told("de", costly) == "Emil erwischt Ben: „Mau“ vergessen! Das kostet zwei Karten."
    assert told("de", costly, you=1) == "Emil erwischt dich: „Mau“ vergessen! Das kostet dich zwei Karten."


def test_the_last_card_says_mau_mau() -> None:
    assert told("de", play("9h!"), left=0) == "Emil legt die Herz-Neun und sagt „Mau-Mau“."
    assert told("en", Event("call", 3), you=3, left=0) == "You say “Mau-Mau”."
    assert told("en", Event("call", 3), you=3, left=1) == "You say “Mau”."


def test_several_win_a_match() -> None:
    assert match_over_sentence("de", (0, 3), NAMES) == "Anna und Emil haben das Spiel gewonnen."
    assert match_over_sentence("de", (0, 1, 3), NAMES, you=3) == "Anna, Ben und du, ihr habt das Spiel gewonnen."
    assert match_over_sentence("en", (0, 3), NAMES, you=0) == "Emil and you have won the match."
    assert match_over_sentence("en", (), NAMES) == "The match is over, and nobody has won it."


def test_names_are_only_names() -> None:
    """A name with braces, percent signs or right-to-left letters stays one name in its place."""
    names = ("{who}", "%(who)s", "שרה", "Zoë 😀")
    assert event_sentence("de", Event("skip", 0), names, FAMILY) == "{who} setzt aus."
    assert event_sentence("de", Event("skip", 1), names, FAMILY) == "%(who)s setzt aus."
    assert (
        event_sentence("de", Event("catch", 2, target=3), names, FAMILY)
        == "\u2068שרה\u2069 erwischt Zoë 😀: „Mau“ vergessen!"
    )


@dataclass
class Bare:
    """An event of which nothing is known but its kind and seat."""

    kind: str
    seat: int | None = 0
    action: object = None
    cards: tuple[Any, ...] = ()
    count: int = 0
    wish: Any = None
    target: int | None = None
    by_itself: bool = False
    params: dict[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize("kind", [*KINDS, "something-new"])
@pytest.mark.parametrize("lang", LANGS)
def test_every_kind_of_event_has_a_sentence(kind: str, lang: str) -> None:
    for you in (None, 0, 1):
        event = Bare(kind, wish=Suit.CLUBS if kind == "wish" else None, target=1 if kind == "catch" else None)
        assert_sentence(event_sentence(lang, event, NAMES, FAMILY, you))


@pytest.mark.parametrize(
    "code", [*BOOKS, "family+nine-reverse+ace-others-draw", "international+two-draw+final-seven-draws+no-stacking"]
)
def test_whole_matches_are_told_without_a_hole(code: str) -> None:
    chance = random.Random(code)
    match = Match(Ruleset.parse(code), seats=4, seed=7)
    for _ in range(2):
        while not match.round.over:
            if chance.random() < 0.3:
                say_what_may_be_done(match.round)
            shouts = [shout for own in match.round.shouts.values() for shout in own]
            choices = [*match.round.legal_actions, *match.round.call_due, *shouts]
            for event in match.push(chance.choice(choices)):
                for lang in LANGS:
                    for you in (None, 0, 1):
                        assert_sentence(event_sentence(lang, event.seen_by(you), NAMES, FAMILY, you))
        if match.over:
            break
        match.next_round()


def say_what_may_be_done(position: Round) -> None:
    seat = position.turn
    if seat is None:
        return
    for _, why in position.explain(seat):
        for lang in LANGS:
            assert_sentence(reason_sentence(lang, why, position.rules))
    for text in ("+", "-", "+3", "=h", "7h", "Js", "9c!", "0!", "1?0", "nonsense"):
        refused = refusal(position, text)
        if refused is not None:
            for lang in LANGS:
                spoken = reason_sentence(lang, refused, position.rules)
                assert_sentence(spoken)
                assert spoken != reason_sentence(lang, Reason("other"), position.rules), refused.code


def refusal(position: Round, text: str) -> Reason | None:
    try:
        position.copy().push(text)
    except IllegalActionError as refused:
        return Reason(refused.reason, refused.params)
    return None


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "seats", "german", "english"),
    [
        ("famly", None, "Es gibt kein Regelbuch „famly“; versuche „family“.", "There is no rule book “famly”; try “family”."),
        ("family+nine-revers", None, "Es gibt keine Hausregel „nine-revers“; ähnlich heißt „nine-reverse“.",
         "There is no house rule “nine-revers”; a similar one is “nine-reverse”."),
        ("family+no-stacking+stack-cap-1", None, "„no-stacking“ und „stack-cap-1“ vertragen sich nicht; wähle eines von beiden.",
         "“no-stacking” and “stack-cap-1” contradict each other; choose one of them."),
        ("family+two-draw", None, "„two-draw“ geht nur mit 52 Karten; nimm „52-cards“ dazu.", "“two-draw” works only with 52 cards; add “52-cards”."),
        ("classic+mau-1", None, "„mau-1“ geht nur mit gesprochenem „Mau“; nimm „spoken-calls“ dazu.",
         "“mau-1” works only with a spoken “Mau”; add “spoken-calls”."),
        ("study+jack-20", None, "„jack-20“ geht nur mit Punkten für die Karten auf der Hand; nimm „score.count=cards“ dazu.",
         "“jack-20” works only with points for the cards in hand; add “score.count=cards”."),
        ("study+stack-cap-1", None, "„stack-cap-1“ geht nur mit Antworten auf eine Sieben; nimm „penalty.answer=same“ dazu.",
         "“stack-cap-1” works only with answers to a seven; add “penalty.answer=same”."),
        ("family+deal.cards=11", None, "„deal.cards“ kann nicht „11“ sein; möglich ist 1 bis 10.", "“deal.cards” cannot be “11”; it can be 1 to 10."),
        ("family+mau-9", None, "„mau-N“ kann nicht „9“ sein; möglich ist 1 bis 5.", "“mau-N” cannot be “9”; it can be 1 to 5."),
        ("family+start.acts=perhaps", None, "„start.acts“ kann nicht „perhaps“ sein; möglich ist yes oder no.",
         "“start.acts” cannot be “perhaps”; it can be yes or no."),
        ("classic", 2, "„Klassisch“ geht nicht mit zwei Personen, nur mit vier; mit „players-2“ geht es.",
         "“Classic” does not work with two people, only with four; with “players-2” it does."),
        ("study", 6, "„Lernrunde“ geht nicht mit sechs Personen, nur mit zwei bis vier; mit „players-6“ geht es.",
         "“Study” does not work with six people, only with two to four; with “players-6” it does."),
        ("family+32-cards+seven-cards+pack.double_from=0", 8, "Acht Personen mit je sieben Karten brauchen mindestens 57 Karten, es sind aber nur 32; nimm „two-packs“ dazu.",
         "Eight people with seven cards each need at least 57 cards, but there are only 32; add “two-packs”."),
    ],
)  # fmt: skip
def test_rule_errors_say_what_is_wrong_and_what_would_work(
    code: str, seats: int | None, german: str, english: str
) -> None:
    with pytest.raises(RuleError) as caught:
        settle(code, seats)
    assert rule_error_sentence("de", caught.value) == german
    assert rule_error_sentence("en", caught.value) == english
    assert str(caught.value) == english


def settle(code: str, seats: int | None) -> Ruleset:
    rules = Ruleset.parse(code)
    return rules if seats is None else rules.at(seats)


def test_what_an_error_recommends_works() -> None:
    for code in ("family+two-draw+52-cards", "classic+mau-1+spoken-calls"):
        assert Ruleset.parse(code).code == code
    assert Ruleset.parse("classic+players-2").at(2).seats == 2


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("word", ["last-card", "knock"])
def test_a_table_with_another_word_never_says_mau(lang: str, word: str) -> None:
    """Whatever is said with one card left is what reasons and events call it."""
    rules = Ruleset.parse(f"family+call.word={word}")
    spoken = [reason_sentence(lang, Reason(code, params), rules) for code in REASONS for params in (ALL_PARAMS, {})]
    for you in (None, 0, 1):
        for kind in KINDS:
            event = Bare(kind, wish=Suit.CLUBS if kind == "wish" else None, target=1 if kind == "catch" else None)
            spoken += [event_sentence(lang, event, NAMES, rules, you, left=left) for left in (0, 1)]
        spoken.append(event_sentence(lang, play("9h!"), NAMES, rules, you))
    for text in spoken:
        assert_sentence(text)
        assert "Mau" not in text


@pytest.mark.parametrize(
    ("word", "german", "english"),
    [
        ("last-card", "Emil legt die Herz-Neun und sagt „Letzte Karte“.", "Emil plays the nine of hearts and says “Last card”."),
        ("knock", "Emil legt die Herz-Neun und klopft.", "Emil plays the nine of hearts and knocks."),
    ],
)  # fmt: skip
def test_events_use_the_word_of_the_table(word: str, german: str, english: str) -> None:
    rules = Ruleset.parse(f"family+call.word={word}")
    assert event_sentence("de", play("9h!"), NAMES, rules) == german
    assert event_sentence("en", play("9h!"), NAMES, rules) == english


def test_a_card_thrown_in_and_false_shouts_are_told() -> None:
    thrown = Event("play", 3, None, "3:9h!", (card("9h"),))
    assert told("de", thrown) == "Emil wirft die Herz-Neun ein und sagt „Mau“."
    assert told("en", thrown, you=3) == "You throw in the nine of hearts and say “Mau”."
    assert told("de", Event("false-call", 3)) == "Ein falsches „Mau“ von Emil."
    assert told("en", Event("false-catch", 3, target=1), you=1) == "Emil catches you wrongly."


@pytest.mark.parametrize("lang", LANGS)
def test_every_rule_error_has_a_sentence(lang: str) -> None:
    for error in (
        RuleError("unknown-book", name="x", near=[]),
        RuleError("not-played", name="makao", near=["switch", "prsi"]),
        RuleError("unknown-house-rule", name="x", near=["mau-N", "jack-N"]),
        RuleError("unknown-key", name="x.y", near=[]),
        RuleError("unknown-key", name="x.y", near=["draw.when"]),
        RuleError("bad-value", key="power.A.skip", value="9", allowed="0 to 7, or all"),
        RuleError("bad-value", key="end.forbidden", value="X", allowed="rank letters"),
        RuleError("bad-value", key="draw.when", value="X", allowed="any, stuck"),
        RuleError("contradiction", first="a", second="b", instead="c"),
        RuleError("needs", first="a", needs="pack.cards", value="52", instead=None),
        RuleError("needs", first="a", needs="draw.when", value="any", instead=["b", "c"]),
        RuleError("does-not-fit", seats=8, cards=10, pack=52, instead=None),
        RuleError("seats-not-allowed", seats=9, least=2, most=8, book="family"),
        RuleError("something-new"),
    ):
        assert_sentence(rule_error_sentence(lang, error))


def test_errors_say_in_the_listeners_language_what_is_allowed() -> None:
    """``allowed`` comes in English; the sentence takes it from the key instead."""
    bad = RuleError("bad-value", key="power.A.skip", value="9", allowed="0 to 7, or all")
    assert rule_error_sentence("de", bad) == "„power.A.skip“ kann nicht „9“ sein; möglich ist 0 bis 7 oder all."
    bad = RuleError("bad-value", key="draw.when", value="x", allowed="any, stuck")
    assert rule_error_sentence("de", bad) == "„draw.when“ kann nicht „x“ sein; möglich ist any oder stuck."


POSITION_ERRORS: dict[str, dict[str, Any]] = {
    "not-a-position": {"value": "[]"}, "unknown-key": {"key": "x", "keys": ["top", "hands"]}, "no-hands": {},
    "bad-number": {"key": "penalty", "value": "-1", "least": 0, "most": 8}, "no-top": {}, "not-at-start": {"key": "wish"},
    "not-with-deal": {"key": "top"}, "bad-totals": {"seats": 4},
    "not-a-starter": {"card": card("8h"), "rank": "9"}, "not-a-card": {"text": "1x"}, "card-too-often": {"card": card("9h"), "held": 1},
    "starter-redrawn-wish": {"card": card("Jh")}, "starter-redrawn-power": {"card": card("7h")}, "failed": {"text": "KeyError: 'x'"},
    "not-in-pack": {"card": card("2h")}, "bad-hand": {"seat": 1, "value": "'x'"}, "too-many-cards": {"pack": 32, "seat": 1},
    "counts-do-not-add-up": {"stock": 3, "discard": None, "rest": 9}, "not-out": {"seat": 1}, "too-few-players": {},
    "bad-seat": {"key": "owing", "seat": "9", "seats": 4}, "seat-not-in-round": {"seat": 1}, "drawn-not-held": {"card": card("Js"), "seat": 0},
    "hand-is-empty": {"seat": 2}, "bad-wish": {"wish": "'x'"}, "no-wish-on": {"card": card("9h")}, "not-free": {"card": card("Js")},
    "no-penalty-on": {"card": card("9h"), "penalty": 2}, "impossible-penalty": {"card": card("7h"), "penalty": 3, "each": 2, "most": 8},
    "cannot-owe": {"seat": 1}, "bad-word": {"key": "extra", "value": "'x'", "words": ["equal", "may"]},
    "no-passes-yet": {"passes": 2, "left": 9}, "not-by-rules": {"key": "skips"}, "not-here": {"key": "answers"}, "bad-rest": {"key": "rest", "value": "3", "n": 4},
}  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
def test_every_position_error_has_its_own_sentence(lang: str) -> None:
    spoken = {
        code: position_error_sentence(lang, PositionError(code, **params)) for code, params in POSITION_ERRORS.items()
    }
    for text in spoken.values():
        assert not re.search("[{}]|  ", text)
        assert text[-1] == "."
    assert len(set(spoken.values())) == len(spoken)
    other = position_error_sentence(lang, PositionError("something-new"))
    assert other not in spoken.values()
    assert_plain(other)


def test_position_errors_of_the_game_all_have_a_sentence() -> None:
    from importlib.resources import files

    source = files("maumau.game").joinpath("position.py").read_text(encoding="utf-8")
    raised = set(re.findall(r'PositionError\("([a-z-]+)"', source))
    assert raised <= POSITION_ERRORS.keys()


def test_reasons_of_the_game_all_have_a_sentence() -> None:
    from importlib.resources import files

    for module in ("judge.py", "round.py", "match.py"):
        source = files("maumau.game").joinpath(module).read_text(encoding="utf-8")
        given = set(re.findall(r'Reason\("([a-z-]+)"', source))
        assert given <= set(REASONS), module
