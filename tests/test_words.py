"""The sentences about rules: two whole catalogues, no value without its sentence, no sentence with a hole in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maumau.cards import CARDS, JOKER, Card, Suit
from maumau.ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, RELATIVES, RuleError, Ruleset
from maumau.ruleset.keys import CLOSING, POINTS, POWERS, Key, all_keys, format_value
from maumau.ruleset.words import (
    Catalogue,
    Sheet,
    book_line,
    book_title,
    card_label,
    card_name,
    chips,
    differences,
    house_rule_line,
    house_rule_name,
    language,
    readings,
    rule_sentence,
    rules_list,
    rules_text,
    say,
    sheet,
    suit_name,
)
from maumau.ruleset.words.catalogue import WORDS, slots_of

LANGS = ("de", "en")
CARD_KEYS = [(f"power.{card}.{power}", key) for card in ("7h", "Kh", "8s") for power, key in POWERS.items()]
KEYS = [*all_keys(), *CARD_KEYS]


def assert_plain(text: str) -> None:
    """No hole, no doubled space, nothing glued: a sentence that can be shown."""
    assert text
    assert text == text.strip()
    for trace in ("{", "}", "  ", "..", "..", " .", " ,", ",,", "%(", "None", "True", "False"):
        assert trace not in text, text


def assert_sentence(text: str) -> None:
    assert_plain(text)
    assert text[0].isupper() or text[0] in "„“", text
    assert text[-1] in ".!", text


def values_of(key: Key) -> list[Any]:
    """Every value a key may hold (a few, where it may hold thousands)."""
    if key.kind == "bool":
        return [True, False]
    if key.kind == "ranks":
        return ["none", "power", "J", "A", "8A", "2JQKA"]
    numbers = list(range(key.least, min(key.most, 60) + 1)) + ([key.most] if key.most > 60 else [])
    return list(key.words) if key.kind == "word" else [*numbers, *key.words]


def said(page: Sheet) -> list[str]:
    """What a sheet says in its lines alone: no title, no code, no chips, no comparison with the book."""
    return [line.text for line in page.lines]


def parsed(code: str) -> Ruleset | None:
    try:
        return Ruleset.parse(code)
    except RuleError:
        return None


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


# --- values ----------------------------------------------------------------------------------------------------------


def coded(book: str, name: str, value: Any) -> str:
    return f"{book}+{name}={format_value(value)}"


class Set:
    """Rules with one value set past the checks that refuse what no table could mean."""

    def __init__(self, book: str, name: str, value: Any) -> None:
        rules = Ruleset.parse(book)
        self.book, self.code, self.seats, self.house_rules = book, book, None, ()
        self.values = dict(rules.values) | {name: value}
        self._rules = rules

    def __getitem__(self, key: str) -> Any:
        return self.values[key] if key in self.values else self._rules[key]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_value_of_every_key_has_its_own_sentence(book: str, lang: str) -> None:
    for name, key in KEYS:
        sentences = {}
        for value in values_of(key):
            sentences[value] = rule_sentence(lang, Set(book, name, value), name)
            assert_sentence(sentences[value])
        assert len(set(sentences.values())) == len(set(values_of(key))), name


def test_sentences_name_every_card_that_a_rule_is_about() -> None:
    rules = Ruleset.parse("family+power.Q.wish=yes+power.Kh.draw=3+power.A.draw=1+end.forbidden=JA")
    assert (
        rule_sentence("de", rules, "start.wish")
        == "Ist die Startkarte ein Bube oder eine Dame, so darf darauf jede Karte liegen, aber nicht noch ein Bube oder eine Dame."
    )
    assert (
        rule_sentence("en", rules, "end.final_draw")
        == "If the last card is a seven, the King of hearts or an Ace, nobody draws any more."
    )
    assert rule_sentence("de", rules, "end.forbidden") == "Ein Bube oder ein Ass darf nicht die letzte Karte sein."
    assert (
        rule_sentence("de", rules, "power.Kh.draw")
        == "Auf den Herz-König zieht die nächste Person drei Karten und setzt aus."
    )


def test_several_powers_make_one_sentence() -> None:
    rules = Ruleset.parse("family+power.9.reverse=yes+power.9.skip=all+power.9.others=1+power.9.draw=2")
    assert (
        "Auf eine Neun zieht die nächste Person zwei Karten und setzt aus, setzen alle anderen einmal aus, zieht jede andere "
        "Person eine Karte und dreht sich die Richtung."
    ) in said(sheet("de", rules))
    assert (
        "After a nine, the next player draws two cards and misses a turn, everyone else is skipped once, every other player "
        "draws one card and the direction turns."
    ) in said(sheet("en", rules))


def test_unknown_key_is_refused() -> None:
    with pytest.raises(KeyError):
        rule_sentence("de", Ruleset.parse("family"), "no.such")


def single_changes(book: str) -> Iterator[tuple[str, Ruleset]]:
    """The book with one value changed; of the ranks, some that have a power and some that have none."""
    for name, key in KEYS:
        family, _, rest = name.partition(".")
        if family in ("power", "points", "closing", "fine") and rest.partition(".")[0] not in (
            "2",
            "7",
            "J",
            "A",
            "7h",
            "Kh",
            "joker",
        ):
            continue
        for value in values_of(key)[:12]:
            rules = parsed(coded(book, name, value))
            if rules is not None:
                yield name, rules


@pytest.mark.parametrize("book", BOOKS)
def test_every_value_that_differs_from_the_book_changes_the_sheet(book: str) -> None:
    base = Ruleset.parse(book)
    plain = said(sheet("de", base))
    seen: dict[tuple[str, ...], Ruleset] = {tuple(plain): base}
    for name, rules in single_changes(book):
        lines = tuple(said(sheet("de", rules)))
        assert seen.setdefault(lines, rules) == rules, name
        assert (differences("de", rules) != ()) == (rules != base), name


def test_a_value_without_effect_that_a_house_rule_brings_is_still_named() -> None:
    rules = Ruleset.parse("family+mau-2")
    page = sheet("de", rules)
    assert [section.id for section in page.sections][-1] == "idle"
    assert rule_sentence("de", rules, "call.maumau") in said(page)


# --- sheets of all sorts of tables -----------------------------------------------------------------------------------


def house_codes() -> list[str]:
    numbers = {
        "mau-N": (1, 2, 5),
        "jack-N": (0, 2, 20),
        "win-points-N": (1, 5),
        "target-N": (1, 200),
        "players-N": range(2, 9),
    }
    return [
        code.replace("N", str(n)) if code in numbers else code for code in HOUSE_RULES for n in numbers.get(code, (0,))
    ]


@pytest.mark.parametrize("code", [*HOUSE_RULES, *house_codes()])
def test_every_house_rule_has_a_line_and_a_name(code: str) -> None:
    for lang in LANGS:
        assert_sentence(house_rule_line(lang, code))
        assert_plain(house_rule_name(lang, code))
        if code[-1].isdigit() and f"{code.rpartition('-')[0]}-N" in HOUSE_RULES:
            number = code.rpartition("-")[2]
            assert number in house_rule_name(lang, code)


@pytest.mark.parametrize("book", ALL_BOOKS)
def test_books_have_a_title_and_a_line(book: str) -> None:
    for lang in LANGS:
        assert_plain(book_title(lang, book))
        assert_sentence(book_line(lang, book))


def assert_sheet(lang: str, rules: Ruleset) -> None:
    page = sheet(lang, rules)
    assert_plain(page.title)
    for text in (*page.intro, *page.differences, *said(page)):
        assert_sentence(text)
    for chip in page.chips:
        assert_plain(chip)
    for line in page.lines:
        for reading in line.readings:
            assert_sentence(reading.this(lang))
            assert_sentence(reading.other(lang))
    assert len(set(said(page))) == len(page.lines), "a sheet says nothing twice"


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_with_every_house_rule_has_a_whole_sheet(book: str) -> None:
    codes = [book, *(f"{book}+{code}" for code in house_codes())]
    checked = [rules for code in codes if (rules := parsed(code)) is not None]
    assert len(checked) > 20
    for rules in checked:
        for lang in LANGS:
            assert_sheet(lang, rules)


@pytest.mark.parametrize("book", RELATIVES)
def test_every_relative_has_a_whole_sheet(book: str) -> None:
    rules = Ruleset.parse(book)
    for lang in LANGS:
        assert_sheet(lang, rules)
        assert_sheet(lang, rules.at(rules.least_seats))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("word", ["last-card", "knock"])
def test_a_sheet_with_another_word_never_says_mau(lang: str, word: str) -> None:
    for code in ("family+call.false=1+call.to_finish=yes", "international", "classic+spoken-calls"):
        page = sheet(lang, Ruleset.parse(f"{code}+call.word={word}"))
        for text in (*said(page), *page.chips, *(section.title for section in page.sections)):
            assert "Mau" not in text


@st.composite
def rulesets(draw: Any, book: str | None = None) -> Ruleset:
    """Any rules that parse, some of them settled for their seats."""
    code = book or draw(st.sampled_from(ALL_BOOKS))
    rules = Ruleset.parse(code)
    changes = draw(
        st.lists(
            st.sampled_from(KEYS).flatmap(
                lambda pair: st.tuples(st.just(pair[0]), st.sampled_from(values_of(pair[1])))
            ),
            max_size=8,
        )
    )
    for name, value in changes:
        rules = parsed(coded(rules.code, name, value)) or rules
    seats = draw(st.none() | st.integers(2, 8))
    try:
        return rules if seats is None else rules.at(seats)
    except RuleError:
        return rules


@given(rulesets(), st.sampled_from(LANGS))
@settings(max_examples=150, deadline=None)
def test_any_rules_have_a_whole_sheet(rules: Ruleset, lang: str) -> None:
    assert_sheet(lang, rules)
    for name in rules.values:
        assert_sentence(rule_sentence(lang, rules, name))


def stripped(rules: Ruleset, lang: str) -> list[str]:
    page = sheet(lang, rules)
    return [page.title, *page.intro, *said(page)]


@given(rulesets(), rulesets(), st.sampled_from(LANGS))
@settings(max_examples=100, deadline=None)
def test_two_different_rulesets_never_give_the_same_sheet(one: Ruleset, other: Ruleset, lang: str) -> None:
    assert (stripped(one, lang) == stripped(other, lang)) == (one == other)


@given(rulesets(), st.sampled_from(KEYS), st.data(), st.sampled_from(LANGS))
@settings(max_examples=200, deadline=None)
def test_one_changed_value_changes_the_sheet(rules: Ruleset, named: tuple[str, Key], data: Any, lang: str) -> None:
    name, key = named
    other = parsed(coded(rules.code, name, data.draw(st.sampled_from(values_of(key)))))
    if other is None:
        return
    try:
        other = other if rules.seats is None else other.at(rules.seats)
    except RuleError:
        return
    assert (stripped(rules, lang) == stripped(other, lang)) == (rules == other)


# --- readings --------------------------------------------------------------------------------------------------------


def test_every_reading_stands_on_the_sheet_of_its_book() -> None:
    house = {None: "", "two-draw": "+two-draw+52-cards"}
    for reading in readings():
        book = reading.book or ("international" if reading.house_rule == "two-draw" else "family")
        code = book + (f"+{reading.house_rule}" if reading.house_rule not in house else "")
        if reading.house_rule == "two-draw":
            code = "international+two-draw"
        lines = [line for line in sheet("de", Ruleset.parse(code)).lines if reading in line.readings]
        assert len(lines) == 1, reading
        text = rules_text(code, "de")
        assert f"{lines[0].text} †" in text
        assert reading.other("de") in text


@pytest.mark.parametrize(
    "reading", [reading for reading in readings() if reading.switch], ids=lambda reading: f"{reading.id}-{reading.book}"
)
def test_a_switched_reading_is_gone(reading: Any) -> None:
    code = f"{reading.book or 'family'}" + (f"+{reading.house_rule}" if reading.house_rule else "")
    code += "+52-cards" if reading.house_rule == "two-draw" else ""
    before, after = Ruleset.parse(code), Ruleset.parse(f"{code}+{reading.switch}")
    assert reading.holds(before)
    if all("=" in part for part in reading.switch.split("+")):
        assert not reading.holds(after)
    assert said(sheet("en", before)) != said(sheet("en", after))


MARKED = {
    ("international", "starter-seven-idle", "start.acts"),
    ("family", "starter-seven-answer", "start.acts"),
    ("international", "starter-eight-idle", "start.acts"),
    ("classic", "starter-jack-lasts", "start.wish"),
    ("family", "starter-jack-plain", "start.wish"),
    *((book, "pass-only-empty", "always.pass") for book in BOOKS),
    ("international", "seven-adds", "penalty.answer"),
    ("family", "jack-of-the-wish", "wish.on_wish"),
    ("study", "last-call-two", "call.needed"),
    ("family", "last-call-one", "call.needed"),
    ("family", "king-four", "points.K"),
    ("family", "queen-three", "points.Q"),
    ("family", "tie-all", "match.tie"),
    ("study", "deal-left", "deal.next"),
    ("family", "deal-left", "deal.next"),
    ("international", "blocked-own", "always.blocked"),
    ("study", "blocked-nobody", "always.blocked"),
    ("family", "blocked-own", "always.blocked"),
}
"""The daggers of the table in rules.md §1, from its first row to its last."""


def test_the_readings_are_those_that_the_rules_mark() -> None:
    """rules.md §1 marks 21 values of the four books with a dagger, and §2 three house rules."""
    count = {book: sum(reading.book == book and not reading.house_rule for reading in readings()) for book in BOOKS}
    own = [reading for reading in readings() if not reading.house_rule and reading.book in BOOKS]
    found = {(reading.book, reading.id, reading.line) for reading in own}
    assert found == MARKED
    assert count == {"family": 10, "classic": 2, "international": 5, "study": 4}
    assert [reading.house_rule for reading in readings() if reading.house_rule] == [
        "nine-reverse",
        "two-draw",
        "spoken-calls",
    ]


# --- chips and the command -------------------------------------------------------------------------------------------


def test_chips_say_the_table_in_a_line() -> None:
    rules = Ruleset.parse("family+nine-reverse+ace-skip-all+no-stacking+win-points-5")
    assert chips("de", rules) == (
        "32 Karten", "5 auf die Hand", "ziehen immer erlaubt", "7→+2", "8 setzt aus", "9 dreht um", "B wünscht, nicht auf B",
        "A setzt alle aus", "Mau +1", "bis 5 Siege",
    )  # fmt: skip
    assert "J wishes, not on J" in chips("en", rules)


@pytest.mark.parametrize(
    ("code", "chip"),
    [
        ("family+jack-20", "J counts 20"),
        ("classic+points.A=1+points.7=0", "A counts 1"),
        ("family+deal.next=winner", "the winner deals"),
        ("family+players-3", "3 players"),
        ("family+players.max=4", "2–4 players"),
        ("family+pack.full_from=4", "52 cards from 4 players"),
        ("family+start.wish=dealer", "wishing starter: the dealer wishes"),
        ("family+draw.reshuffles=0", "never shuffled again"),
        ("family+match.tie=tied", "a tie is played on by the tied"),
        ("international+call.maumau=3", "silent last card +3"),
    ],
)
def test_what_differs_has_its_chip(code: str, chip: str) -> None:
    page = sheet("en", Ruleset.parse(code))
    assert chip in page.chips
    assert page.more == ""
    assert chip not in chips("en", Ruleset.parse(code.partition("+")[0]))


@pytest.mark.parametrize("code", ["family+52-cards", "family+two-packs", "family+casual", "family+seven-cards"])
def test_what_goes_without_saying_is_not_counted(code: str) -> None:
    assert sheet("en", Ruleset.parse(code)).more == ""


def test_what_no_chip_tells_is_counted() -> None:
    five = "".join(f"+points.{rank}=1" for rank in "TJQKA")
    page = sheet("en", Ruleset.parse(f"family{five}"))
    assert page.more == "and one more"
    assert sum("counts 1" in chip for chip in page.chips) == 4
    assert "and one more" in rules_text(f"family{five}", "en", "text")
    assert sheet("de", Ruleset.parse(f"family{five}")).more == "und eins mehr"
    assert sheet("en", Ruleset.parse(f"family{five[:-11]}")).more == ""


@pytest.mark.parametrize("book", [BOOKS[0], *(pytest.param(book, marks=pytest.mark.prove) for book in ALL_BOOKS[1:])])
def test_no_single_value_differs_in_silence(book: str) -> None:
    plain = sheet("en", Ruleset.parse(book))
    assert plain.more == ""
    for name, key in all_keys():
        values = values_of(key)
        for value in values if key.kind == "word" else [*values[:2], values[-1]]:
            rules = parsed(coded(book, name, value))
            if rules is not None and chips("en", rules) == plain.chips:
                page = sheet("en", rules)
                assert page.more or not page.differences, page.code


@pytest.mark.parametrize("format", ["text", "md", "html", "json"])
@pytest.mark.parametrize("lang", LANGS)
def test_the_command_writes_every_format(format: str, lang: str) -> None:
    page = rules_text("family+nine-reverse", lang, format)
    for line in sheet(lang, Ruleset.parse("family+nine-reverse")).lines:
        assert line.text.replace("&", "&amp;") in page
    listed = rules_list(lang, format)
    for code in (*BOOKS, *HOUSE_RULES):
        assert code in listed


def test_the_command_escapes_html() -> None:
    from maumau.ruleset.words import command

    assert "<b>" not in command._as_html(iter([("p", "<b>&")]), "en", "<b>")


def test_json_is_whole() -> None:
    import json

    data = json.loads(rules_text("family", "de", "json", seats=5))
    assert data["code"] == "family"
    assert "An diesem Tisch sitzen fünf Personen." in data["intro"]
    listed = json.loads(rules_list("en", "json"))
    assert {rule["code"] for rule in listed["house_rules"]} == set(HOUSE_RULES)
    assert {"POINTS": POINTS.most, "CLOSING": CLOSING.most} == {"POINTS": 50, "CLOSING": 4}
