"""The strings of an answer, each with where it stands, and the cards that a string names.

An answer is taken apart to its last string: tags, attributes, data inside of data, escaped and packed text.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import html
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

from maumau.cards import CARDS, JOKER_TEXT, SUIT_SYMBOLS
from maumau.ruleset import words
from maumau.ruleset.words.catalogue import WORDS
from maumau.tables.texts import TEXTS
from maumau.web.art import signs, sprite
from maumau.web.texts import LANGUAGES, texts

# ---- cards in a text ------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])([cdhs])(?![A-Za-z0-9])")
_UNKNOWN_SPELLING = re.compile(
    r"(?<![A-Za-z0-9])(10|[2-9tjqka])[CDHS](?![A-Za-z0-9])|[♣♦♥♠]\ufe0e?\s?(?:10|[2-9TJQKA])\b"
)
_JOKER = re.compile(r"(?<![\w*-])(?:[fl]|card|li)-\*")
_CASES = ("nom", "acc", "dat", "plain")
_NAMES: dict[str, str] = {}
for _card in CARDS[:-1]:
    for _lang in LANGUAGES:
        _NAMES[words.card_label(_lang, _card).casefold()] = str(_card)
        for _case in _CASES:
            _bare = re.sub(r"^(?:der|die|das|den|dem|the) ", "", words.card_name(_lang, _card, _case).casefold())
            _NAMES[_bare] = _NAMES[_bare.replace("-", " ")] = str(_card)
_NAMED = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(_NAMES, key=len, reverse=True))) + r")(?!\w)")
_HINTS = re.compile(
    "|".join((*SUIT_SYMBOLS, *(words.suit_name(lang, s) for lang in LANGUAGES for s in "cdhs"))), re.IGNORECASE
)


def _sentences() -> frozenset[str]:
    """Every sentence of the catalogues; what stands outside their slots is the same at every table."""
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, str):
            found.add(" ".join(value.split()))
        elif isinstance(value, Mapping):
            for one in value.values():
                walk(one)

    for lang in LANGUAGES:
        for catalogue in (texts(lang).words, WORDS.texts(lang), TEXTS.texts(lang)):
            walk(catalogue)
    return frozenset(found)


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile("(.*)".join(map(re.escape, re.split(r"\{\w+(?::\w+)?\}", sentence))), re.DOTALL)


_SENTENCES = _sentences()
_FIXED = frozenset(sentence for sentence in _SENTENCES if "{" not in sentence)
_WITH_SLOTS: list[re.Pattern[str]] = []
"""Sentences with slots that themselves name a card, as an example."""
_SPRITES = [sprite(tuple(texts(lang)("site.letters").split())) for lang in LANGUAGES] + [signs()]


@lru_cache(maxsize=50_000)
def cards_in(text: str) -> frozenset[str]:
    """Every card that a text names: as text, by label, or by name in either language."""
    if " ".join(text.split()) in _FIXED:
        return frozenset()
    for pattern in _WITH_SLOTS:
        if match := pattern.fullmatch(text):
            return frozenset().union(*map(_named_in, match.groups()))
    return _named_in(text)


def _named_in(text: str) -> frozenset[str]:
    found = {match[1].replace("10", "T") + match[2] for match in _TOKEN.finditer(text)}
    found |= {match[0] for match in _UNKNOWN_SPELLING.finditer(text)}
    if _JOKER.search(text):
        found.add(JOKER_TEXT)
    if _HINTS.search(text):
        found |= {_NAMES[match[0]] for match in _NAMED.finditer(text.casefold())}
    return frozenset(found)


_WITH_SLOTS += [_pattern(one) for one in _SENTENCES - _FIXED if _named_in(one)]


# ---- the strings of an answer ---------------------------------------------------------------------------------------

LOG = re.compile(r"log-(\d+)")
VOID = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))


@dataclass(frozen=True)
class Atom:
    """One string and where it stands: `seq` in what is told of an event, `past` in a finished round, else now."""

    text: str
    seq: int | None = None
    past: bool = False
    history: bool = False
    """Stands where everything that this round has shown may stand."""


class _Tag(HTMLParser):
    """One tag taken apart."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.name = ""
        self.opens = False
        self.seq: int | None = None
        self.history = False
        self.said: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        place = LOG.fullmatch(said.get("id") or "")
        self.name, self.opens = tag, tag not in VOID
        self.seq = int(place[1]) if place else None
        self.history = "trick" in (said.get("class") or "").split()
        self.said = [
            f"{name}={value}" if value and name.startswith("data-") else value or name for name, value in attrs
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.opens = False

    def handle_endtag(self, tag: str) -> None:
        self.name = "/" + tag

    def handle_comment(self, data: str) -> None:
        self.said = [data]

    def handle_decl(self, decl: str) -> None:
        self.said = [decl]


@lru_cache(maxsize=20_000)
def _tag(text: str) -> _Tag:
    found = _Tag()
    found.feed(text)
    found.close()
    return found


_TAGS = re.compile(r"(<!--.*?-->|<[/!a-zA-Z][^>]*>)", re.DOTALL)


def _page(text: str) -> list[Atom]:
    """The strings of a page: texts, attributes, comments; our templates write no bare > into an attribute."""
    for drawn in _SPRITES:
        text = text.replace(drawn, "")
    atoms: list[Atom] = []
    inside: list[tuple[str, int | None, bool]] = [("", None, False)]
    for n, part in enumerate(_TAGS.split(text)):
        _, seq, history = inside[-1]
        if n % 2 == 0:
            if part and not part.isspace():
                atoms.append(Atom(html.unescape(part), seq, history=history))
            continue
        tag = _tag(part)
        if tag.name.startswith("/"):
            while len(inside) > 1 and inside.pop()[0] != tag.name[1:]:
                pass
            continue
        seq, history = seq if tag.seq is None else tag.seq, history or tag.history
        if tag.opens:
            inside.append((tag.name, seq, history))
        atoms += [Atom(one, seq, history=history) for one in tag.said]
    return atoms


def _data(value: Any, seq: int | None = None, past: bool = False, history: bool = False) -> Iterator[Atom]:
    if isinstance(value, Mapping):
        told = value.get("seq")
        seq = told if isinstance(told, int) else seq
        for key, one in value.items():
            yield Atom(str(key), seq, past, history)
            if key == "rounds" and isinstance(one, list):
                for entry in one:
                    running = isinstance(entry, Mapping) and entry.get("running") is True
                    yield from _data(entry, seq, past=not running, history=running)
            else:
                yield from _data(one, seq, past, history)
    elif isinstance(value, list):
        for one in value:
            yield from _data(one, seq, past, history)
    elif isinstance(value, str):
        yield from _peeled(Atom(value, seq, past, history))
    elif value is not None and not isinstance(value, bool):
        yield Atom(str(value), seq, past, history)


_WRAPPED = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){6,}")


