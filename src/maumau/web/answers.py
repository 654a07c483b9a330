"""Answers in JSON that any text may stand in.

JSON can escape half a surrogate pair, and a refusal repeats what it refuses; UTF-8 has no bytes for it.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import JSONResponse


class Json(JSONResponse):
    """An answer in JSON; half a surrogate pair becomes a question mark."""

    def render(self, content: Any) -> bytes:
        """The bytes of the body."""
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")
