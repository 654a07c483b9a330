"""Bots by name: those that come with the product, and those that other packages offer as entry points."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Final

from maumau.bots.protocol import Bot

GROUP: Final = "maumau.bots"
"""The entry-point group in which a package offers a bot."""

_OWN: Final = {
    "random": "maumau.bots.random:RandomBot",
    "easy": "maumau.bots.thumb:EasyBot",
    "normal": "maumau.bots.thumb:NormalBot",
}


class UnknownBotError(ValueError):
    """No bot is called so, or what is called so is no bot; ``near`` are names that may have been meant."""

    def __init__(self, name: str, problem: str = "") -> None:
        self.name = name
        self.near = tuple(get_close_matches(name, names(), n=2, cutoff=0.5))
        offered = " or ".join(self.near) if self.near else ", ".join(names())
        super().__init__(problem or f"no bot is called {name!r}; try {offered}")


@cache
def _offered() -> dict[str, Any]:
    """The bots of other packages; a name that the product uses itself stays the product's."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _OWN}


def names() -> tuple[str, ...]:
    """All bots by name, the product's own first, from the weakest."""
    return (*_OWN, *sorted(_offered()))


def get(name: str, seed: int = 0) -> Bot:
    """A bot by name; ``seed`` decides its chance, where it uses any. Raises UnknownBotError, which offers near names."""
    found = _class_of(name)
    made = found(seed=seed) if _takes_seed(found) else found()
    if not callable(getattr(made, "choose", None)):
        raise UnknownBotError(name, f"the bot {name!r} has no method choose(observation)")
    bot: Bot = made
    return bot


@cache
def _class_of(name: str) -> Any:
    if name in _OWN:
        module, _, attribute = _OWN[name].partition(":")
        return getattr(import_module(module), attribute)
    if name not in _offered():
        raise UnknownBotError(name)
    return _offered()[name].load()


def _takes_seed(factory: Any) -> bool:
    try:
        return "seed" in inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return False
