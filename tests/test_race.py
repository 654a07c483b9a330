"""Two processes on one store try the same turn of the same table: one of them wins each version, told alike to both.

Each process has a service of its own, with its own clockwork for the bots. At every other table both send the same id, as
a page does that repeats itself to another server: then both are told the same, to the byte.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import IO, Any

import pytest
from tests.tables_kit import first_bot, spec
from tests.test_tables_restart import TOO_LATE

from maumau.tables import Store, Tables, ledger
from maumau.tables.table import LiveTable

RACER = """
import asyncio, hashlib, json, random, sys
from pathlib import Path
from maumau.tables import Store, TableError, Tables
from tests.tables_kit import first_bot, mine, pick

async def race(tables, me, table, tokens, shared, tries):
    done = 0
    while done < tries:
        for token in tokens:
            view = await tables.view(table, token)
            if view.state == "match-over":
                await tables.rematch(table, token, after_match=view.match)
            elif view.state == "round-over":
                await quietly(tables.next_round(table, token, after_round=view.round))
            elif view.turn == view.you:
                done += 1
                await asyncio.sleep(random.random() * 0.01)  # the other looks meanwhile, and tries the same version
                id_ = f"{view.version}" if shared else f"{view.version}-{me}"
                said = [table, view.you, id_, view.version, pick(view)]
                try:
                    answer = await tables.act(table, token, id_, view.version, said[-1])
                    said += ["done", answer.version, digest(answer.as_json())]
                except TableError as error:
                    seen = None if error.view is None else error.view.as_json()
                    said += [error.code, 0, digest([error.text, error.status, error.position, seen])]
                print(json.dumps(said), flush=True)
        await asyncio.sleep(0)

async def quietly(work):
    try:
        await work
    except TableError:
        pass  # the other was first

def digest(what):
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()

async def main(me, path):
    async with Tables(Store(Path(path)), bots=first_bot) as tables:
        print("ready", flush=True)
        for line in sys.stdin:
            table, tokens, shared, tries = json.loads(line)
            await race(tables, me, table, tokens, shared, tries)
            print("end", flush=True)

asyncio.run(main(*sys.argv[1:]))
"""
EACH = 25
"""Tries of each process at one table; a new table keeps the log short, which each has to read again when it has lost."""


def start(me: int, path: Path) -> subprocess.Popen[str]:
    root = Path(__file__).parents[1]
    racer = subprocess.Popen(
        [sys.executable, "-c", RACER, str(me), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=root,
        env=os.environ | {"PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"},
    )
    assert told(racer).readline() == "ready\n"
    return racer


def told(racer: subprocess.Popen[str]) -> IO[str]:
    assert racer.stdout is not None
    return racer.stdout


async def made(tables: Tables, number: int) -> tuple[str, list[str]]:
    """A table to race on, of two people and a bot, or of four people; all its tokens."""
    people = 2 if number % 2 else 4
    seated = await tables.create(spec(bots=number % 2, open_seats=people - 1))
    tokens = [seated.token]
    for n in range(people - 1):
        tokens.append((await tables.join(seated.table, seated.invite or "", f"Gast {n}")).token)
    await tables.start(seated.table, seated.token)
    return seated.table, tokens


async def race(path: Path, tries: int) -> tuple[list[list[Any]], list[str]]:
    """What both were told at all tables, and the tables' names."""
    said: list[list[Any]] = []
    names: list[str] = []
    racers = [start(me, path) for me in (0, 1)]
    try:
        while len(said) < tries or _too_few(said, tries):  # on a busy machine the two may hardly ever meet
            assert len(said) < 20 * tries, "there was no race"
            async with Tables(Store(path), bots=first_bot) as tables:
                table, tokens = await made(tables, len(names))
            names.append(table)
            order = json.dumps([table, tokens, len(names) % 4 < 2, EACH])
            for racer in racers:
                assert racer.stdin is not None
                racer.stdin.write(order + "\n")
                racer.stdin.flush()
            for racer in racers:
                while (line := told(racer).readline()) != "end\n":
                    assert line, "a racer has ended"
                    said.append(json.loads(line))
    finally:
        for racer in racers:
            racer.kill()
            racer.communicate()
    return said, names


@pytest.mark.parametrize("tries", [300, pytest.param(20_000, marks=pytest.mark.prove)])
def test_two_processes_on_one_table_have_one_winner_for_each_version(tmp_path: Path, tries: int) -> None:
    path = tmp_path / "tables.db"
    said, names = asyncio.run(race(path, tries))
    assert len(said) >= tries
    store = Store(path)
    kept = {name: ledger.load(store.read(), name) for name in names}
    store.close()

    won = Counter((table, version) for table, _, _, _, _, code, version, _ in said if code == "done")
    by_id: dict[tuple[str, int, str, str], set[tuple[str, int, str]]] = defaultdict(set)
    sent: Counter[tuple[str, int, str, str]] = Counter()
    for table, seat, id_, _, action, code, version, digest in said:
        by_id[table, seat, id_, action].add((code, version, digest))
        sent[table, seat, id_, action] += 1
    assert all(len(answers) == 1 for answers in by_id.values()), "one id was answered in two ways"
    shared = [key for key, times in sent.items() if times == 2]
    ids = {(table, id_) for table, _, id_, _ in shared}
    twice = [key for key, times in won.items() if times > 1]
    assert all(_shared_id(said, *key) in ids for key in twice), "two ids have won one version"
    lost = Counter(code for *_, code, _, _ in said if code != "done")
    assert lost.keys() <= {*TOO_LATE}, lost
    for name, stored in kept.items():
        assert stored is not None
        assert [row.seq for row in stored.rows] == list(range(1, stored.head + 1))
        assert LiveTable.replay(stored).version == stored.head, name


def _too_few(said: list[list[Any]], tries: int) -> bool:
    """Whether hardly any id was sent by both, or hardly any action came too late."""
    sent = Counter((table, seat, id_, action) for table, seat, id_, _, action, *_ in said)
    shared = sum(times == 2 for times in sent.values())
    lost = sum(code != "done" for *_, code, _, _ in said)
    return bool(min(shared, lost) <= tries / 20)


def _shared_id(said: list[list[Any]], table: str, version: int) -> tuple[str, str]:
    """The one id that has won a version."""
    (won,) = {(s[0], s[2]) for s in said if s[0] == table and s[6] == version and s[5] == "done"}
    return won
