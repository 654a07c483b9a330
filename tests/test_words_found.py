"""Sentences that a careful reader found wrong, each as it reads now."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from tests.web_client import TestClient

from maumau.ruleset import RuleError, Ruleset
from maumau.ruleset.words import chips, rule_error_sentence, rule_sentence
from maumau.web.app import create_app


@pytest.mark.parametrize(
    ("code", "key", "german", "english"),
    [
        (
            "family+two-packs",
            "pack.double_from",
            "Auch in großer Runde kommt kein weiteres Kartenspiel dazu.",
            "A large table gets no further pack.",
        ),
        (
            "family+pack.full_from=1",
            "pack.full_from",
            "Mit 52 Karten wird immer gespielt.",
            "The pack always has 52 cards.",
        ),
        (
            "international+pack.double_from=1",
            "pack.double_from",
            "Ein zweites Kartenspiel ist immer dabei.",
            "A second pack is always added.",
        ),
    ],
)
def test_what_is_said_of_packs(code: str, key: str, german: str, english: str) -> None:
    rules = Ruleset.parse(code)
    assert (rule_sentence("de", rules, key), rule_sentence("en", rules, key)) == (german, english)


@pytest.mark.parametrize(("rank", "said"), [("J", "letzter B"), ("A", "letztes A"), ("7", "letzte 7")])
def test_a_chip_bends_last_as_its_card_wants(rank: str, said: str) -> None:
    assert f"{said} +20 Punkte" in chips("de", Ruleset.parse(f"family+fine.{rank}=20"))


def test_possible_ranks_are_several() -> None:
    with pytest.raises(RuleError) as refused:
        Ruleset.parse("family+end.forbidden=x")
    assert "möglich sind Kartenwerte wie J oder A8" in rule_error_sentence("de", refused.value)


def test_the_referees_page_says_its_fields_words_and_how_many_cards(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path), base_url="http://table.test") as client:

        def page(query: str, lang: str = "de") -> str:
            return unescape(client.get(f"/referee?part=answer&{query}", headers={"accept-language": lang}).text)

        assert "„Offene Strafkarten“ kann nicht -3 sein" in page("top=7h&hand=7s+Jc&penalty=-3")
        assert "„Offene Strafkarten“ kann nicht „x“ sein" in page("top=7h&hand=7s+Jc&penalty=x")
        assert "1 von 2 Karten darf gelegt werden." in page("top=9h&hand=9c+Ks")
        assert "2 von 2 Karten dürfen gelegt werden." in page("top=9h&hand=9c+9s")
        assert "The card may not be played." in page("top=9h&hand=Ks", "en")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("start.acts=no", "Startkarte wirkt nicht"),
        ("start.redraw=wish", "kein Wünscher zum Start"),
        ("spoken-calls+call.false=2", "falsche Ansage +2"),
        ("spoken-calls+call.false_catch=1", "falsch erwischt +1"),
        ("skip.answer=same+skip.adds=yes", "Aussetzen zählt zusammen"),
        ("nine-reverse+reverse.two=none", "zu zweit kein Aussetzen beim Umdrehen"),
    ],
)
def test_a_value_that_differs_from_the_book_has_its_chip(part: str, said: str) -> None:
    code = f"family+{part}"
    if "spoken" in part and Ruleset.parse("family")["call.mode"] == "spoken":
        code = code.replace("spoken-calls+", "")
    assert said in chips("de", Ruleset.parse(code))
    assert said not in chips("de", Ruleset.parse("family"))
