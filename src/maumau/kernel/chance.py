"""The only chance in a round: sfc32, a small public generator, held in the state and secret until the round is over.

All values stay below 2**32, so that interpreted and compiled steps agree.
"""

from __future__ import annotations

from typing import Final

from maumau.kernel.layout import State

WORD: Final = 0xFFFFFFFF


IN_LINE: Final = ("word", "below")
"""Put in line where compiled (``maumau.kernel.jit``)."""


def seed_chance(s: State, a: int, b: int, c: int, d: int) -> None:
    """Start the generator from four 32-bit words (a round's seed of 128 bits) and mix them."""
    s.rng_a = a
    s.rng_b = b
    s.rng_c = c
    s.rng_d = d
    for _ in range(12):
        word(s)


def word(s: State) -> int:
    """The next 32 random bits."""
    out = (s.rng_a + s.rng_b + s.rng_d) & WORD
    s.rng_d = (s.rng_d + 1) & WORD
    s.rng_a = s.rng_b ^ (s.rng_b >> 9)
    s.rng_b = (s.rng_c + (s.rng_c << 3)) & WORD
    s.rng_c = ((((s.rng_c << 21) & WORD) | (s.rng_c >> 11)) + out) & WORD
    return out


def below(s: State, n: int) -> int:
    """A number from 0 to n − 1, each equally likely (the rare unfair draws are thrown away, not folded in)."""
    product = word(s) * n
    low = product & WORD
    if low < n:
        unfair = (WORD + 1 - n) % n
        while low < unfair:
            product = word(s) * n
            low = product & WORD
    return product >> 32


def shuffle_stock(s: State) -> None:
    """Put the stock in random order (Fisher and Yates)."""
    stock = s.stock
    for last in range(s.stock_n - 1, 0, -1):
        other = below(s, last + 1)
        card = stock[last]
        stock[last] = stock[other]
        stock[other] = card
