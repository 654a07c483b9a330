"""A browser at a table behind a proxy that ends TLS."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser
from tests.browser.kit import Server, begin, play_until
from tests.tls_kit import Front, certificate


def test_a_round_over_https(browser: Browser, own_server: Server, tmp_path: Path) -> None:
    """The live socket is a secure one, the policy lets everything of ours through, and the seat's cookie is kept."""
    front = Front(own_server.port, *certificate(tmp_path))
    context = browser.new_context(ignore_https_errors=True)
    sockets: list[str] = []
    try:
        page = context.new_page()
        page.on("websocket", lambda socket: sockets.append(socket.url))
        begin(page, f"https://localhost:{front.port}", players=2)
        play_until(page, "round-over", "match-over")
        page.reload()
        page.wait_for_selector("html[data-live]")
        assert page.locator(".watching").count() == 0, "the seat is still this browser's"
        assert page.evaluate("isSecureContext")
        assert sockets
        assert all(url.startswith(f"wss://localhost:{front.port}/t/") for url in sockets)
        kept = context.cookies()
        assert [cookie["name"] for cookie in kept] == ["__Host-maumau"]
        assert kept[0]["secure"]
        assert kept[0]["httpOnly"]
    finally:
        context.close()
        front.stop()
