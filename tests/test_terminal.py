"""The table in a terminal: a match by typing, odd input asked again, an end that is polite (P-03)."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import cast

import pytest
from tests.web_mock import mock_view

from maumau.tables import Seated, Tables, View
from maumau.tui.table import _Terminal, play


class Typist:
    """Plays whatever the shown hand marks as playable, else draws, else passes; keeps what was said."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.first = list(first)
        self.said: list[str] = []
        self.typed = ""
        self.heard = 0
        """So many lines had been said when it typed last."""

    def say(self, line: str) -> None:
        self.said.append(line)

    def ask(self, prompt: str) -> str:
        since, self.heard = self.said[self.heard :], len(self.said)
        assert self.heard < 100_000, since  # the same again and again: a match has an end
        self.typed = self.first.pop(0) if self.first else self.answer(prompt, since)
        return self.typed

    def answer(self, prompt: str, since: list[str]) -> str:
        if "1 " in prompt:
            return "1"
        if "(" not in prompt:
            return ""
        hand = next(line for line in reversed(self.said) if re.match(r"1 \S", line))
        playable = re.search(r"(\d+) \S+\*", hand)
        if playable:
            return playable[1] + ("!" if hand.count("   ") in (0, 1) else "")
        refused = any(line.startswith(("Das geht", "That cannot")) for line in since)
        return "p" if refused and self.typed == "d" else "d"  # nothing is left to draw


@pytest.mark.parametrize(("rules", "lang"), [("family+target-20", "de"), ("international+target-10", "en")])
def test_a_whole_match_by_typing(rules: str, lang: str) -> None:
    typist = Typist()
    play(rules, 2, "easy", lang, typist.ask, typist.say)
    assert typist.said[-1] in ("Danke fürs Mitspielen.", "Thank you for playing.")
    assert any(line.startswith(("Stand:", "Totals:")) for line in typist.said)


def test_p03_odd_input_is_asked_again() -> None:
    odd = ["", "x", "99", "-1", "ü", "w1", "w99", "?", "0!", "1!!", "m", "q"]
    typist = Typist(odd)
    play("family", 2, "easy", "en", typist.ask, typist.say)
    assert typist.first == []
    assert sum("not understood" in line for line in typist.said) >= 5
    assert typist.said[-1] == "Thank you for playing."


@pytest.mark.parametrize(("lang", "told"), [("de", "von 1 bis 5,"), ("en", "from 1 to 5,")])
def test_the_numbers_to_type_stand_in_digits(lang: str, told: str) -> None:
    typist = Typist(["ü", "q"])
    play("family", 2, "easy", lang, typist.ask, typist.say)
    assert any(told in line for line in typist.said)


def test_why_a_card_may_be_played_is_told() -> None:
    typist = Typist(["w1", "q"])
    play("study", 3, "easy", "de", typist.ask, typist.say)
    assert typist.said[-2].endswith(".")


@pytest.mark.parametrize(
    ("arguments", "typed", "code", "said"),
    [
        (["--players", "2"], "", 0, "Thank you for playing."),
        (["--players", "2"], "zz\n\nq\n", 0, "Thank you for playing."),
        (["--rules", "famly"], "", 2, "family"),
        (["--rules", "classic", "--players", "3"], "", 2, "only with four"),
        (["--level", "grandmaster"], "", 2, "normal"),
    ],
)
def test_p03_the_command_ends_politely(arguments: list[str], typed: str, code: int, said: str) -> None:
    command = [sys.executable, "-m", "maumau.cli", "play", "--lang", "en", *arguments]
    answer = subprocess.run(
        command, input=typed, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False
    )
    assert answer.returncode == code, answer.stderr
    assert said in answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_terminal_shows_nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    views = []
    real: Callable[..., object] = __import__("maumau.tui.table", fromlist=["_Terminal"])._Terminal.show

    def show(self: object, view: object) -> object:
        views.append(view)
        return real(self, view)

    monkeypatch.setattr("maumau.tui.table._Terminal.show", show)
    typist = Typist()
    play("family+target-10", 3, "easy", "en", typist.ask, typist.say)
    assert views
    assert all(view.you == 0 for view in views)  # type: ignore[attr-defined]  # they are views


class OneTable:
    """A service that notes what is done and answers with a view."""

    def __init__(self, view: View) -> None:
        self.view_after = view
        self.done: list[str] = []

    async def act(self, table: str, token: str, command: str, version: int, action: str, lang: str) -> View:
        self.done.append(action)
        return self.view_after


@pytest.mark.parametrize(
    ("typed", "throws", "done"),
    [
        (["t"], (("0:9h", None),), ["0:9h"]),
        (["e"], (("0:9h", None),), ["0:9h"]),
        ([""], (("0:9h", None),), []),
        (["t", "2"], (("0:Jh=c", "c"), ("0:Jh=s", "s")), ["0:Jh=s"]),
        (["t", "9"], (("0:Jh=c", "c"), ("0:Jh=s", "s")), []),
    ],
)
def test_the_card_on_top_is_thrown_in_out_of_turn(
    typed: list[str], throws: tuple[tuple[str, str | None], ...], done: list[str]
) -> None:
    typist = Typist(typed)
    table = OneTable(mock_view("en", turn=1, legal=""))
    view = mock_view("en", turn=1, legal="", throws=throws)
    seated = Seated("k7m2", 0, "token", None, view.version)
    assert asyncio.run(_Terminal("en", typist.ask, typist.say).follow(cast(Tables, table), seated, view))
    assert table.done == done
    assert typist.first == []


@pytest.mark.parametrize(("lang", "yes", "told"), [("de", "j", "Danke"), ("en", "y", "Thank you")])
def test_a_match_is_given_up(lang: str, yes: str, told: str) -> None:
    typist = Typist(["a", "", "a", yes])
    play("family+power.8.skip=0+target-9999", 2, "easy", lang, typist.ask, typist.say)
    assert typist.first == []
    assert any(line.startswith(("Stand:", "Totals:")) for line in typist.said), "the match is over, not left"
    assert typist.said[-1].startswith(told)
