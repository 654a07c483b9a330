"""Why rules cannot be played as stated, in one sentence that names what is wrong and what would work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from maumau.ruleset.data import BOOKS
from maumau.ruleset.keys import key_for
from maumau.ruleset.words.catalogue import WORDS, say
from maumau.ruleset.words.kinds import ErrorLike
from maumau.ruleset.words.names import join, quoted

_MOST_SEATS: Final = 8


def rule_error_sentence(lang: str, error: ErrorLike) -> str:
    """The sentence for a rule error; a code that has none is quoted."""
    make = _SENTENCES.get(error.code)
    return make(lang, error.params) if make else say(lang, "error.other", text=error.code)


def _quoted(lang: str, codes: Sequence[str], word: str = "or") -> str:
    return join(lang, [quoted(lang, code) for code in codes], word)


def _unknown(lang: str, code: str, params: Mapping[str, Any]) -> str:
    near = [str(text) for text in params.get("near") or ()]
    near = near if code == "unknown-book" else near[:1]
    key = f"error.{code}-near" if near and WORDS.has(f"error.{code}-near") else f"error.{code}"
    return say(lang, key, name=params.get("name", params.get("key")), near=_quoted(lang, near))


def _unknown_book(lang: str, params: Mapping[str, Any]) -> str:
    return _unknown(lang, "unknown-book", {**params, "near": params.get("near") or BOOKS})


def _not_played(lang: str, params: Mapping[str, Any]) -> str:
    return say(lang, f"error.not-played.{params['name']}", near=_quoted(lang, params["near"], "and"))


def _unknown_house_rule(lang: str, params: Mapping[str, Any]) -> str:
    return _unknown(lang, "unknown-house-rule", params)


def _unknown_key(lang: str, params: Mapping[str, Any]) -> str:
    return _unknown(lang, "unknown-key", params)


def _bad_value(lang: str, params: Mapping[str, Any]) -> str:
    key = str(params["key"])
    known = key_for(key)
    return say(
        lang,
        "error.bad-value-ranks" if known is not None and known.kind == "ranks" else "error.bad-value",
        key=key,
        value=params["value"],
        allowed=allowed_values(lang, key, str(params["allowed"])),
    )


def allowed_values(lang: str, name: str, said: str) -> str:
    """What a key may hold, in the listener's language; ``said`` is the English of it."""
    key = key_for(name)
    if key is None:
        least, _, most = said.partition(" to ")
        return say(lang, "allowed.int", least=least, most=most) if most else said
    words = join(lang, key.words, "or")
    if key.kind == "word":
        return words
    return say(lang, f"allowed.{key.kind}", least=key.least, most=key.most, word=words)


def _contradiction(lang: str, params: Mapping[str, Any]) -> str:
    return _two(lang, "contradiction", params)


def _no_effect(lang: str, params: Mapping[str, Any]) -> str:
    return _two(lang, "no-effect", params)


def _two(lang: str, code: str, params: Mapping[str, Any]) -> str:
    """Two parts of a code that do not go together, or one that does not go with its book."""
    pair = {name: _quote(lang, params[name]) for name in ("first", "second")}
    if params.get("book"):
        return _with_instead(lang, f"{code}-book", params.get("instead"), book=_book(lang, params["book"]), **pair)
    return _with_instead(lang, code, params.get("instead"), **pair)


def _book(lang: str, book: object) -> str:
    return say(lang, f"book.{book}") if WORDS.has(f"book.{book}") else str(book)


def _needs(lang: str, params: Mapping[str, Any]) -> str:
    wanted, value = str(params["needs"]), params.get("value")
    need = f"error.need.{wanted.replace('.', '_')}_{value}"
    needs = say(lang, need) if WORDS.has(need) else _quote(lang, wanted if value is None else f"{wanted}={value}")
    instead = params.get("instead")
    if params.get("swap"):
        more, apart = (_quote(lang, part) for part in params["swap"])
        return say(
            lang, "error.needs-swap", first=_quote(lang, params["first"]), needs=needs, instead=more, apart=apart
        )
    # A smaller number of the same value replaces it; anything else is put to it.
    rather = isinstance(instead, str) and instead.partition("=")[0] == str(params["first"]).partition("=")[0]
    code = "needs-rather" if rather else "needs"
    return _with_instead(lang, code, instead, first=_quote(lang, params["first"]), needs=needs)


def _does_not_fit(lang: str, params: Mapping[str, Any]) -> str:
    people = say(lang, "count.people", n=int(params["seats"]))
    hand = say(lang, "count.cards", n=int(params["cards"]))
    needed = params.get("needed", int(params["seats"]) * int(params["cards"]) + 1)
    sentence = _with_instead(
        lang, "does-not-fit", params.get("instead"), people=people, hand=hand, needed=needed, pack=params["pack"]
    )
    return sentence[:1].upper() + sentence[1:]


def _seats_not_allowed(lang: str, params: Mapping[str, Any]) -> str:
    seats, least, most = int(params["seats"]), int(params["least"]), int(params["most"])
    people = say(lang, "count.people", n=seats)
    if not 2 <= seats <= _MOST_SEATS:
        return say(lang, "error.seats-never", people=people)
    key = "error.seats-not-allowed-exact" if least == most else "error.seats-not-allowed"
    return say(
        lang,
        key,
        book=_book(lang, params["book"]),
        people=people,
        least=least,
        most=most,
        instead=_quote(lang, f"players-{seats}"),
    )


def _two_books(lang: str, params: Mapping[str, Any]) -> str:
    first, second = _quote(lang, params["first"]), _quote(lang, params["second"])
    key = "error.book-twice" if first == second else "error.two-books"
    return say(lang, key, first=first, second=second)


def _empty_part(lang: str, params: Mapping[str, Any]) -> str:
    return say(lang, "error.empty-part", whole=_quote(lang, params["whole"]), right=_quote(lang, params["right"]))


def _quote(lang: str, text: object) -> str:
    return quoted(lang, text)


def _with_instead(lang: str, code: str, instead: str | Sequence[str] | None, **slots: object) -> str:
    if not instead:
        return say(lang, f"error.{code}", **slots)
    codes = [instead] if isinstance(instead, str) else instead
    return say(lang, f"error.{code}-instead", instead=_quoted(lang, codes, "and"), **slots)


_SENTENCES: Final[Mapping[str, Callable[[str, Mapping[str, Any]], str]]] = {
    "unknown-book": _unknown_book,
    "not-played": _not_played,
    "unknown-house-rule": _unknown_house_rule,
    "unknown-key": _unknown_key,
    "bad-value": _bad_value,
    "contradiction": _contradiction,
    "no-effect": _no_effect,
    "needs": _needs,
    "does-not-fit": _does_not_fit,
    "seats-not-allowed": _seats_not_allowed,
    "two-books": _two_books,
    "empty-part": _empty_part,
}
