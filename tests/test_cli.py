"""The command `maumau`: answers at once, one sentence for what is wrong, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.cli_kit import maumau

from maumau import cli
from maumau.cards import Card
from maumau.game import Match, Round
from maumau.game.referee import settle_line

COMMANDS = sorted(str(command.name or command.callback.__name__) for command in cli.app.registered_commands)  # type: ignore[union-attr]  # each has a name or a function


def test_help_lists_every_command() -> None:
    answer = maumau("--help")
    assert answer.returncode == 0
    assert maumau().stdout == answer.stdout
    for command in COMMANDS:
        assert f"  {command} " in answer.stdout


@pytest.mark.parametrize("given", ["http://nas:8000", "https://cards.example.org/", "http://[fe80::1]:80"])
def test_an_address_ends_with_a_slash(given: str) -> None:
    assert cli.address_named(given) == f"{given.rstrip('/')}/"


@pytest.mark.parametrize(
    "given", ["nas:8000", "http://", "http://nas/cards", "http://nas:99999", "ftp://nas", "http://["]
)
def test_what_is_no_address_is_refused_in_one_sentence(given: str) -> None:
    answer = maumau("serve", "--address", given)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == f"“{given}” is no address of a server; one looks like http://192.168.1.20:8000.\n"


def test_a_user_without_a_home_is_told_to_name_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> None:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(cli, "user_data_dir", homeless)
    with pytest.raises(cli.WrongUsageError, match="name a folder with --data"):
        cli.default_data_dir()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(command: str) -> None:
    answer = maumau(command, "--help")
    assert answer.returncode == 0
    assert f"Example: maumau {command}" in answer.stdout


@pytest.mark.parametrize(
    "arguments", [["nothing-like-it"], ["--nothing"], ["serve", "--port", "x"], ["serve", "--port", "70000"]]
)
def test_wrong_usage_is_two_and_one_sentence(arguments: list[str]) -> None:
    answer = maumau(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1


def test_an_unforeseen_failure_is_one_and_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise OSError("the disk\nis full")

    monkeypatch.setattr(cli, "app", fails)
    assert cli.run_command([]) == 1
    assert capsys.readouterr().err == "the disk is full\n"


def test_ctrl_c_is_polite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    assert cli.run_command([]) == 1
    assert capsys.readouterr().err == "Stopped.\n"


def test_the_command_line_loads_neither_compiler_nor_web() -> None:
    code = "import sys, maumau.cli; print(sorted({'llvmlite', 'numpy', 'fastapi', 'rich', 'apsw'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize(("spoken", "language"), [("de_AT.UTF-8", "de"), ("en_GB.UTF-8", "en"), ("C", "en")])
def test_the_language_is_that_of_the_environment(spoken: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", spoken)
    assert cli.default_language() == language


def test_rules_prints_a_sheet_in_every_format_and_language() -> None:
    assert "Regelbücher" in maumau("rules", "--lang", "de").stdout
    for form, sign in (("text", "Mau-Mau"), ("md", "# Mau-Mau"), ("html", "<!doctype html>"), ("json", '"sections"')):
        assert sign in maumau("rules", "family+nine-reverse", "--lang", "en", "--format", form).stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["rules", "famili"],
        ["rules", "--players", "4"],
        ["rules", "study", "--players", "9"],
        ["simulate", "--bots", "nobody", "--rounds", "1"],
        ["simulate", "--rules", "study", "--players", "9", "--rounds", "1"],
        ["referee", "--top", "9j"],
        ["referee", "--hand", "9h"],
        ["referee", "--top", "9h", "--hand", "9h"],
    ],
)
def test_what_cannot_be_asked_is_two_and_one_sentence(arguments: list[str]) -> None:
    answer = maumau(*arguments)
    assert (answer.returncode, answer.stdout, len(answer.stderr.strip().splitlines())) == (2, "", 1), answer.stderr


def test_the_referee_says_why_to_people() -> None:
    command = ["referee", "--rules", "classic", "--top", "7h", "--penalty", "2", "--hand", "7s Jc Kh", "--lang", "en"]
    allowed, refused = maumau(*command).stdout.split("Not allowed:")
    assert "7♠" in allowed
    assert "+2" in allowed
    assert "J♣" in refused
    assert "K♥" in refused


@pytest.mark.parametrize(
    ("question", "turn", "told"),
    [
        ("--rules family --starter 8h", 1, "The first player is skipped."),
        ("--rules family+no-stacking --starter 7h", 1, "The first player must draw two cards."),
        ("--rules family+ace-again --starter Ah", 1, "Player two is on turn with this hand."),
        ("--rules family+nine-reverse --starter 9h --players 3", 1, "The direction turns"),
        ("--rules family --starter 8h --players 2", 1, "The dealer is on turn with this hand."),
        ("--rules family+ace-skip-all --starter Ah", 3, "The dealer is on turn with this hand."),
        ("--rules family+ace-others-draw --starter Ah", 0, "The first player is on turn with this hand."),
        ("--rules family --starter 9h", 0, "The first player is on turn with this hand."),
    ],
)
def test_the_hand_asked_about_is_on_turn_after_the_starter_has_acted(
    question: str, turn: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["referee", *question.split(), "--hand", "7s 9c", "--lang", "en"]
    assert cli.run_command(asked) == 0
    people = capsys.readouterr().out
    assert told in people
    cards = [line[2:4] for line in people.splitlines() if line.startswith("  ") and line[2] not in "+-"]
    assert sorted(cards) == ["7♠", "9♣"]
    assert cli.run_command([*asked, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["turn"] == turn
    assert answer["hands"][turn][:2] == ["7s", "9c"]


def test_the_referee_lets_the_dealer_name_each_suit(capsys: pytest.CaptureFixture[str]) -> None:
    question = ["referee", "--rules", "international", "--starter", "Jh", "--hand", "7s 9c", "--lang", "en"]
    assert cli.run_command(question) == 0
    allowed, _, refused = capsys.readouterr().out.partition("Allowed:")[2].partition("Not allowed:")
    assert [line.split()[0] for line in allowed.splitlines() if line] == ["=c", "=d", "=h", "=s"]
    assert "=h   The dealer may name hearts." in allowed
    assert "7♠" in refused


def test_the_referee_says_what_may_be_thrown_in_out_of_turn(capsys: pytest.CaptureFixture[str]) -> None:
    rules = ["--rules", "family+two-packs+play.throw_in=yes"]
    question = ["referee", *rules, "--top", "9h", "--turn", "2", "--lang", "en"]
    assert cli.run_command([*question, "--hand", "9h 9c"]) == 0
    allowed, _, refused = capsys.readouterr().out.partition("Allowed:")[2].partition("Not allowed:")
    assert [line.split()[0] for line in allowed.splitlines() if line] == ["9♥"]
    assert [line.split()[0] for line in refused.splitlines() if line] == ["9♣"]
    assert cli.run_command([*question, "--hand", "9h", "--players", "2"]) == 2
    assert "0 to 1" in capsys.readouterr().err


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_the_referee_judges_no_card_that_is_not_named(form: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run_command(["referee", "--top", "7h", "--hand", "?? 7c", "--lang", "en", *form]) == 2
    assert capsys.readouterr().err.startswith("“??” is not a card")


def test_a_case_whose_rules_are_no_text_is_told_the_value() -> None:
    assert settle_line('{"rules": 7, "position": {"deal": 2}}')["error"].startswith("rules is 7; it is a rule code")
    assert settle_line('{"position": {"deal": 2}}')["error"].startswith("rules is missing")


def test_the_referee_answers_line_by_line() -> None:
    case = {"id": "a", "rules": "family", "position": {"top": "9h", "hands": [["9c", "Kd"], 5]}, "do": ["9c"]}
    answer = maumau("referee", "--json", stdin=f"{json.dumps(case)}\nno case\n{json.dumps({'id': 'b'})}\n[]\n")
    first, *others = (json.loads(line) for line in answer.stdout.splitlines())
    assert (answer.returncode, answer.stderr) == (0, "")
    assert (first["id"], first["top"], first["turn"]) == ("a", "9c", 1)
    assert ["error" in other for other in others] == [True, True, True]
    assert others[1]["id"] == "b"


def test_the_referee_answers_a_question_in_json() -> None:
    answer = maumau("referee", "--json", "--rules", "study", "--top", "9h", "--hand", "9c,Kd", "--players", "2")
    assert json.loads(answer.stdout)["legal"] == ["9c"]


@pytest.mark.slow
def test_simulate_prints_json_alone_and_the_same_for_the_same_seed() -> None:
    command = [
        "simulate",
        "--rules",
        "family",
        "--players",
        "3",
        "--rounds",
        "200",
        "--bots",
        "normal,random",
        "--json",
    ]
    first, second = (json.loads(maumau(*command, "--seed", "5").stdout) for _ in range(2))
    assert first["rounds"] == 200
    for result in (first, second):
        for measured in ("seconds", "rounds_per_second", "actions_per_second"):
            assert result.pop(measured) > 0
    assert first == second


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["referee", "--top", "7h"], "--hand is missing"),
        (["rules", "--lang", "fr"], "There is no language “fr”; there are de (German) and en (English)."),
        (["simulate", "--rules", "famly"], "There is no rule book “famly”"),
        (["simulate", "--bots", "nobody"], "nobody"),
        (["simulate", "--bots", "nobody", "--lang", "de"], "Den Bot „nobody“ gibt es nicht"),
    ],
)
def test_what_is_missing_or_unknown_is_one_line_on_stderr(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.run_command(arguments) == 2
    said = capfd.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_a_language_with_its_country_is_understood(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run_command(["rules", "--lang", "de-AT"]) == 0
    assert "Regelbücher" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Match(None, 4, 0), "None are no rules; give a rule code such as 'family', or a Ruleset"),  # type: ignore[arg-type]  # it is what must be refused
        (lambda: Match("family", 4, None), "seed is None; it is a whole number"),  # type: ignore[arg-type]  # it is what must be refused
        (lambda: Round("family", None, 0), "seats is None; it is a whole number"),  # type: ignore[arg-type]  # it is what must be refused
        (lambda: Card(53), "53 is no card; a card is a number from 0 to 52, or Card.parse('9h')"),
    ],
)
def test_what_is_no_rules_no_number_or_no_card_is_a_sentence(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        make()
    assert str(refused.value) == sentence
