"""What a round and a match are given, refused where it cannot be."""

from __future__ import annotations

from typing import Final

SEED_BITS: Final = 128


def refuse_no_number(name: str, value: object) -> None:
    """Raise ValueError where a value is not a whole number."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"{name} is {value!r}; it is a whole number")


def refuse_no_seed(seed: int) -> None:
    """Raise ValueError where a seed is not a whole number of at most 128 bits."""
    refuse_no_number("seed", seed)
    if not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(f"seed {seed} is out of range; a seed is a whole number from 0 to 2**128 - 1")


def refuse_no_seat(seat: object, seats: int) -> None:
    """Raise ValueError where a value is none of so many seats."""
    refuse_no_number("seat", seat)
    if seat not in range(seats):
        raise ValueError(f"seat {seat} is no seat; seats run from 0 to {seats - 1}")
