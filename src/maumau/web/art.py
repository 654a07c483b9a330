"""The cards, drawn here: one SVG symbol per card, made from a few paths.

Everything is in units of a card 100 wide and 140 high. A face is a corner index, its mirror image, and
between them pips in the usual places or, for a court, a hat over the sign of its suit: a crown for the
King, a diadem for the Queen, a feathered cap for the Jack. Colours come from the page (`currentColor`
for the suit, `--gold` and `--tint` for the courts), so one drawing serves every palette.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from ..cards import Rank, Suit

SIGNS = {
    "c": "M9.9 8.7a6.1 6.1 0 1 1 12.2 0 6.1 6.1 0 1 1-12.2 0ZM2.7 18.8a6.1 6.1 0 1 1 12.2 0 6.1 6.1 0 1 1-12.2 0Z"
    "M17.1 18.8a6.1 6.1 0 1 1 12.2 0 6.1 6.1 0 1 1-12.2 0ZM13 12h6l-1.6 6c.1 5.4 1.3 9.4 3.6 11.800H11"
    "c2.3-2.4 3.5-6.4 3.6-11.800Z",
    "d": "M16 1.500c2.7 5.7 6.6 10.7 11.2 14.500C22.6 19.8 18.7 24.8 16 30.5 13.3 24.8 9.4 19.8 4.8 16"
    " 9.4 12.2 13.3 7.2 16 1.500Z",
    "h": "M16 29.500C10.3 22.8 3 17.6 3 10.7 3 6.5 6.1 3.5 9.8 3.500c2.7 0 5 1.5 6.2 4.1 1.2-2.6 3.5-4.1 6.2-4.1"
    " 3.7 0 6.8 3 6.8 7.200C29 17.6 21.7 22.8 16 29.500Z",
    "s": "M16 2.200C19.6 8.5 29 13.4 29 19.900c0 3.5-2.7 5.9-5.8 5.9-2.5 0-4.6-1.3-5.9-3.4.2 3.1 1.3 5.6 3.5 7.400h-9.6"
    "c2.2-1.8 3.3-4.3 3.5-7.4-1.3 2.1-3.4 3.4-5.9 3.400C5.7 25.8 3 23.4 3 19.9 3 13.4 12.4 8.5 16 2.200Z",
}

_HATS = {
    "K": '<path class="card-gold" d="M33.5 43 31 26.500l10.2 7.300L50 21.500l8.8 12.300L69 26.5 66.5 43Z"/>'
    '<circle cx="31" cy="25" r="2.3"/><circle cx="50" cy="19.5" r="2.6"/><circle cx="69" cy="25" r="2.3"/>'
    '<path d="M33.3 44.500h33.400v4.300H33.300Z"/>',
    "Q": '<path class="card-gold" d="M30.5 36.500q4 3.5 7.3-2.5 3.3 5 6.2-3.5 3.3 5 6-8.5 2.7 13.5 6 8.5 2.9 8.5 6.2 3.5'
    ' 3.3 6 7.3 2.500Q66 46.5 50 46.500T30.5 36.500Z"/><circle cx="50" cy="20.5" r="2.7"/>'
    '<circle cx="37.8" cy="32" r="1.9"/><circle cx="62.2" cy="32" r="1.9"/><circle cx="30.5" cy="34.8" r="1.9"/>'
    '<circle cx="69.5" cy="34.8" r="1.9"/><circle cx="50" cy="39.5" r="2.4"/>',
    "J": '<path d="M32.5 45C28.5 36 37 29 49 29s21.5 7 18.5 16c-10-4.2-25-4.2-35 0Z"/>'
    '<path class="card-gold" d="M46 30.500c0-8.5 9-15 25-12.5-2.5 7.5-12 12.5-22.5 13.700Z"/>'
    '<path class="card-line" d="M48.5 31.500q7-8.5 17.5-11.5"/>'
    '<path class="card-gold" d="M32.8 46.500c10.4-3.8 24-3.8 34.4 0l-.7 3.300c-10-3.3-23-3.3-33 0Z"/>',
}

_LEFT, _MIDDLE, _RIGHT = 37.5, 50.0, 62.5
_TOP, _BOTTOM = 27.0, 113.0
_THIRD = (_BOTTOM - _TOP) / 3


def _rows(*places: tuple[float, float]) -> list[tuple[float, float]]:
    """Both sides at each height."""
    return [(x, y) for y, _ in places for x in (_LEFT, _RIGHT)]


_PAIRS2 = _rows((_TOP, 0), (_BOTTOM, 0))
_PAIRS3 = _rows((_TOP, 0), (70, 0), (_BOTTOM, 0))
_PAIRS4 = _rows((_TOP, 0), (_TOP + _THIRD, 0), (_BOTTOM - _THIRD, 0), (_BOTTOM, 0))
_PIPS: dict[str, list[tuple[float, float]]] = {
    "2": [(_MIDDLE, _TOP), (_MIDDLE, _BOTTOM)],
    "3": [(_MIDDLE, _TOP), (_MIDDLE, 70), (_MIDDLE, _BOTTOM)],
    "4": _PAIRS2,
    "5": [*_PAIRS2, (_MIDDLE, 70)],
    "6": _PAIRS3,
    "7": [*_PAIRS3, (_MIDDLE, 48.5)],
    "8": [*_PAIRS3, (_MIDDLE, 48.5), (_MIDDLE, 91.5)],
    "9": [*_PAIRS4, (_MIDDLE, 70)],
    "T": [*_PAIRS4, (_MIDDLE, _TOP + _THIRD / 2), (_MIDDLE, _BOTTOM - _THIRD / 2)],
}


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _sign(suit: str, x: float, y: float, size: float, turned: bool = False) -> str:
    """The suit's sign around (x, y); below the middle of a card it stands on its head."""
    corner = f'x="{_number(x - size / 2)}" y="{_number(y - size / 2)}" width="{_number(size)}" height="{_number(size)}"'
    turn = f' transform="rotate(180 {_number(x)} {_number(y)})"' if turned else ""
    return f'<use href="#s-{suit}" {corner}{turn}/>'


