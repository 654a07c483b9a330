"""The score pad for people with real cards. Everything on it is in the address; nothing is kept here."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from ...cards import Card
from ...game import PositionError
from ...game.pad import Pad, PlayedRound, asked, keep, unnamed
from ...ruleset import BOOKS, RuleError, Ruleset
from ...ruleset import words as rule_words
from ...tables import TableError
from ..answers import Json
from ..own_rules import choices, own_of
from ..texts import Texts, texts
from ..visitor import visitor_of
from .api import REFUSALS
from .referee import board
from .rule_pages import fields_of, link_of, one, renderer, rules_path, whole

router = APIRouter()
_SEATS = 8
_NAME = 24
_ROUNDS = 200
_CARDS = re.compile(r"[2-9TJQKA][cdhs]|\*")
_NOBODY = "-"


# ---- the state in the address ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """A pad: rules, names, who dealt first, and the rounds as they were reported."""

    code: str
    names: tuple[str, ...]
    dealer: int
    rounds: tuple[PlayedRound, ...] = ()

    def query(self) -> str:
        """The pad as an address says it."""
        fields = [("rules", self.code), *(("name", name) for name in self.names), ("dealer", str(self.dealer))]
        return urlencode([*fields, *(("r", _written(played)) for played in self.rounds)], safe="*")


def _written(played: PlayedRound) -> str:
    """A round in few characters: who is out, the last cards, what each was left with."""
    hands = ["".join(map(str, hand)) for hand in (played.last, *played.left)]
    return ".".join([_NOBODY if played.winner is None else str(played.winner), *hands])


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(found) for found in _CARDS.findall(text[:300]))


def _read_round(text: str, seats: int) -> PlayedRound:
    winner, *hands = text.split(".")
    hands = [*hands, *[""] * (seats + 1)][: seats + 1]
    seat = whole(winner)
    return PlayedRound(seat, _cards(hands[0]), tuple(_cards(hand) for hand in hands[1:]))


def _read_state(fields: dict[str, list[str]]) -> State:
    lines = [name.strip()[:_NAME] for name in fields.get("name", [])[:_SEATS]]
    names = tuple(name for name in lines if name)
    first = whole(one(fields, "dealer", "0")) or 0
    dealer = sum(1 for name in lines[:first] if name)
    code = one(fields, "rules", BOOKS[0])[:2000].strip().replace(" ", "+") or BOOKS[0]
    rounds = tuple(_read_round(text, len(names)) for text in fields.get("r", [])[:_ROUNDS])
    return State(code, names, dealer if dealer < len(names) else 0, rounds)


def _new_round(fields: dict[str, list[str]], seats: int) -> PlayedRound | None:
    """The round that the form reports, None where it does not say who went out."""
    out = one(fields, "out")
    seat = whole(out)
    if seat is None and out != _NOBODY:
        return None
    last = _cards("".join([*fields.get("last", [])[:1], *fields.get("under", [])[:8]]))
    left = tuple(_cards("".join(fields.get(f"left{number}", [])[:60])) for number in range(seats))
    return PlayedRound(seat, last, tuple(() if number == seat else hand for number, hand in enumerate(left)))


def _rules_for(code: str, seats: int) -> Ruleset:
    """The rules for so many; a size outside the book's own is asked for by the house rule that allows it."""
    rules = Ruleset.parse(code)
    try:
        return rules.at(seats)
    except RuleError as error:
        try:
            return Ruleset.parse(f"{code}+players-{seats}").at(seats)
        except RuleError:
            raise error from None


def _sentence(lang: str, error: RuleError | PositionError) -> str:
    if isinstance(error, PositionError):
        return error.sentence(lang)
    return rule_words.rule_error_sentence(lang, error)


# ---- the page --------------------------------------------------------------------------------------------------------


@router.get("/score", include_in_schema=False)
async def score(request: Request) -> Response:
    """The pad, or the lines to begin one; a round reported by the form leads to the pad with it."""
    fields = fields_of(request)
    t = texts(visitor_of(request).lang)
    state = _read_state(fields)
    if len(state.names) < 2 or "edit" in fields:
        return _setup(request, t, state, t("pad.too_few") if "begin" in fields else "")
    try:
        rules = _rules_for(state.code, len(state.names))
        pad = keep(rules, len(state.names), state.rounds, state.dealer)
    except (RuleError, PositionError) as error:
        return _setup(request, t, state, _sentence(t.lang, error))
    if "add" not in fields or pad.winners:
        return _pad(request, t, state, rules, pad, fields)
    reported = _new_round(fields, len(state.names))
    if reported is None:
        return _pad(request, t, state, rules, pad, fields, t("pad.no_out"))
    longer = replace(state, rounds=(*state.rounds, reported))
    try:
        keep(rules, len(state.names), longer.rounds, state.dealer)
    except PositionError as error:
        return _pad(request, t, state, rules, pad, fields, error.sentence(t.lang))
    if missing := unnamed(rules, reported, pad.players):
        names = rule_words.join(t.lang, [state.names[seat] for seat in missing])
        return _pad(request, t, state, rules, pad, fields, t("pad.unnamed", names=names), missing)
    return RedirectResponse(f"/score?{longer.query()}", 303)


