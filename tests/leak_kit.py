"""Looks through all that an observer is sent for what it may not know.

What it may know is worked out here a second time, from the raw rows of the store and a rule of its own (plays and the
starter are public, other cards are known to the seat they came to), never by the code under test. Every string of an
answer is looked at where it stands: a line of the log may name the cards of its own event and no other, everything
else the observer's own hand, the cards on the pile, and what its own request named. Fixed sentences of the catalogues
and the drawing of the whole pack, byte by byte the same at every table, say nothing about a deal.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import html
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import apsw
from tests.asgi_kit import Answer

from maumau.cards import CARDS, JOKER_TEXT, SUIT_SYMBOLS
from maumau.game import Round, fair
from maumau.ruleset import words
from maumau.ruleset.words.catalogue import WORDS
from maumau.tables.names import digest
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


# ---- what an observer may know --------------------------------------------------------------------------------------

_ALL = frozenset(map(str, CARDS))
OPEN_KINDS = frozenset(("play", "starter"))
COMING = frozenset(("deal", "draw", "take", "made-to-draw"))


@dataclass
class Moment:
    """What lies open and what is in each hand at one version."""

    hands: list[Counter[str]]
    pile: list[str]
    shown: list[set[str]]
    """By seat what it has seen in this round; the last one is a spectator's."""
    over: bool

    def now(self, seat: int | None) -> frozenset[str]:
        """The cards that may be spoken of as here now."""
        own = () if seat is None else self.hands[seat]
        return frozenset((*own, *self.pile))


class Truth:
    """A table's whole story, folded from the rows of its store with a rule of its own."""

    def __init__(self, store: str, table: str) -> None:
        self.db = apsw.Connection(store, flags=apsw.SQLITE_OPEN_READONLY)
        self.db.set_busy_timeout(5_000)
        self.table = table
        self.moments: list[Moment] = []
        self.over_upto = 0
        """Up to this event every round is over."""
        self.events: list[tuple[str, int | None, tuple[str, ...]]] = []
        self.begun_by: list[int | None] = [None]
        """By event the seat whose own action begins with it."""
        self.seats = self._ask("SELECT count(*) FROM seats WHERE table_id = ?")
        self._moment = Moment([Counter() for _ in range(self.seats)], [], [set() for _ in range(self.seats + 1)], True)
        self.moments.append(self._moment)
        self.events.append(("", None, ()))

    def _ask(self, question: str) -> Any:
        return self.db.execute(question, (self.table,)).get

    @property
    def version(self) -> int:
        """The last version that is folded."""
        return len(self.events) - 1

    def follow(self) -> None:
        """Fold what is new."""
        rows: Any = self.db.execute(
            "SELECT seq, kind, seat, shown, hidden, by_seat FROM events WHERE table_id = ? AND seq > ? ORDER BY seq",
            (self.table, self.version),
        )
        for seq, kind, seat, shown, hidden, by_seat in rows.fetchall():
            assert seq == self.version + 1
            self.begun_by.append(by_seat)
            said = json.loads(shown) | (json.loads(hidden) if hidden else {})
            self._fold(kind, seat, tuple(said.get("cards", ())))

    def _fold(self, kind: str, seat: int | None, cards: tuple[str, ...]) -> None:
        m = self._moment
        hands, pile, over = [hand.copy() for hand in m.hands], list(m.pile), m.over
        shown = [set(seen) for seen in m.shown]
        if kind == "round":
            hands, pile = [Counter() for _ in hands], []
            shown, over = [set() for _ in shown], False
        elif kind in COMING and seat is not None:
            hands[seat].update(cards)
            shown[seat].update(cards)
        elif kind in OPEN_KINDS:
            pile += cards
            for seen in shown:
                seen.update(cards)
            if kind == "play" and seat is not None:
                hands[seat] -= Counter(cards)
        elif kind == "reshuffle":
            pile = pile[-1:]
        elif kind in ("round-over", "match-over", "ended"):
            over = True
            self.over_upto = len(self.events)
        self._moment = Moment(hands, pile, shown, over)
        self.moments.append(self._moment)
        self.events.append((kind, seat, cards))

    def of_event(self, seq: int, seat: int | None) -> frozenset[str]:
        """The cards that an observer may be told with one event."""
        if not 0 < seq <= self.version:
            return frozenset()
        kind, whose, cards = self.events[seq]
        known = kind in OPEN_KINDS or (seat is not None and whose == seat)
        # a line that tells of two events names the play before it
        earlier = self.of_event(seq - 1, seat) if kind in ("wish", "call") else frozenset()
        return frozenset(cards if known else ()) | earlier

    def secrets(self) -> dict[str, frozenset[str]]:
        """What nobody may be sent: by its name, every way to write it."""
        found: dict[str, bytes] = {
            "the key of the table": self._ask("SELECT key FROM table_secrets WHERE table_id = ?")
        }
        told = {
            json.loads(row[0])["deal"]
            for row in self.db.execute(
                "SELECT shown FROM events WHERE table_id = ? AND kind = 'revealed'", (self.table,)
            )
        }
        for deal, secret in self.db.execute("SELECT deal, secret FROM deal_secrets WHERE table_id = ?", (self.table,)):
            if deal not in told:
                found[f"the secret of deal {deal}"] = secret
        if not self._moment.over:
            last = "SELECT seed FROM round_secrets WHERE table_id = ? ORDER BY match DESC, round DESC LIMIT 1"
            found["the seed of the round"] = self._ask(last)
        return {name: spellings(secret) for name, secret in found.items()}


