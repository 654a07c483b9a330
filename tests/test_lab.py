"""Simulation: one seed, one result; the same rounds as the public engine deals; stopped cleanly."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import numpy as np
import pytest

from maumau import Round, bots
from maumau.lab import Simulation, machine, round_seed, simulate
from maumau.lab.batch import Batch
from maumau.lab.command import bar, report
from maumau.lab.command import simulate as command
from maumau.lab.host import HostBench
from maumau.lab.machine import Bench
from maumau.lab.texts import TEXTS
from maumau.ruleset import RuleError, Ruleset


def plain(result: Simulation) -> dict[str, Any]:
    """A result without what the clock says."""
    timed = {"seconds", "rounds_per_second", "actions_per_second"}
    return {key: value for key, value in result.as_json().items() if key not in timed}


def test_t02_the_first_results_are_the_same_whatever_is_asked_for() -> None:
    """T-02: 20 and 400 rounds of one seed begin with the same 20 results, and the same again is the same."""
    short, long = (simulate("family", 3, n, ["normal", "easy", "random"], seed=1) for n in (20, 400))
    assert len(short.first) == 20
    assert short.first == long.first
    assert plain(simulate("family", 3, 400, ["normal", "easy", "random"], seed=1)) == plain(long)
    assert simulate("family", 3, 20, ["normal", "easy", "random"], seed=2).first != short.first


def test_t02_the_number_of_jobs_changes_nothing() -> None:
    one, two = (simulate("study", 2, 3000, ["normal", "random"], seed=5, jobs=jobs) for jobs in (1, 2))
    assert plain(one) == plain(two)
    assert np.array_equal(one.lengths, two.lengths)


def test_t03_a_seed_deals_the_same_round_in_the_laboratory_and_in_the_engine() -> None:
    """T-03: the compiled loop and ``Round`` with the same bots give the same winner after the same actions."""
    rules = Ruleset.parse("family")
    compiled, engine = (
        bench.play(9, 0, 25, 10_000) for bench in (Bench(rules, ["normal"] * 2), HostBench(rules, ["normal"] * 2))
    )
    assert [part.tolist() for part in compiled] == [part.tolist() for part in engine]


def test_what_is_counted_adds_up() -> None:
    result = simulate("classic", 4, 2000, seed=3)
    assert result.rounds == 2000 == sum(result.wins) + result.blocked + result.unfinished
    assert result.actions == sum(length * int(n) for length, n in enumerate(result.lengths))
    lengths = np.repeat(np.arange(len(result.lengths)), result.lengths)
    assert (result.median, result.longest) == (np.median(lengths), lengths.max())
    assert result.mean == pytest.approx(lengths.mean())
    assert not result.stopped


@pytest.mark.parametrize("compiled", [True, False])
def test_a_blocked_round_that_is_won_is_counted_as_both_and_said_to_be(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fewest cards may win a blocked round: who has won it is counted, and so is that it was blocked."""
    if not compiled:
        monkeypatch.delitem(machine.BOT_WEIGHTS, "random")
    code = "family+draw.reshuffles=0"
    nobody = simulate(code, 4, 200, seed=1)
    won = simulate(f"{code}+end.blocked=fewest", 4, 200, seed=1)
    assert nobody.blocked == won.blocked > 0
    assert nobody.blocked_won == 0 < won.blocked_won
    for result in (nobody, won):
        assert sum(result.wins) + result.blocked - result.blocked_won == 200
    assert won.as_json()["share_blocked_won"] == won.blocked_won / 200
    assert f"Another {won.blocked_won / 2:.2f} % of the rounds were blocked and won all the same" in report(won)
    assert "Another" not in report(nobody)


def test_no_rounds_are_no_rounds() -> None:
    result = simulate("family", 2, 0)
    assert (result.rounds, result.mean, result.median, result.longest, result.share_blocked) == (0, 0, 0, 0, 0)
    assert "0 rounds" in report(result)


def test_ctrl_c_leaves_what_was_played_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    play = machine.Bench.play
    calls: list[int] = []

    def interrupted(self: Bench, *arguments: int) -> Batch:
        calls.append(1)
        if len(calls) > 4:
            raise KeyboardInterrupt
        return play(self, *arguments)

    monkeypatch.setattr(machine.Bench, "play", interrupted)
    stopped = simulate("family", 2, 10_000_000, seed=4)
    monkeypatch.undo()
    assert stopped.stopped
    assert 0 < stopped.rounds < 10_000_000
    assert plain(simulate("family", 2, stopped.rounds, seed=4)) == plain(stopped) | {"stopped": False}
    assert "Stopped before the 10,000,000 rounds asked for" in report(stopped)