def _setup(request: Request, t: Texts, state: State, problem: str) -> HTMLResponse:
    html = renderer(request).page(
        "score_setup.html",
        t.lang,
        f"/score?{state.query()}&edit=1",
        problem=problem,
        code=state.code,
        choices=choices(t.lang, state.code, own_of(request)),
        lines=[*state.names, *[""] * (_SEATS - len(state.names))],
        dealer=state.dealer,
    )
    return HTMLResponse(html, 422 if problem else 200)


def _pad(
    request: Request,
    t: Texts,
    state: State,
    rules: Ruleset,
    pad: Pad,
    fields: dict[str, list[str]],
    problem: str = "",
    missing: Collection[int] = (),
) -> HTMLResponse:
    wanted = asked(rules)
    here = f"/score?{state.query()}"
    given = [fields.get(f"left{seat}", []) for seat in range(len(state.names))]
    html = renderer(request).page(
        "score_pad.html",
        t.lang,
        here,
        problem=problem,
        missing=missing,
        state=state,
        pad=pad,
        rows=_rows(state, pad),
        asked=wanted,
        counts=rules["score.count"] != "none",
        out=one(fields, "out"),
        lasts=board(t.lang, rules, fields.get("last", [])[:1]),
        unders=board(t.lang, rules, fields.get("under", [])),
        lefts=[(seat, state.names[seat], board(t.lang, rules, given[seat])) for seat in pad.players],
        hidden=[("rules", state.code), *(("name", name) for name in state.names), ("dealer", str(state.dealer))],
        written=[_written(played) for played in state.rounds],
        undo=f"/score?{replace(state, rounds=state.rounds[:-1]).query()}" if state.rounds else "",
        again=f"/score?{replace(state, rounds=(), dealer=pad.dealer).query()}",
        won=_won(t, [state.names[seat] for seat in pad.winners]),
        rules_line=rule_words.book_title(t.lang, rules.book),
        rules_path=rules_path(state.code),
        link=link_of(request, here),
    )
    return HTMLResponse(html, 422 if problem else 200)


def _rows(state: State, pad: Pad) -> list[dict[str, Any]]:
    """A row for each round: its points, and who won it."""
    rows = []
    for number, (line, played) in enumerate(zip(pad.lines, state.rounds, strict=False), 1):
        cells = [line.points[seat] if seat in line.players else None for seat in range(len(state.names))]
        rows.append({"round": number, "cells": cells, "winner": played.winner, "dealer": line.dealer})
    return rows


def _won(t: Texts, names: Sequence[str]) -> str:
    if not names:
        return ""
    return t("pad.won" if len(names) == 1 else "pad.won_more", names=rule_words.join(t.lang, names))


# ---- the same for programs -------------------------------------------------------------------------------------------

CardText = Annotated[str, Field(max_length=3, examples=["7h"])]


class RoundBody(BaseModel):
    """A round as people report it: who went out, with which card, and the cards left in each hand."""

    model_config = ConfigDict(strict=True)
    winner: Annotated[int | None, Field(ge=0, le=7)] = None
    last: Annotated[list[CardText], Field(max_length=8)] = []
    left: Annotated[list[Annotated[list[CardText], Field(max_length=60)]], Field(min_length=2, max_length=8)]


class ScoreBody(BaseModel):
    """A match played with real cards: its rules, who dealt first, and its rounds."""

    model_config = ConfigDict(strict=True)
    rules: Annotated[str, Field(max_length=400, examples=["family"])] = "family"
    players: Annotated[int, Field(ge=2, le=8)]
    dealer: Annotated[int, Field(ge=0, le=7)] = 0
    rounds: Annotated[list[RoundBody], Field(max_length=_ROUNDS)] = []


def _played(body: RoundBody) -> PlayedRound:
    hands = [tuple(Card.parse(text) for text in hand) for hand in (body.last, *body.left)]
    return PlayedRound(body.winner, hands[0], tuple(hands[1:]))


@router.post("/api/score", responses=REFUSALS, summary="What rounds played with real cards are worth, and what follows")
async def settle(body: ScoreBody, request: Request) -> Json:
    """Points of each round, totals, who deals and plays next, and who has won. Nothing is kept."""
    lang = visitor_of(request).lang
    try:
        rules = _rules_for(body.rules, body.players)
        pad = keep(rules, body.players, [_played(one_round) for one_round in body.rounds], body.dealer % body.players)
    except (RuleError, PositionError) as error:
        raise TableError(error.code, _sentence(lang, error), 422) from error
    except ValueError as error:
        raise TableError("not-a-card", str(error), 422) from error
    answer = {
        "points": [list(line.points) for line in pad.lines],
        "totals": list(pad.totals),
        "match_over": bool(pad.winners),
        "match_winners": list(pad.winners),
        "next_dealer": None if pad.winners else pad.dealer,
        "next_players": [] if pad.winners else list(pad.players),
    }
    return Json(answer)
