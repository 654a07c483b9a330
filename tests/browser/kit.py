"""What the browser tests share: a server of their own, a hand that plays by coordinates, and a table without a server."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute

from maumau.web.assets import Assets
from maumau.web.guard import POLICY
from maumau.web.render import Renderer
from maumau.web.serve import lan_address
from run_server import Server

__all__ = ["MockTable", "Server", "begin", "hand_of", "network_address", "play_until", "press", "take_turn"]
PACES = ("instant", "fast", "normal", "slow")


# What a person would do next, as a place to press: the page says what is legal, this only looks for it.
_NEXT = """() => {
  const table = document.getElementById("table"), wish = document.getElementById("wish");
  const at = (el, x, y) => {
    if (!el) return null;
    el.scrollIntoView({ block: "nearest" });
    const r = (el.closest("#hand li") || el).getBoundingClientRect();  // where a card lies, though it may still be flying
    return { x: r.left + (x ?? r.width / 2), y: r.top + (y ?? r.height / 2), what: el.id || el.dataset.suit || el.className };
  };
  const first = (selector) => table.querySelector(selector);
  const armed = first("#mau input");
  const to = table.dataset.state === "match-over" ? null
    : at(first("#next"))
    || (wish.open ? at(wish.querySelector("[data-suit]")) : null)
    || at(first(".catch"))
    || at(first("button#mau"))
    || (armed && !armed.checked ? at(first("#mau")) : null)
    || at(first("#hand .legal"), 9, 14)
    || at(first(".suit-do")) || at(first("#draw")) || at(first("#pass"));
  return { state: table.dataset.state, version: table.dataset.version, to };
}"""
_CHANGED = """([version, what]) => {
  const table = document.getElementById("table"), wish = document.getElementById("wish");
  return table.dataset.version !== version || wish.open || (what === "mau" && document.querySelector("#mau :checked"));
}"""


def network_address() -> str:
    """The address of this machine in its network; a machine that is in none cannot run what needs one, and says so."""
    address = lan_address()
    if address is None:
        pytest.skip("this machine has no address in a network")
    return address


def begin(page: Page, address: str, *, book: str = "family", players: int = 2, pace: str = "instant") -> None:
    """From the home page to a table, by pointer."""
    page.goto(f"{address}/?rules={book.replace('+', '%2B')}")
    for name, value in (("players", str(players)), ("pace", pace)):
        press(page, f"label:has(input[name={name}][value='{value}'])")
    press(page, ".play-big")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-live]")


def press(page: Page, selector: str, x: float | None = None, y: float | None = None) -> None:
    """Press the middle of an element (or a point in it) where a finger would."""
    place = page.locator(selector).first
    place.scroll_into_view_if_needed()  # waits until it flies no more
    place.evaluate("(el) => el.scrollIntoView({ block: 'nearest' })")  # clear of what lies over the page's edges, too
    box = place.bounding_box()
    assert box is not None, f"{selector} is not to be seen"
    page.mouse.click(
        box["x"] + (box["width"] / 2 if x is None else x), box["y"] + (box["height"] / 2 if y is None else y)
    )


def take_turn(page: Page, *stop: str) -> None:
    """Press what is next, or wait for others where nothing is; nothing in the states where to stop."""
    seen: dict[str, Any] = page.evaluate(_NEXT)
    if seen["state"] in stop:
        return
    what = ""
    if seen["to"] is not None:
        what = seen["to"]["what"]
        page.mouse.click(seen["to"]["x"], seen["to"]["y"])
    if what != "catch" and (what or seen["state"] == "playing"):
        page.wait_for_function(_CHANGED, arg=[seen["version"], what])


def play_until(page: Page, *states: str, most: int = 1000) -> None:
    """Play on until the table is in one of the states."""
    for _ in range(most):
        if page.locator("#table").get_attribute("data-state") in states:
            return
        take_turn(page, *states)
    raise AssertionError(f"no end after {most} presses: {page.locator('#status').inner_text()}")


def hand_of(page: Page) -> list[str]:
    """The names of the cards in the hand."""
    return [str(b.get_attribute("id")) for b in page.locator("#hand button").all()]


class MockTable:
    """A table's page over views made by hand: no server, every request answered here."""

    ADDRESS = "http://table.test/t/k7m2"

    def __init__(self, page: Page, lang: str = "de") -> None:
        self.page = page
        self.lang = lang
        self.assets = Assets()
        self.renderer = Renderer(self.assets)
        self.posts: list[dict[str, str]] = []
        self.view: Any = None
        self.sockets: list[WebSocketRoute] = []
        page.route("**/*", self._answer)
        page.route_web_socket("**/live*", lambda socket: self.sockets.append(socket))

    def open(self, view: Any) -> None:
        """Show the page of a view."""
        self.view = view
        self.page.goto(self.ADDRESS)
        self.page.wait_for_selector("html[data-live]")

    def push(self, view: Any) -> None:
        """The socket brings a newer view."""
        self.view = view
        frame = {"v": 1, "version": view.version, "html": self.renderer.fragment(view, self.lang)}
        self.sockets[-1].send(json.dumps(frame))

    def sent(self) -> str:
        """The action of the one post that a press has led to; the next call waits for the next."""
        for _ in range(6_000):
            if self.posts:
                return self.posts.pop(0)["action"]
            self.page.wait_for_timeout(10)
        raise AssertionError("the press reached nothing")

    def _answer(self, route: Route) -> None:
        request = route.request
        if "/static/" in request.url:
            name = request.url.split("/static/")[1].split("/", 1)[1]
            asset = self.assets.files[name]
            route.fulfill(body=asset.body, content_type=asset.media_type)
        elif request.method == "POST":
            self.posts.append({key: values[-1] for key, values in parse_qs(request.post_data or "").items()})
            html = self.renderer.fragment(self.view, self.lang)
            route.fulfill(
                body=json.dumps({"version": self.view.version, "html": html}), content_type="application/json"
            )
        else:
            page = self.renderer.table(self.view, self.lang, "/t/k7m2")
            headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8"}
            route.fulfill(body=page, headers=headers)
