"""What a server tells about itself: figures behind a setting, and logs that hold no token, no seed and no card."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tables_kit import command_id, mine, pick, spec, until
from tests.test_fair import Secrets, spellings
from tests.web_client import TestClient

from maumau.game import Action, IllegalActionError, Observation, Round
from maumau.tables import Store, TableError, Tables
from maumau.tables.errors import StoreError
from maumau.tables.histogram import Histogram
from maumau.web.app import create_app
from maumau.web.logs import SafeFormatter, error_told


def test_a_histogram_counts_what_is_below_each_bound() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 9.0):
        histogram.add(value)
    assert list(histogram.lines("x")) == [
        'x_bucket{le="1.0"} 2',
        'x_bucket{le="2.0"} 3',
        'x_bucket{le="+Inf"} 4',
        "x_sum 12.000000",
        "x_count 4",
    ]


def test_figures_stand_behind_a_setting(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path)) as client:
        assert client.get("/metrics").status_code == 404
    with TestClient(create_app(tmp_path, metrics=True)) as client:
        made = client.post("/api/tables", json={"rules": "family", "seats": [{"name": "Anna"}, {"bot": "easy"}]}).json()
        head = {"authorization": f"Bearer {made['token']}"}
        where = f"/api/tables/{made['table']}"
        body = {"id": "00000000-0000-4000-8000-000000000000", "version": 0, "action": "!!"}
        assert client.post(f"{where}/actions", json=body, headers=head).status_code == 422
        with client.websocket_connect(f"{where}/live", headers=head) as socket:
            socket.receive_json()
            text = client.get("/metrics").text
        for line in (
            'maumau_actions_total{result="unreadable-action"} 1',
            'maumau_tables{state="playing"} 1',
            "maumau_sockets 1",
            "maumau_due_overdue ",
            "maumau_conflicts_total 0",
            "maumau_store_waiting ",
            "maumau_store_wal_bytes ",
            "maumau_loop_lag_seconds ",
            "# TYPE maumau_store_batch_seconds histogram",
        ):
            assert line in text
        assert made["table"] not in text
        assert made["token"] not in text


def test_figures_can_stand_on_a_port_of_their_own(tmp_path: Path) -> None:
    with TestClient(create_app(tmp_path, metrics_at=("127.0.0.1", 0))) as client:
        where = f"http://127.0.0.1:{client.app.state.metrics_port}"  # type: ignore[attr-defined]  # the client serves our application
        with urllib.request.urlopen(f"{where}/metrics", timeout=60) as answer:
            assert "maumau_tables" in answer.read().decode()
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{where}/", timeout=60)
        assert refused.value.code == 404
        refused.value.close()
        assert client.get("/metrics").status_code == 404


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """Everything that is logged meanwhile, as a server writes it."""
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(SafeFormatter(as_json=True))
    root = logging.getLogger()
    root.addHandler(handler)
    yield out
    root.removeHandler(handler)


class LoudBot:
    """Fails, and shouts its hand."""

    def choose(self, observation: Observation) -> Action:
        raise ValueError(f"I hold {' '.join(map(str, observation.hand))}")


def test_logs_hold_no_token_no_secret_and_no_hand(tmp_path: Path, written: io.StringIO) -> None:
    draw = Secrets()

    async def main() -> None:
        async with Tables(Store(tmp_path / "t.db"), draw=draw, bots=lambda _level, _seed: LoudBot()) as tables:
            seated = await tables.create(spec(bots=3))
            with pytest.raises(TableError):
                await tables.act(seated.table, seated.token, command_id(), None, "Js=c!")
            while "could not choose" not in written.getvalue():  # a skip, or a card drawn, keeps the bots waiting
                view = await until(tables, seated, mine)
                assert view.state == "playing"
                await tables.act(seated.table, seated.token, command_id(), view.version, pick(view))
            record = await tables.store.in_thread(
                lambda db: (
                    db.execute("SELECT seed FROM round_secrets").fetchall()
                    + db.execute("SELECT key FROM table_secrets").fetchall()
                )
            )
            hidden = {text for secret in draw.drawn for text in spellings(secret)}
            hidden |= {text for (secret,) in record if isinstance(secret, bytes) for text in spellings(secret)}
            text = written.getvalue()
            assert not [secret for secret in (*hidden, seated.token, seated.invite or "") if secret in text]
            assert "I hold" not in text

    asyncio.run(main())


def test_an_error_of_the_engine_is_logged_without_the_position(written: io.StringIO) -> None:
    round_ = Round("family", 2, 1)
    try:
        round_.push("Js=c!" if "Js" not in str(round_.hands[round_.turn or 0]) else "2c")
    except (IllegalActionError, ValueError):
        logging.getLogger("maumau.test").exception("bot %s failed", "easy")
    said = json.loads(written.getvalue())
    assert said["event"] == "bot easy failed"
    assert said["error"].isidentifier()
    assert any(place.startswith("round.py:") for place in said["where"])
    hands = [str(card) for hand in round_.hands for card in hand]
    assert not [card for card in hands if f'"{card}"' in written.getvalue() or f" {card} " in written.getvalue()]


def test_only_our_own_errors_keep_their_words() -> None:
    assert error_told(ValueError("Ks")) == "ValueError"
    assert error_told(StoreError("The store is closed.")) == "StoreError: The store is closed."
