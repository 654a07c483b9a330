"""The one error that a table answers with, in the one shape that pages and the API share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from maumau.tables.view import View


class TableError(Exception):
    """A command or a question that a table refuses; nothing has changed.

    ``code`` is a reason code (of the engine, or of ``texts/*.toml``), ``text`` one sentence in the language asked for,
    ``status`` the HTTP status, ``position`` the position as the asking seat may see it, ``view`` the present view where
    the caller has to look again (``stale`` and ``not-your-turn``).
    """

    def __init__(
        self, code: str, text: str, status: int = 422, position: str | None = None, view: View | None = None
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.status = status
        self.position = position
        self.view = view

    def as_json(self) -> dict[str, Any]:
        """The body of the answer: ``{"error": {"code", "text", "position"}}``, with the view where there is one."""
        body: dict[str, Any] = {"error": {"code": self.code, "text": self.text, "position": self.position}}
        if self.view is not None:
            body["view"] = self.view.as_json()
        return body


class StoreError(Exception):
    """The store could not keep what it was given; nothing of it has been acknowledged."""


class WriteError(StoreError):
    """The store cannot write at all just now, for whomever; it has said so in the log itself."""


def is_told(error: BaseException) -> bool:
    """Whether the store has said in the log what an error, or the refusal that it led to, is about."""
    return isinstance(error, WriteError) or isinstance(error.__cause__, WriteError)


class ConflictError(StoreError):
    """Somebody else has appended to this table first: load it again and decide again."""


class LogError(StoreError):
    """A stored log that this engine does not replay to the events that were stored."""
