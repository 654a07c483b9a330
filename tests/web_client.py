"""A client that asks the application in process."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it would rather have a client that the API tests do not need
    from starlette.testclient import TestClient

__all__ = ["TestClient"]
