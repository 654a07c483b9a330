"""Looks through all that an observer is sent for what it may not know.

What it may know is worked out here a second time, from the raw rows of the store and a rule of its own (plays and the
starter are public, other cards are known to the seat they came to), never by the code under test. Every string of an
answer is looked at where it stands: a line of the log may name the cards of its own event and no other, everything
else the observer's own hand, the cards on the pile, and what its own request named. Fixed sentences of the catalogues
and the drawing of the whole pack, byte by byte the same at every table, say nothing about a deal.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import apsw
from tests.asgi_kit import Answer
from tests.leak_texts import Atom, atoms_of, cards_in

from maumau.cards import CARDS
from maumau.game import Round, fair
from maumau.tables.names import digest

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
