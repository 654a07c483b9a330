"""The fair shuffle: a round's seed is fixed before anybody can know it, and can be checked when the round is over.

The server draws a secret of 32 bytes and publishes its SHA-256 (the commitment). Then each seat may contribute 16 bytes
of its own. The seed is made from both, so that neither the server nor a player chooses it alone; after the round the
secret is published, and whoever noted the commitment can check everything. It says nothing about players who show each
other their cards, and nothing about an operator who looks at the store.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final

SECRET_BYTES: Final = 32
CONTRIBUTION_BYTES: Final = 16
SEED_BYTES: Final = 16
_CONTRIBUTION: Final = re.compile(f"[0-9a-f]{{{2 * CONTRIBUTION_BYTES}}}")


def label(table: str, deal: int) -> bytes:
    """What a secret is for: ``deal`` is the table's n-th round, counted over all its matches."""
    return f"mm1|{table}|{deal}|".encode()


def commitment(secret: bytes, table: str, deal: int) -> str:
    """SHA-256 of the label and the secret, as hexadecimal."""
    return hashlib.sha256(label(table, deal) + secret).hexdigest()


def seed_of(secret: bytes, table: str, deal: int, contributions: Sequence[str]) -> int:
    """The round's seed: the first 128 bits of HMAC-SHA256, keyed with the secret, over ``mm1|table|deal|0:…,1:…``.

    ``contributions`` are hexadecimal by seat, empty where a seat gave none.
    """
    given = ",".join(f"{seat}:{contribution}" for seat, contribution in enumerate(contributions))
    digest = hmac.digest(secret, label(table, deal) + given.encode(), "sha256")
    return int.from_bytes(digest[:SEED_BYTES], "big")


def is_contribution(text: str) -> bool:
    """Whether this is a contribution: 16 bytes as 32 small hexadecimal digits."""
    return _CONTRIBUTION.fullmatch(text) is not None
