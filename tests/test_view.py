"""The view of a seat: what may be done is in it, and nothing that the seat may not know."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.tables_kit import command_id, mine, pick, play_round, service, spec, until

from maumau.cards import Card
from maumau.game import Round
from maumau.ruleset import words
from maumau.tables import Seated, TableError, Tables, View, render
from maumau.tables import told as lines
from maumau.tables.table import LiveTable
from maumau.tables.timing import GRACE_MS

FIELDS = [
    "table",
    "version",
    "rules",
    "state",
    "you",
    "turn",
    "direction",
    "top",
    "wish",
    "penalty",
    "hand",
    "legal",
    "call_due",
    "shouts",
    "drawn",
    "stock_n",
    "discard_n",
    "seats",
    "round",
    "dealer",
    "host",
    "deadline",
    "commitment",
    "log",
]
SEAT_FIELDS = ["name", "kind", "cards_n", "called", "catchable", "away", "score"]


def test_the_json_has_the_fields_of_the_api(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec(bots=1, open_seats=1, public=True))
            for _ in range(2):
                for token in (seated.token, None):
                    said = (await tables.view(seated.table, token)).as_json()
                    assert set(FIELDS) <= said.keys()
                    assert all(set(SEAT_FIELDS) <= seat.keys() for seat in said["seats"])
                    json.dumps(said)
                if said["state"] == "waiting":
                    await tables.start(seated.table, seated.token)

    asyncio.run(main())


def test_a_spectator_has_no_hand_and_nothing_to_do(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())
            await until(tables, seated, mine)
            seen = await tables.view(seated.table, await tables.watch_link(seated.table, seated.token))
            assert (seen.you, seen.hand, seen.legal, seen.shouts, seen.drawn) == (None, (), (), (), None)
            assert not any(
                getattr(seen, field.name) for field in dataclasses.fields(seen) if field.name.startswith("can_")
            )
            assert seen.top is not None
            assert seen.status

    asyncio.run(main())


def test_every_decision_of_the_page_is_in_the_view(tmp_path: Path) -> None:
    """Through a match: what the fields offer is legal, and whatever is legal is offered."""

    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec("family+target-60", bots=2))

            def look(view: View) -> None:
                offered = {text for card in view.hand for text in card.plays} | set(view.names)
                offered |= {text for text in (view.draw, view.take, view.pass_) if text}
                assert offered == set(view.legal)
                assert view.can_draw == (view.draw is not None)
                assert view.can_pass == (view.pass_ is not None)
                assert (view.mau == "armed-possible") == bool(view.call_due)
                assert all(card.call_due == bool(set(card.plays) & set(view.call_due)) for card in view.hand)
                assert all(card.legal == bool(card.plays) for card in view.hand)
                assert all(card.wishes == (len(card.plays) > 1) for card in view.hand)
                assert sorted(card.order for card in view.hand) == list(range(len(view.hand)))
                assert sorted(card.suit_order for card in view.hand) == list(range(len(view.hand)))
                assert bool(view.legal) == (view.state == "playing" and view.turn == view.you)
                if view.legal:
                    assert all(card.why.endswith(".") for card in view.hand)
                assert view.status.endswith((".", "!"))
                assert all(line.text.endswith((".", "!", "“", "”")) for line in view.log)
                assert view.pile[-1].card == view.top

            for _ in range(4):
                view = await play_round(tables, seated, look)
                assert len(view.last_hands) == 3
                if view.state == "match-over":
                    break
                await tables.next_round(seated.table, seated.token)
            assert view.result

    asyncio.run(main())


def test_the_log_speaks_the_viewers_language_and_says_you(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec(public=True))
            await play_round(tables, seated)
            told = {
                (lang, token): " ".join(
                    line.text for line in (await tables.view(seated.table, token, lang)).log if line.kind == "play"
                )
                for lang in ("de", "en")
                for token in (seated.token, None)
            }
            assert "Du legst" in told["de", seated.token]
            assert "Du " not in told["de", None]
            assert "Anna legt" in told["de", None]
            assert "You play" in told["en", seated.token]
            assert "Anna plays" in told["en", None]

    asyncio.run(main())


def test_whoever_went_out_does_not_sit_out(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())
            await play_round(tables, seated)
            view = await tables.view(seated.table, seated.token)
            assert view.state in ("round-over", "match-over")
            assert [seat.playing for seat in view.seats] == [True] * len(view.seats)

    asyncio.run(main())


def test_a_view_built_at_once_says_the_same_as_one_grown_with_the_log(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())
            await play_round(tables, seated)
            grown = await tables.view(seated.table, seated.token)
            table = tables._slots[seated.table].table
            assert table is not None
            table.said.clear()
            assert render.build(table, 0, "en") == grown

    asyncio.run(main())


def test_what_is_said_once_for_all_is_what_each_would_have_been_told(tmp_path: Path, monkeypatch: Any) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())

            def heard(table: LiveTable) -> list[Any]:
                table.said.clear()
                return [lines.told(table, seat, lang) for seat in range(3) for lang in ("de", "en")]

            def listen(view: View) -> None:
                table = tables._slots[seated.table].table
                assert table is not None
                once = heard(table)
                with monkeypatch.context() as patch:
                    patch.setattr(lines, "_concerns", lambda row, seat: True)
                    assert heard(table) == once
                table.said.clear()

            for _ in range(3):
                view = await play_round(tables, seated, listen)
                if view.state == "match-over":
                    await tables.rematch(seated.table, seated.token, "de")
                else:
                    await tables.next_round(seated.table, seated.token, "de", view.round)
            await tables.concede(seated.table, seated.token, "de")
            listen(await tables.view(seated.table, seated.token, "de"))

    asyncio.run(main())


def test_whoever_is_caught_is_spoken_to_and_the_others_hear_the_name(tmp_path: Path) -> None:
    async def main() -> None:
        moment = [1_000_000.0]
        async with service(tmp_path, clock=lambda: moment[0]) as tables:
            anna = await tables.create(spec("family+deal.cards=2", bots=0, open_seats=2))
            others = [await tables.join(anna.table, anna.invite or "", name) for name in ("Ben", "Cem")]
            await tables.start(anna.table, anna.token)
            caught = await silent(tables, [anna, *others])
            moment[0] += GRACE_MS / 1_000
            tables._clockwork.wake()
            catcher, bystander = [seated for seated in (anna, *others) if seated is not caught]
            view = await until(tables, catcher, lambda view: view.seats[caught.seat].catch is not None)
            await tables.act(catcher.table, catcher.token, command_id(), None, view.seats[caught.seat].catch or "")
            name = words.isolate(view.seats[caught.seat].name)
            for seated, told in ((caught, "catches you:"), (catcher, f"You catch {name}:"), (bystander, name)):
                log = (await tables.view(seated.table, seated.token, "en")).log
                (line,) = [line.text for line in log if line.kind == "catch"]
                assert told in line
                assert seated is not bystander or "you" not in line.lower()

    asyncio.run(main())


async def silent(tables: Tables, people: list[Seated]) -> Seated:
    """Whoever first plays the second-last card, in silence."""
    while True:
        seen = await tables.view(people[0].table, people[0].token)
        seated = next(person for person in people if person.seat == seen.turn)
        view = await tables.view(seated.table, seated.token)
        action = view.call_due[0] if view.call_due else pick(view)
        await tables.act(seated.table, seated.token, command_id(), view.version, action)
        if view.call_due:
            return seated


# --- what nobody may see --------------------------------------------------------------------------------------------

CARD_TEXT = re.compile(r"(?<![\w])(10|[2-9TJQKA])([cdhs])(?![a-z0-9])")


class Watch:
    """Looks for cards that an observer cannot know in all that it is told. One pack: a card is in one place."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.known: set[str] = set()
        self.looks = 0

    def learn(self, table: LiveTable) -> None:
        """What this observer has seen since the first deal: its own hand, and whatever lay open."""
        assert table.match is not None
        for event in table.match.round.events:
            if event.kind in ("play", "starter") or (self.seat is not None and event.seat == self.seat):
                self.known |= {str(card) for card in event.cards}

    def look(self, told: Any) -> None:
        """Fails at the first hidden card, by text or by name in either language."""
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
        self.looks += 1
        named = {match[1].replace("10", "T") + match[2] for match in CARD_TEXT.finditer(text)}
        assert named <= self.known, (sorted(named - self.known), text)
        for card in HIDDEN_NAMES:
            if card not in self.known:
                assert not any(name in text for name in HIDDEN_NAMES[card]), (card, text)