def test_progress_is_told_up_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    simulate("family", 2, 500, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (500, 500)
    assert told == sorted(told)


def test_the_report_speaks_german_and_english() -> None:
    result = simulate("family", 2, 1500, ["normal", "easy"], seed=1)
    german, english = report(result, "de"), report(result, "en")
    assert german.startswith("family, Personen: 2, Startwert 1\nRunden: 1.500, ")
    assert english.startswith("family, 2 players, seed 1\n1,500 rounds, ")
    words = ("rounds", "Rounds won", "seat", "blocked", "mean", "longest", "and more", "players", "actions")
    assert all(word in english and word not in german for word in words)
    share = f"{100 * result.wins[0] / 1500:.2f}"
    assert f"Platz 0 normal  {share.replace('.', ',')} %" in german
    assert f"seat 0 normal  {share} %" in english
    assert len(german.splitlines()) == len(english.splitlines())


def test_the_laboratory_says_the_same_in_both_languages() -> None:
    assert set(TEXTS.texts("de")) == set(TEXTS.texts("en"))
    for key in TEXTS.keys:
        assert TEXTS.slots("de", key) == TEXTS.slots("en", key)
        assert TEXTS.texts("de")[key] != TEXTS.texts("en")[key]


@pytest.mark.parametrize(
    ("bots", "seed", "german", "english"),
    [
        ("foo", 0, "Den Bot „foo“ gibt es nicht; es gibt random, easy und normal.", "There is no bot “foo”; there are random, easy and normal."),
        (",", 0, "Auf 2 Plätze passen 1 bis 2 Bots, nicht 0.", "On 2 seats there is room for 1 to 2 bots, not for 0."),
        ("easy", 1 << 64, "Der Startwert 18446744073709551616 ist zu groß", "The seed 18446744073709551616 is out of range"),
    ],
)  # fmt: skip
def test_the_command_refuses_in_the_language_asked_for(bots: str, seed: int, german: str, english: str) -> None:
    for lang, told in (("de", german), ("en", english)):
        with pytest.raises(ValueError, match=f"^{re.escape(told)}"):
            command("family", 2, 1, bots, seed, lang=lang)


def test_wrong_wishes_are_refused_in_one_sentence() -> None:
    with pytest.raises(bots.UnknownBotError, match="no bot is called 'norml'"):
        simulate("family", 2, 1, ["norml"])
    with pytest.raises(RuleError):
        simulate("classic", 3, 1)
    with pytest.raises(ValueError, match="3 bots do not fit on 2 seats"):
        simulate("family", 2, 1, ["random", "random", "random"])
    with pytest.raises(ValueError, match="out of range"):
        simulate("family", 2, 1, seed=-1)


def test_the_command_prints_json_and_nothing_else() -> None:
    out = io.StringIO()
    assert command("study", 2, 300, "normal, random", 1, 1, True, out) == 0
    data = json.loads(out.getvalue())
    assert {"rounds", "actions", "seconds", "rounds_per_second", "actions_per_second"} <= data.keys()
    assert data["bots"] == ["normal", "random"]
    assert data["actions_per_round"].keys() == {"mean", "median", "longest"}
    assert sum(data["wins_by_seat"]) + round(data["share_blocked"] * 300) == 300


def test_the_command_draws_charts() -> None:
    out = io.StringIO()
    command("family", 2, 300, "normal", out=out)
    assert "seat 1 normal" in out.getvalue()
    assert "█" in out.getvalue()
    assert (bar(0), bar(1), bar(0.5)) == ("", "█" * 40, "█" * 20)


def test_normal_beats_easy_and_easy_beats_random() -> None:
    normal, easy = simulate("family", 2, 4000, ["normal", "easy"], seed=6).wins
    assert normal > 1.15 * easy
    easy, at_random = simulate("family", 2, 1000, ["easy", "random"], seed=6).wins
    assert easy > 5 * at_random


def test_bots_that_run_only_as_python_play_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(machine.BOT_WEIGHTS, "easy")
    result = simulate("family", 2, 5, ["easy", "random"], seed=6)
    assert (result.rounds, sum(result.wins) + result.blocked) == (5, 5)
    assert Round("family", 2, round_seed(6, 0)).turn in (0, 1)


def test_a_round_that_gets_nowhere_ends() -> None:
    """Three of these rounds went on for ever before the reshuffles were counted."""
    code, seated = "crazy-eights", ["normal"] * 4
    lengths = Bench(Ruleset.parse(code), seated).play(7, 0, 1500, 20_000).lengths
    assert sorted(lengths)[-4] < 1000 < sorted(lengths)[-3]
    assert lengths.max() < 2000
    winners, lengths, _ = Bench(Ruleset.parse(f"{code}+draw.reshuffles=0"), seated).play(7, 0, 1500, 20_000)
    assert lengths.max() < 200
    assert (winners < 0).sum() > 20
