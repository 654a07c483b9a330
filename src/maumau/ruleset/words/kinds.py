"""The shapes of what the sentences are about; the game room fills them, this room never imports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from maumau.ruleset.keys import Value


class RulesLike(Protocol):
    """A ruleset: its book, its values, and its seats once they are settled."""

    @property
    def book(self) -> str: ...  # noqa: D102
    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def seats(self) -> int | None: ...  # noqa: D102
    @property
    def values(self) -> Mapping[str, Value]: ...  # noqa: D102
    @property
    def house_rules(self) -> tuple[str, ...]: ...  # noqa: D102
    def __getitem__(self, key: str) -> Value: ...


class ReasonLike(Protocol):
    """Why an action is allowed or refused."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def params(self) -> Mapping[str, object]: ...  # noqa: D102


class EventLike(Protocol):
    """Something that happened at a table."""

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def seat(self) -> int | None: ...  # noqa: D102
    @property
    def action(self) -> object: ...  # noqa: D102
    @property
    def cards(self) -> Sequence[object]: ...  # noqa: D102
    @property
    def count(self) -> int | None: ...  # noqa: D102
    @property
    def wish(self) -> object: ...  # noqa: D102
    @property
    def target(self) -> int | None: ...  # noqa: D102
    @property
    def by_itself(self) -> bool: ...  # noqa: D102


class ErrorLike(Protocol):
    """Why rules cannot be played as stated."""

    @property
    def code(self) -> str: ...  # noqa: D102
    @property
    def params(self) -> Mapping[str, object]: ...  # noqa: D102
