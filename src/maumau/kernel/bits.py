"""Counting and choosing bits. The compiled kernel puts the processor's own instructions in the place of these."""

from __future__ import annotations


def popcount(mask: int) -> int:
    """How many bits are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The position of the lowest set bit."""
    return (mask & -mask).bit_length() - 1


def nth(mask: int, n: int) -> int:
    """The position of the n-th set bit, the lowest being the 0th."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return lowest(mask)
