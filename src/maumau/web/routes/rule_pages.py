"""Rules in the browser: the editor that makes them, and the sheet that says them."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from ...ruleset import ALL_BOOKS, Ruleset
from ...ruleset import words as rule_words
from ...ruleset.words.names import thing_slots
from ..editing import Board, Chosen, Trouble, chosen, found, read, trouble
from ..forms import form, way_back
from ..own_rules import LONGEST_NAME, Own, keep, own_of
from ..render import Renderer
from ..texts import Texts, texts
from ..visitor import visitor_of

router = APIRouter(include_in_schema=False)
LEVELS = ("easy", "normal")
_LONGEST = 2000


def renderer(request: Request) -> Renderer:
    """The templates of the application."""
    found_here: Renderer = request.app.state.renderer
    return found_here


def fields_of(request: Request) -> dict[str, list[str]]:
    """The fields of an address, each with every value it has."""
    fields: dict[str, list[str]] = {}
    for key, value in parse_qsl(request.url.query, keep_blank_values=True, max_num_fields=None):
        fields.setdefault(key, []).append(value)
    return fields


def one(fields: dict[str, list[str]], key: str, default: str = "") -> str:
    """The last value of a field."""
    return fields.get(key, [default])[-1]


def whole(text: str) -> int | None:
    """A whole number as written in a field, None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def link_of(request: Request, path: str) -> str:
    """The whole address of a page, to be passed on."""
    return f"{request.url.scheme}://{request.url.netloc}{path}"


def rules_path(code: str) -> str:
    """The address of the sheet of a rule code; a plus stays a plus."""
    return f"/rules/{quote(code, safe='+=*')}"


# ---- the sheet -------------------------------------------------------------------------------------------------------


def pair_table(lang: str, rules: Ruleset) -> dict[str, Any] | None:
    """The special cards on each other as rows and columns, straight from the engine."""
    rows = rule_words.special_pairs(lang, rules)
    if not rows:
        return None
    columns = list(dict.fromkeys(name for row in rows for name, _ in row.cells))
    return {
        "columns": [(name, _column(lang, name)) for name in columns],
        "rows": [
            (rule_words.say(lang, f"pair.{row.state}", **thing_slots(lang, row.on)), dict(row.cells)) for row in rows
        ],
    }


def _column(lang: str, name: str) -> str:
    if name == "others":
        return texts(lang)("sheet_page.others")
    return rule_words.card_name(lang, name, "plain") if len(name) == 2 else rule_words.rank_name(lang, name)


def settled(rules: Ruleset, players: int | None) -> Ruleset:
    """The rules for so many players where they allow that, else as they are."""
    if players is None:
        return rules
    try:
        return rules.at(players)
    except ValueError:
        return rules


def sheet_slots(lang: str, rules: Ruleset, request: Request) -> dict[str, Any]:
    """Everything a template needs to show rules."""
    return {
        "sheet": rule_words.sheet(lang, rules),
        "book": rule_words.book_title(lang, rules.book),
        "pairs": pair_table(lang, rules),
        "path": rules_path(rules.code),
        "link": link_of(request, rules_path(rules.code)),
        "rules_seats": rules.seats,
        "say": partial(rule_words.say, lang),
        "switched": partial(switched, rules),
    }


def switched(rules: Ruleset, parts: str) -> str:
    """The code of these rules with parts put to it, in the place of others of their keys; empty where that cannot be."""
    added = parts.split("+")
    keys = {part.partition("=")[0] for part in added}
    code = "+".join([rules.book, *(part for part in rules.parts if part.partition("=")[0] not in keys), *added])
    return "" if read(code)[0] is None else code


def play_slots(request: Request, rules: Ruleset | None) -> dict[str, Any]:
    """What the form that deals at once offers."""
    visitor = visitor_of(request)
    sizes = range(2, 9) if rules is None else range(rules.least_seats, rules.most_seats + 1)
    return {
        "sizes": tuple(sizes),
        "size": min(max(visitor.players, sizes[0]), sizes[-1]),
        "levels": LEVELS,
        "level": visitor.level,
    }


