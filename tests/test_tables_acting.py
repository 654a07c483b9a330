"""Commands at a live table: what is done once, what is refused how, and at what pace bots act."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.tables_kit import act, live, mine, off_turn, on_turn, pick, play_round, refused, run, settled, spec, until

from maumau.cards import Card
from maumau.tables import Pace, Seated, TableError, Tables, View
from maumau.tables import ledger as s
from maumau.tables.clockwork import WAITS, plan
from maumau.tables.table import LiveTable

# --- acting ---------------------------------------------------------------------------------------------------------


def test_m05_the_same_id_twice_is_one_action_and_the_same_answer(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        action = pick(view)
        both = await asyncio.gather(*(act(tables, seated, action, view.version, id_="same") for _ in range(2)))
        assert both[0].as_json() == both[1].as_json()
        now = await until(tables, seated, mine)
        if now.state == "playing":  # after a draw it may still be the same turn
            assert (await act(tables, seated, pick(now), now.version)).version > both[0].version
        again = await act(tables, seated, action, view.version, id_="same")
        assert again.as_json() == both[0].as_json()
        rows = s.rows_after(tables.store.read(), seated.table, 0)
        assert len({row.seq for row in rows if row.command == "same" and row.does}) == 1

    run(tmp_path, play)


def test_m05_and_c06_two_actions_under_two_ids_are_one_and_a_refusal(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        for _ in range(5):
            seated, view = await on_turn(tables, bots=3)
            actions = [card.plays[0] for card in view.hand if card.plays][:2] or [pick(view)]
            answers = await asyncio.gather(
                *(act(tables, seated, action, view.version) for action in (actions * 2)[:2]), return_exceptions=True
            )
            done = [answer for answer in answers if isinstance(answer, View)]
            errors = [answer for answer in answers if isinstance(answer, TableError)]
            assert len(done) == len(errors) == 1
            assert errors[0].code in ("not-your-turn", "stale", "round-over", "match-over")
            assert errors[0].status in (409, 422)

    run(tmp_path, play)


def test_another_action_under_a_used_id_is_refused(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        await act(tables, seated, pick(view), view.version, id_="one")
        error = await refused(act(tables, seated, "-", view.version, id_="one"))
        assert (error.code, error.status) == ("id-used", 422)
        for bad in ("", "x" * 65, "bot:7"):
            assert (await refused(act(tables, seated, "+", view.version, id_=bad))).code == "bad-id"

    run(tmp_path, play)


def test_m01_an_action_decided_on_an_old_table_is_stale_and_shows_the_new_one(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        await act(tables, seated, pick(view), view.version)
        now = await settled(tables, seated)
        if now.state != "playing":
            return
        error = await refused(act(tables, seated, pick(now), view.version, id_="old"))
        assert (error.code, error.status) == ("stale", 409)
        assert error.view is not None
        assert error.view.as_json() == now.as_json()
        assert error.as_json()["view"]["version"] == now.version
        for version in (10**9, -1):
            assert (await refused(act(tables, seated, pick(now), version))).code == "stale"
        assert (await tables.view(seated.table, seated.token)).version == now.version
        await act(tables, seated, pick(now), now.version)
        again = await refused(act(tables, seated, pick(now), view.version, id_="old"))
        assert (again.code, again.view and again.view.version) == ("stale", now.version)

    run(tmp_path, play)


def test_what_does_not_touch_the_decision_makes_nothing_stale(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        paced = await tables.set_pace(seated.table, seated.token, "slow")
        assert paced.version > view.version
        assert (await act(tables, seated, pick(view), view.version)).version > paced.version

    run(tmp_path, play)


def test_b09_and_x06_nobody_acts_for_a_bot_and_no_card_comes_from_a_message(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await off_turn(tables)
        assert view.turn is not None
        round_ = live(tables, seated).match.round  # type: ignore[union-attr]  # the table plays
        before = view.version
        for card in (round_.hands[0][0], round_.hands[view.turn][0]):
            for action in (str(card), f"{card}=c"):
                error = await refused(act(tables, seated, action, view.version))
                assert (error.code, error.status) == ("not-your-turn", 409)
                assert error.view is not None
        assert (await tables.view(seated.table, seated.token)).version == before
        await tables.hurry(seated.table, seated.token)
        after = await until(tables, seated, lambda v: v.version > before)
        rows = s.rows_after(tables.store.read(), seated.table, before)
        assert rows[0].by_seat == view.turn
        assert rows[0].command == f"bot:{before}"
        assert after.version > before

    run(tmp_path, play)


def test_x06_a_card_that_is_not_held_is_refused(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        held = {card.card for card in view.hand}
        for other in (str(Card(n)) for n in range(20, 52) if str(Card(n)) not in held):
            error = await refused(act(tables, seated, other, view.version))
            assert error.status == 422
            assert error.code in ("not-in-hand", "wish-missing")
        assert (await tables.view(seated.table, seated.token)).version == view.version

    run(tmp_path, play)


@pytest.mark.parametrize(
    "text",
    ["", "-1", "5", "99", "0", "1.5", "true", "null", "1H", "9x", "Js=X", "Js=7", "9h!!", "💥", "\ud800", "+" * 5000],
)
def test_x08_what_is_no_action_is_refused_and_nothing_changes(tmp_path: Path, text: str) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        error = await refused(act(tables, seated, text, view.version))
        assert (error.code, error.status) == ("unreadable-action", 422)
        assert len(error.text) < 200
        assert (await tables.view(seated.table, seated.token)).version == view.version

    run(tmp_path, play)


def test_u08_a_refusal_says_why_in_the_language_asked_for_and_shows_no_other_hand(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        while True:
            seated, view = await on_turn(tables, bots=1)
            barred = [card for card in view.hand if not card.legal]
            if barred:
                break
        said = {}
        for lang in ("de", "en"):
            error = await refused(act(tables, seated, barred[0].card, view.version, lang=lang))
            assert error.status == 422
            assert error.position is not None
            position = json.loads(error.position)
            assert position["hands"] == [[card.card for card in view.hand], view.seats[1].cards_n]
            assert position["stock"] == view.stock_n
            said[lang] = error.text
            shown = {card.card: card.why for card in (await tables.view(seated.table, seated.token, lang)).hand}
            assert shown[barred[0].card] == error.text
        assert said["de"] != said["en"]

    run(tmp_path, play)


def test_a_refusal_stays_a_refusal_under_its_id(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await off_turn(tables)
        card = view.hand[0].card
        first = await refused(act(tables, seated, card, view.version, id_="early"))
        assert first.code == "not-your-turn"
        await tables.set_pace(seated.table, seated.token, "instant")
        await tables.hurry(seated.table, seated.token)
        await until(tables, seated, mine)
        again = await refused(act(tables, seated, card, None, id_="early"))
        assert (again.as_json(), again.status) == (first.as_json(), first.status)

    run(tmp_path, play)


def test_shouts_are_judged_by_their_window_alone(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        error = await refused(act(tables, seated, "0!", 1))
        assert (error.code, error.status) == ("call-not-due", 422)
        error = await refused(act(tables, seated, "0?1", 1))
        assert (error.code, error.status) == ("nothing-to-catch", 422)
        error = await refused(act(tables, seated, "1!", view.version))
        assert (error.code, error.status) == ("not-your-seat", 403)
        error = await refused(act(tables, seated, "1?0", view.version))
        assert (error.code, error.status) == ("not-your-seat", 403)

    run(tmp_path, play)


def test_a_late_call_counts_although_the_table_has_moved(tmp_path: Path) -> None:
    """The person plays the second-last card in silence; before a bot may catch it there is time to call."""

    async def play(tables: Tables) -> None:
        seated, silent = await silent_at_one(tables)
        assert silent.mau_action == "0!"
        assert silent.mau == "late"
        called = await act(tables, seated, "0!", 1)
        assert not called.seats[0].catchable
        assert called.seats[0].called
        error = await refused(act(tables, seated, "0!", called.version))
        assert error.status == 422

    run(tmp_path, play)


async def silent_at_one(tables: Tables) -> tuple[Seated, View]:
    """A table where the first seat has just gone down to one card without a word, bots in no hurry."""
    while True:
        seated, view = await on_turn(tables, bots=2)
        while view.state == "playing" and not view.call_due:
            await act(tables, seated, pick(view), view.version)
            view = await until(tables, seated, mine)
        if view.state == "playing":
            await tables.set_pace(seated.table, seated.token, "slow")
            return seated, await act(tables, seated, view.call_due[0], view.version)


# --- bots -----------------------------------------------------------------------------------------------------------


def test_b06_bots_act_at_a_pace_that_can_be_followed(tmp_path: Path) -> None:
    assert [WAITS[pace].turn for pace in ("instant", "fast", "normal", "slow")] == [0, 600, 900, 1_800]

    async def play(tables: Tables) -> None:
        seated, view = await off_turn(tables)
        table = live(tables, seated)
        for pace in Pace:
            await tables.set_pace(seated.table, seated.token, pace)
            timer = plan(table, 0)
            assert timer is not None
            assert timer.due_at - table.pace_from == WAITS[pace].turn
            assert timer.expected == table.version
        stored = s.due(tables.store.read(), 2**60)
        assert [t.expected for t in stored if t.kind == "bots"] == [table.version]
        assert view.can_hurry

    run(tmp_path, play)


def test_bots_have_mercy_for_a_while_before_they_catch_a_person(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, _ = await silent_at_one(tables)
        table = live(tables, seated)
        table.pace = "normal"
        timer = plan(table, 0)
        assert timer is not None
        assert timer.due_at == table.pace_from + WAITS["normal"].mercy

    run(tmp_path, play)


def test_what_a_stand_in_did_is_not_told_as_the_persons_own_command(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        await tables.start(anna.table, anna.token)
        await tables.leave(ben.table, ben.token)
        await play_round(tables, anna)
        events = await tables.events(ben.table, ben.token)
        assert [e for e in events if e["kind"] in ("play", "draw", "take") and e["seat"] == ben.seat]
        assert not [e for e in events if "id" in e]
        assert (await tables.view(ben.table, ben.token)).can_return

    run(tmp_path, play)


def test_whoever_looks_while_a_bot_plays_for_them_is_told_so(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=1, pace=Pace.SLOW))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        view = await tables.start(anna.table, anna.token)
        told = "A bot plays for you."
        assert not view.status.startswith(told)
        for seated, other in ((ben, anna), (anna, ben)):  # one of them is on turn, the other is not
            left = await tables.leave(seated.table, seated.token)
            assert left.status.startswith(told)
            assert (left.status == told) == (left.turn == seated.seat and left.wish is None)
            assert told not in (await tables.view(other.table, other.token)).status
            assert told not in (await tables.return_(seated.table, seated.token)).status

    run(tmp_path, play)


def test_hurry_skips_ahead_to_the_next_turn_of_a_person(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await off_turn(tables, bots=3)
        await tables.hurry(seated.table, seated.token)
        after = await until(tables, seated, mine)
        assert after.version > view.version
        if after.state == "playing":
            await act(tables, seated, pick(after), after.version)
            waits = [t.due_at - tables.now() for t in s.due(tables.store.read(), 2**60) if t.kind == "bots"]
            assert all(wait > 1_000 for wait in waits)

    run(tmp_path, play)


@pytest.mark.parametrize("whose", ["own", "bot"])
def test_b01_when_the_last_person_leaves_the_bots_stop_and_the_table_waits(tmp_path: Path, whose: str) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await (on_turn(tables) if whose == "own" else off_turn(tables))
        hand = [card.card for card in view.hand]
        left = await tables.leave(seated.table, seated.token)
        await tables._clockwork._store.write(lambda db: None)
        await asyncio.sleep(0.2)
        still = await tables.view(seated.table, seated.token)
        assert still.version == left.version
        assert still.seats[0].away
        assert not [t for t in s.due(tables.store.read(), 2**60) if t.kind == "bots"]
        assert (await refused(act(tables, seated, hand[0], None))).code == "away"
        assert (await refused(tables.leave(seated.table, seated.token))).code == "away"
        back = await tables.return_(seated.table, seated.token)
        assert [card.card for card in back.hand] == hand
        assert not back.seats[0].away
        assert (await refused(tables.return_(seated.table, seated.token))).code == "not-away"
        await tables.set_pace(seated.table, seated.token, "instant")
        assert (await play_round(tables, seated)).state in ("round-over", "match-over")

    run(tmp_path, play)


def test_a_bot_sees_an_observation_and_its_chance_repeats(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, _ = await off_turn(tables)
        table = live(tables, seated)
        (timer,) = (t for t in s.due(tables.store.read(), 2**60) if t.kind == "bots")
        (asked,) = await tables.ask_bots(timer)
        assert asked.observation.seat == asked.seat == table.match.round.turn  # type: ignore[union-attr]  # the table plays
        stored = s.load(tables.store.read(), seated.table)
        assert stored is not None
        assert LiveTable.replay(stored).bot_seed(asked.seat) == asked.seed

    run(tmp_path, play)


class BrokenBot:
    """Raises, or plays what it does not hold."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, observation: Any) -> Any:
        if self.seed % 2:
            raise RuntimeError("no idea")
        return observation.rules and __import__("maumau").Action.parse("=c")

    def shout(self, observation: Any) -> Any:
        raise RuntimeError("hoarse")


