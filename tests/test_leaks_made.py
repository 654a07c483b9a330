"""Leaks made on purpose, each as somebody might make it by mistake: all of them are found."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import logging
import secrets
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.leak_kit import LeakError
from tests.leak_walk import LATEST
from tests.leak_worlds import fixed_chance, twin_worlds, watched_match

from maumau.cards import Card
from maumau.game import Action, Observation, Record
from maumau.ruleset import words
from maumau.tables import TableError, View, clockwork, events, metrics, render
from maumau.tables.table import LiveTable
from maumau.web import guard
from maumau.web import render as pages

# ---- leaks made on purpose ------------------------------------------------------------------------------------------


def live() -> LiveTable | None:
    """The table in the server's memory, while a round runs."""
    for found in LATEST:
        slot = found.tables._slots.get(found.table)
        if slot is not None and slot.table is not None and slot.table.state == "playing":
            return slot.table
    return None


def hidden_hand() -> list[str]:
    """The hand of a bot."""
    found = live()
    return [] if found is None or found.round is None else [str(card) for card in found.round.hands[2]]


def stock() -> list[str]:
    """The stock, the next card first."""
    found = live()
    return [] if found is None or found.round is None else [str(card) for card in found.round.stock]


def fingerprint() -> bytes:
    """Something short that hangs on every hidden card."""
    return hashlib.sha256(" ".join((*hidden_hand(), "|", *stock())).encode()).digest()


Patch = pytest.MonkeyPatch


