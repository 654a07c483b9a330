"""A bot's own chance: made from its seed and what it sees, so that the same observation gives the same choice."""

from __future__ import annotations

from hashlib import blake2b

from maumau.game.observation import Observation


def roll(seed: int, observation: Observation) -> int:
    """32 random bits, the same for the same seed at the same point of the same round as this seat saw it."""
    seen = f"{seed} {observation.seat} {len(observation.events)} {observation.hand!r} {observation.top!r}"
    return int.from_bytes(blake2b(seen.encode(), digest_size=4).digest(), "big")
