"""Sentences by key, one TOML catalogue per language beside each other in a package.

A text is a template with named slots: ``{who}``; ``{who:cap}`` begins with a capital, ``{n:digits}`` keeps a number in
digits where ``{n}`` writes small ones in words. A text with a count has two forms, ``one`` and ``other``, chosen by the
slot ``n``. Slots are filled in one pass, so a player's name may hold braces.
"""

from __future__ import annotations

import logging
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, Final

log = logging.getLogger(__name__)

LANGUAGES: Final = ("de", "en")
FALLBACK: Final = "en"
COUNT_SLOT: Final = "n"
_SLOT: Final = re.compile(r"\{(\w+)(?::(cap|digits))?\}")
_FORMS: Final = {"one", "other"}

Text = str | Mapping[str, str]
"""A template, or its two forms ``one`` and ``other``."""


@lru_cache(maxsize=256)
def language(wanted: str | None) -> str:
    """The language to speak for a wish such as ``de-AT``: its catalogue's name, English where there is none."""
    primary = re.split(r"[-_.@]", (wanted or "").strip().lower(), maxsplit=1)[0]
    return primary if primary in LANGUAGES else FALLBACK


def slots_of(text: Text) -> frozenset[str]:
    """The names of the slots that a text holds, in any of its forms."""
    forms = [text] if isinstance(text, str) else list(text.values())
    return frozenset(match[1] for form in forms for match in _SLOT.finditer(form))


class Catalogue:
    """The catalogues ``de.toml``, ``en.toml`` of one package.

    A language whose catalogue is missing or broken speaks English, and the log says so once.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self._loaded: dict[str, Mapping[str, Text]] = {}

    def texts(self, lang: str) -> Mapping[str, Text]:
        """Every text of a language by its key."""
        lang = language(lang)
        if lang not in self._loaded:
            self._loaded[lang] = self._load(lang)
        return self._loaded[lang]

    def has(self, key: str) -> bool:
        """Whether there is a text for ``key``."""
        return key in self.texts(FALLBACK)

    def slots(self, lang: str, key: str) -> frozenset[str]:
        """The slots that the text of ``key`` holds."""
        return slots_of(self.texts(lang)[key])

    def say(self, lang: str, key: str, /, **slots: object) -> str:
        """The text of ``key`` with its slots filled; slots that it does not hold are left aside."""
        lang = language(lang)
        text = self.texts(lang).get(key)
        if text is None:
            text = self.texts(FALLBACK)[key]
        template = text if isinstance(text, str) else text[_form(slots.get(COUNT_SLOT))]
        if "{" not in template:
            return template
        return _SLOT.sub(lambda match: self._fill(lang, match, slots), template)

    def _fill(self, lang: str, match: re.Match[str], slots: Mapping[str, object]) -> str:
        value, manner = slots[match[1]], match[2]
        if isinstance(value, int) and manner != "digits":
            text = self.number(lang, value)
        else:
            text = str(value)
        return text[:1].upper() + text[1:] if manner == "cap" else text

    def number(self, lang: str, number: int) -> str:
        """A number as it stands in a sentence: up to twelve in words, more in digits."""
        for catalogue in (self, WORDS):
            word = catalogue.texts(lang).get(f"number.{number}")
            if isinstance(word, str):
                return word
        return str(number)

    def _load(self, lang: str) -> Mapping[str, Text]:
        try:
            source = files(self.package).joinpath(f"{lang}.toml").read_text(encoding="utf-8")
            return dict(_flatten(tomllib.loads(source)))
        except (OSError, ValueError) as error:
            if lang == FALLBACK:
                raise
            log.warning("No catalogue %s.toml in %s (%s); speaking English instead", lang, self.package, error)
            return self.texts(FALLBACK)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Every key, as the English catalogue has them."""
        return tuple(self.texts(FALLBACK))


def _form(count: object) -> str:
    return "one" if count == 1 else "other"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Text]]:
    for name, value in table.items():
        if isinstance(value, str) or value.keys() == _FORMS:
            yield prefix + name, value
        else:
            yield from _flatten(value, f"{prefix}{name}.")


WORDS: Final = Catalogue("maumau.ruleset.words")
"""The sentences about rules."""


def say(lang: str, key: str, /, **slots: object) -> str:
    """A text about rules by its key, its slots filled."""
    return WORDS.say(lang, key, **slots)
