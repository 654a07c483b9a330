"""A copy of the store is whole, is checked, opens as a store, and never replaces anything."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

import apsw
import pytest
from tests.cli_kit import maumau
from tests.tables_kit import command_id, first_bot, mine, pick, play_round, spec, until

from maumau.tables import Store, Tables
from maumau.tables.backup import back_up
from maumau.tables.errors import StoreError
from maumau.web.app import STORE_FILE


def test_a_copy_made_during_play_is_restored_and_played_on(tmp_path: Path) -> None:
    kept, copy = tmp_path / STORE_FILE, tmp_path / "copy.sqlite"

    async def main() -> None:
        async with Tables(Store(kept), bots=first_bot) as tables:
            tables_made = [await tables.create(spec(bots=2)) for _ in range(3)]
            await play_round(tables, tables_made[0])
            copying = asyncio.create_task(asyncio.to_thread(back_up, kept, copy))
            acknowledged = await until(tables, tables_made[1], mine)
            while not copying.done():
                view = await until(tables, tables_made[2], mine)
                if view.state != "playing":
                    break
                await tables.act(tables_made[2].table, tables_made[2].token, command_id(), view.version, pick(view))
            done = await copying
            assert done.tables == 3
        async with Tables(Store(copy), bots=first_bot) as tables:
            for seated in tables_made:
                view = await tables.view(seated.table, seated.token)
                if seated is tables_made[0]:
                    assert view.state == "round-over"
                assert view.version > 0
            view = await until(tables, tables_made[1], mine)
            assert view.hand == acknowledged.hand
            await tables.act(tables_made[1].table, tables_made[1].token, command_id(), view.version, pick(view))

    asyncio.run(main())
    for file in (kept, copy):
        assert file.stat().st_mode & 0o077 == 0  # both hold secrets


def one_table(path: Path) -> str:
    async def main() -> str:
        async with Tables(Store(path), bots=first_bot) as tables:
            return (await tables.create(spec(bots=1))).table

    return asyncio.run(main())


def test_nothing_is_overwritten_and_nothing_half_is_left(tmp_path: Path) -> None:
    kept = tmp_path / STORE_FILE
    one_table(kept)
    there = tmp_path / "there"
    there.write_text("mine", encoding="utf-8")
    for copy in (there, tmp_path / "no folder" / "copy"):
        with pytest.raises(StoreError):
            back_up(kept, copy)
    with pytest.raises(StoreError):
        back_up(tmp_path / "no store", tmp_path / "copy")
    assert there.read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == [STORE_FILE, "there"]


def test_a_copy_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    kept = tmp_path / STORE_FILE
    one_table(kept)
    too_long = "x" * 250  # with what its name has while it is being made
    with pytest.raises(StoreError, match=r"x cannot be written \(.*\); name a file in another folder\."):
        back_up(kept, tmp_path / too_long)
    assert [path.name for path in tmp_path.iterdir()] == [STORE_FILE]


def test_a_disk_that_knows_no_second_name_for_a_file_takes_a_copy_and_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A USB stick, or a network share."""
    kept, copy = tmp_path / STORE_FILE, tmp_path / "copy"
    one_table(kept)

    def refused(source: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    def refused_late(source: Path, target: Path) -> None:
        target.write_text("mine", encoding="utf-8")
        refused(source, target)

    monkeypatch.setattr(os, "link", refused)
    assert back_up(kept, copy).tables == 1
    assert copy.stat().st_mode & 0o077 == 0
    monkeypatch.setattr(os, "link", refused_late)
    with pytest.raises(StoreError, match="exists already"):
        back_up(kept, tmp_path / "other")
    assert (tmp_path / "other").read_text(encoding="utf-8") == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "other", STORE_FILE]


def test_a_table_that_does_not_replay_makes_no_copy(tmp_path: Path) -> None:
    kept = tmp_path / STORE_FILE
    table = one_table(kept)
    db = apsw.Connection(str(kept))
    db.execute("UPDATE deal_secrets SET secret = zeroblob(32) WHERE table_id = ?", (table,)).fetchall()
    db.close()
    with pytest.raises(StoreError, match=table):
        back_up(kept, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_the_command(tmp_path: Path) -> None:
    one_table(tmp_path / STORE_FILE)
    copy = str(tmp_path / "copy")
    answer = maumau("backup", copy, "--data", str(tmp_path))
    assert (answer.returncode, answer.stderr) == (0, "")
    answer = maumau("backup", copy, "--data", str(tmp_path))
    assert answer.returncode == 1
    assert "exists already" in answer.stderr
