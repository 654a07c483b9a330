"""What a table's page shows of many things, put together once for each of them: seats, cards of the hand, lines of the log.

After an action most of them are what they were before, for this seat or for another, so they are kept.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from ..tables.view import LogLine

_KEPT = 4096
"""So many pieces of each kind are kept, for all tables together."""
_SAID = re.compile(r"""\bt\((["'])([\w.]+)\1\)""")


class Worded(PackageLoader):
    """Templates of one language: a sentence without slots stands in them when they are compiled, and costs nothing later."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(__package__, "templates")
        self._words = words

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool] | None]:
        """The template with these sentences in it."""
        source, path, fresh = super().get_source(environment, template)
        said = _SAID.sub(lambda asked: json.dumps(self._words[asked[2]], ensure_ascii=False), source)
        return said, path, fresh


class Pieces:
    """The pieces of one language's pages: macros of ``_pieces.html``, each with all that it hangs on."""

    def __init__(self, env: Environment) -> None:
        self._macros = env.get_template("_pieces.html").module
        self.one = lru_cache(maxsize=_KEPT)(self._make)

    def _make(self, macro: str, *given: Any) -> str:
        return str(getattr(self._macros, macro)(*given))

    def all(self, macro: str, things: Iterable[tuple[Any, ...]]) -> Markup:
        """One piece after the other."""
        one = self.one
        return Markup("".join([one(macro, *thing) for thing in things]))


def log_lines(log: Sequence[LogLine]) -> Markup:
    """The lines of the log. Most of a page's pieces are here, so they are put together without the template."""
    texts = html.escape("\0".join([line.text for line in log])).split("\0") if log else ()
    pairs = zip(log, texts, strict=True)
    return Markup("".join([f'<p id="log-{line.seq}" class="k-{line.kind}">{text}</p>' for line, text in pairs]))
