"""What ``maumau rules`` prints: a table's sheet, or the list of rule books and house rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from maumau.ruleset.data import BOOKS, RELATIVES, HouseRule, house_rules
from maumau.ruleset.keys import PLAIN_KEYS, POWERS
from maumau.ruleset.ruleset import Ruleset
from maumau.ruleset.words.catalogue import language, say
from maumau.ruleset.words.complaints import allowed_values
from maumau.ruleset.words.pairs import PairRow, special_pairs
from maumau.ruleset.words.rules import rule_sentence
from maumau.ruleset.words.sheet import Line, Sheet, book_line, book_title, house_rule_line, house_rule_name, sheet

FORMATS: Final = ("text", "md", "html", "json")
_KEYS_EXAMPLE: Final = "family+deal.cards=6+power.Q.skip=1"
_EXAMPLE: Final = "family+nine-reverse+target-200"


def rules_text(code: str, lang: str, format: str = "text", seats: int | None = None) -> str:
    """The sheet of the rules with this code as ``text``, ``md``, ``html`` or ``json``; raises RuleError."""
    rules = Ruleset.parse(code)
    rules = rules if seats is None else rules.at(seats)
    page, pairs = sheet(language(lang), rules), special_pairs(language(lang), rules)
    if format == "json":
        rows = [{"on": row.on, "state": row.state, "cells": dict(row.cells), "text": row.text} for row in pairs]
        return _json({**page.as_json(), "pairs": rows})
    return _FORMATS[format](_sheet_blocks(page, pairs), page.lang, page.title)


def rules_list(lang: str, format: str = "text") -> str:
    """The rule books and house rules, one line each."""
    lang = language(lang)
    if format == "json":
        return _json(list_json(lang))
    title = say(lang, "sheet.list_title")
    return _FORMATS[format](_list_blocks(lang, title), lang, title)


def rules_keys(lang: str, format: str = "text") -> str:
    """Every single value a table can agree on: its name, what it may be, and a sentence of what it says."""
    lang = language(lang)
    if format == "json":
        keys = [{"name": name, "allowed": allowed, "text": text} for name, allowed, text in _keys(lang)]
        return _json({"lang": lang, "keys": keys})
    title = say(lang, "sheet.keys_title")
    return _FORMATS[format](_key_blocks(lang, title), lang, title)


def _key_blocks(lang: str, title: str) -> Iterator[_Block]:
    yield "h1", title
    yield "p", say(lang, "sheet.keys_intro", code=_KEYS_EXAMPLE)
    for name, allowed, text in _keys(lang):
        yield "li", say(lang, "sheet.key_item", name=name, allowed=allowed, text=text)


def _keys(lang: str) -> Iterator[tuple[str, str, str]]:
    """Plain keys with what the default book says; families of keys once, with an example."""
    book = Ruleset.parse(BOOKS[0])
    for name, key in PLAIN_KEYS.items():
        yield name, allowed_values(lang, name, key.allowed), rule_sentence(lang, book, name)
    for name, example in _families():
        values = allowed_values(lang, f"{name}.Q" if "." not in name else f"power.Q.{name.partition('.')[2]}", "")
        rules = Ruleset.parse(f"{BOOKS[0]}+{example}")
        first, _, rest = name.partition(".")
        yield ".".join(filter(None, (first, "X", rest))), values, rule_sentence(lang, rules, example.partition("=")[0])


def _families() -> Iterator[tuple[str, str]]:
    """Each family of keys with one value as an example."""
    for power, key in POWERS.items():
        yield (
            f"power.{power}",
            f"power.Q.{power}={'yes' if key.kind == 'bool' else key.words[-1] if key.kind == 'word' else 1}",
        )
    yield from (("points", "points.Q=10"), ("closing", "closing.Q=2"), ("fine", "fine.Q=10"))


def list_json(lang: str) -> dict[str, Any]:
    """The rule books and house rules as plain data."""
    return {
        "lang": lang,
        "books": [_book_json(lang, book) for book in BOOKS],
        "relatives": [_book_json(lang, book) for book in RELATIVES],
        "house_rules": [
            {
                "code": rule.code,
                "group": rule.group,
                "name": house_rule_name(lang, rule.code),
                "line": house_rule_line(lang, rule.code),
                **({"least": rule.least, "most": rule.most} if rule.takes_number else {}),
            }
            for rule in house_rules().values()
        ],
    }


def _book_json(lang: str, book: str) -> dict[str, str]:
    return {"code": book, "title": book_title(lang, book), "line": book_line(lang, book)}


# --- blocks: one description of the page, three ways to write it down ------------------------------------------------

_Block = tuple[str, str]
"""``h1``, ``h2``, ``p``, ``li`` or ``note`` (a remark on the item before it), and the text."""


def _sheet_blocks(page: Sheet, pairs: Sequence[PairRow]) -> Iterator[_Block]:
    yield "h1", page.title
    for text in page.intro:
        yield "p", text
    yield "p", " · ".join([*page.chips, *([page.more] if page.more else [])])
    for section in page.sections:
        yield "h2", section.title
        for line in section.lines:
            yield from _line_blocks(page.lang, line)
    if pairs:
        yield "h2", say(page.lang, "sheet.pairs")
        for row in pairs:
            yield "li", row.text
    if page.differences:
        yield "h2", say(page.lang, "sheet.differences")
        for text in page.differences:
            yield "li", text
    if any(line.readings for line in page.lines):
        yield "p", say(page.lang, "sheet.readings_note")
    if page.sources:
        yield "h2", say(page.lang, "sheet.sources")
        for source in page.sources:
            yield "li", say(page.lang, "sheet.source", title=source.title, url=source.url)
    yield "p", say(page.lang, "sheet.code", code=page.code)


def _line_blocks(lang: str, line: Line) -> Iterator[_Block]:
    yield "li", f"{line.text} †" if line.readings else line.text
    for reading in line.readings:
        yield "note", say(lang, "sheet.reading", this=reading.this(lang), other=reading.other(lang))


def _list_blocks(lang: str, title: str) -> Iterator[_Block]:
    yield "h1", title
    yield "h2", say(lang, "sheet.books")
    yield from (_book_block(lang, book) for book in BOOKS)
    yield "h2", say(lang, "sheet.relatives")
    yield from (_book_block(lang, book) for book in RELATIVES)
    for group, rules in _grouped().items():
        yield "h2", say(lang, "sheet.group", group=say(lang, f"section.{group}"))
        for rule in rules:
            yield "li", say(lang, "sheet.item", code=rule.code, text=house_rule_line(lang, rule.code))
    yield "p", say(lang, "sheet.use", code=_EXAMPLE)


def _book_block(lang: str, book: str) -> _Block:
    return "li", say(lang, "sheet.item", code=book, text=f"{book_title(lang, book)}. {book_line(lang, book)}")


def _grouped() -> Mapping[str, list[HouseRule]]:
    groups: dict[str, list[HouseRule]] = {}
    for rule in house_rules().values():
        groups.setdefault(rule.group, []).append(rule)
    return groups


def _as_text(blocks: Iterator[_Block], lang: str, title: str) -> str:
    marks = {"h1": ("", ""), "h2": ("\n", ""), "p": ("", ""), "li": ("  - ", ""), "note": ("      ", "")}
    lines = [f"{marks[kind][0]}{text}{marks[kind][1]}" for kind, text in _spaced(blocks)]
    return "\n".join(lines) + "\n"


def _as_markdown(blocks: Iterator[_Block], lang: str, title: str) -> str:
    marks = {"h1": ("# ", ""), "h2": ("\n## ", "\n"), "p": ("", ""), "li": ("- ", ""), "note": ("  - *", "*")}
    return "\n".join(f"{marks[kind][0]}{text}{marks[kind][1]}" for kind, text in _spaced(blocks)) + "\n"


def _spaced(blocks: Iterator[_Block]) -> Iterator[_Block]:
    """Blocks with an empty line between two paragraphs and after a list."""
    before = ""
    for kind, text in blocks:
        if kind == "p" and before in ("h1", "p", "li", "note"):
            yield kind, f"\n{text}"
        else:
            yield kind, text
        before = kind


def _as_html(blocks: Iterator[_Block], lang: str, title: str) -> str:
    parts = [
        "<!doctype html>",
        f'<html lang="{lang}">',
        f'<head><meta charset="utf-8"><title>{escape(title)}</title></head>',
        "<body>",
    ]
    in_list = False
    for kind, text in blocks:
        item = kind in ("li", "note")
        if item != in_list:
            parts.append("<ul>" if item else "</ul>")
            in_list = item
        parts.append(f'<li class="note">{escape(text)}</li>' if kind == "note" else f"<{kind}>{escape(text)}</{kind}>")
    return "\n".join([*parts, *(["</ul>"] if in_list else []), "</body>", "</html>"]) + "\n"


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


_FORMATS: Final[Mapping[str, Callable[[Iterator[_Block], str, str], str]]] = {
    "text": _as_text,
    "md": _as_markdown,
    "html": _as_html,
}
