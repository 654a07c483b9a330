"""Functions in the kernel's manner that go to the edges of what its compiler knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from maumau.kernel.bits import lowest, nth, popcount
from maumau.kernel.layout import State

SEVEN: Final = 7


def divided(a: int, b: int) -> int:
    return (a // b) * 1000 + a % b


def shifted(a: int, b: int) -> int:
    return (a << b) ^ (a >> b) ^ ~a ^ -b


def decided(a: int, b: int, c: int) -> int:
    both = a and b
    either = b or c
    return both * 100 + either * 10 + (1 if a < b <= c and not c else 2)


def counted(n: int, values: list[int]) -> int:
    total = 0
    for i in range(n, -n, -2):
        if i == 3:
            continue
        total = total * 3 + i
        if total > 10_000:
            break
    at = 0
    while True:
        at += 1
        if at >= len(values):
            break
        values[at] += values[at - 1]
    return total + min(n, SEVEN, at) * max(n, 2)


def bits(mask: int) -> int:
    return popcount(mask) * 10_000 + lowest(mask) * 100 + nth(mask, 1)


def among_rows(rows: Sequence[list[int]], states: Sequence[State], i: int) -> int:
    s = states[i]
    row = rows[i]
    s.hand_n[2] = row[0]
    s.turn += s.hand_n[2] + len(rows)
    hands = s.hand_n
    return hands[2] * 100 + states[i].turn


def at_once(a: int) -> int:
    known = SEVEN - 4
    if known > 3:
        return never(a)
    return known + a


def never(a: int) -> int:
    return at_once(a)


def held_is_kept(s: State, a: int) -> int:
    s.skips = a - a * 1
    return s.skips


def unknown_power(a: int) -> int:
    return int(a**2)


def with_a_list(a: int) -> int:
    values = [a, 2]
    return values[0]


def without_end(a: int) -> int:
    return without_end_either(a)


def without_end_either(a: int) -> int:
    return without_end(a)


def outside(values: list[int], i: int) -> int:
    return values[i]
