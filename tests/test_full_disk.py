"""A full disk: whoever writes is refused, `/readyz` says why until there is room again, and the log says it once."""

from __future__ import annotations

import logging
import re
import uuid
from pathlib import Path

import apsw
import pytest
from tests.disk import Disk, StoreOnDisk
from tests.web_client import TestClient

from maumau.tables import ledger
from maumau.tables.errors import WriteError
from maumau.tables.health import Health
from maumau.tables.store import Store
from maumau.web.app import create_app

TABLE = {"seats": [{"name": "Anna"}, {"open": True}]}


class Time:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def no_room() -> None:
    """What a full disk says to each write."""
    raise apsw.FullError("database or disk is full")


def test_a_full_disk_shows_at_readyz_until_there_is_room_and_once_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    disk, clock = Disk(f"full-{uuid.uuid4()}"), Time()
    store = StoreOnDisk(tmp_path / "tables.db", disk)
    store.health = Health(clock)
    with caplog.at_level(logging.WARNING), TestClient(create_app(store=store)) as client:
        assert client.get("/readyz").text == "ready"
        disk.watch = no_room
        written = store.commits
        assert client.get("/readyz").status_code == 200, "nothing is written only to know it"
        answers = [client.post("/api/tables", json=TABLE) for _ in range(20)]
        assert {(answer.status_code, answer.json()["error"]["code"]) for answer in answers} == {(503, "busy")}
        said = client.get("/readyz")
        assert said.status_code == 503
        assert "full" in said.text
        clock.now += 2
        assert client.get("/readyz").status_code == 503, "tried again, in vain"
        assert client.get("/livez").status_code == 200
        disk.watch = lambda: None
        assert client.get("/readyz").status_code == 503, "not yet tried again"
        assert store.commits == written
        clock.now += 1
        assert client.get("/readyz").text == "ready"
        assert client.post("/api/tables", json=TABLE).status_code == 201
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("maumau")]
    assert [re.sub(r"\(.*\)", "()", line) for line in lines] == [
        "the store cannot write (); refused so far: 1",
        "the store can write again; refused meanwhile: 21",
    ]


def test_on_a_full_disk_a_server_goes_down_in_order_and_what_was_acknowledged_is_there(tmp_path: Path) -> None:
    disk = Disk(f"full-{uuid.uuid4()}")
    with TestClient(create_app(store=StoreOnDisk(tmp_path / "tables.db", disk))) as client:
        made = client.post("/api/tables", json=TABLE).json()
        disk.watch = no_room
    store = Store(tmp_path / "tables.db")
    try:
        assert ledger.head_of(store.read(), made["table"]) == made["version"]
    finally:
        store.close()


def test_the_log_tells_of_a_full_disk_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    clock = Time()
    health = Health(clock)
    with caplog.at_level(logging.WARNING):
        for second in range(150):
            clock.now = float(second)
            health.failed("full", 2)
        health.wrote()
        health.wrote()
    assert [record.getMessage() for record in caplog.records] == [
        "the store cannot write (full); refused so far: 2",
        "the store cannot write (full); refused so far: 122",
        "the store cannot write (full); refused so far: 242",
        "the store can write again; refused meanwhile: 300",
    ]
    assert (health.reason, health.may_try()) == (None, False)


def test_a_disk_that_fills_up_in_the_middle_of_a_transaction_refuses_its_batch(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.db")
    try:
        pages = store.submit(lambda db: db.pragma("max_page_count")).result()
        store.submit(lambda db: db.pragma("max_page_count", 1)).result()  # as many as there are
        filled = store.submit(lambda db: db.execute("INSERT INTO invites VALUES (zeroblob(100000), 't')"))
        with pytest.raises(WriteError, match="full"):
            filled.result()
        assert store.health.reason is not None
        store.submit(lambda db: db.pragma("max_page_count", pages)).result()
        assert store.health.reason is None
    finally:
        store.close()
