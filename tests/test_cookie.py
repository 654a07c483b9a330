"""The one cookie that holds a browser's seats: a browser drops what is over 4,096 bytes, and every seat with it."""

from __future__ import annotations

import base64
import json

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from maumau.tables.names import new_table_id, new_token
from maumau.web.sitting import LONGEST_NAME
from maumau.web.visitor import MOST_KNOCKS, MOST_PEOPLE, MOST_TABLES, Visitor, remember, visitor_of

BROWSERS_TAKE = 4096
"""So many bytes a cookie may have, its name and value together; one that reads them strictly counts the rest as well."""
LONGEST = {
    "Latin": "Wilhelmina-Friederike-Ann",
    "Greek": "Αλεξάνδρα-Παναγιώτα-Ελένη",
    "Thai": "พระเจนดุริยางค์สุวรรณภูมิ",
    "Chinese": "阿不都热依木江买买提艾合买提吾甫尔古丽娜扎尔迪丽",
    "outside the first plane": "𠮷𡈽𠮟𡚴𣘺𤭖𥔎𦫿𧲸𨉷𩸽𪚲" * 3,
    "joined pictures": "👩‍👩‍👧‍👦👨‍🚀🏳️‍🌈🧑‍🤝‍🧑" * 3,
    "what JSON escapes": '"\\' * 12,
}
"""Names as long as any may be."""
LONGEST_RULES = (
    "family+" + "+".join(f"power.{rank}{suit}.draw={n}" for n, rank in enumerate("789TJQKA", 1) for suit in "cdhs")
)[:300]


def full(name: str, rules: str = LONGEST_RULES) -> Visitor:
    """A browser that has as much as one can have: eight people at each of six tables."""
    names = tuple(f"{name[: LONGEST_NAME - 1]}{n}" for n in range(MOST_PEOPLE))
    tables = {new_table_id(): " ".join(new_token() for _ in names) for _ in range(MOST_TABLES)}
    knocks = {new_table_id(): new_token() for _ in range(MOST_KNOCKS)}
    return Visitor(
        "de",
        "de",
        tables,
        rules,
        8,
        "normal",
        "instant",
        name[:LONGEST_NAME],
        names[:2],
        names[2:],
        knocks,
        new_token(),
    )


def given(visitor: Visitor, scheme: str = "https") -> str:
    """The cookie as it is given, with all that belongs to it."""
    answer = Response()
    remember(answer, HTTPConnection({"type": "http", "scheme": scheme, "headers": [], "path": "/"}), visitor)
    return answer.headers["set-cookie"]


def read(cookie: str, scheme: str = "https") -> Visitor:
    """What is read from it when it comes back."""
    pair = cookie.partition(";")[0].encode()
    headers = [(b"cookie", pair), (b"accept-language", b"de")]
    return visitor_of(HTTPConnection({"type": "http", "scheme": scheme, "headers": headers, "path": "/"}))


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("name", LONGEST.values(), ids=list(LONGEST))
def test_all_that_a_browser_can_have_fits_and_comes_back(name: str, scheme: str) -> None:
    visitor = full(name)
    cookie = given(visitor, scheme)
    assert len(cookie) <= BROWSERS_TAKE
    assert read(cookie, scheme) == visitor


@pytest.mark.parametrize("rules", ["family+" + "𠮷" * 293, "\x01" * 300], ids=["outside the first plane", "control"])
@pytest.mark.parametrize(
    "name", ["𠮷" * LONGEST_NAME, "\x01" * LONGEST_NAME], ids=["outside the first plane", "control"]
)
def test_what_nobody_needs_gives_way_and_never_a_seat(name: str, rules: str) -> None:
    visitor = full(name, rules)
    cookie = given(visitor)
    assert len(cookie) <= BROWSERS_TAKE
    kept = read(cookie)
    assert kept.seats == visitor.seats
    assert kept.knocks == visitor.knocks
    assert (kept.id, kept.chosen_lang) == (visitor.id, "de")
    assert (kept.people, kept.before) == (visitor.people, visitor.before), (
        "what they have played could never be deleted"
    )


def test_what_was_given_before_is_still_read() -> None:
    """Cookies last a year: those that write every sign outside ASCII as an escape are out there."""
    visitor = full(LONGEST["Greek"], "family")
    fields = {
        "l": "de", "s": visitor.seats, "r": "family", "n": 8, "b": "normal", "p": "instant", "u": visitor.name,
        "k": visitor.knocks, "o": "\n".join(visitor.people), "q": "\n".join(visitor.before), "i": visitor.id,
    }  # fmt: skip
    old = base64.urlsafe_b64encode(json.dumps(fields, separators=(",", ":")).encode()).decode()
    assert "\\u03" in base64.urlsafe_b64decode(old).decode()
    assert read(f"maumau={old}", "http") == visitor
