"""The words of the pages, one catalogue a language; every key is in each of them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any

LANGUAGES = ("de", "en")
FALLBACK = "en"
_MORE = ("", "rules_", "verify_", "friends_", "people_")
"""What a catalogue's files begin with: the tables, and the pages about rules, fairness, friends and people each have their own."""


class Texts:
    """The page texts of one language: `texts("home.play")`, `texts.count("cards", 3)`."""

    def __init__(self, lang: str, words: Mapping[str, str]) -> None:
        self.lang = lang
        self.words = words

    def __call__(self, key: str, **slots: object) -> str:
        return self.words[key].format(**slots) if slots else self.words[key]

    def count(self, key: str, n: int) -> str:
        """A number with its noun in the right form."""
        return self.words[f"count.{key}.{'one' if n == 1 else 'other'}"].format(n=n)


def flatten(tree: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested tables as dotted keys."""
    flat: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = str(value)
    return flat


@lru_cache(maxsize=8)
def texts(lang: str) -> Texts:
    """The catalogue of a language; an unknown one, or one whose file is missing, falls back to English."""
    folder = resources.files(__package__)
    files = [folder.joinpath(f"{start}{lang}.toml") for start in _MORE]
    if lang not in LANGUAGES or not all(file.is_file() for file in files):
        return Texts(FALLBACK, texts(FALLBACK).words) if lang != FALLBACK else Texts(FALLBACK, {})
    words: dict[str, str] = {}
    for file in files:
        words.update(flatten(tomllib.loads(file.read_text(encoding="utf-8"))))
    return Texts(lang, words)