def _pips(rank: str, suit: str) -> str:
    size = 19.0 if rank in "23" else 15.5
    return "".join(_sign(suit, x, y, size, y > 70) for x, y in _PIPS[rank])


def _court(rank: str, suit: str) -> str:
    half = _HATS[rank] + _sign(suit, 50, 59, 16)
    return (
        '<rect class="card-frame" x="28.5" y="12.5" width="43" height="115" rx="5"/>'
        f'<g>{half}</g><path class="card-line" d="M31 70h14M55 70h14"/><circle cx="50" cy="70" r="1.4"/>'
        f'<g transform="rotate(180 50 70)">{half}</g>'
    )


def _ace(suit: str) -> str:
    return f'<circle class="card-line" cx="50" cy="70" r="29"/><circle class="card-line" cx="50" cy="70" r="31.5"/>{_sign(suit, 50, 70, 36)}'


def _index(text: str, suit: str) -> str:
    squeeze = ' textLength="21" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    return f'<text class="card-index" x="14.5" y="26.5"{squeeze}>{text}</text>{_sign(suit, 14.5, 39, 15.5)}'


def _face(rank: str, suit: str, index: str) -> str:
    corner = _index(index, suit)
    middle = _pips(rank, suit) if rank in _PIPS else _court(rank, suit) if rank in _HATS else _ace(suit)
    return f'{corner}<g transform="rotate(180 50 70)">{corner}</g>{middle}'


def _symbol(name: str, body: str, box: str = "0 0 100 140") -> str:
    return f'<symbol id="{name}" viewBox="{box}">{body}</symbol>'


_STAR = "M50 38l9.4 20.6 22.5 2.7-16.7 15.3 4.5 22.200L50 87.7 30.3 98.800l4.5-22.200L18.1 61.300l22.5-2.700Z"


def _signs() -> str:
    return "".join(_symbol(f"s-{suit}", f'<path d="{path}"/>', "0 0 32 32") for suit, path in SIGNS.items()) + (
        f'<g id="s-crown">{_HATS["K"]}</g>'
    )


def _hidden(symbols: str) -> str:
    return f'<svg class="sprite" aria-hidden="true">{symbols}</svg>'


def signs() -> str:
    """The four suit signs and the winner's crown alone, for pages without cards."""
    return _hidden(_signs())


@lru_cache(maxsize=8)
def sprite(letters: tuple[str, ...]) -> str:
    """All symbols of a page as one hidden SVG; `letters` are the corner letters, lowest rank first."""
    faces = [
        _symbol(f"f-{rank.letter}{suit.letter}", _face(rank.letter, suit.letter, letters[rank]))
        for rank in Rank
        for suit in Suit
    ]
    joker = _symbol("f-*", f'<text class="card-index" x="14.5" y="26.5">★</text><path class="card-gold" d="{_STAR}"/>')
    return _hidden(_signs() + "".join(faces) + joker)


_FACE = Markup('<svg class="face f-{suit}" viewBox="0 0 100 140" aria-hidden="true"><use href="#f-{card}"/></svg>')
_SIGN = Markup('<svg class="sign f-{suit}" viewBox="0 0 32 32" aria-hidden="true"><use href="#s-{suit}"/></svg>')


@lru_cache(maxsize=128)
def face(card: str) -> Markup:
    """One drawing for every card; a class for the suit gives it its colour."""
    return _FACE.format(card=card, suit=card[-1:])


@lru_cache(maxsize=16)
def sign(suit: str) -> Markup:
    """The sign of a suit, by its letter."""
    return _SIGN.format(suit=suit)
