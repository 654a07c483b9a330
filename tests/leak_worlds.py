"""What the leak tests share: observers of a whole match, and two worlds that differ in two hidden cards."""

from __future__ import annotations

import asyncio
import itertools
import random
import secrets
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.leak_kit import LeakError, Observer, Truth, words_of_chance
from tests.leak_walk import Heard, Party, any_of, party

from maumau.cards import Card
from maumau.game import Action, Observation
from maumau.kernel import deal as dealing
from maumau.kernel.layout import State
from maumau.kernel.notes import shuffled
from maumau.tables import View
from maumau.tables.names import digest

RULES = (
    "classic",
    "family+target-40",
    "international+target-60",
    "family+ace-others-draw+final-seven-draws",
    "study+match.rounds=1",
)


@contextmanager
def fixed_chance(seed: int) -> Iterator[None]:
    """Tokens, names of tables and keys come from a seed, and every fresh id is the same."""
    chance = random.Random(seed)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", lambda n=32: chance.randbytes(n or 32))
        patch.setattr(secrets, "token_urlsafe", lambda n=16: "".join(chance.choices(letters, k=(n * 4 + 2) // 3)))
        patch.setattr(secrets, "randbits", chance.getrandbits)
        patch.setattr(secrets, "choice", chance.choice)
        patch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=7, version=4))
        yield


# ---- everything is looked through -----------------------------------------------------------------------------------


class Watchmen:
    """An observer for each who looks, and one for what the server writes."""

    def __init__(self) -> None:
        self.party: Party | None = None
        self.found: dict[str, Observer] = {}

    def post(self, party: Party) -> None:
        """Take position at a table."""
        self.party = party
        tokens = {member.name: member.api.token or "" for member in party.members}

        def patterns() -> dict[str, Any]:
            live = party.tables._slots[party.table].table
            running = None if live is None or live.state != "playing" else live.round
            return {} if running is None else {"the state of the generator": words_of_chance(running)}

        for member in (*party.members, None):
            name = "the log" if member is None else member.name
            hidden = {
                f"the token of {other}": frozenset((token, digest(token).hex()))
                for other, token in tokens.items()
                if token
                and other != name
                and not (member is not None and member.seat is not None and token == party.watch)
            }
            if member is None or member.seat is None:
                hidden["the invite"] = frozenset((party.invite,))
            truth = party.truth
            self.found[name] = Observer(name, None if member is None else member.seat, truth, hidden, patterns)

    def ear(self, heard: Heard) -> None:
        """Look at one thing that was sent."""
        if self.party is None:
            return
        if heard.who is None:
            self.found["the log"].look(heard.answer.plain, "text/plain", hidden_from_all=True)
        else:
            self.found[heard.who.name].answer(heard.answer, heard.asked, heard.versions)

    @property
    def looks(self) -> int:
        """How often somebody has looked."""
        return sum(observer.looks for observer in self.found.values())

    @property
    def read(self) -> int:
        """How many bytes have been read."""
        return sum(observer.read for observer in self.found.values())


async def watched_match(path: Path, seed: int, *, steps: int = 2_000, short: bool = False) -> Watchmen:
    """A match (or its first steps) from a seed, everything looked through."""
    chance = random.Random(seed)
    watchmen = Watchmen()
    rules = chance.choice(RULES)
    players = chance.choice((3, 3, 4, 5))
    settings: dict[str, Any] = {"rules": rules, "players": players, "public": chance.random() < 0.3, "short": short}
    async with party(path, watchmen.ear, chance, **settings) as found:
        watchmen.post(found)
        found.probes = 1 if short else 2
        if not short or seed % 4 == 0:
            await found.everything()
        state = "playing"
        while steps and state != "match-over":
            state = await found.step(any_of(chance))
            steps -= 1
        if not short:
            await found.everything()
    return watchmen


def watch(path: Path, seeds: range, **more: Any) -> tuple[int, int]:
    """Matches from these seeds; how often somebody looked, and at how many bytes."""
    looks = read = 0
    for seed in seeds:
        folder = path / str(seed)
        folder.mkdir()
        with fixed_chance(seed):
            try:
                watchmen = asyncio.run(watched_match(folder, seed, **more))
            except Exception as error:
                error.add_note(f"match {seed}")
                raise
        looks, read = looks + watchmen.looks, read + watchmen.read
    return looks, read


# ---- two worlds -----------------------------------------------------------------------------------------------------


@dataclass
class Swap:
    """Two places of the shuffled pack whose cards change places in the second world: in a hand, and in the stock."""

    seat: int
    """Whose card it is."""
    nth: int
    depth: int
    """How deep in the stock the other lies, from the top."""
    on: bool = False
    cards: tuple[str, ...] = ()

    def __call__(self, s: State) -> None:
        """In place of the kernel's note that the pack was shuffled for a deal."""
        dealt = [n for n in range(s.stock_n) if (s.dealer + 1 + n) % s.seats == self.seat][self.nth]
        size = s.stock_n
        in_hand, in_stock = size - 1 - dealt, size - 2 - self.hand_size * s.seats - self.depth
        pair = s.stock[in_hand], s.stock[in_stock]
        self.cards = tuple(sorted(str(Card(number)) for number in pair))
        if self.on:
            s.stock[in_hand], s.stock[in_stock] = pair[1], pair[0]
        shuffled(s)

    hand_size: int = 5


@dataclass
class World:
    """All that everybody was sent in one world."""

    streams: dict[str, list[tuple[int, str, bytes]]] = field(default_factory=dict)
    """By reader: up to which version, what, and its bytes, in the order in which they came."""
    frames: dict[tuple[str, str, int], bytes] = field(default_factory=dict)
    facts: list[tuple[Any, ...]] = field(default_factory=list)
    public_from: int = 10**9
    """From this version on somebody may know one of the two cards."""
    holder: int = -1
    """The seat that holds one of them, and so knows it."""

    def ear(self, heard: Heard) -> None:
        """Keep what was sent."""
        if "/metrics" in heard.label:
            return  # figures hold times
        if heard.who is not None and heard.who.seat == self.holder:
            return
        name = "the log" if heard.who is None else heard.who.name
        if "socket" in heard.label:
            self.frames[name, heard.label, heard.versions[-1]] = heard.answer.body
            return
        told = [f"{key!r}: {value!r}" for key, value in heard.answer.headers]
        said = f"{heard.label} {heard.asked} {heard.answer.status} {told}"
        version = max(heard.versions, default=0)
        self.streams.setdefault(name, []).append((version, said, heard.answer.plain))


class QuietBot:
    """Plays as `FirstBot`, but never one of the two cards."""

    def __init__(self, seed: int, swap: Swap) -> None:
        self.seed = seed
        self.swap = swap

    def choose(self, observation: Observation) -> Action:
        legal = [action for action in observation.legal if str(action.card) not in self.swap.cards]
        legal = legal or list(observation.legal)
        plays = [action for action in legal if action.kind == "play"]
        action = plays[self.seed % len(plays)] if plays else legal[0]
        return action.with_call if action in observation.call_due else action

    def shout(self, observation: Observation) -> Action | None:
        return observation.shouts[0] if observation.shouts else None


def quiet(chance: random.Random, swap: Swap) -> Callable[[View], str]:
    """A lawful action, never one of the two cards."""

    def pick(view: View) -> str:
        legal = [text for text in view.legal if text[:2] not in swap.cards] or list(view.legal)
        action = chance.choice(legal)
        return f"{action}!" if action in view.call_due else action

    return pick


async def live_in(path: Path, seed: int, swap: Swap, steps: int) -> World:
    """A round in one of the two worlds."""
    chance, world = random.Random(seed), World(holder=swap.seat)
    options: dict[str, Any] = {"rules": "family", "players": 4, "public": seed % 2 == 0}
    options["bots"] = lambda _level, bot_seed: QuietBot(bot_seed, swap)
    async with party(path, world.ear, chance, **options) as found:
        found.named = swap.cards
        looking = [member for member in found.members if member.seat != swap.seat]
        for _ in range(steps):
            view = await found.settle()
            found.hear_frames()
            found.hear_log()
            timers = found.tables.store.read().execute("SELECT * FROM timers ORDER BY kind").fetchall()
            world.streams.setdefault("the clockwork", []).append((found.truth.version, "due", repr(timers).encode()))
            if view.state != "playing" or view.turn is None:
                break
            for member in looking:
                await found.look_at(member, chance.choice(found.looking()))
                await found.refused(member, chance.choice(swap.cards))
                await found.settle()
            view = await found.settle()
            if view.state != "playing" or view.turn is None:
                break
            await found.act(found.members[view.turn], quiet(chance, swap))
        await found.settle()
        found.hear_frames()
        world.facts, world.public_from = known_facts(found.truth, swap)
    return world


def known_facts(truth: Truth, swap: Swap) -> tuple[list[tuple[Any, ...]], int]:
    """What everybody may know of each event, and the version from which on somebody else may know one of the cards."""
    facts, public = [], truth.over_upto or 10**9
    for seq, (kind, seat, cards) in enumerate(truth.events):
        is_open = kind in ("play", "starter")
        by_person = truth.begun_by[seq] in (0, 1)  # who takes its time after a draw may do something yet
        facts.append((kind, seat, cards if is_open else len(cards), by_person))
        if set(cards) & set(swap.cards) and (is_open or (seat != swap.seat and kind != "deal")):
            public = min(public, seq)  # laid, or drawn by somebody who is looking
    return facts, public


def compare(one: World, other: World) -> int:
    """Fail where somebody could tell the two worlds apart before it may; how many things were compared."""
    upto = min(one.public_from, other.public_from)
    for seq, pair in enumerate(zip(one.facts, other.facts, strict=False)):
        if pair[0] != pair[1]:
            upto = min(upto, seq)  # the rules themselves have told them apart
    compared = 0
    for name in one.streams.keys() | other.streams.keys():
        for first, second in itertools.zip_longest(one.streams.get(name, []), other.streams.get(name, [])):
            if first is None or second is None or max(first[0], second[0]) >= upto:
                break
            if first != second:
                raise LeakError(
                    f"{name} can tell two worlds apart: {first[1]!r:.400} / {second[1]!r:.400}\n{differing(first[2], second[2])}"
                )
            compared += 1
    for key in one.frames.keys() & other.frames.keys():
        if key[2] < upto:
            if one.frames[key] != other.frames[key]:
                raise LeakError(f"{key} can tell two worlds apart:\n{differing(one.frames[key], other.frames[key])}")
            compared += 1
    return compared


def differing(one: bytes, other: bytes) -> str:
    """Where two bodies differ first."""
    n = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, n - 60) : n + 60]!r}\n{other[max(0, n - 60) : n + 60]!r}"


def twin_worlds(path: Path, seed: int, steps: int = 12) -> int:
    """Two worlds that differ in nothing but two hidden cards; how many things were compared."""
    chance = random.Random(seed)
    swap = Swap(chance.choice((1, 2, 3)), chance.randrange(5), chance.randrange(4, 9))
    worlds = []
    for swap.on in (False, True):
        folder = path / f"{seed}-{swap.on}"
        folder.mkdir()
        with fixed_chance(seed), pytest.MonkeyPatch.context() as patch:
            patch.setattr(dealing, "shuffled", swap)
            worlds.append(asyncio.run(live_in(folder, seed, swap, steps)))
    return compare(*worlds)
