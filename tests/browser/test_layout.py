"""The table by measure: nothing is covered, nothing runs out of the page, every card can be hit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route
from tests.browser.kit import MockTable, press
from tests.web_mock import mock_view, seats_with

from maumau.tables.view import ScoreRow

BIG = "7c 8c 9c Tc Jc Qc Kc Ac 7d 8d 9d Td Jd Qd Kd Ad 7s 8s 9s Ts Js Qs Ks As 7h"
PHONE, SIDEWAYS, DESK = (360, 640), (844, 390), (1280, 800)

_COVERED = """() => {
  const bad = [];
  for (const b of document.querySelectorAll("#table .bar button, #table .bar label, #table .catch")) {
    b.scrollIntoView({ block: "nearest" });
    const r = b.getBoundingClientRect();
    const hit = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    if (!hit || !(b === hit || b.contains(hit))) bad.push(b.id || b.textContent);
  }
  return bad;
}"""
_SMALL = """() => [...document.querySelectorAll("#hand button")].filter((b) => {
  b.scrollIntoView({ block: "nearest" });
  const r = b.getBoundingClientRect();
  return ![[2, 2], [43, 2], [2, 43], [43, 43]].every(([x, y]) => b.contains(document.elementFromPoint(r.left + x, r.top + y)));
}).map((b) => b.id)"""
_TIGHT = """() => [...document.querySelectorAll("#wish [data-suit]")].filter((b) => {
  const frame = b.getBoundingClientRect(), name = b.querySelector("span").getBoundingClientRect();
  return name.left - frame.left < 5 || frame.right - name.right < 5;
}).map((b) => b.textContent)"""
_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def _sized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("lang", ["de", "en"])
def test_u04_no_button_is_covered_and_nothing_runs_sideways(page: Page, lang: str) -> None:
    table = MockTable(page, lang)
    view = mock_view(lang, hand="Js Kd", legal="Js", seats=4, mau="armed-possible", penalty=4, wish="d")
    for size in ((320, 568), PHONE, SIDEWAYS, (768, 1024), DESK, (2560, 1440)):
        _sized(page, size)
        table.open(seats_with(view, 3, catch="0?3", catchable=True))
        assert page.evaluate(_COVERED) == [], size
        assert not page.evaluate(_WIDE), size
        press(page, "#card-Js", 8, 12)
        assert page.locator("#wish").is_visible()
        assert page.evaluate(_TIGHT) == [], size
        assert "mau" not in page.evaluate(_COVERED), size
        assert not page.evaluate(_WIDE), size


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
def test_u01_every_card_of_a_big_hand_can_be_hit(page: Page, size: tuple[int, int]) -> None:
    _sized(page, size)
    table = MockTable(page)
    more: dict[str, Any] = {"can_pass": True, "pass_": "-", "mau": "late", "mau_action": "0!"}
    for cards in (12, 19, 25):
        table.open(mock_view("de", hand=" ".join(BIG.split()[-cards:]), legal="7h", wishers="", **more))
        assert page.evaluate(_SMALL) == [], cards
        assert not page.evaluate(_WIDE), cards
        page.evaluate("scrollTo(0, 0)")
        for button in ("#draw", "#pass", "#mau"):
            box = page.locator(button).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size[1], (button, cards)


def test_twelve_cards_fit_without_scrolling(page: Page) -> None:
    table = MockTable(page)
    for size in (PHONE, DESK):
        _sized(page, size)
        table.open(mock_view("de", hand=" ".join(BIG.split()[-12:]), legal="7h"))
        last = page.locator("#hand li:last-child button").bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= size[1]
        assert not page.evaluate(_WIDE)


@pytest.mark.parametrize(("seats", "cards"), [(2, 5), (4, 12), (6, 5)])
def test_on_a_small_phone_lying_on_its_side_the_hand_is_seen_whole(page: Page, seats: int, cards: int) -> None:
    _sized(page, (640, 360))
    table = MockTable(page)
    hand = " ".join(BIG.split()[-cards:])
    table.open(
        mock_view("de", hand=hand, legal="7h", seats=seats, mau="armed-possible", can_pass=True, pass_="-", wish="d")
    )
    bottom = "Math.max(...[...document.querySelectorAll('#hand button')].map((b) => b.getBoundingClientRect().bottom))"
    assert page.evaluate(bottom) <= 360
    apart = "document.querySelector('.wish').getBoundingClientRect().right <= document.querySelector('#hand').getBoundingClientRect().left"
    assert page.evaluate(apart)
    assert page.evaluate(_COVERED) == []
    assert not page.evaluate(_WIDE)


def test_long_names_and_pseudo_texts_are_not_clipped_at_320(page: Page) -> None:
    _sized(page, (320, 568))
    table = MockTable(page)
    view = mock_view(
        "de", hand="7h 9s", legal="7h", draw_label="Eine Karte vom Stapel ziehen", can_pass=True, pass_="-"
    )
    table.open(replace(view, pass_label="Die gezogene Karte behalten", mau="armed-possible"))
    clipped = """() => [...document.querySelectorAll(".bar .do, .mau, .status")]
      .filter((b) => b.scrollWidth > b.clientWidth + 1 || b.scrollHeight > b.clientHeight + 1).map((b) => b.id)"""
    assert page.evaluate(clipped) == []
    assert not page.evaluate(_WIDE)


def test_under_the_address_of_a_form_that_was_refused_the_table_lives_on(page: Page) -> None:
    table = MockTable(page)
    table.view = mock_view("de", share_due=True)
    page.goto(f"{table.ADDRESS}/end")
    page.wait_for_selector("html[data-live]")
    assert page.url == table.ADDRESS
    page.wait_for_function("() => performance.getEntriesByType('resource').some((e) => e.name.endsWith('/contribute'))")
    asked = page.evaluate(
        "performance.getEntriesByType('resource').map((e) => e.name).filter((n) => n.endsWith('/contribute'))"
    )
    assert asked == [f"{table.ADDRESS}/contribute"]
    while not table.sockets:
        page.wait_for_timeout(10)
    assert [socket.url.partition("?")[0] for socket in table.sockets] == ["ws://table.test/t/k7m2/live"]


def test_x10_names_are_text(page: Page) -> None:
    table = MockTable(page)
    for name in ("<img src=x onerror=window.pwn=1>", '"><b>fett</b>', "\u202eabc", "שלום", "👵👵"):
        table.open(seats_with(mock_view("de", seats=3), 1, name=name))
        assert page.evaluate("window.pwn") is None
        assert page.locator("#seat-1 .name").inner_text() == name
        assert page.locator("#seat-1 b").count() == 0


def test_u05_the_wish_stands_until_it_is_served(page: Page) -> None:
    table = MockTable(page)
    view = mock_view("de", wish="d", wish_name="Karo", top="Js")
    table.open(view)
    assert page.locator(".wish").inner_text().strip() == "Karo gewünscht"
    assert page.locator(".wish svg").count() == 1
    table.push(replace(view, version=58))
    page.wait_for_selector("[data-version='58']")
    assert page.locator(".wish").is_visible()
    table.push(replace(view, version=59, wish=None))
    page.wait_for_selector("[data-version='59']")
    assert page.locator(".wish").count() == 0


def test_fifty_presses_during_flights_hit_what_they_aim_at(page: Page) -> None:
    """While cards fly, a press still reaches the card under the finger."""
    _sized(page, PHONE)
    table = MockTable(page)
    hands = ("7h 8h 9h Th Kh", "7h 8h 9h Th Kh Ah", "7h 9h Th Kh Ah", "9h Th Kh Ah 8d 9d Td")
    tops = ("8s", "9c", "Td", "Kc")
    table.open(mock_view("de", hand=hands[0], legal=hands[0]))
    for turn in range(50):
        hand = hands[turn % 4]
        pushed: Any = mock_view(
            "de", hand=hand, legal=hand, version=100 + turn, top=tops[turn % 4], top_from=1 + turn % 3
        )
        table.push(pushed)
        page.wait_for_selector(f"[data-version='{100 + turn}']")
        cards = page.locator("#hand button")
        aimed = cards.nth(turn % cards.count())
        value = aimed.get_attribute("value")
        box = page.locator("#hand li").nth(turn % cards.count()).bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 14, box["y"] + 10)
        assert table.sent() == value
        page.wait_for_function("() => !document.querySelector('.sent')")


def test_a_card_just_drawn_is_pressed_where_it_will_lie(page: Page) -> None:
    """Its neighbour, which the focus fell on when the draw button went, does not take the press."""
    _sized(page, PHONE)
    table = MockTable(page)
    table.open(mock_view("de", hand="5c Kc 7h 8h 9h Th Jh", legal=""))
    press(page, "#draw")
    assert table.sent() == "+"
    drawn = mock_view(
        "de", hand="5c Kc 7h 8h 9h Th Jh 7d", legal="7d", wishers="", version=60, can_draw=False, draw=None
    )
    table.push(drawn)
    page.wait_for_selector("[data-version='60']")
    place = page.locator("#li-7d").bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + 9, place["y"] + 14)
    assert table.sent() == "7d"


def test_a_card_is_played_while_a_pace_is_on_its_way_and_the_last_pace_is_kept(page: Page) -> None:
    table = MockTable(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/pace", hold)
    table.open(mock_view("de", hand="7h Kd", legal="7h Kd", wishers=""))
    press(page, "[popovertarget=menu]")
    for pace in ("slow", "fast", "normal"):
        press(page, f"#pace [value={pace}]")
    page.keyboard.press("Escape")
    press(page, "#card-7h", 9, 14)
    assert table.sent() == "7h"
    assert [str(one.request.post_data).partition("&")[0] for one in held] == ["pace=slow"]
    held.pop().fulfill(json={})
    while not held:
        page.wait_for_timeout(10)
    assert [str(one.request.post_data).partition("&")[0] for one in held] == ["pace=normal"]


def _order(page: Page) -> list[str]:
    return [str(li.get_attribute("id")) for li in page.locator("#hand li").all()]


def test_the_hand_is_sorted_and_arranged_on_this_screen_only(page: Page) -> None:
    table = MockTable(page)
    table.open(mock_view("de", hand="7h Kd 9s Qd", legal="7h"))
    assert _order(page) == ["li-Qd", "li-Kd", "li-7h", "li-9s"]
    page.keyboard.press("s")
    assert _order(page) == ["li-7h", "li-9s", "li-Qd", "li-Kd"]
    page.keyboard.press("s")
    assert _order(page)[0] == "li-7h"
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    moved = _order(page)
    assert moved[1] == "li-7h"
    first, third = (page.locator("#hand li").nth(n).bounding_box() for n in (0, 2))
    assert first is not None
    assert third is not None
    page.mouse.move(first["x"] + 15, first["y"] + 30)
    page.mouse.down()
    page.mouse.move(third["x"] + 30, third["y"] + 30, steps=8)
    page.mouse.up()
    assert _order(page).index(moved[0]) == 2
    assert table.posts == []
    before = _order(page)
    table.push(mock_view("de", hand="7h Kd 9s Qd", legal="7h", version=60))
    page.wait_for_selector("[data-version='60']")
    assert _order(page) == before


def test_a_push_is_small_and_shown_at_once(page: Page) -> None:
    table = MockTable(page)
    view = mock_view("de", hand=" ".join(BIG.split()[:20]), legal=BIG, seats=8)
    table.open(view)
    assert len(table.renderer.fragment(view, "de").encode()) <= 14_000
    page.evaluate(
        """() => { window.shown = [];
      const parse = JSON.parse;
      JSON.parse = (text) => {
        const told = parse(text), after = new MessageChannel();  // what follows the task in which the frame is read
        after.port1.onmessage = () => window.shown.push(document.getElementById("table").dataset.version === `${told.version}`);
        after.port2.postMessage(0);
        return told;
      }; }"""
    )
    for version in range(60, 80):
        table.push(replace(view, version=version))
        page.wait_for_selector(f"[data-version='{version}']")
    page.wait_for_function("window.shown.length === 20")
    assert page.evaluate("window.shown") == [True] * 20


_CONTRAST = """(selector) => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  return [...document.querySelectorAll(selector)].map((face) => {
    const style = getComputedStyle(face), [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  });
}"""


def test_a02_dimmed_cards_stay_readable_in_both_palettes(page: Page) -> None:
    table = MockTable(page)
    table.open(mock_view("de", hand="7h Kd 9s Qc", legal="", wishers=""))
    for palette in ("two", "four"):
        if palette == "four":
            page.evaluate("document.documentElement.classList.add('four')")
        ratios = page.evaluate(_CONTRAST, "#hand .dim .face")
        assert len(ratios) == 4
        assert min(ratios) >= 4.5, (palette, ratios)


_TOTALS_READ = """() => [...document.querySelectorAll("#table .totals td")].map((cell) => {
  const r = cell.getBoundingClientRect();
  return [[2, 2], [r.width / 2, r.height / 2], [r.width - 2, r.height - 2]].every(
    ([x, y]) => cell.contains(document.elementFromPoint(r.left + x, r.top + y)));
})"""


@pytest.mark.parametrize("rounds", [4, 15])
@pytest.mark.parametrize("state", ["round-over", "match-over"])
def test_the_totals_are_read_at_first_sight_however_long_the_match(page: Page, rounds: int, state: str) -> None:
    table = MockTable(page)
    over: dict[str, Any] = {
        "state": state,
        "score_sheet": tuple(ScoreRow(n + 1, (12, 0, 35, 7), 1) for n in range(rounds)),
        "last_hands": ((0, ("7c", "Kd", "As", "9h")), (1, ()), (2, ("Jc", "Qd", "8s", "8h", "8c", "Td")), (3, ("Ad",))),
        "result": "Das Spiel ist aus: Ben hat die Runde und das Spiel gewonnen.",
        "can_next": state == "round-over",
        "can_rematch": state == "match-over",
        "match_winners": (1,) if state == "match-over" else (),
    }
    for size in (PHONE, DESK):
        _sized(page, size)
        table.open(mock_view("de", seats=4, hand="", legal="", turn=None, **over))
        assert page.evaluate(_TOTALS_READ) == [True] * 4, size


@pytest.mark.parametrize("lang", ["de", "en"])
def test_who_wants_to_end_the_match_is_seen_beside_the_button_that_agrees(page: Page, lang: str) -> None:
    wants = {"de": "Emil möchte das Spiel beenden.", "en": "Emil would like to end the match."}[lang]
    _sized(page, PHONE)
    table = MockTable(page, lang)
    over: dict[str, Any] = {"state": "round-over", "turn": None, "can_next": True, "end_proposed": (1,)}
    table.open(mock_view(lang, hand="", legal="", **over))
    said, agree = page.locator(".result .ends"), page.locator(".result [formaction$='/end']:not([name])")
    assert wants in said.inner_text()
    assert said.is_visible()
    assert agree.inner_text() in said.inner_text()  # the sentence names the button
    table.push(mock_view(lang, version=60, end_proposed=(1,)))
    page.wait_for_selector("[data-version='60']")
    assert wants in page.locator(".now .ends").inner_text()
    assert page.locator(".now .ends [formaction$='/end']:not([name])").is_visible()
    table.push(mock_view(lang, version=61))
    page.wait_for_selector("[data-version='61']")
    assert page.locator(".ends").count() == 0
    table.push(mock_view(lang, version=62, hand="", legal="", **over | {"end_proposed": (0,), "can_take_back": True}))
    page.wait_for_selector("[data-version='62']")
    place = said.bounding_box()
    assert place is not None
    assert place["y"] + place["height"] < 300  # whoever has pressed sees at once what it has done
    assert agree.count() == 0
    assert page.locator(".result [name=take_back]").is_visible()
    press(page, "[popovertarget=menu]")
    assert [page.locator(f"#menu .{one}").is_visible() for one in ("proposes", "takes-back")] == [False, True]
    press(page, "#menu > .do")
    table.push(mock_view(lang, version=63, end_proposed=(0,), can_take_back=True))
    page.wait_for_selector("[data-version='63']")
    assert page.locator(".now [name=take_back]").is_visible()
    press(page, "[popovertarget=menu]")
    table.push(mock_view(lang, version=64))
    page.wait_for_selector("[data-version='64']")
    assert [page.locator(f"#menu .{one}").is_visible() for one in ("proposes", "takes-back")] == [True, False]


def test_only_whoever_sets_the_pace_is_offered_it(page: Page) -> None:
    table = MockTable(page)
    table.open(mock_view("de"))
    press(page, "[popovertarget=menu]")
    assert page.locator("#pace").is_visible()
    table.push(mock_view("de", version=60, host=1))
    page.wait_for_selector("[data-version='60']")
    assert not page.locator("#pace").is_visible()


def test_the_button_that_closes_a_small_sheet_covers_nothing_above_it(page: Page) -> None:
    """It sticks to the lower edge with a rim of paper around it."""
    _sized(page, PHONE)
    table = MockTable(page)
    table.open(mock_view("de"))
    press(page, "[popovertarget=recent]")
    gap = """() => {
      const last = document.querySelector("#recent li:last-child"), close = document.querySelector("#recent > .do");
      return close.getBoundingClientRect().top - last.getBoundingClientRect().bottom;
    }"""
    assert page.evaluate(gap) >= 16


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_everything_in_the_head_of_a_table_is_as_big_as_a_finger(page: Page, size: tuple[int, int]) -> None:
    _sized(page, size)
    table = MockTable(page, "en")
    table.open(mock_view("en"))
    boxes = page.locator(".top a:not(.skip), .top button").all()
    assert len(boxes) >= 5
    for one in boxes:
        box = one.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, one.inner_text()


def test_a_match_that_nobody_has_won_is_shown_without_a_crown(page: Page) -> None:
    table = MockTable(page)
    over: dict[str, Any] = {"state": "match-over", "turn": None, "can_rematch": True, "hand": "", "legal": ""}
    for winners in ((1,), ()):
        table.open(mock_view("de", match_winners=winners, **over))
        assert page.locator(".result > .crown").count() == len(winners)
