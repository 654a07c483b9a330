"""Nobody is sent what it may not know: whole matches are looked through, and twin worlds compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.leak_worlds import twin_worlds, watch


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_sent_what_it_may_not_know(tmp_path: Path, seed: int) -> None:
    looks, read = watch(tmp_path, range(seed, seed + 1), steps=14)
    assert looks > 400
    assert read > 500_000


@pytest.mark.prove
@pytest.mark.parametrize("part", range(50))
def test_nobody_is_sent_what_it_may_not_know_in_a_thousand_matches(tmp_path: Path, part: int) -> None:
    looks, read = watch(tmp_path, range(1_000 + 20 * part, 1_020 + 20 * part), short=True)
    print(f"20 matches: {looks} looks, {read} bytes")
    assert looks > 2_000


@pytest.mark.parametrize("seed", range(3))
def test_two_worlds_that_differ_in_hidden_cards_look_alike(tmp_path: Path, seed: int) -> None:
    assert twin_worlds(tmp_path, seed) > 60


@pytest.mark.prove
@pytest.mark.parametrize("part", range(20))
def test_a_thousand_pairs_of_worlds_look_alike(tmp_path: Path, part: int) -> None:
    compared = [twin_worlds(tmp_path, seed, steps=30) for seed in range(100 + 50 * part, 150 + 50 * part)]
    print(f"50 pairs of worlds: {sum(compared)} things compared, at least {min(compared)} in each")
    assert sum(compared) > 50 * 60