def _unwrapped(text: str) -> Iterator[str]:
    """What a text holds in a wrapping: base64, packed or not, hexadecimal, percent signs."""
    if "%" in text and unquote(text) != text:
        yield unquote(text)
    if "&" in text and html.unescape(text) != text:
        yield html.unescape(text)
    for match in _WRAPPED.finditer(text):
        raw = match[0].rstrip("=").translate(str.maketrans("-_", "+/"))
        try:
            data = base64.b64decode(raw + "=" * (-len(raw) % 4))
        except (ValueError, binascii.Error):
            continue
        yield from _readable(data)
    for match in _HEX.finditer(text):
        yield from _readable(bytes.fromhex(match[0]))


def _readable(data: bytes) -> Iterator[str]:
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS):
        try:
            data = zlib.decompressobj(window).decompress(data, 1 << 20) or data
            break
        except zlib.error:
            continue
    try:
        said = data.decode()
    except UnicodeDecodeError:
        return
    if said.isprintable():
        yield said


@lru_cache(maxsize=4_000)
def _inside(text: str) -> tuple[Atom, ...]:
    """What stands inside a string besides itself."""
    found: list[Atom] = []
    bare = text.strip()
    if bare[:1] in ("{", "["):
        with contextlib.suppress(ValueError):
            found += _data(json.loads(bare))
    if len(bare) > 20 and "<" in bare and ">" in bare:
        found += _page(text)
    if len(text) < 4_000:
        for inner in _unwrapped(text):
            found += [Atom(inner), *_inside(inner)]
    return tuple(found)


def _peeled(atom: Atom) -> Iterator[Atom]:
    inner = _inside(atom.text)
    if not (inner and len(atom.text) > 20 and ("<" in atom.text or atom.text[:1] in "{[")):
        yield atom
    for one in inner:
        here = one.seq if one.seq is not None else atom.seq
        yield Atom(one.text, here, one.past or atom.past, one.history or atom.history)


def atoms_of(body: bytes, media: str) -> list[Atom]:
    """Every string of a body."""
    text = body.decode("utf-8", "replace")
    if "json" in media:
        return list(_data(json.loads(text))) if text else []
    if "html" in media:
        return [inner for atom in _page(text) for inner in _peeled(atom)]
    return [inner for line in text.splitlines() for inner in _peeled(Atom(line))]
