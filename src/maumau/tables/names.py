"""Names and tokens: what people call themselves, and what opens a seat."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from collections.abc import Collection
from typing import Final

from maumau.tables.errors import TableError
from maumau.tables.texts import tell

LONGEST: Final = 24
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi marks, zero-width characters), surrogates, private and unassigned characters, line ends."""
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f")
"""Letters and signs that show nothing."""
MARKS: Final = frozenset({"Mn", "Me", "Mc"})
LIKE_LATIN: Final = str.maketrans(
    "аеорсухіјѕԁһӏьꞵԛԝвкмнтαβγεικμνορτυχωȷıɡ01|!",
    "aeopcyxijsdhlbbqwbkmhtabyeikuvoptuxwjigolll",
)
"""Cyrillic and Greek letters, dotless ones, digits and signs that look like a Latin letter once case is folded."""
MOST_MARKS: Final = 2
"""Marks on one letter; more would climb over the lines above."""

TABLE_LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}")
BOT_NAMES: Final = ("Berta", "Carl", "Dora", "Emil", "Frieda", "Gustav", "Hanne", "Ida")


def clean_name(name: str, lang: str = "en", taken: Collection[str] = ()) -> str:
    """A name as it is kept: NFKC, without invisible characters, trimmed, 1 to 24 characters; 422 bad-name otherwise.

    One that looks like a name already taken gets a number: ``Anna 2``.
    """
    if len(name) > 40 * LONGEST:
        raise TableError("bad-name", tell(lang, "error.long-name", name=_shown(name[:8]), n=len(name), most=LONGEST))
    kept = " ".join(_visible(unicodedata.normalize("NFKC", name)).split())
    if not any(unicodedata.category(letter)[0] in "LNSP" for letter in kept):
        raise TableError("bad-name", tell(lang, "error.empty-name"))
    if len(kept) > LONGEST:
        raise TableError("bad-name", tell(lang, "error.long-name", name=kept[:8] + "…", n=len(kept), most=LONGEST))
    return told_apart(kept, taken)


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, with the first free number behind it where it looks like one that is taken."""
    seen = {looks(other) for other in taken}
    if looks(name) not in seen:
        return name
    numbered = (f"{name[: LONGEST - len(str(n)) - 1].rstrip()} {n}" for n in range(2, len(seen) + 3))
    return next(other for other in numbered if looks(other) not in seen)


def looks(name: str) -> str:
    """What a name looks like at a glance: without case, spaces and dots, look-alikes of other scripts as Latin."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(LIKE_LATIN)
    kept = "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LMNS")
    return kept or name


def _visible(text: str) -> str:
    """The characters that show, at most two marks on each letter."""
    kept: list[str] = []
    marks = 0
    for letter in text:
        category = unicodedata.category(letter)
        marks = marks + 1 if category in MARKS else 0
        if letter in BLANK or marks > MOST_MARKS:
            continue
        if category in INVISIBLE:
            if letter in "\t\n\r\v\f\u2028\u2029":
                kept.append(" ")
            continue
        kept.append(letter)
    return "".join(kept)


def _shown(text: str) -> str:
    return _visible(text) + "…"


def bot_name(taken: Collection[str]) -> str:
    """A name for a bot that nobody at the table has."""
    others = {looks(name) for name in taken}
    return next((name for name in BOT_NAMES if looks(name) not in others), None) or told_apart("Bot", taken)


def new_table_id() -> str:
    """A name for a table that can be read out and not guessed (59 bits)."""
    return "".join(secrets.choice(TABLE_LETTERS) for _ in range(12))


def new_token() -> str:
    """What opens a seat: 128 bits."""
    return secrets.token_urlsafe(16)


def is_token(text: str) -> bool:
    """Whether a text has the shape of what ``new_token`` makes."""
    return TOKEN.fullmatch(text) is not None


def digest(token: str) -> bytes:
    """What the store knows of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def derived(key: bytes, purpose: str) -> str:
    """A link of a table that is not a seat: its invite, its watch link."""
    return urlsafe_b64encode(hmac.digest(key, purpose.encode(), "sha256")[:16]).rstrip(b"=").decode()


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
