"""The catalogues of sentences: the same keys, slots and forms in both languages, and the names of cards."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.words_kit import LANGS, assert_plain

from maumau.cards import CARDS, JOKER, Card, Suit
from maumau.ruleset.words import Catalogue, card_label, card_name, language, say, suit_name
from maumau.ruleset.words.catalogue import WORDS, slots_of

# --- catalogues ------------------------------------------------------------------------------------------------------


def bare(slot: str) -> str:
    """The slot without its case: ``rank_a_acc`` and ``rank`` name the same thing."""
    return re.sub(r"(_(a|the|acc|dat|plain))+$", "", slot)


def test_catalogues_have_the_same_keys() -> None:
    assert WORDS.texts("de").keys() == WORDS.texts("en").keys()


@pytest.mark.parametrize("key", WORDS.keys)
def test_catalogues_have_the_same_slots_and_forms(key: str) -> None:
    german, english = WORDS.texts("de")[key], WORDS.texts("en")[key]
    assert {bare(slot) for slot in slots_of(german)} == {bare(slot) for slot in slots_of(english)}
    assert isinstance(german, str) == isinstance(english, str)


@pytest.mark.parametrize("lang", LANGS)
def test_no_text_is_empty_or_has_doubled_spaces(lang: str) -> None:
    for key, text in WORDS.texts(lang).items():
        for form in [text] if isinstance(text, str) else text.values():
            assert form.strip(), key
            assert "  " not in form, key
            assert re.sub(r"\{\w+(:cap|:digits)?\}", "", form).isprintable(), key
            assert not re.search(r"[{}]", re.sub(r"\{\w+(:cap|:digits)?\}", "", form)), key


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("de", "de"),
        ("de-AT", "de"),
        ("de_CH.UTF-8", "de"),
        ("DE", "de"),
        ("en-GB", "en"),
        ("xx", "en"),
        ("", "en"),
        (None, "en"),
        ("*;q=0", "en"),
    ],
)
def test_languages_fall_back(wanted: str | None, spoken: str) -> None:
    assert language(wanted) == spoken


def test_missing_catalogue_speaks_english_and_says_so_once(tmp_path: Any, monkeypatch: Any, caplog: Any) -> None:
    package = tmp_path / "lonely"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "en.toml").write_text('hello = "Hello {who}"\n[cards]\none = "a card"\nother = "{n} cards"\n')
    monkeypatch.syspath_prepend(tmp_path)
    texts = Catalogue("lonely")
    assert texts.say("de-AT", "hello", who="Anna") == "Hello Anna"
    assert texts.say("de", "hello", who="{n} %s") == "Hello {n} %s"
    assert [texts.say("en", "cards", n=n) for n in (0, 1, 2)] == ["zero cards", "a card", "two cards"]
    assert len([record for record in caplog.records if record.name.startswith("maumau")]) == 1


@pytest.mark.parametrize(
    ("lang", "forms"),
    [("de", {0: "null Karten", 1: "eine Karte", 2: "zwei Karten", 5: "fünf Karten", 21: "21 Karten", 22: "22 Karten"}),
     ("en", {0: "zero cards", 1: "one card", 2: "two cards", 5: "five cards", 21: "21 cards", 22: "22 cards"})],
)  # fmt: skip
def test_counts(lang: str, forms: dict[int, str]) -> None:
    assert {n: say(lang, "count.cards", n=n) for n in forms} == forms


def test_every_counted_text_bends_with_its_number() -> None:
    for lang in LANGS:
        for key, text in WORDS.texts(lang).items():
            if isinstance(text, str):
                continue
            fill = dict.fromkeys(WORDS.slots(lang, key), "x")
            spoken = {n: say(lang, key, **(fill | {"n": n})) for n in (0, 1, 2, 5, 21)}
            for text in spoken.values():
                assert_plain(text)
            assert len(set(spoken.values())) == 5, key


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "nom", "acc", "dat", "plain", "label"),
    [
        ("7s", "die Pik-Sieben", "die Pik-Sieben", "der Pik-Sieben", "Pik Sieben", "7♠"),
        ("Js", "der Pik-Bube", "den Pik-Buben", "dem Pik-Buben", "Pik Bube", "B♠"),
        ("Qh", "die Herz-Dame", "die Herz-Dame", "der Herz-Dame", "Herz Dame", "D♥"),
        ("Kd", "der Karo-König", "den Karo-König", "dem Karo-König", "Karo König", "K♦"),
        ("Ac", "das Kreuz-Ass", "das Kreuz-Ass", "dem Kreuz-Ass", "Kreuz Ass", "A♣"),
        ("Th", "die Herz-Zehn", "die Herz-Zehn", "der Herz-Zehn", "Herz Zehn", "10♥"),
        ("*", "der Joker", "den Joker", "dem Joker", "Joker", "★"),
    ],
)
def test_german_cards_bend(card: str, nom: str, acc: str, dat: str, plain: str, label: str) -> None:
    spoken = [card_name("de", Card.parse(card), case) for case in ("nom", "acc", "dat", "plain")]
    assert [*spoken, card_label("de", Card.parse(card))] == [nom, acc, dat, plain, label]


def test_english_cards() -> None:
    assert card_name("en", Card.parse("Js")) == "the Jack of spades"
    assert card_name("en", Card.parse("8h"), "plain") == "eight of hearts"
    assert card_label("en", Card.parse("Js")) == "J♠"
    assert card_name("en", JOKER, "acc") == "the joker"


def test_every_card_has_its_own_name_in_every_case() -> None:
    for lang in LANGS:
        for case in ("nom", "acc", "dat", "plain"):
            names = [card_name(lang, card, case) for card in CARDS]
            assert len(set(names)) == len(CARDS)
            for name in names:
                assert_plain(name)
        assert len({card_label(lang, card) for card in CARDS}) == len(CARDS)
        assert card_name(lang, None) == say(lang, "count.cards", n=1)
        assert len({suit_name(lang, suit) for suit in Suit}) == 4
