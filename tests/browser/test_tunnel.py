"""A line that looks open and brings nothing, as after a tunnel or a long sleep: the page notices, and has the present view."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.kit import Server, begin, press, take_turn

from run_server import free_port


class Tunnel:
    """A way to a server on which everything may stop; what was on its way then never comes, and nobody is told."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", free_port("127.0.0.1")))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._lost: list[socket.socket] = []
        self._dark = False
        self._guard = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def enter(self) -> None:
        """From now on nothing comes through, on any line that is open or that is opened."""
        with self._guard:
            self._dark = True
            self._lost += self._open
            self._open = []

    def leave(self) -> None:
        """New lines work again; those of before bring nothing, ever."""
        with self._guard:
            self._dark = False

    def close(self) -> None:
        """Everything ends."""
        for one in (self._listener, *self._open, *self._lost):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                with self._guard:
                    (self._lost if self._dark else self._open).extend((near, far))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if self._is_lost(one):
                    continue
                other.sendall(data)
            if not self._is_lost(one):
                other.shutdown(socket.SHUT_WR)

    def _is_lost(self, one: socket.socket) -> bool:
        with self._guard:
            return one in self._lost


@pytest.fixture
def tunnel(server: Server) -> Iterator[Tunnel]:
    made = Tunnel(server.port)
    yield made
    made.close()


_STANDS = """
const Line = WebSocket;
WebSocket = class extends Line {
  constructor(...given) { super(...given); this.addEventListener("open", () => { document.documentElement.dataset.stands = ""; }); }
};
"""
"""Says so on the page once its line is open."""


def standing_still(page: Page) -> None:
    """No time passes on the page but what the test lets pass: however slow the machine, nothing is waited for too long."""
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)
    page.add_init_script(_STANDS)


def version_of(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-version") or 0)


def under_way(page: Page, server: Server, tunnel: Tunnel) -> Page:
    """A table on a page that hears through the tunnel, and on a second one of the same seat that does not need to."""
    standing_still(page)
    begin(page, tunnel.address, players=2)
    page.wait_for_selector("html[data-stands] .my-turn")
    beside = page.context.new_page()
    beside.goto(page.url.replace(tunnel.address, server.address))
    beside.wait_for_selector("html[data-live] .my-turn")
    tunnel.enter()
    before = version_of(page)
    take_turn(beside)
    while version_of(beside) == before:
        take_turn(beside)
    assert version_of(page) == before
    tunnel.leave()
    return beside


def catches_up(page: Page, beside: Page) -> None:
    page.wait_for_function(
        "version => Number(document.getElementById('table').dataset.version) >= version", arg=version_of(beside)
    )


def test_a_phone_that_wakes_up_has_the_present_view_at_once(page: Page, server: Server, tunnel: Tunnel) -> None:
    beside = under_way(page, server, tunnel)
    page.evaluate("dispatchEvent(new Event('online'))")
    catches_up(page, beside)


def test_a_page_that_hears_nothing_asks_and_opens_a_new_line(page: Page, server: Server, tunnel: Tunnel) -> None:
    beside = under_way(page, server, tunnel)
    page.clock.fast_forward(10_100)
    page.clock.fast_forward(2_600)
    catches_up(page, beside)


def test_a_page_that_is_answered_keeps_its_line(page: Page, server: Server) -> None:
    standing_still(page)
    opened: list[str] = []
    page.on("websocket", lambda line: opened.append(line.url))
    begin(page, server.address, players=2)
    page.wait_for_selector("html[data-stands] .my-turn")
    for _ in range(3):
        with page.expect_event("console", predicate=lambda said: said.text == "answered"):
            page.evaluate("document.addEventListener('server-time', () => console.log('answered'), { once: true })")
            page.clock.fast_forward(10_100)
    assert len(opened) == 1


def test_whoever_waits_in_front_of_a_table_hears_the_answer_after_waking_up(
    page: Page, browser: Browser, server: Server, tunnel: Tunnel
) -> None:
    standing_still(page)
    context = browser.new_context()
    host = context.new_page()
    host.goto(server.address)
    press(host, "#with-friends")
    host.wait_for_selector("html[data-live] #word")
    page.goto(tunnel.address)
    page.locator("[name=word]").fill(host.locator("#word").text_content() or "")
    page.locator("#join-by-word").click()
    page.locator("#knock").click()
    page.wait_for_selector("html[data-stands] #withdraw")
    tunnel.enter()
    host.locator("[id^=knock-] [formaction$='/let-in']").click()
    host.wait_for_selector("#chair-1:not(.free)")
    assert page.locator("#withdraw").count() == 1
    tunnel.leave()
    told: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: told.append(str(frame))))
    page.evaluate("dispatchEvent(new Event('online'))")
    while not told:
        page.wait_for_timeout(50)
    assert '"knock":"in"' in told[0].replace(" ", "")
    context.close()
