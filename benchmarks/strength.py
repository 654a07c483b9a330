"""How the bots do against each other, in paired deals: every deal is played with the seats exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from maumau import Ruleset
from maumau.bots import thumb_rules as rules_of_thumb
from maumau.lab.machine import BOT_WEIGHTS, Bench

Row = dict[str, Any]
PAIRS = (("normal", "easy"), ("normal", "playing"), ("normal", "random"), ("easy", "playing"), ("easy", "random"))
GAMES = (
    ("family+automatic-calls", 2),
    ("family+automatic-calls", 4),
    ("classic", 4),
    ("family", 4),
    ("international", 4),
    ("study", 4),
)
LONGEST = 100_000


def playing() -> tuple[int, ...]:
    """A bot that plays any card it can and draws only when it must: the honest opponent for a claim of strength."""
    weights = [0] * rules_of_thumb.WEIGHTS
    weights[rules_of_thumb.NOISE] = weights[rules_of_thumb.SCARCE_NOISE] = 1000
    for instead in (rules_of_thumb.DRAW_INSTEAD, rules_of_thumb.KEEP_DRAWN, rules_of_thumb.TAKE_EACH):
        weights[instead] = -2000
    return tuple(weights)


WEIGHTS = {**BOT_WEIGHTS, "playing": playing()}


def strength_rows(effort: float) -> list[Row]:
    """Half the seats for one bot, half for the other, at each of the games."""
    rows: list[Row] = []
    for code, seats in GAMES:
        row: Row = {"rules": code, "seats": seats}
        for one, other in PAIRS:
            shares = paired(code, seats, one, other, max(200, int(10_000 * effort)))
            low, high = interval(shares)
            row[f"{one} : {other}"] = f"{100 * shares.mean():.1f} ({100 * low:.1f}–{100 * high:.1f}) %"
        rows.append(row)
    return rows


def interval(shares: Any) -> tuple[float, float]:
    """Bounds of the true share, from the share of each deal (0 to 1): 95 of 100 such intervals hold it.

    The deal is the unit, since its rounds share their luck. As Agresti and Coull do, this counts a few deals more that were
    lost and as many that were won: then a share of none at all has an upper bound, and a small one is not cut short.
    """
    z = 1.96
    deals = len(shares) + z**2
    middle = (shares.sum() + z**2 / 2) / deals
    spread = ((shares.astype(float) ** 2).sum() + z**2 / 2) / deals - middle**2
    margin = z * (spread / deals) ** 0.5
    return max(0.0, float(middle - margin)), min(1.0, float(middle + margin))


def paired(code: str, seats: int, one: str, other: str, deals: int) -> Any:
    """The share of a deal's two rounds that the one's seats won, for each deal.

    A blocked round counts half, and so does one that was given up.
    """
    shares = np.zeros(deals)
    for turned in (0, 1):
        names = [one if (seat + turned) % 2 == 0 else other for seat in range(seats)]
        bench = Bench(Ruleset.parse(code), names, [WEIGHTS[name] for name in names])
        winners = bench.play(1, 0, deals, LONGEST).winners
        won = np.array([name == one for name in names] + [False])
        shares += np.where(winners < 0, 0.5, won[winners]) / 2
    return shares
