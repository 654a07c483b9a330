"""The word by which people in one room sit down: three syllables that sound alike read out in German and in English.

It is no secret that keeps a table for itself: it is short, and lives only while the table waits and has free seats.
Whoever asks for words must be held to few mistakes (``maumau.web.limits``); a table meant for nobody else is passed on by
its link.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from typing import Final

CONSONANTS: Final = "bfhklmnrst"
"""Without d and p (heard as t and b), g and j, c, v, w and z (read differently in the two languages), q, x and y."""
VOWELS: Final = "aiou"
"""Without e, which English says as German says i."""
RUDE: Final = frozenset({"fi", "fu", "ho"})
"""Syllables that begin what nobody wants to call out."""
SYLLABLES: Final = tuple(c + v for c in CONSONANTS for v in VOWELS if c + v not in RUDE)
LENGTH: Final = 3
WORDS: Final = len(SYLLABLES) * (len(SYLLABLES) - 1) * (len(SYLLABLES) - 2)
"""So many words there are."""

_HEARD: Final = str.maketrans("dpgjcqvwzye", "tbkikkffsii")
"""What somebody may write who has heard it, as it was meant."""
LONGEST: Final = 40


def new_code() -> str:
    """A word at random, no syllable twice: ``tamoki``."""
    return "".join(secrets.SystemRandom().sample(SYLLABLES, LENGTH))


def heard(text: str) -> str:
    """The word that somebody has typed, as it is kept: without case, marks, spaces and hyphens, letters as they sound."""
    plain = unicodedata.normalize("NFKD", text[:LONGEST].casefold())
    letters = re.sub("[^a-z]", "", plain).replace("ph", "f").translate(_HEARD)
    return re.sub(r"(.)\1+", r"\1", letters)


def syllables(code: str) -> tuple[str, ...]:
    """A word as it is read out."""
    return tuple(code[at : at + 2] for at in range(0, len(code), 2))
