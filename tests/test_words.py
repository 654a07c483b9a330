"""The sentences about rules: no value without its sentence, no sheet of a table with a hole in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.words_kit import KEYS, LANGS, assert_plain, assert_sentence, coded, parsed, said, values_of

from maumau.ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, RELATIVES, RuleError, Ruleset
from maumau.ruleset.keys import Key
from maumau.ruleset.words import (
    book_line,
    book_title,
    differences,
    house_rule_line,
    house_rule_name,
    readings,
    rule_sentence,
    rules_text,
    sheet,
)

# --- values ----------------------------------------------------------------------------------------------------------


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
