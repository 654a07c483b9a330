"""Static files: read once, compressed once, served for ever under an address that holds their hash."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

FOREVER = "public, max-age=31536000, immutable"
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".LICENSE": "text/plain; charset=utf-8",
}
"""Ours alone: what the machine knows of kinds of files takes time to read, and is another on each."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One static file."""

    body: bytes
    packed: bytes
    media_type: str


def _walk(folder: Traversable, prefix: str = "") -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found.update(_walk(entry, f"{prefix}{entry.name}/"))
        else:
            found[prefix + entry.name] = entry.read_bytes()
    return found


def _asset(name: str, body: bytes) -> Asset:
    return Asset(body, gzip.compress(body, 9, mtime=0), _TYPES[name[name.rfind(".") :]])


class Assets:
    """All static files under one hash, so that modules can import their neighbours by plain names."""

    def __init__(self) -> None:
        files = _walk(resources.files(__package__).joinpath("static"))
        digest = hashlib.sha256()
        for name in sorted(files):
            digest.update(name.encode() + b"\0" + files[name])
        self.version = digest.hexdigest()[:10]
        self.files = {name: _asset(name, body) for name, body in files.items()}

    def url(self, name: str) -> str:
        """The address of a static file; a name that does not exist is a mistake in a template."""
        if name not in self.files:
            raise KeyError(f"there is no static file {name!r}")
        return f"/static/{self.version}/{name}"

    def answer(self, request: Request, version: str, name: str) -> Response | None:
        """The file, compressed where the browser takes that; None where there is none."""
        asset = self.files.get(name)
        if asset is None:
            return None
        headers = {"Cache-Control": FOREVER if version == self.version else "no-cache", "Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("accept-encoding", "") and len(asset.packed) < len(asset.body):
            return Response(asset.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=asset.media_type)
        return Response(asset.body, headers=headers, media_type=asset.media_type)
