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
"""So many signs as people count them: a letter with its marks is one, and so is a picture joined of several."""
MOST_BYTES: Final = 4 * LONGEST
"""So many bytes in UTF-8, however few signs they are."""
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control, format (bidi marks, zero-width characters), surrogates, private and unassigned characters, line ends."""
JOINER: Final = "\u200d"
SELECTORS: Final = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0x180B, 0x180E), 0x180F)))
"""They choose among the shapes of the sign before them, and show nothing themselves."""
BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f") | SELECTORS
"""Letters and signs that show nothing."""
IDEOGRAPHIC: Final = frozenset(map(chr, range(0xE0100, 0xE01F0)))
"""Selectors for the shapes of a Chinese character, which people write their names with; they stay, and tell no names apart."""
_PICTURE: Final = (
    "[\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff](?:\ufe0f|[\U0001f3fb-\U0001f3ff])?"
)
"""A picture, perhaps with the selector for its coloured shape or a tone of skin: the blocks that hold the emoji."""
EMOJI: Final = re.compile(f"{_PICTURE}(?:{JOINER}{_PICTURE})*|[0-9#*]\ufe0f\u20e3|[\U0001f1e6-\U0001f1ff]{{2}}")
"""A picture or several joined, a key with its cap, a flag: as UTS 51 puts them together, but without tags."""
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
    """A name as it is kept: NFKC, without invisible characters, trimmed, 1 to 24 signs in 96 bytes; 422 bad-name otherwise.

    One that looks like a name already taken gets a number: ``Anna 2``.
    """
    if len(name) > 40 * LONGEST:
        raise TableError("bad-name", tell(lang, "error.long-name", name=_shown(name[:8]), n=len(name), most=LONGEST))
    seen = _visible(unicodedata.normalize("NFKC", name))
    seen = unicodedata.normalize("NFKC", seen)  # again: what stood between a letter and its mark is gone
    kept = " ".join(seen.split())
    if not any(unicodedata.category(letter)[0] in "LNSP" for letter in kept):
        raise TableError("bad-name", tell(lang, "error.empty-name"))
    if (n := len(signs(kept))) > LONGEST:
        raise TableError("bad-name", tell(lang, "error.long-name", name=cut(kept, 8) + "…", n=n, most=LONGEST))
    if cut(kept) != kept:
        raise TableError("bad-name", tell(lang, "error.heavy-name", name=cut(kept, 3) + "…"))
    return told_apart(kept, taken)


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, with the first free number behind it where it looks like one that is taken."""
    seen = {looks(other) for other in taken}
    if looks(name) not in seen:
        return name
    endings = (f" {n}" for n in range(2, len(seen) + 3))
    numbered = (cut(name, LONGEST - len(end), MOST_BYTES - len(end)).rstrip() + end for end in endings)
    return next(other for other in numbered if looks(other) not in seen)


def signs(text: str) -> list[str]:
    """A text in signs as people count them."""
    found: list[str] = []
    for part in _parts(text):
        if found and unicodedata.category(part[0]) in MARKS:
            found[-1] += part
        else:
            found.append(part)
    return found


def cut(text: str, most: int = LONGEST, size: int = MOST_BYTES) -> str:
    """The first signs of a text, so many and in so many bytes at most; none is cut in two."""
    kept = ""
    for sign in signs(text)[:most]:
        if len((kept + sign).encode("utf-8", "surrogatepass")) > size:
            break
        kept += sign
    return kept


def _parts(text: str) -> list[str]:
    """A text in emoji and single characters; an emoji with a sign that this Python does not know is none."""
    found: list[str] = []
    at = 0
    for emoji in EMOJI.finditer(text):
        known = all(unicodedata.category(sign) != "Cn" for sign in emoji[0])
        found += [*text[at : emoji.start()], *([emoji[0]] if known else emoji[0])]
        at = emoji.end()
    return [*found, *text[at:]]


def looks(name: str) -> str:
    """What a name looks like at a glance: without case, spaces and dots, look-alikes of other scripts as Latin."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(LIKE_LATIN)
    hidden = SELECTORS | IDEOGRAPHIC
    kept = "".join(letter for letter in plain if unicodedata.category(letter)[0] in "LMNS" and letter not in hidden)
    return kept or name


def _visible(text: str) -> str:
    """The characters that show, at most two marks on each letter; what joins and colours pictures only where it does."""
    kept: list[str] = []
    marks = 0
    for letter in _parts(text):
        category = unicodedata.category(letter[0])
        if category in INVISIBLE and letter in "\t\n\r\v\f\u2028\u2029":
            letter, category = " ", "Zs"
        if letter in BLANK or category in INVISIBLE:
            continue
        marks = marks + 1 if category in MARKS else 0
        if marks <= MOST_MARKS:
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
