"""SIGTERM under people who play: the server ends by itself, with a good code, and what it has acknowledged is kept."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest
from tests.crowd import Crowd
from tests.test_kill import FEW, FORTY, Kept, audit

from maumau.web.app import STORE_FILE
from run_server import Server


async def drains(
    data: Path, tables: list[tuple[int, int]], times: int
) -> tuple[Crowd, list[str], list[int], list[float]]:
    """Play, and ask the server so often to end: its exit codes, and how long each end took."""
    chance = random.Random(times)
    server = await asyncio.to_thread(Server, data)
    crowd = Crowd(server.port, chance)
    codes: list[int] = []
    took: list[float] = []
    try:
        names = [await crowd.sit_down(people, bots) for people, bots in tables]
        async with crowd.playing():
            for _ in range(times):
                await asyncio.sleep(chance.uniform(0.3, 1.5))
                crowd.written.clear()
                await crowd.written.wait()
                began = time.monotonic()
                codes.append(await asyncio.to_thread(server.stop))
                took.append(time.monotonic() - began)
                crowd.answered.clear()
                server.launch()
                async with asyncio.timeout(300):
                    await crowd.answered.wait()
    finally:
        server.kill()
    return crowd, names, codes, took


@pytest.mark.parametrize(
    ("tables", "times"),
    [pytest.param(FEW, 1, id="8 people"), pytest.param(FORTY, 30, id="40 people", marks=pytest.mark.prove)],
)
def test_asked_to_end_the_server_ends_and_has_kept_what_it_acknowledged(
    tmp_path: Path, tables: list[tuple[int, int]], times: int, capsys: pytest.CaptureFixture[str]
) -> None:
    crowd, names, codes, took = asyncio.run(drains(tmp_path, tables, times))
    assert codes == [0] * times
    assert crowd.wrong == []
    assert "Traceback" not in (tmp_path / "server.log").read_text(encoding="utf-8")
    assert audit(tmp_path / STORE_FILE, crowd, names) == Kept()
    with capsys.disabled():
        print(
            f"\nended {times} times under {len(crowd.people)} open sockets within {max(took):.2f} s;"
            f" {crowd.broken} of {len(crowd.sent)} actions met the end and were sent again"
        )
