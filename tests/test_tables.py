"""Live tables: making them, sitting down, rounds and matches, and who may do what."""

from __future__ import annotations

import asyncio
import itertools
import re
from pathlib import Path

import pytest
from tests.tables_kit import act, command_id, pick, play_round, refused, run, spec

from maumau.tables import Pace, Seated, SeatSpec, TableError, Tables, TableSpec
from maumau.tables.names import clean_name, looks
from maumau.tables.texts import TEXTS

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


FAMILY = "👨\u200d👩\u200d👧\u200d👦"
TAKEN = ("Anna", "Ben", "Ben 2", "X" * 24, FAMILY[:5], "❤", FAMILY * 3 + "x" * 21, "🂡" * 21 + FAMILY[:3])


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
        (FAMILY, FAMILY),
        ("🏳️\u200d🌈 Ali", "🏳️\u200d🌈 Ali"),
        ("👩🏽\u200d🚀❤️\u200d🔥", "👩🏽\u200d🚀❤️\u200d🔥"),
        ("1\ufe0f\u20e3🇩🇪", "1\ufe0f\u20e3🇩🇪"),
        ("An\u200dna\ufe0f", "Anna"),
        ("a\u20e3\u20e3\u200d\u20e3", "a\u20e3\u20e3"),
        ("a\u200d\u0301", "á"),
        ("👨\u200d\u200d👩\u200d", "👨👩"),
        ("\u200d👨\u200dA", "👨A"),
        ("❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"),
        ("葛\U000e0100", "葛\U000e0100"),
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
        ("An\u200dna\ufe01", "Anna 2"),
        ("👨👩👧", "👨👩👧 2"),
        ("❤\ufe0f", "❤\ufe0f 2"),
        ("Be\U000e0101n", "Be\U000e0101n 3"),
        (FAMILY * 3 + "x" * 21, FAMILY * 3 + "x" * 19 + " 2"),
        ("🂡" * 21 + FAMILY[:3], "🂡" * 21 + " 2"),  # 95 bytes: two more must find room, and no picture is cut in two
    ],
)
def test_names_that_look_alike_get_a_number(name: str, kept: str) -> None:
    assert clean_name(name, taken=TAKEN) == kept


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "\u200b\u200d", "\u202e", "\u3164\u2800", "\ufe0f\u200d\ufe0f", "\U000e0100"),
        *("x" * 25, "y" * 10_000, "\ud800", FAMILY * 4, "❤️" * 25),
    ],
)
def test_names_that_show_nothing_or_too_much_are_refused(name: str) -> None:
    with pytest.raises(TableError) as caught:
        clean_name(name, "de")
    assert caught.value.code == "bad-name"
    assert len(caught.value.text) < 120


def test_whatever_is_made_of_joiners_and_pictures_is_a_name_that_shows_itself() -> None:
    """Cleaned once it stays as it is, joins only pictures, and looks like whatever shows the same."""
    shown: dict[str, set[str]] = {}
    for chosen in itertools.product("a1\u200d\ufe0f👨🏽❤\u20e3\u0301", repeat=4):
        try:
            kept = clean_name("".join(chosen))
        except TableError:
            continue
        assert clean_name(kept) == kept
        assert not re.search("[^👨🏽❤\ufe0f]\u200d|\u200d[^👨❤]|\u200d$|^\u200d|[^👨❤1]\ufe0f|1\ufe0f(?!\u20e3)", kept)
        shown.setdefault(re.sub("[\u200d\ufe0f]", "", kept), set()).add(looks(kept))
    assert len(shown) > 500
    assert {len(all_looks) for all_looks in shown.values()} == {1}


def test_both_languages_say_the_same_things() -> None:
    for key in TEXTS.keys:
        assert TEXTS.slots("de", key) == TEXTS.slots("en", key)
    assert set(TEXTS.texts("de")) == set(TEXTS.texts("en"))


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


def test_a_wish_to_end_the_match_is_taken_back_and_stays_so_after_a_restart(tmp_path: Path) -> None:
    seats: list[Seated] = []

    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=1, open_seats=1, pace=Pace.SLOW))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        seats.extend((anna, ben))
        assert (await refused(tables.end(anna.table, anna.token, take_back=True))).code == "not-started"
        begun = await tables.start(anna.table, anna.token)
        nothing = await tables.end(anna.table, anna.token, take_back=True)
        assert (nothing.version, nothing.can_take_back) == (begun.version, False)
        assert (await tables.end(anna.table, anna.token)).can_take_back
        assert (await tables.view(ben.table, ben.token)).can_take_back is False
        others = await tables.end(ben.table, ben.token, take_back=True)
        assert others.end_proposed == (0,)  # each takes back its own
        back = await tables.end(anna.table, anna.token, take_back=True)
        assert (back.end_proposed, back.can_take_back) == ((), False)
        assert back.log[-1].text == "You would like to play on after all."

    async def later(tables: Tables) -> None:
        anna, ben = seats
        assert (await tables.view(anna.table, anna.token)).end_proposed == ()
        one = await tables.end(ben.table, ben.token)
        assert (one.state, one.end_proposed) == ("playing", (ben.seat,))
        assert (await tables.end(anna.table, anna.token)).state == "match-over"
        assert (await refused(tables.end(anna.table, anna.token, take_back=True))).code == "match-over"

    run(tmp_path, play)
    run(tmp_path, later)


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


def test_with_nobody_missing_no_seat_is_counted(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        anna = await tables.create(spec(bots=0, open_seats=1))
        ben = await tables.join(anna.table, anna.invite or "", "Ben")
        told = [(await tables.view(who.table, who.token, lang)).status for lang in ("de", "en") for who in (anna, ben)]
        assert [words.replace("\u2068", "").replace("\u2069", "") for words in told] == [
            "Alle sitzen am Tisch; du kannst das Spiel starten.",
            "Alle Plätze sind besetzt; Anna startet das Spiel.",
            "Everybody is at the table; you may start the match.",
            "All seats are taken; Anna starts the match.",
        ]

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
                tables.end(seated.table, token, take_back=True),
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
