"""The fair shuffle: vectors, what a table publishes and when, and that nobody reads a secret too early."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from tests.tables_kit import command_id, first_bot, pick, play_round, spec, until

from maumau.game import Record, fair
from maumau.game.verify import verify
from maumau.tables import Pace, Seated, Store, TableError, Tables, ledger
from maumau.tables.table import LiveTable

SECRET = bytes(range(32))
SHARE = "00112233445566778899aabbccddeeff"


def test_the_vectors_come_out_as_a_few_lines_of_their_own_say() -> None:
    text = b"mm1|k3m5n7p9q2r4|7|"
    assert fair.commitment(SECRET, "k3m5n7p9q2r4", 7) == hashlib.sha256(text + SECRET).hexdigest()
    mac = hmac.new(SECRET, text + b"0:" + SHARE.encode() + b",1:,2:", hashlib.sha256).hexdigest()
    assert f"{fair.seed_of(SECRET, 'k3m5n7p9q2r4', 7, [SHARE, '', '']):032x}" == mac[:32]


def test_the_vectors_are_those_that_others_have_built_on() -> None:
    assert fair.commitment(SECRET, "t", 1) == "3e4e61f0178d7cec2c19583723f4aa3eb4daa8b2d9b3af7d23422e0ccb18a797"
    assert f"{fair.seed_of(SECRET, 't', 1, ['', SHARE]):032x}" == "b8b1b6603fcacdc45e6feec3b69e6997"


@pytest.mark.parametrize("text", ["", "00", SHARE.upper(), SHARE + "0", SHARE[:-1] + "g", SHARE + "\n"])
def test_what_is_no_contribution(text: str) -> None:
    assert not fair.is_contribution(text)
    assert fair.is_contribution(SHARE)


# --- at a table -----------------------------------------------------------------------------------------------------


class Secrets:
    """Secrets one after the other, kept to look for them."""

    def __init__(self) -> None:
        self.drawn: list[bytes] = []

    def __call__(self) -> bytes:
        self.drawn.append(hashlib.sha256(b"test secret %d" % len(self.drawn)).digest())
        return self.drawn[-1]


def fair_service(path: Path, draw: Secrets) -> Tables:
    return Tables(Store(path / "tables.db"), draw=draw, bots=first_bot)


def kinds(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["kind"] == kind]


def test_a_commitment_stands_before_the_deal_and_its_secret_is_told_after_the_round(tmp_path: Path) -> None:
    async def main() -> None:
        draw = Secrets()
        async with fair_service(tmp_path, draw) as tables:
            seated = await tables.create(spec(bots=1), contribution=SHARE)
            view = await tables.view(seated.table, seated.token)
            assert view.commitment == fair.commitment(draw.drawn[0], seated.table, 1)
            after = await play_round(tables, seated)
            assert after.commitment == fair.commitment(draw.drawn[1], seated.table, 2)
            view = await tables.next_round(seated.table, seated.token, contribution=SHARE[::-1])
            assert view.commitment == after.commitment
            events = await tables.events(seated.table, seated.token)
            told = [
                event["kind"] for event in events if event["kind"] in ("committed", "contributed", "round", "revealed")
            ]
            assert told == ["committed", "contributed", "round", "revealed", "committed", "contributed", "round"]
            first, second = kinds(events, "round")
            assert (first["contributions"], second["contributions"]) == ([SHARE, ""], [SHARE[::-1], ""])
            assert [event["secret"] for event in kinds(events, "revealed")] == [draw.drawn[0].hex()]
            record = await tables.record(seated.table, seated.token)
            done, running = record["rounds"]
            seed = fair.seed_of(draw.drawn[0], seated.table, 1, [SHARE, ""])
            assert done["seed"] == f"{seed:032x}"
            assert done["fair"]["secret"] == draw.drawn[0].hex()
            assert running["fair"]["commitment"] == after.commitment
            assert "secret" not in running["fair"]
            findings = {finding.code: finding.holds for finding in verify(Record(record))}
            assert findings["commitment-kept"]
            assert findings["seed-shared"]
            assert findings["running"] is None
            assert False not in findings.values()

    asyncio.run(main())


def test_a_match_that_is_ended_tells_its_secret_too(tmp_path: Path) -> None:
    async def main() -> None:
        draw = Secrets()
        async with fair_service(tmp_path, draw) as tables:
            seated = await tables.create(spec(bots=1))
            await tables.end(seated.table, seated.token)
            events = await tables.events(seated.table, seated.token)
            assert [event["secret"] for event in kinds(events, "revealed")] == [draw.drawn[0].hex()]
            view = await tables.rematch(seated.table, seated.token)
            assert view.commitment == fair.commitment(draw.drawn[1], seated.table, 2)
            await tables.end(seated.table, seated.token)
            record = await tables.record(seated.table, seated.token)
            assert record["rounds"][0]["fair"]["deal"] == 2

    asyncio.run(main())


def test_everybody_may_contribute_once_and_who_stands_up_takes_the_share_along(tmp_path: Path) -> None:
    async def main() -> None:
        draw = Secrets()
        async with fair_service(tmp_path, draw) as tables:
            seated = await tables.create(spec(bots=0, open_seats=2))
            other = await tables.join(seated.table, seated.invite or "", "Ben")
            third = await tables.join(seated.table, seated.invite or "", "Cleo")
            await tables.contribute(seated.table, other.token, SHARE)
            await tables.contribute(seated.table, other.token, SHARE[::-1])
            await tables.contribute(seated.table, third.token, SHARE)
            await tables.remove(seated.table, seated.token, third.seat)
            with pytest.raises(TableError) as refused:
                await tables.contribute(seated.table, seated.token, "0123")
            assert refused.value.code == "bad-contribution"
            await tables.start(seated.table, seated.token)
            dealt = kinds(await tables.events(seated.table, seated.token), "round")
            assert dealt[0]["contributions"] == ["", SHARE, ""]

    asyncio.run(main())


def test_a_restart_between_any_two_commands_changes_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        draw = Secrets()
        seated: Seated | None = None
        for _ in range(12):
            async with fair_service(tmp_path, draw) as tables:
                seated = seated or await tables.create(spec(bots=1), contribution=SHARE)
                view = await until(tables, seated, lambda view: view.state != "playing" or view.turn == view.you)
                if view.state == "round-over":
                    view = await tables.next_round(seated.table, seated.token, contribution=SHARE)
                elif view.state == "playing":
                    await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
                stored = ledger.load(tables.store.read(), seated.table)
                assert stored is not None
                again = LiveTable.replay(stored)
                assert again.version == stored.head
                assert set(stored.secrets) == set(range(1, again.last_deal + 1))

    asyncio.run(main())


def test_a_log_without_commitments_still_replays_and_goes_on_with_them(tmp_path: Path) -> None:
    async def main() -> None:
        async with Tables(Store(tmp_path / "tables.db"), seeds=lambda: 77, bots=first_bot) as tables:
            seated = await tables.create(spec(bots=1))
        async with fair_service(tmp_path, Secrets()) as tables:
            view = await play_round(tables, seated)
            assert view.commitment is not None
            record = await tables.record(seated.table, seated.token)
            assert "fair" not in record["rounds"][0]
            stored = ledger.load(tables.store.read(), seated.table)
            assert stored is not None
            assert LiveTable.replay(stored).version == stored.head

    asyncio.run(main())


def spellings(number: bytes) -> set[str]:
    """How a secret could stand in a text."""
    plain = base64.b64encode(number).decode().rstrip("=")
    return {
        number.hex(),
        number.hex().upper(),
        str(int.from_bytes(number, "big")),
        plain,
        plain.replace("+", "-").replace("/", "_"),
    }


def test_no_secret_and_no_seed_is_in_any_byte_before_the_round_is_over(tmp_path: Path) -> None:
    async def main() -> None:
        draw = Secrets()
        async with fair_service(tmp_path, draw) as tables:
            seated = await tables.create(spec(bots=2, pace=Pace.INSTANT), contribution=SHARE)
            watch = await tables.watch_link(seated.table, seated.token)
            looked = 0

            async def look() -> None:
                nonlocal looked
                stored = ledger.load(tables.store.read(), seated.table)
                assert stored is not None
                live = LiveTable.replay(stored)
                told = {deal.number for deal in live.deals.values() if deal.secret}
                hidden = {
                    text for deal, secret in stored.secrets.items() if deal not in told for text in spellings(secret)
                }
                if live.state == "playing" and live.match is not None:
                    hidden |= spellings(stored.seeds[live.match_number, live.match.round_number])
                for token in (seated.token, watch):
                    seen = json.dumps(
                        [
                            (await tables.view(seated.table, token)).as_json(),
                            repr(await tables.view(seated.table, token)),
                            await tables.events(seated.table, token, limit=1_000),
                            await tables.record(seated.table, token),
                        ]
                    )
                    assert not [text for text in hidden if text in seen]
                    looked += 1

            for _ in range(3):
                while True:
                    view = await until(tables, seated, lambda view: view.state != "playing" or view.turn == view.you)
                    await look()
                    if view.state != "playing":
                        break
                    await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
                if view.state == "round-over":
                    await tables.next_round(seated.table, seated.token, contribution=SHARE)
                else:
                    break
            assert looked > 10

    asyncio.run(main())
