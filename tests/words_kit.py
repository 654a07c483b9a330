"""What the tests of sentences share: every key with its values, and what a sentence must never look like."""

from __future__ import annotations

from typing import Any

from maumau.ruleset import RuleError, Ruleset
from maumau.ruleset.keys import POWERS, Key, all_keys, format_value
from maumau.ruleset.words import Sheet

LANGS = ("de", "en")
CARD_KEYS = [(f"power.{card}.{power}", key) for card in ("7h", "Kh", "8s") for power, key in POWERS.items()]
KEYS = [*all_keys(), *CARD_KEYS]


def assert_plain(text: str) -> None:
    """No hole, no doubled space, nothing glued: a sentence that can be shown."""
    assert text
    assert text == text.strip()
    for trace in ("{", "}", "  ", "..", "..", " .", " ,", ",,", "%(", "None", "True", "False"):
        assert trace not in text, text


def assert_sentence(text: str) -> None:
    assert_plain(text)
    assert text[0].isupper() or text[0] in "„“", text
    assert text[-1] in ".!", text


def values_of(key: Key) -> list[Any]:
    """Every value a key may hold (a few, where it may hold thousands)."""
    if key.kind == "bool":
        return [True, False]
    if key.kind == "ranks":
        return ["none", "power", "J", "A", "8A", "2JQKA"]
    numbers = list(range(key.least, min(key.most, 60) + 1)) + ([key.most] if key.most > 60 else [])
    return list(key.words) if key.kind == "word" else [*numbers, *key.words]


def said(page: Sheet) -> list[str]:
    """What a sheet says in its lines alone: no title, no code, no chips, no comparison with the book."""
    return [line.text for line in page.lines]


def parsed(code: str) -> Ruleset | None:
    try:
        return Ruleset.parse(code)
    except RuleError:
        return None


def coded(book: str, name: str, value: Any) -> str:
    return f"{book}+{name}={format_value(value)}"
