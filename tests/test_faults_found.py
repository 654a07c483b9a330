"""Faults that a stranger found by trying to break things; each test is named after its fault."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from maumau import Match, Record, Round, RuleError, Ruleset
from maumau.game.record import RecordError
from maumau.game.referee import settle_line
from maumau.ruleset.words import rule_error_sentence
from maumau.web.app import STORE_FILE, create_app
from maumau.web.serve import run


def played_record() -> dict[str, Any]:
    match = Match("family+target-10", seats=2, seed=1)
    while not match.over:
        if match.round.over:
            match.next_round()
        match.push(match.round.legal_actions[0])
    data: dict[str, Any] = json.loads(match.record().to_json())
    assert Record.from_json(json.dumps(data)).replay().totals == match.totals
    return data


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seats", float("inf")),
        ("seats", True),
        ("seats", 99),
        ("rules", "nonsense"),
        ("rounds", []),
        ("rounds", [5]),
        ("names", None),
        ("seed", "x"),
        ("ended", "no"),
    ],
)
def test_a_damaged_record_is_refused_as_a_record_and_never_crashes(key: str, value: object) -> None:
    data = played_record() | {key: value}
    with pytest.raises(RecordError, match=r"damaged"):
        Record.from_json(json.dumps(data)).replay()


@pytest.mark.parametrize("key", ["rules", "values", "seats", "rounds", "totals", "winners", "ended"])
def test_a_record_that_lacks_a_part_is_refused(key: str) -> None:
    data = played_record()
    del data[key]
    with pytest.raises(RecordError, match=key):
        Record.from_json(json.dumps(data)).replay()


@pytest.mark.parametrize("value", [None, 5, [], ["9h"], [[]], "x", "9" * 500])
@pytest.mark.parametrize("key", ["deal", "reshuffles", "seed", "dealer", "actions"])
def test_a_round_that_is_damaged_is_refused(key: str, value: object) -> None:
    data = played_record()
    data["rounds"][0][key] = value
    with suppress(RecordError):  # anything else would be a crash; the value may also say the same in other words
        Record.from_json(json.dumps(data)).replay()


def test_a_record_nested_too_deep_is_no_json() -> None:
    with pytest.raises(RecordError, match="not JSON"):
        Record.from_json("[" * 100_000)


def case(position: object, **more: object) -> str:
    return json.dumps({"id": 1, "rules": "family", "position": position} | more)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"deal": 4, "top": "9h"}, "deal"),
        ({"deal": 4, "hands": [1, 1, 1, 1]}, "hands"),
        ({"deal": 4, "dealer": "x"}, "dealer"),
        ({"deal": 4, "dealer": 4}, "0 to 3"),
        ({"starter": "9h", "hands": [["9c"], 0]}, "Seat 1 has no cards left"),
        ({"starter": "9h", "hands": [[], 3]}, "Seat 0 has no cards left"),
        ({"deal": 2, "totals": [1]}, "“totals” must be a list of 2"),
        ({"top": "9h", "hands": [["9c"], 5], "totals": [1.5, 2]}, "“totals” must be a list of 2"),
        ({"top": "9h", "hands": [["9c"], 5], "direction": 0}, "1, -1"),
        ({"top": "9h", "hands": [["9c"], 5], "free": 0}, "true, false"),
        ({"top": "9h", "hands": [["9c"], 5], "penalty": None}, "null"),
        ({"top": "9h", "hands": [["9c"], 5], "penalty": True}, "true"),
    ],
)
def test_a_position_that_says_two_things_or_none_is_refused_in_the_words_of_json(position: object, said: str) -> None:
    error = settle_line(case(position))["error"]
    assert said in error
    assert "cannot be:" not in error
    assert "None" not in error
    assert "True" not in error


def test_a_case_with_nan_is_no_json_and_is_never_answered_with_nan() -> None:
    answer = settle_line('{"id": NaN, "rules": "family", "position": {"deal": 4}}')
    assert answer == {"error": "this line is not JSON; a case is a JSON object with rules and a position"}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 400 + ".0"])
@pytest.mark.parametrize("where", ['"id": {}', '"id": [{{"a": {}}}]', '"note": {}', '"seed": {}'])
def test_a_number_that_json_cannot_give_back_is_refused_by_name(number: str, where: str) -> None:
    answer = settle_line('{"rules": "family", "position": {"deal": 4}, ' + where.format(number) + "}")
    assert list(answer) == ["error"]
    assert number[:6] in answer["error"]
    assert "too large a number" in answer["error"]
    assert settle_line('{"rules": "family", "position": {"deal": 4}, "id": 1e300}')["id"] == 1e300


@pytest.mark.parametrize("seed", ["x", None, 1.5, -1, 2**128, True, []])
def test_a_case_with_a_seed_that_is_none_is_refused(seed: object) -> None:
    assert "seed" in settle_line(case({"deal": 4}, seed=seed))["error"]


@pytest.mark.parametrize("folder", ["a file/below", "garbage"])
def test_a_store_that_cannot_be_used_is_told_in_one_sentence_before_the_greeting(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a file").write_text("x")
    (tmp_path / "garbage").mkdir()
    (tmp_path / "garbage" / STORE_FILE).write_text("this is no database")
    with pytest.raises(SystemExit, match=r"the store in .* cannot be used \(.*\); name another folder with --data"):
        run(host="127.0.0.1", port=0, data_dir=tmp_path / folder)
    assert capsys.readouterr().out == ""


def test_a_byte_order_mark_before_the_first_case_is_no_fault_of_the_case() -> None:
    assert settle_line("\ufeff" + case({"deal": 4}))["hands_n"] == [5, 5, 5, 5]


def test_the_description_of_the_api_tells_the_shape_that_errors_have() -> None:
    description = create_app(Path("unused")).openapi()
    assert "HTTPValidationError" not in description["components"]["schemas"]
    for verbs in description["paths"].values():
        for operation in verbs.values():
            refused = operation["responses"]["4XX"]["content"]["application/json"]["schema"]
            assert refused == {"$ref": "#/components/schemas/ErrorAnswer"}


@pytest.mark.parametrize("code", ["classic+players-8", "study+players-7", "classic+players-6+seven-cards"])
def test_a_code_that_no_number_of_people_could_play_is_refused_at_once(code: str) -> None:
    with pytest.raises(RuleError, match="add “two-packs”"):
        Ruleset.parse(code)
    assert Ruleset.parse(code + "+two-packs").code == code + "+two-packs"


@pytest.mark.parametrize("seed", [-1, 2**128])
def test_a_match_refuses_a_seed_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=r"seed -?\d+ is out of range"):
        Match("family", seats=2, seed=seed)


def test_a_house_rule_said_twice_is_written_once() -> None:
    assert Ruleset.parse("family+nine-reverse+nine-reverse").code == "family+nine-reverse"
    assert Ruleset.parse("family+jack-20+deal.cards=6+jack-020+deal.cards=6").code == "family+jack-20+deal.cards=6"


@pytest.mark.parametrize(
    ("code", "allowed"),
    [("family+jack-999999", "0 to 50"), ("family+target-99999999999999999999", "1 to 9999")],
)
def test_a_number_too_long_for_a_house_rule_gets_the_allowed_range(code: str, allowed: str) -> None:
    with pytest.raises(RuleError) as refused:
        Ruleset.parse(code)
    assert (refused.value.code, refused.value.params["allowed"]) == ("bad-value", allowed)
    least, _, most = allowed.partition(" to ")
    assert f"it can be {least} to {most}." in rule_error_sentence("en", refused.value)


def test_whoever_has_turns_to_sit_out_throws_nothing_in() -> None:
    """A throw by a seat that must sit out was booked on the next seat: a card too many."""
    rules = Ruleset.parse("family+two-packs+play.throw_in=yes+skip.answer=same+skip.adds=yes+pack.jokers=2").at(4)
    thrown = sat_out = 0
    for seed in range(60):
        chance = random.Random(seed)
        round_ = Round(rules, 4, seed)
        for _ in range(300):
            if round_.over:
                break
            rest = round_.position().get("rest", [0] * 4)
            throws = [a for seat in range(4) for a in round_.shouts_of(seat) if a.kind == "throw"]
            assert not [a for a in throws if a.seat is not None and rest[a.seat]]
            sat_out += any(rest)
            thrown += bool(throws)
            round_.push(chance.choice(throws or list(round_.legal_actions)))
            assert sum(round_.counts) + len(round_.stock) + len(round_.discard) == len(rules.pack)
    assert min(thrown, sat_out) > 50
