"""Records are checked and told: what was fixed beforehand, what follows from the seed, and every kind of fraud."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli_kit import maumau

from maumau.game import Action, Match, Record, RecordError, fair
from maumau.game.told import findings_told, good, steps
from maumau.game.verify import verify
from maumau.ruleset.words.catalogue import LANGUAGES, WORDS
from maumau.tui.replay import next_step, step_through

SHARE = "00112233445566778899aabbccddeeff"
DRAW = Action.parse("+")
NAMES = ["Anna", "Berta", "Carl"]


def finish(match: Match) -> None:
    """Everybody draws where that is allowed, so that the stock runs out, else plays a card, with the call."""
    for turn in range(5_000):
        if match.round.over:
            return
        legal, due = match.round.legal_actions, match.round.call_due
        action = legal[turn % len(legal)]
        action = action.with_call if action in due else action
        match.push(DRAW if turn < 40 and DRAW in legal else action)
    raise AssertionError("a round without end")


def fair_record(rounds: int = 3) -> dict[str, Any]:
    """A match as a table would deal and record it."""
    secrets = [hashlib.sha256(b"round %d" % number).digest() for number in range(1, rounds + 1)]
    shares = [SHARE, "", SHARE[::-1]]
    seeds = [fair.seed_of(secret, "t4ble", number, shares) for number, secret in enumerate(secrets, 1)]
    match = Match("family", seats=3, seed=0, round_seed=seeds[0])
    finish(match)
    for seed in seeds[1:]:
        match.next_round(seed)
        finish(match)
    data = match.record(NAMES).data
    for number, (entry, secret) in enumerate(zip(data["rounds"], secrets, strict=True), 1):
        entry["fair"] = {
            "table": "t4ble",
            "deal": number,
            "commitment": fair.commitment(secret, "t4ble", number),
            "contributions": shares,
            "secret": secret.hex(),
        }
    return data


DATA = fair_record()


def wrong(data: dict[str, Any]) -> set[tuple[int | None, str]]:
    """What is found wrong, and where."""
    return {(finding.round, finding.code) for finding in verify(Record(data)) if finding.holds is False}


def test_a_fair_record_holds_in_every_part() -> None:
    assert any(entry["reshuffles"] for entry in DATA["rounds"])
    findings = verify(Record(DATA))
    assert all(finding.holds for finding in findings)
    assert {finding.code for finding in findings} >= {"commitment-kept", "seed-shared", "deal-kept", "result-kept"}


def test_a_record_of_a_match_has_no_commitment_and_says_so() -> None:
    for dealer in (None, 2):
        match = Match("classic", seats=4, seed=5, dealer=dealer)
        finish(match)
        findings = verify(match.record())
        assert [finding.code for finding in findings if finding.holds is None] == ["no-commitment"]
        assert good(findings)


def swap(cards: str) -> str:
    """The same cards in another order."""
    words = cards.split()
    other = next(i for i in range(1, len(words)) if words[i] != words[0])
    words[0], words[other] = words[other], words[0]
    return " ".join(words)


def swap_reshuffle(entry: dict[str, Any]) -> None:
    longest = max(range(len(entry["reshuffles"])), key=lambda i: len(entry["reshuffles"][i]))
    entry["reshuffles"] = list(entry["reshuffles"])
    entry["reshuffles"][longest] = swap(entry["reshuffles"][longest])


def flip(entry: dict[str, Any], key: str) -> None:
    entry["fair"][key] = f"{int(entry['fair'][key][0], 16) ^ 1:x}" + entry["fair"][key][1:]


FRAUDS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another secret": (lambda entry: flip(entry, "secret"), "commitment-broken"),
    "another commitment": (lambda entry: flip(entry, "commitment"), "commitment-broken"),
    "a share left out": (lambda entry: entry["fair"].update(contributions=["", "", SHARE[::-1]]), "seed-wrong"),
    "a share too few": (lambda entry: entry["fair"].update(contributions=[SHARE]), "seed-wrong"),
    "another seed": (lambda entry: entry.update(seed="0" * 32), "seed-wrong"),
    "another deal": (lambda entry: entry.update(deal=swap(entry["deal"])), "deal-wrong"),
    "another reshuffle": (swap_reshuffle, "reshuffle-wrong"),
    "a reshuffle less": (lambda entry: entry.update(reshuffles=[]), "reshuffle-wrong"),
    "another dealer": (lambda entry: entry.update(dealer=(entry["dealer"] + 1) % 3), "dealer-wrong"),
    "another action": (lambda entry: entry["actions"].insert(0, "Qc=c"), "action-wrong"),
    "a deal thrown away": (lambda entry: entry["fair"].update(deal=9), "deal-skipped"),
    "no secret": (lambda entry: entry["fair"].pop("secret"), "secret-missing"),
}


@pytest.mark.parametrize("fraud", FRAUDS)
def test_each_fraud_is_found_where_it_is(fraud: str) -> None:
    commit, code = FRAUDS[fraud]
    number = next(n for n, entry in enumerate(DATA["rounds"], 1) if entry["reshuffles"] and n > 1)
    data = copy.deepcopy(DATA)
    commit(data["rounds"][number - 1])
    assert (number, code) in wrong(data)
    assert not [found for found in wrong(data) if found[0] is not None and found[0] < number]


def test_a_wrong_result_is_found() -> None:
    assert wrong(DATA | {"totals": [0, 0, 0]}) == {(None, "result-wrong")}


@pytest.mark.parametrize(
    "broken", [{"rounds": [{}]}, {"rules": "nothing"}, {"values": {}}, {"seats": 99}, {"names": 3}]
)
def test_a_damaged_record_is_refused_in_one_sentence(broken: dict[str, Any]) -> None:
    for read in (verify, lambda record: steps(record, "en")):
        with pytest.raises(RecordError) as refused:
            read(Record(DATA | broken))
        assert len(str(refused.value).splitlines()) == 1


def test_a_running_round_is_passed_over() -> None:
    data = copy.deepcopy(DATA)
    data["rounds"][-1] = {"running": True}
    assert ("running", None) in [(finding.code, finding.holds) for finding in verify(Record(data))]
    assert {step.round for step in steps(Record(data), "en")} == {1, 2}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_findings_in_words(lang: str) -> None:
    lines = findings_told(lang, verify(Record(DATA)))
    assert any("Anna" in line and "Carl" in line and "Berta" not in line for line in lines)
    assert all("{" not in line for line in lines)
    assert {f"verify.{code}" for _, code in FRAUDS.values()} <= set(WORDS.keys)


def test_a_match_is_told_step_by_step() -> None:
    told = steps(Record(DATA), "en")
    assert len(told) == sum(len(entry["actions"]) + 1 for entry in DATA["rounds"])
    assert all(step.sentences for step in told)
    assert [step.action for step in told if step.round == 2][1:] == DATA["rounds"][1]["actions"]


@pytest.mark.parametrize(("answer", "to"), [("", 4), ("b", 2), ("1", 0), ("99", 9), ("0", 0), ("q", 10), ("?", 3)])
def test_where_an_answer_leads(answer: str, to: int) -> None:
    assert next_step(answer, 3, 10) == to


def test_a_record_is_stepped_through() -> None:
    told, said, answers = steps(Record(DATA), "en")[:3], list[str](), iter(("", "b", "3", ""))
    step_through(told, DATA["names"], lambda _: next(answers), said.append)
    shown = [text for text in said if not text.startswith(" ")]
    assert [text.split()[0] for text in shown] == ["1/3", "2/3", "1/3", "3/3"]
    assert [text for text in said if text.startswith(" ")][: len(DATA["names"])] == [
        f"    {name}: {hand}" for name, hand in zip(DATA["names"], told[0].hands, strict=True)
    ]


def test_the_commands(tmp_path: Path) -> None:
    fine, bad = tmp_path / "fine.json", tmp_path / "bad.json"
    Record(DATA).save(fine)
    forged = copy.deepcopy(DATA)
    flip(forged["rounds"][0], "secret")
    Record(forged).save(bad)
    answer = maumau("verify", str(fine), "--lang", "de")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Alles, was sich prüfen lässt, stimmt." in answer.stdout
    answer = maumau("verify", str(bad), "--json")
    assert (answer.returncode, answer.stderr) == (1, "")
    assert json.loads(answer.stdout)["good"] is False
    answer = maumau("verify", str(tmp_path / "none.json"))
    assert answer.returncode == 2
    assert len(answer.stderr.splitlines()) == 1
    answer = maumau("replay", str(fine), "--json")
    assert len(json.loads(answer.stdout)["steps"]) == len(steps(Record(DATA), "en"))
    assert "1/" in maumau("replay", str(fine)).stdout


def test_a_match_of_many_rounds_is_checked_and_no_round_may_be_left_out() -> None:
    match = Match("family+match.target=0", seats=2, seed=3)
    for _ in range(12):
        finish(match)
        match.next_round()
    finish(match)
    data = match.record().data
    assert good(verify(Record(data)))
    del data["rounds"][5]
    assert {code for _, code in wrong(data)} == {"dealer-wrong"}