def test_a_broken_bot_stops_no_table(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec())
        assert (await play_round(tables, seated)).state in ("round-over", "match-over")

    run(tmp_path, play, bots=lambda level, seed: BrokenBot(seed))


def test_a_pass_after_a_draw_comes_with_the_draw(tmp_path: Path) -> None:
    """For others no trace tells whether a bot could have played the card it drew."""

    class Passes:
        def choose(self, observation: Any) -> Any:
            kinds = {action.kind: action for action in observation.legal}
            return kinds.get("pass") or kinds.get("draw") or kinds.get("take") or observation.legal[0]

    async def play(tables: Tables) -> None:
        seated = await tables.create(spec("family", bots=3))
        await until(tables, seated, mine)
        rows = s.rows_after(tables.store.read(), seated.table, 0)
        draws = [row for row in rows if row.kind == "draw" and row.seat]
        events = await tables.events(seated.table, seated.token)
        for draw in draws:
            following = rows[draw.seq]
            assert (following.kind, following.seat) == ("pass", draw.seat)
            assert (following.at, following.command) == (draw.at, draw.command)
        passes = [e for e in events if e["kind"] == "pass" and e["seat"]]
        assert {tuple(sorted(e.keys() - {"seq", "at", "seat"})) for e in passes} <= {("action", "kind")}

    run(tmp_path, play, bots=lambda level, seed: Passes())