def _names(card: Card) -> list[str]:
    return [words.card_name(lang, card, case) for lang in ("de", "en") for case in ("nom", "acc", "dat", "plain")]


HIDDEN_NAMES = {str(Card(n)): _names(Card(n)) for n in range(52)}


async def everything(tables: Tables, seated: Seated, token: str | None) -> list[Any]:
    """All that a seat (or a spectator) can get out of a table."""
    told: list[Any] = [await tables.events(seated.table, token), await tables.record(seated.table, token)]
    for lang in ("de", "en"):
        view = await tables.view(seated.table, token, lang)
        told += [view.as_json(), dataclasses.asdict(view)]
        if token is not None:
            for action in ("As", "+", "0?1") if lang == "de" else ("7c", "-", "0!"):
                try:
                    await tables.act(seated.table, token, command_id(), 1, action, lang)
                except TableError as error:
                    body = error.as_json()
                    body["error"]["text"] = body["error"]["text"] if action not in ("As", "7c") else ""
                    told.append(body)
    return told


@pytest.mark.parametrize("rules", ["family", "classic+players-3", "family+ace-others-draw+final-seven-draws"])
def test_x01_no_hidden_card_is_in_anybodys_bytes(tmp_path: Path, rules: str) -> None:
    """Whole rounds: views, events, records and refusals of the person, of another person and of a spectator."""

    async def main() -> int:
        async with service(tmp_path, seed=11) as tables:
            looks = 0
            while looks < 60:
                anna = await tables.create(spec(rules, bots=1, open_seats=1, public=True))
                ben = await tables.join(anna.table, anna.invite or "", "Ben")
                await tables.start(anna.table, anna.token)
                watches = {anna.token: Watch(0), ben.token: Watch(ben.seat), None: Watch(None)}
                await hidden_round(tables, anna, ben, watches)
                looks += sum(watch.looks for watch in watches.values())
            return looks

    assert asyncio.run(main()) >= 60


