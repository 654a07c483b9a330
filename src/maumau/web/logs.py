"""What a server writes about itself: one JSON object a line, and never what an error's own text might hold.

The text of an error can name cards (a refused action tells the position) or what somebody sent. So an error is written
as its kind and the places in the program that it passed; only our own errors about store and log, whose sentences name
tables and event numbers, keep their words.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from ..tables.errors import LogError, StoreError

_SAFE: Final = (LogError, StoreError)


class SafeFormatter(logging.Formatter):
    """A record as JSON, or as a line for people."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        """The record without the texts of foreign errors."""
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            said["error"] = error_told(record.exc_info[1])
            said["where"] = places(record.exc_info[2])
        if self.as_json:
            return json.dumps(said, ensure_ascii=False)
        more = "".join(f"\n  {place}" for place in said.get("where", ()))
        return f"{record.levelname} {record.name}: {said['event']} {said.get('error', '')}".rstrip() + more


def error_told(error: BaseException) -> str:
    """The kind of an error; its words only where they are ours and hold no secret."""
    return f"{type(error).__name__}: {error}" if isinstance(error, _SAFE) else type(error).__name__


def places(trace: TracebackType | None) -> list[str]:
    """Where in the program an error passed, the outermost first."""
    frames = traceback.extract_tb(trace)
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


def configure() -> None:
    """Everything that is logged goes to stderr: as JSON, or as lines for people where a terminal listens."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SafeFormatter(as_json=not sys.stderr.isatty()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