@router.get("/rules/edit")
async def edit(request: Request) -> Response:
    """The editor; with `part=preview` only what its switches lead to."""
    fields = fields_of(request)
    now = chosen(fields)
    t = texts(visitor_of(request).lang)
    rules, error = read(now.code)
    wrong = trouble(t, now.code, error) if error is not None else None
    slots = _preview(request, t, now, rules, wrong)
    page = renderer(request)
    if one(fields, "part") == "preview":
        return HTMLResponse(page.env.get_template("_rules_preview.html").render(t=t, **slots))
    board = Board(t, now, wrong.about if wrong else (), one(fields, "add"))
    groups, others = board.groups(), board.others()
    search = one(fields, "q")[:60]
    html = page.page(
        "rules_edit.html",
        t.lang,
        f"/rules/edit?code={quote(now.code)}",
        **slots,
        **play_slots(request, rules),
        books=[(book, rule_words.book_title(t.lang, book), rule_words.book_line(t.lang, book)) for book in ALL_BOOKS],
        chosen=now,
        groups=groups,
        things=board.things(),
        search=search,
        others=others,
        found=found(groups, search, others) if search else [],
        own=own_of(request),
        kept_said=_kept_said(t, fields, now.code),
    )
    return HTMLResponse(html)


def _kept_said(t: Texts, fields: dict[str, list[str]], code: str) -> str:
    """What became of rules that were to be kept, where the address tells of it."""
    name = one(fields, "kept")[:LONGEST_NAME]
    return t("editor.kept", name=name) if name else t("editor.not_kept") if one(fields, "full") else ""


@router.post("/rules/own")
async def keep_own(request: Request) -> Response:
    """Keep rules under a name in this browser, in the place of others of that name, and go on in the editor."""
    given = await form(request)
    name, code = " ".join(one(given, "name").split())[:LONGEST_NAME], one(given, "code")[:_LONGEST]
    own = own_of(request)
    there = f"/rules/edit?code={quote(code)}"
    if not name or read(code)[0] is None:
        return RedirectResponse(there, 303)
    answer = RedirectResponse(f"{there}&kept={quote(name)}#keep", 303)
    if keep(answer, request, [*(one_kept for one_kept in own if one_kept.name != name), Own(name, code)]):
        return answer
    return RedirectResponse(f"{there}&full=1#keep", 303)


@router.post("/rules/own/forget")
async def forget_own(request: Request) -> Response:
    """Forget rules by their name and come back."""
    given = await form(request)
    answer = RedirectResponse(way_back(one(given, "back")), 303)
    keep(answer, request, [kept for kept in own_of(request) if kept.name != one(given, "name")])
    return answer


def _preview(request: Request, t: Texts, now: Chosen, rules: Ruleset | None, wrong: Trouble | None) -> dict[str, Any]:
    unread = link_of(request, f"/rules/edit?code={quote(now.code)}")
    slots: dict[str, Any] = {"trouble": wrong, "code": now.code, "sheet": None, "link": unread}
    if rules is not None:
        slots |= sheet_slots(t.lang, rules, request) | {"code": rules.code}
    return slots


@router.get("/rules/{code}")
async def rule_sheet(request: Request, code: str) -> Response:
    """The rules of a code in words; with `part=sheet` what the table opens beside it."""
    fields = fields_of(request)
    t = texts(visitor_of(request).lang)
    rules, error = read(code[:_LONGEST])
    page = renderer(request)
    if error is not None or rules is None:
        assert error is not None
        wrong = trouble(t, code[:_LONGEST], error)
        status = 404 if wrong.code.startswith("unknown") else 422
        html = page.page("rules_wrong.html", t.lang, rules_path(code), trouble=wrong, code=code[:_LONGEST])
        return HTMLResponse(html, status)
    slots = sheet_slots(t.lang, settled(rules, whole(one(fields, "players"))), request)
    if one(fields, "part") == "sheet":
        return HTMLResponse(page.env.get_template("_rules_dialog.html").render(t=t, **slots))
    return HTMLResponse(
        page.page("rules_code.html", t.lang, rules_path(rules.code), **slots, **play_slots(request, rules))
    )