async def hidden_round(tables: Tables, anna: Seated, ben: Seated, watches: dict[str | None, Watch]) -> None:
    while True:
        both = {seated.token: await until(tables, seated, some_person(ben.seat)) for seated in (anna, ben)}
        view = both[anna.token]
        if view.state != "playing":
            return
        turn = anna if view.turn == 0 else ben
        async with tables._slots[anna.table].lock:
            table = tables._slots[anna.table].table
            assert table is not None
            for watch in watches.values():
                watch.learn(table)
        for token, watch in watches.items():
            # only while it is the other's turn: nothing that is tried here may be done
            for told in await everything(tables, anna, None if token == turn.token else token):
                (watches[None] if token == turn.token else watch).look(told)
            watch.look((await tables.view(anna.table, token)).as_json())
        own = await tables.view(turn.table, turn.token)
        await tables.act(turn.table, turn.token, command_id(), own.version, pick(own))


def some_person(other: int) -> Any:
    return lambda view: view.turn in (0, other) or view.state != "playing"


def test_the_leak_test_would_see_a_leak(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec())
            await until(tables, seated, mine)
            table = tables._slots[seated.table].table
            assert table is not None
            assert table.match is not None
            watch = Watch(0)
            watch.learn(table)
            hidden = table.match.round.hands[1][0]
            leaks: list[Any] = [
                {"deep": [{"er": str(hidden)}]},
                words.card_name("de", hidden, "acc"),
                words.card_name("en", hidden, "plain"),
                render.build(table, 1, "en").as_json(),
                dict(table.match.round.position()),
                f"{hidden}=c",
            ]
            for leak in leaks:
                with pytest.raises(AssertionError):
                    watch.look(leak)

    asyncio.run(main())


