"""Which language a request is answered in: the cookie, else what the browser asks for, else English."""

from __future__ import annotations

from .texts import FALLBACK, LANGUAGES


def _weighed(header: str) -> list[tuple[float, str]]:
    """The languages of an Accept-Language header with their weights, best first; garbage counts nothing."""
    found: list[tuple[float, str]] = []
    for part in header[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            found.append((float(weight) if weight else 1.0, name.strip().lower()))
        except ValueError:
            continue
    return sorted(found, key=lambda pair: -pair[0])


def choose(cookie: str | None, header: str | None) -> str:
    """The language of a page: `de-AT` is answered in German, an unknown one in English."""
    if cookie in LANGUAGES:
        return str(cookie)
    for weight, name in _weighed(header or ""):
        if weight > 0 and name.partition("-")[0] in LANGUAGES:
            return name.partition("-")[0]
    return FALLBACK


def other(lang: str) -> str:
    """The language that the switch leads to."""
    return next(code for code in LANGUAGES if code != lang)
