"""Errors of the game: an action the rules refuse, a position that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Reason(NamedTuple):
    """Why something may or may not be done: a code and what its sentence names."""

    code: str
    params: Mapping[str, Any] = {}


class IllegalActionError(ValueError):
    """An action that the rules refuse; the state is as it was before.

    ``reason`` is the code, ``params`` what its sentence names, ``action`` the action's text, ``position`` the position text.
    """

    def __init__(self, reason: Reason, action: str, position: str, rules: Any) -> None:
        super().__init__(reason.code)
        self.reason = reason.code
        self.params = dict(reason.params)
        self.action = action
        self.position = position
        self.rules = rules

    def sentence(self, lang: str) -> str:
        """The reason as one sentence."""
        from maumau.ruleset.words import reason_sentence

        return reason_sentence(lang, Reason(self.reason, self.params), self.rules)

    def __str__(self) -> str:
        return f"{self.action}: {self.sentence('en')} [{self.reason}] in {self.position}"


class PositionError(ValueError):
    """A position that cannot be: ``code`` says why, ``params`` name the card, seat or number."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def sentence(self, lang: str) -> str:
        """What is wrong and what would be right, as one sentence."""
        from maumau.ruleset.words import position_error_sentence

        return position_error_sentence(lang, self)

    def __str__(self) -> str:
        return self.sentence("en")