def test_x02_no_seed_is_in_anybodys_bytes_before_the_match_is_over(tmp_path: Path) -> None:
    async def main() -> None:
        seed = 0x1234567890ABCDEF1234567890ABCDEF
        async with service(tmp_path, seed=seed) as tables:
            seated = await tables.create(spec(bots=1, public=True))
            for token in (seated.token, None):
                text = json.dumps(await everything(tables, seated, token))
                for number in (seed, seed + 1):
                    assert str(number) not in text
                    assert f"{number:x}" not in text.lower()

    asyncio.run(main())


def test_where_one_may_pass_instead_of_drawing_both_are_offered(tmp_path: Path) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec("family+no-draw-two+power.8.skip=0+draw.pass=yes", bots=1))
            view = await until(tables, seated, mine)
            assert (view.draw, view.pass_, view.can_draw, view.can_pass) == ("+", "-", True, True)
            assert {"+", "-"} <= set(view.legal)
            hand = [card.card for card in view.hand]
            await tables.act(seated.table, seated.token, command_id(), view.version, "-")
            after = await tables.view(seated.table, seated.token)
            assert [card.card for card in after.hand] == hand, "whoever passes draws nothing"

    asyncio.run(main())


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("family", "Your turn: nothing fits, so draw."),
        ("family+draw.pass=yes", "Your turn: nothing fits, so draw or pass."),
        ("family+draw.reshuffles=0", "Your turn: nothing fits and nothing can be drawn, so pass."),
    ],
)
def test_the_status_says_what_is_left_when_nothing_fits(rules: str, told: str) -> None:
    position: dict[str, Any] = {"top": "9h", "hands": [["Qs", "Kc"], ["Qd", "8s"]]}
    seen = Round.from_position(rules, position | ({"stock": []} if "reshuffles" in rules else {})).observation(0)
    builder = render._Builder.__new__(render._Builder)
    builder.lang, builder.legal = "en", seen.legal
    assert builder.own_turn(seen) == told


@pytest.mark.parametrize(
    ("rules", "hand", "told"),
    [
        ("family", "Qs 8h", "You have drawn the eight of hearts: play it or keep it."),
        ("family+play-drawn", "Qs 8h", "You have drawn the eight of hearts: play it."),
        ("family+any-after-drawing", "Qh 8h", "You have drawn the eight of hearts: play or pass."),
    ],
)
def test_the_status_offers_to_keep_a_drawn_card_only_where_one_may(rules: str, hand: str, told: str) -> None:
    position: dict[str, Any] = {"top": "9h", "drawn": "8h", "hands": [hand.split(), ["Qd", "8s"]]}
    seen = Round.from_position(rules, position).observation(0)
    builder = render._Builder.__new__(render._Builder)
    builder.lang, builder.legal = "en", seen.legal
    assert builder.own_turn(seen) == told


@pytest.mark.parametrize(
    "lang, told",
    [("de", r"Gezogen: (der|die|das) [\w-]+\. Leg"), ("en", r"You have drawn the \w+ of \w+: play")],
)
def test_the_card_just_drawn_is_named_as_the_sentence_needs_it(tmp_path: Path, lang: str, told: str) -> None:
    async def main() -> None:
        async with service(tmp_path) as tables:
            seated = await tables.create(spec(bots=1))
            for _ in range(60):
                await until(tables, seated, mine)
                view = await tables.view(seated.table, seated.token, lang)
                if view.state != "playing":
                    await tables.next_round(seated.table, seated.token)
                    continue
                if view.drawn is not None and any(card.plays for card in view.hand):
                    assert re.match(told, view.status), view.status
                    return
                action = view.take or view.draw or view.pass_ or pick(view)
                await tables.act(seated.table, seated.token, command_id(), view.version, action)
            raise AssertionError("no drawn card fitted")

    asyncio.run(main())