def everywhere(patch: Patch, plain: Any, other: Any) -> None:
    """One function in place of another, wherever the product has a name for it."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "maumau":
            for key, value in list(vars(module).items()):
                if value is plain:
                    patch.setattr(module, key, other)


def in_json(patch: Patch, more: Callable[[], dict[str, Any]]) -> None:
    """The view of the API says more than it did."""
    plain = View.as_json
    patch.setattr(View, "as_json", lambda self: plain(self) | (more() if live() else {}))


def in_page(patch: Patch, change: Callable[[str], str]) -> None:
    """The changing part of a page is changed."""
    plain = pages.Renderer.fragment
    patch.setattr(
        pages.Renderer, "fragment", lambda self, *said: change(plain(self, *said)) if live() else plain(self, *said)
    )


def in_header(patch: Patch, name: str, value: Callable[[], str]) -> None:
    """Every answer has one more header."""
    plain = guard._with_headers

    def with_more(send: Any, scope: Any) -> Any:
        async def more(message: Any) -> None:
            if message["type"] == "http.response.start" and live() is not None:
                message["headers"] = [*message["headers"], (name.encode(), value().encode())]
            await send(message)

        return plain(more, scope)

    patch.setattr(guard, "_with_headers", with_more)


def hand_of_another_in_the_json(patch: Patch) -> None:
    in_json(patch, lambda: {"hands": [hidden_hand()]})


def undo_state_packed_in_the_json(patch: Patch) -> None:
    def state() -> str:
        found = live()
        assert found is not None
        assert found.round is not None
        return base64.b64encode(
            zlib.compress(json.dumps({"hands": [list(map(str, h)) for h in found.round.hands]}).encode())
        ).decode()

    in_json(patch, lambda: {"undo": state()})


def generator_in_the_json(patch: Patch) -> None:
    def words_() -> list[int]:
        found = live()
        assert found is not None
        assert found.round is not None
        state = found.round._state
        return [state.rng_a, state.rng_b, state.rng_c, state.rng_d]

    in_json(patch, lambda: {"rng": words_()})


def choices_of_a_bot_as_time_to_think(patch: Patch) -> None:
    in_json(patch, lambda: {"took_ms": fingerprint()[0]})


def next_card_in_the_log(patch: Patch) -> None:
    plain = LiveTable.act

    def act(self: LiveTable, *said: Any) -> None:
        logging.getLogger("maumau.tables").info("table %s draws from %s", self.name, stock()[:1])
        plain(self, *said)

    patch.setattr(LiveTable, "act", act)


def observation_in_the_debug_log(patch: Patch) -> None:
    plain = clockwork.ask

    def ask(found: LiveTable, seat: int, *, on_turn: bool) -> Any:
        asked = plain(found, seat, on_turn=on_turn)
        logging.getLogger("maumau.tables").debug("bot asked: %s", [card.label for card in asked.observation.hand])
        return asked

    everywhere(patch, plain, ask)


def seed_in_a_header(patch: Patch) -> None:
    def seed() -> str:
        found = live()
        return (
            ""
            if found is None or found.match is None
            else found.seeds[found.match_number, found.match.round_number].hex()
        )

    in_header(patch, "x-round", seed)


def etag_of_the_whole_state(patch: Patch) -> None:
    in_header(patch, "etag", lambda: f'"{fingerprint().hex()[:16]}"')


def hand_in_a_cookie(patch: Patch) -> None:

    in_header(
        patch,
        "set-cookie",
        lambda: "last=" + base64.urlsafe_b64encode(json.dumps({"seen": hidden_hand()}).encode()).decode(),
    )


def seats_in_the_order_of_their_cards(patch: Patch) -> None:
    plain = pages.others

    def others(view: View) -> Any:
        found = live()
        hands = [] if found is None or found.round is None else found.round.hands
        return sorted(plain(view), key=lambda seat: tuple(hands[seat.seat]) if hands else ())

    patch.setattr(pages, "others", others)


def events_without_a_filter(patch: Patch) -> None:
    everywhere(patch, events.seen, lambda row, _seat: json.loads(row.shown) | json.loads(row.hidden or "{}"))


def drawn_card_named_in_the_lines(patch: Patch) -> None:
    plain = words.event_sentence

    def sentence(lang: str, event: Any, *said: Any, **more: Any) -> str:
        hand = hidden_hand()
        drawn = f" ({words.card_name(lang, Card.parse(hand[-1]))})" if event.kind == "draw" and hand else ""
        return plain(lang, event, *said, **more) + drawn

    everywhere(patch, plain, sentence)


def hands_in_the_position_of_an_error(patch: Patch) -> None:
    plain = render.position_text

    def position(seen: Observation) -> str:
        return json.dumps(json.loads(plain(seen)) | {"hands": [hidden_hand()]})

    everywhere(patch, plain, position)


def length_of_a_page_that_hangs_on_the_stock(patch: Patch) -> None:
    in_page(patch, lambda html: html + " " * fingerprint()[0])


def record_open_before_the_end(patch: Patch) -> None:
    everywhere(patch, render.record, lambda found, _seat: Record.of(found.match, tuple(found.names)).data)


def spectator_sees_a_hand(patch: Patch) -> None:
    plain = render.build

    def build(found: LiveTable, seat: int | None, lang: str) -> View:
        view = plain(found, seat, lang)
        return view if seat is not None else replace(view, hand=plain(found, 0, lang).hand)

    everywhere(patch, plain, build)


def commitment_to_a_weak_secret(patch: Patch) -> None:
    patch.setattr(secrets, "token_bytes", lambda n=32: bytes(n))


def name_of_a_card_for_the_ear(patch: Patch) -> None:
    def said(html: str) -> str:
        hand = hidden_hand()
        name = words.card_name("de", Card.parse(hand[0]), "acc") if hand else ""
        return html.replace('class="fan" aria-hidden="true"', f'class="fan" aria-label="{name}"')

    in_page(patch, said)


def next_card_as_the_class_of_the_stock(patch: Patch) -> None:
    in_page(patch, lambda html: html.replace('class="stock"', f'class="stock next-{stock()[0]}"' if stock() else ""))


def next_card_drawn_in_advance(patch: Patch) -> None:
    drawing = '<svg hidden><use href="&#35;f-{}"/></svg>'
    in_page(patch, lambda html: html.replace("</main>", (drawing.format(stock()[0]) if stock() else "") + "</main>"))


def numbers_of_cards_as_data(patch: Patch) -> None:
    def said(html: str) -> str:
        return html.replace('id="table"', f'id="table" data-n="{sum(int(Card.parse(card)) for card in stock())}"')

    in_page(patch, said)


def card_as_a_label_of_a_figure(patch: Patch) -> None:
    plain = metrics.exposition

    def exposition(*said: Any) -> str:
        return plain(*said) + f'maumau_hands{{first="{(hidden_hand() or ["Ks"])[0]}"}} 1\n'

    everywhere(patch, plain, exposition)


def token_of_another_in_the_page(patch: Patch) -> None:
    in_page(patch, lambda html: html + f"<a href='/s#{LATEST[0].members[1].api.token}'></a>")


def waits_that_hang_on_a_hand(patch: Patch) -> None:
    plain = clockwork.plan

    def plan(found: LiveTable, now: int, *, hurried: bool = False) -> Any:
        timer = plain(found, now, hurried=hurried)
        if timer is None or found.round is None:
            return timer
        return replace(timer, due_at=timer.due_at + sum(map(int, found.round.hands[found.round.turn or 0])) % 7)

    everywhere(patch, plain, plan)


def refusal_that_knows_where_a_card_is(patch: Patch) -> None:
    plain = LiveTable.act

    def act(self: LiveTable, seat: int, action: Action, text: str | None = None) -> None:
        if action.card is not None and self.round is not None and action.card in self.round.stock:
            raise TableError("not-held", "You do not hold that card; nobody does.")
        plain(self, seat, action, text)

    patch.setattr(LiveTable, "act", act)


LEAKS = [
    hand_of_another_in_the_json,
    undo_state_packed_in_the_json,
    generator_in_the_json,
    choices_of_a_bot_as_time_to_think,
    next_card_in_the_log,
    observation_in_the_debug_log,
    seed_in_a_header,
    etag_of_the_whole_state,
    hand_in_a_cookie,
    seats_in_the_order_of_their_cards,
    events_without_a_filter,
    drawn_card_named_in_the_lines,
    hands_in_the_position_of_an_error,
    length_of_a_page_that_hangs_on_the_stock,
    record_open_before_the_end,
    spectator_sees_a_hand,
    commitment_to_a_weak_secret,
    name_of_a_card_for_the_ear,
    next_card_as_the_class_of_the_stock,
    next_card_drawn_in_advance,
    numbers_of_cards_as_data,
    card_as_a_label_of_a_figure,
    token_of_another_in_the_page,
    waits_that_hang_on_a_hand,
    refusal_that_knows_where_a_card_is,
]
BY_TWINS = {
    choices_of_a_bot_as_time_to_think,
    etag_of_the_whole_state,
    seats_in_the_order_of_their_cards,
    length_of_a_page_that_hangs_on_the_stock,
    numbers_of_cards_as_data,
    waits_that_hang_on_a_hand,
    refusal_that_knows_where_a_card_is,
}
"""These name no card: only a second world shows them."""


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_made_on_purpose_is_found(tmp_path: Path, leak: Callable[[Patch], None]) -> None:
    with pytest.MonkeyPatch.context() as patch, fixed_chance(5):
        leak(patch)
        with pytest.raises(LeakError):
            look_for_it(tmp_path, twins=leak in BY_TWINS)


def look_for_it(path: Path, *, twins: bool) -> None:
    """Some steps of a match, or some pairs of worlds."""
    if not twins:
        asyncio.run(watched_match(path, 5, steps=30))
    for seed in range(6 if twins else 0):
        twin_worlds(path, seed, steps=6)
