"""What may be sent up a live socket: next to nothing, since everything that is done goes up as a POST."""

from __future__ import annotations

from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

MOST_BYTES: Final = 8_192
PER_SECONDS: Final = 10.0
"""So much is heard of one socket in so many seconds. A page asks once in ten seconds and answers a ping: twenty bytes."""
TOO_MUCH: Final = 1008
LINGER_SECONDS: Final = 1.0


class Upward(WebSocketsSansIOProtocol):
    """A live socket that hangs up on whoever says too much.

    What comes in one piece is taken apart and answered in one go, pings without the application, and nobody else is served
    meanwhile. So it is weighed before it is looked at.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._since, self._heard, self._greeted = 0.0, 0, False

    def data_received(self, data: bytes) -> None:
        """Take in what has come, after the handshake only so much."""
        if self._greeted and self._too_much(len(data)):
            self._hang_up()
            return
        self._greeted = True
        super().data_received(data)

    def _too_much(self, size: int) -> bool:
        now = self.loop.time()
        if now >= self._since + PER_SECONDS:
            self._since, self._heard = now, 0
        self._heard += size
        return self._heard > MOST_BYTES

    def _hang_up(self) -> None:
        """Say why, and read nothing more; whoever does not listen is cut off."""
        if self.transport.is_closing():
            return
        self.conn.fail(TOO_MUCH, f"more than {MOST_BYTES} bytes in {PER_SECONDS:.0f} seconds")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)