@lru_cache(maxsize=4_096)
def spellings(secret: bytes) -> frozenset[str]:
    """The ways to write a secret down, in small letters where case says nothing."""
    plain = base64.b64encode(secret).decode().rstrip("=")
    number = int.from_bytes(secret, "big")
    return frozenset(
        (
            secret.hex(),
            secret.hex().upper(),
            plain,
            plain.translate(str.maketrans("+/", "-_")),
            str(number),
            str(int.from_bytes(secret, "little")),
            repr(list(secret))[1:-1],
            repr(secret)[2:-1],
        )
    )


@lru_cache(maxsize=256)
def weak_commitments(table: str) -> frozenset[str]:
    """The commitments of a table's first deals whose secrets anybody can guess."""
    guesses = [n.to_bytes(32, "big") for n in range(64)] + [bytes([n]) * 32 for n in range(256)]
    return frozenset(
        fair.commitment(guess, table, deal)
        for deal in range(1, 5)
        for guess in (*guesses, digest(table), digest(f"{table}{deal}"), digest(f"{table}|{deal}"))
    )


_COMMITMENT = re.compile(r"\b[0-9a-f]{64}\b")


def words_of_chance(round_: Round) -> re.Pattern[str]:
    """The present words of a round's generator, in figures of ten or sixteen."""
    state = round_._state
    found = [word for word in (state.rng_a, state.rng_b, state.rng_c) if word > 10_000_000]
    return re.compile("|".join(rf"\b{word}\b|(?i:\b(?:0x)?{word:08x}\b)" for word in found) or "(?!)")


class LeakError(AssertionError):
    """Somebody was sent what it may not know."""


@dataclass
class Observer:
    """A seat (or a spectator) of one table, and what it is looking out for."""

    name: str
    seat: int | None
    truth: Truth
    forbidden: dict[str, frozenset[str]] = field(default_factory=dict)
    """Tokens and links that are not this one's."""
    patterns: Callable[[], dict[str, re.Pattern[str]]] = dict
    """More of what nobody may be sent, as it stands now."""
    looks: int = 0
    read: int = 0
    """Bytes."""

    def look(
        self,
        body: bytes,
        media: str,
        asked: str = "",
        versions: Iterable[int] | None = None,
        *,
        hidden_from_all: bool = False,
    ) -> None:
        """Fail at the first thing in a body that this observer may not know.

        `asked` is what its own request said, `versions` what the answer may be about; the last one if none is given.
        With `hidden_from_all` no card at all may be named: logs and figures.
        """
        self.looks += 1
        self.read += len(body)
        atoms = atoms_of(body, media)
        self._look_for_secrets(body, atoms, media)
        moments = [self.truth.moments[v] for v in versions or (self.truth.version,)]
        if hidden_from_all:
            self._look_for_cards(atoms, frozenset(), frozenset(), asked)
        elif not any(moment.over for moment in moments):
            now = frozenset().union(*(moment.now(self.seat) for moment in moments))
            place = -1 if self.seat is None else self.seat
            history = frozenset().union(*(moment.shown[place] for moment in moments))
            self._look_for_cards(atoms, now, history, asked)
        else:
            self._look_for_cards([atom for atom in atoms if atom.seq is not None], frozenset(), frozenset(), asked)

    def answer(self, answer: Answer, asked: str = "", versions: Iterable[int] | None = None) -> None:
        """Look through an answer, its headers and cookies too."""
        for name, value in answer.headers:
            if name != b"content-security-policy":
                self.look(name + b": " + value, "text/plain", asked, versions)
        self.look(answer.plain, answer.header("content-type"), asked, versions)

    def _look_for_cards(self, atoms: list[Atom], now: frozenset[str], history: frozenset[str], asked: str) -> None:
        named = cards_in(asked)
        for atom in atoms:
            found = cards_in(atom.text)
            if not found or atom.past:
                continue
            if atom.seq is not None:
                may = self._of_line(atom.seq)
            else:
                may = now | history if atom.history else now
            if not found <= may | named:
                raise LeakError(f"{self.name} is told of {sorted(found - may - named)} in {atom!r}")

    def _of_line(self, seq: int) -> frozenset[str]:
        """The cards of an event; a round that is over holds no secret."""
        return _ALL if seq <= self.truth.over_upto else self.truth.of_event(seq, self.seat)

    def _look_for_secrets(self, body: bytes, atoms: list[Atom], media: str) -> None:
        if not body:
            return
        said = [atom.text for atom in atoms]
        text = "\n".join(said if "html" in media else [body.decode("utf-8", "replace"), *said])
        for name, ways in (*self.truth.secrets().items(), *self.forbidden.items()):
            for way in ways:
                if way in text:
                    raise LeakError(f"{self.name} is sent {name}")
        for name, pattern in self.patterns().items():
            if pattern.search(text):
                raise LeakError(f"{self.name} is sent {name}")
        if not weak_commitments(self.truth.table).isdisjoint(_COMMITMENT.findall(text)):
            raise LeakError("a commitment is made from a secret that can be guessed")
