"""What a table says beside its rules: refusals, whose turn it is, who came and went. Each key is in each catalogue."""

from __future__ import annotations

from typing import Final

from maumau.ruleset.words.catalogue import Catalogue

TEXTS: Final = Catalogue("maumau.tables.texts")


def tell(lang: str, key: str, /, **slots: object) -> str:
    """One sentence by its key, its slots filled."""
    return TEXTS.say(lang, key, **slots)
