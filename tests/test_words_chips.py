"""A table's rules in chips, and the command that writes rules down."""

from __future__ import annotations

import pytest
from tests.words_kit import LANGS, coded, parsed, values_of

from maumau.ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, Ruleset
from maumau.ruleset.keys import CLOSING, POINTS, all_keys
from maumau.ruleset.words import chips, rules_list, rules_text, sheet


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
