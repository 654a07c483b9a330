"""Live tables: commands, seats, rights, pace, and what is refused how."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.tables_kit import PATIENCE, command_id, mine, pick, play_round, service, settled, spec, until

from maumau import Record
from maumau.cards import Card
from maumau.tables import Pace, Seated, SeatSpec, TableError, Tables, TableSpec, View
from maumau.tables import ledger as s
from maumau.tables.clockwork import KEPT_MS, WAITS, plan
from maumau.tables.names import clean_name
from maumau.tables.table import LiveTable
from maumau.tables.texts import TEXTS

Play = Callable[[Tables], Awaitable[None]]


def run(path: Path, play: Play, **more: Any) -> None:
    """Play against a service whose clock stands still: whoever is to wait for a while waits for ever."""
    more.setdefault("clock", lambda: 1_000_000.0)

    async def main() -> None:
        async with service(path, **more) as tables:
            await play(tables)

    asyncio.run(main())


async def refused(work: Awaitable[Any]) -> TableError:
    """The refusal that a command must get."""
    with pytest.raises(TableError) as caught:
        await work
    return caught.value


async def act(tables: Tables, seated: Seated, action: str, version: int | None = None, **more: Any) -> View:
    """An action under a fresh id."""
    return await tables.act(seated.table, seated.token, more.pop("id_", command_id()), version, action, **more)


async def on_turn(tables: Tables, **more: Any) -> tuple[Seated, View]:
    """A table whose first seat is on turn."""
    while True:
        seated = await tables.create(spec(**more))
        view = await until(tables, seated, lambda v: mine(v) or v.pace != "instant")
        if view.turn == view.you:
            return seated, view


async def off_turn(tables: Tables, **more: Any) -> tuple[Seated, View]:
    """A table where a bot is on turn and takes its time."""
    while True:
        seated = await tables.create(spec(pace=Pace.SLOW, **more))
        view = await tables.view(seated.table, seated.token)
        if view.turn != view.you:
            return seated, view


def live(tables: Tables, seated: Seated) -> LiveTable:
    table = tables._slots[seated.table].table
    assert table is not None
    return table


# --- making a table -------------------------------------------------------------------------------------------------


def test_a_table_without_open_seats_starts_at_once(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec("family+nine-reverse", bots=3))
        view = await tables.view(seated.table, seated.token)
        assert (seated.seat, view.you, view.state, view.round, view.match) == (0, 0, "playing", 1, 1)
        assert view.rules == "family+nine-reverse"
        assert [seat.kind for seat in view.seats] == ["human", "bot", "bot", "bot"]
        assert len({seat.name for seat in view.seats}) == 4
        assert len(view.hand) == view.seats[0].cards_n
        assert len(seated.table) >= 12
        assert seated.token not in repr(seated)

    run(tmp_path, play)


@pytest.mark.parametrize(
    "what, code",
    [
        (TableSpec(seats=()), "bad-seats"),
        (TableSpec(seats=(SeatSpec(bot="normal"),)), "bad-seats"),
        (TableSpec(seats=(SeatSpec(name="Anna"), SeatSpec(name="Ben"))), "bad-seats"),
        (TableSpec(seats=(SeatSpec(name="Anna"), SeatSpec(bot="normal", open=True))), "bad-seats"),
        (TableSpec(seats=(SeatSpec(name="Anna"),) + (SeatSpec(bot="normal"),) * 8), "bad-seats"),
        (TableSpec(seats=(SeatSpec(name="Anna"), SeatSpec(bot="godlike"))), "unknown-bot"),
        (TableSpec(rules="famly"), "unknown-book"),
        (TableSpec(rules="family+ace-again+ace-skip-all"), "contradiction"),
        (TableSpec(rules="classic"), "seats-not-allowed"),
        (TableSpec(seats=(SeatSpec(name=" \u200b "), SeatSpec(bot="normal"))), "bad-name"),
        (TableSpec(pace="warp"), "bad-pace"),
        (TableSpec(turn_seconds=1), "bad-clock"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_sentence(tmp_path: Path, what: TableSpec, code: str) -> None:
    async def play(tables: Tables) -> None:
        for lang in ("de", "en"):
            error = await refused(tables.create(what, lang))
            assert (error.code, error.status) == (code, 422)
            assert error.text[0] == error.text[0].upper() or error.text[0] in "“„"
            assert error.text.endswith(".")
            assert error.as_json()["error"]["text"] == error.text

    run(tmp_path, play)


@pytest.mark.parametrize(
    "lang, told",
    [
        ("de", "angegeben: „Anna“, „Ben“, Bot easy, frei, ohne Namen."),
        ("en", "got: “Anna”, “Ben”, bot easy, open, no name."),
    ],
)
def test_the_seats_that_cannot_be_are_told_in_the_words_of_the_language(tmp_path: Path, lang: str, told: str) -> None:
    async def play(tables: Tables) -> None:
        seats = (SeatSpec(name="Anna"), SeatSpec(name="Ben"), SeatSpec(bot="easy"), SeatSpec(open=True), SeatSpec())
        error = await refused(tables.create(TableSpec(seats=seats), lang))
        assert error.text.endswith(told)

    run(tmp_path, play)


@pytest.mark.parametrize(
    "name, kept",
    [
        ("  Anna  ", "Anna"),
        ("An\u202ena\u200b", "Anna"),
        ("Ａｎｎａ", "Anna"),
        ("Jo\u0301", "Jó"),
        ("Anna\n\tB", "Anna B"),
        ("<b>Anna</b>", "<b>Anna</b>"),
        ("🂡 As", "🂡 As"),
        ("Z" + "\u0335" * 9, "Z\u0335\u0335"),
    ],
)
def test_names_are_cleaned(name: str, kept: str) -> None:
    assert clean_name(name) == kept


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("anna", "anna 2"),
        ("A n n a", "A n n a 2"),
        ("\u0410nna", "\u0410nna 2"),  # a Cyrillic first letter
        ("\u00c4nna", "\u00c4nna"),
        ("BEN", "BEN 3"),
        ("x" * 24, "x" * 22 + " 2"),
    ],
)
def test_names_that_look_alike_get_a_number(name: str, kept: str) -> None:
    assert clean_name(name, taken=["Anna", "Ben", "Ben 2", "X" * 24]) == kept


@pytest.mark.parametrize(
    "name", ["", "   ", "\u200b\u200d", "\u202e", "\u3164\u2800", "x" * 25, "y" * 10_000, "\ud800"]
)
def test_names_that_show_nothing_or_too_much_are_refused(name: str) -> None:
    with pytest.raises(TableError) as caught:
        clean_name(name, "de")
    assert caught.value.code == "bad-name"
    assert len(caught.value.text) < 120


def test_both_languages_say_the_same_things() -> None:
    for key in TEXTS.keys:
        assert TEXTS.slots("de", key) == TEXTS.slots("en", key)
    assert set(TEXTS.texts("de")) == set(TEXTS.texts("en"))


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


# --- rounds and matches ---------------------------------------------------------------------------------------------


def test_rounds_follow_until_the_match_is_over_and_a_rematch_begins(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec("family+target-40"))
        assert (await refused(tables.next_round(seated.table, seated.token))).code == "round-running"
        view = await play_round(tables, seated)
        while view.state == "round-over":
            both = await asyncio.gather(
                *(tables.next_round(seated.table, seated.token, after_round=view.round) for _ in range(2))
            )
            assert {v.round for v in both} == {view.round + 1}
            assert both[0].dealer == view.next_dealer
            view = await play_round(tables, seated)
        assert view.state == "match-over"
        assert view.match_winners
        assert sum(row.points[0] or 0 for row in view.score_sheet) == view.seats[0].score
        assert len(view.score_sheet) == view.round
        assert (await refused(tables.next_round(seated.table, seated.token))).code == "match-over"
        assert (await refused(act(tables, seated, "+", view.version))).code == "match-over"
        again = await tables.rematch(seated.table, seated.token, after_match=view.match)
        assert (again.match, again.round, again.state) == (2, 1, "playing")
        assert not again.score_sheet
        assert {seat.score for seat in again.seats} == {0}
        assert (await tables.rematch(seated.table, seated.token, after_match=1)).match == 2
        assert (await refused(tables.rematch(seated.table, seated.token))).code == "match-running"

    run(tmp_path, play)


def test_a_match_ends_when_everybody_who_is_here_wants_it(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=1, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        await tables.start(anna.table, anna.token)
        proposed = await tables.end(anna.table, anna.token)
        assert (proposed.state, proposed.end_proposed) == ("playing", (0,))
        over = await tables.end(ben.table, ben.token)
        assert over.state == "match-over"
        assert over.match_winners == ()
        assert (await refused(tables.end(ben.table, ben.token))).code == "match-over"

    run(tmp_path, play)


def test_a_wish_to_end_the_match_lapses_where_the_next_round_is_dealt(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=1, rules="family+win-points-1000"))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        view = await tables.start(anna.table, anna.token)
        await tables.end(anna.table, anna.token)
        while view.state == "playing":
            anna_sees = await tables.view(anna.table, anna.token)
            mover = anna if anna_sees.turn == 0 else ben
            view = await tables.view(anna.table, mover.token)
            view = await act(tables, mover, pick(view), view.version)
        assert view.end_proposed == (0,)
        dealt = await tables.next_round(ben.table, ben.token)
        assert (dealt.state, dealt.end_proposed) == ("playing", ())
        wanted = await tables.end(ben.table, ben.token)
        assert (wanted.state, wanted.end_proposed) == ("playing", (1,))

    run(tmp_path, play)


# --- people ---------------------------------------------------------------------------------------------------------


def test_m11_of_twenty_who_join_at_once_as_many_sit_as_there_are_seats(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=3))
        answers = await asyncio.gather(
            *(tables.join(anna.table, anna.invite or "", f"Guest {n}") for n in range(20)), return_exceptions=True
        )
        seated = [answer for answer in answers if isinstance(answer, Seated)]
        errors = [answer for answer in answers if isinstance(answer, TableError)]
        assert {one.seat for one in seated} == {1, 2, 3}
        assert len({one.token for one in seated}) == 3
        assert len(errors) == 17
        assert {(error.code, error.status) for error in errors} == {("full", 409)}

    run(tmp_path, play)


def test_sitting_down_and_starting(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=1, open_seats=2))
        waiting = await tables.view(anna.table, anna.token)
        assert (waiting.state, waiting.can_start, waiting.hand) == ("waiting", True, ())
        assert (await refused(tables.join(anna.table, "wrong", "Ben"))).status == 404
        assert (await refused(tables.join("nowhere", anna.invite or "", "Ben"))).status == 404
        assert (await refused(tables.join(anna.table, anna.invite or "", "\u200b"))).code == "bad-name"
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        assert await tables.seat_of(ben.table, ben.token) == ben.seat == 2
        assert (await refused(tables.start(ben.table, ben.token))).code == "not-host"
        assert (await refused(act(tables, ben, "+", None))).code == "not-started"
        assert (await refused(tables.remove(anna.table, anna.token, 0))).code == "not-removable"
        removed = await tables.remove(anna.table, anna.token, 2)
        assert removed.seats[2].kind == "open"
        assert (await refused(tables.view(ben.table, ben.token))).status == 401
        cleo = await tables.join(anna.table, anna.invite or "", "Cleo")
        begun = await tables.start(anna.table, anna.token)
        assert (begun.state, [seat.kind for seat in begun.seats]) == ("playing", ["human", "bot", "human", "bot"])
        assert (await refused(tables.start(anna.table, anna.token))).code == "started"
        assert (await refused(tables.join(anna.table, anna.invite or "", "Dan"))).code == "started"
        assert (await refused(tables.remove(anna.table, anna.token, 1))).code == "started"
        assert await tables.invite(cleo.table, cleo.token) == anna.invite

    run(tmp_path, play)


def test_the_role_of_the_host_moves_to_a_person(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=1, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        await tables.start(anna.table, anna.token)
        assert (await refused(tables.hand_over(ben.table, ben.token, ben.seat))).code == "not-host"
        assert (await refused(tables.hand_over(anna.table, anna.token, 1))).code == "no-person"
        assert (await refused(tables.hurry(ben.table, ben.token))).code == "not-host"
        assert (await tables.hand_over(anna.table, anna.token, ben.seat)).host == ben.seat
        assert (await tables.leave(ben.table, ben.token)).host == 0
        assert (await tables.leave(anna.table, anna.token)).host == 0
        assert (await tables.return_(ben.table, ben.token)).host == ben.seat
        assert (await tables.return_(anna.table, anna.token)).host == ben.seat

    run(tmp_path, play)


def test_m08_two_tables_of_one_person_are_apart(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        one, two = await tables.create(spec()), await tables.create(spec())
        assert (await refused(tables.view(one.table, two.token))).status == 401
        assert (await refused(tables.act(one.table, two.token, "x", None, "+"))).status == 401
        found = await tables.tables_of({one.table: [one.token], two.table: [two.token], "gone": ["x"]})
        assert {view.table for view in found} == {one.table, two.table}

    run(tmp_path, play)


def test_x09_without_a_seat_nothing_can_be_done(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec(pace=Pace.SLOW))
        watch = await tables.watch_link(seated.table, seated.token)
        before = (await tables.view(seated.table, watch)).version
        for token in (None, watch, "", "forged", seated.table, seated.token + "x", seated.token[:-1], seated.invite):
            for command in (
                tables.act(seated.table, token, command_id(), None, "+"),
                tables.start(seated.table, token),
                tables.next_round(seated.table, token),
                tables.rematch(seated.table, token),
                tables.leave(seated.table, token),
                tables.return_(seated.table, token),
                tables.end(seated.table, token),
                tables.hurry(seated.table, token),
                tables.set_pace(seated.table, token, "fast"),
                tables.remove(seated.table, token, 1),
                tables.hand_over(seated.table, token, 1),
                tables.invite(seated.table, token),
                tables.watch_link(seated.table, token),
            ):
                assert (await refused(command)).status == 401
        assert (await tables.view(seated.table, watch)).you is None
        assert (await tables.view(seated.table, watch)).version == before

    run(tmp_path, play)


def test_no_token_is_stored(tmp_path: Path) -> None:
    tokens: list[str] = []

    async def play(tables: Tables) -> None:
        seated = await tables.create(spec(bots=1, open_seats=1))
        ben = await tables.join(seated.table, seated.invite or "", "Ben")
        tokens.extend((seated.token, ben.token, seated.invite or ""))

    run(tmp_path, play)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"Ben" in stored
    assert not [token for token in tokens if token.encode() in stored]


# --- watching and forgetting ----------------------------------------------------------------------------------------


def test_events_are_those_a_seat_may_see_and_answer_its_own_commands(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        done = await act(tables, seated, pick(view), view.version, id_="mine")
        own = await tables.events(seated.table, seated.token)
        others = await tables.events(seated.table, await tables.watch_link(seated.table, seated.token))
        assert [event["seq"] for event in own] == list(range(1, own[-1]["seq"] + 1))
        assert own[-1]["seq"] >= done.version
        assert {event.get("id") for event in own if event["seq"] > view.version and event["seat"] == 0} >= {"mine"}
        assert not any("id" in event for event in others)
        dealt = [event for event in own if event["kind"] == "deal"]
        assert [card.card for card in view.hand if card.card in dealt[0]["cards"]]
        assert all("cards" not in event and event["cards_n"] == 5 for event in dealt[1:])
        assert await tables.events(seated.table, seated.token, after=own[-1]["seq"] + 10**20) == []
        assert (await tables.events(seated.table, seated.token, after=-5, limit=2)) == own[:2]
        assert own[0]["at"].endswith("Z")

    run(tmp_path, play)


def test_a_slow_watcher_misses_versions_but_not_the_last(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec())
        watch = tables.subscribe(seated.table)
        first = await anext(watch)
        await until(tables, seated, mine)
        await play_round(tables, seated)
        last = await anext(watch)
        assert first < last == (await tables.view(seated.table, seated.token)).version
        watch.close()
        assert [version async for version in watch] == []
        with pytest.raises(TableError, match="no table"):
            tables.subscribe("nowhere")

    run(tmp_path, play)


def test_abandoned_tables_are_swept_and_the_living_stay(tmp_path: Path) -> None:
    moment = [1_000_000.0]

    async def play(tables: Tables) -> None:
        waiting = await tables.create(spec(bots=0, open_seats=1))
        playing = await tables.create(spec(pace=Pace.SLOW))
        watch = tables.subscribe(waiting.table)
        await anext(watch)
        await tables.leave(playing.table, playing.token)
        moment[0] += KEPT_MS["waiting"] / 1000 + 1
        tables._clockwork.wake()
        async with asyncio.timeout(PATIENCE):
            assert [version async for version in watch] in ([], [2])  # its host counts as away first, or no more
        assert (await refused(tables.view(waiting.table, waiting.token))).status == 404
        await tables.return_(playing.table, playing.token)
        await tables.leave(playing.table, playing.token)
        moment[0] += KEPT_MS["playing"] / 1000 - 10
        tables._clockwork.wake()
        await asyncio.sleep(0.2)
        assert (await tables.view(playing.table, playing.token)).state == "playing"
        moment[0] += 11
        tables._clockwork.wake()
        async with asyncio.timeout(PATIENCE):
            while s.head_of(tables.store.read(), playing.table) is not None:  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.02)
        for name in ("events", "commands", "seats", "round_secrets", "table_secrets", "timers"):
            assert tables.store.read().execute(f"SELECT count(*) FROM {name}").get == 0

    run(tmp_path, play, clock=lambda: moment[0])


def test_m20_a_broken_watcher_does_not_undo_a_play(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        watch = tables.subscribe(seated.table)
        watch.close()
        task = asyncio.create_task(act(tables, seated, pick(view), view.version, id_="gone"))
        await asyncio.sleep(0)
        task.cancel()  # whoever sent it hangs up
        await asyncio.gather(task, return_exceptions=True)
        answer = await act(tables, seated, pick(view), view.version, id_="gone")
        assert answer.version > view.version
        assert len([e for e in await tables.events(seated.table, seated.token) if e.get("id") == "gone"]) >= 1

    run(tmp_path, play)


def test_m12_two_tabs_of_one_seat_both_hear_and_both_act(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, view = await on_turn(tables)
        tabs = [tables.subscribe(seated.table) for _ in range(2)]
        for tab in tabs:
            await anext(tab)
        done = await act(tables, seated, pick(view), view.version)
        assert all([await anext(tab) >= done.version for tab in tabs])
        tabs[1].close()
        now = await until(tables, seated, mine)
        assert not now.seats[0].away
        assert await anext(tabs[0]) >= done.version

    run(tmp_path, play)


def test_m19_every_wish_is_told_with_its_suit(tmp_path: Path) -> None:
    """Each play that asks for a suit carries one, in the event and in every view; the last card needs none."""

    async def play(tables: Tables) -> None:
        wishes = rounds = 0
        while rounds < 6 or not wishes:
            rounds += 1
            seated = await tables.create(spec(bots=3))

            def look(view: View) -> None:
                assert view.wish is None or (view.wish in "cdhs" and view.wish_name and view.wish_symbol in "♣♦♥♠")

            await play_round(tables, seated, look)
            events = await tables.events(seated.table, await tables.watch_link(seated.table, seated.token))
            for event in events:
                if event["kind"] == "play" and "=" in event["action"]:
                    assert event["wish"] == event["action"].split("=")[1][0]
                    assert event["left"] > 0
                    wishes += 1

    run(tmp_path, play)


def test_x04_a_spectator_sees_the_same_each_time(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated, _ = await off_turn(tables)
        watch = await tables.watch_link(seated.table, seated.token)
        seen = [await tables.view(seated.table, token) for token in (watch, watch, watch)]
        assert seen[0] == seen[1] == seen[2]
        assert seen[0].hand == ()

    run(tmp_path, play)


def test_a_table_that_does_not_replay_is_told_and_hurts_no_other(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        broken, other = await tables.create(spec()), await tables.create(spec())
        await tables.store.write(
            lambda db: (
                db.execute("UPDATE round_secrets SET seed = zeroblob(16) WHERE table_id = ?", (broken.table,)).get
            )
        )
        for name in (broken.table, other.table):
            tables._slots[name].forget()
        error = await refused(tables.view(broken.table, broken.token))
        assert (error.code, error.status) == ("unreadable-table", 503)
        assert (await play_round(tables, other)).state in ("round-over", "match-over")

    run(tmp_path, play)


@pytest.mark.parametrize("rules", ["family", "classic", "international", "study", "family+spoken-calls+ace-skip-all"])
def test_b04_the_bots_of_the_house_play_every_book_without_a_refusal(
    tmp_path: Path, rules: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(tables: Tables) -> None:
        seats = (SeatSpec(name="Anna"), *(SeatSpec(bot=level) for level in ("random", "easy", "normal")))
        seated = await tables.create(TableSpec(rules=rules, seats=seats, pace=Pace.INSTANT))
        for _ in range(3):
            view = await play_round(tables, seated)
            if view.state == "match-over":
                break
            await tables.next_round(seated.table, seated.token)

    run(tmp_path, play, bots=None)
    assert not [record for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]


def test_the_record_is_open_as_far_as_the_match_is_over(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        seated = await tables.create(spec("family+target-30", bots=1))
        watch = await tables.watch_link(seated.table, seated.token)
        assert (await tables.view(seated.table, seated.token)).state == "playing"
        while (view := await play_round(tables, seated)).state == "round-over":
            await tables.next_round(seated.table, seated.token)
            record = await tables.record(seated.table, seated.token)
            *finished, running = record["rounds"]
            assert len(finished) == view.round
            assert all("seed" in one and "actions" in one for one in finished)
            assert "seed" not in running
            own, other = running["hands"]
            assert "??" not in own
            assert set(other) == {"??"}
            watched = (await tables.record(seated.table, watch))["rounds"][-1]["hands"]
            assert all(set(hand) == {"??"} for hand in watched)
        whole = Record(await tables.record(seated.table, watch))
        assert whole.replay().totals == tuple(seat.score for seat in view.seats)
        waiting = await tables.create(spec(bots=0, open_seats=1))
        assert (await refused(tables.record(waiting.table, waiting.token))).code == "not-started"

    run(tmp_path, play)
