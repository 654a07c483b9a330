"""The pages about rules by real pointer, by keys, and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.axe import serious
from tests.browser.kit import Server, press

from maumau.ruleset.words import house_rule_name

PAGES = (
    "/rules/edit?code=family+nine-reverse+mau-2",
    "/rules/edit?code=family+two-draw",
    "/rules/edit?q=direction",
    "/rules/family+nine-reverse",
    "/rules/famly",
    "/referee?rules=family&top=7h&hand=7s+Jc&penalty=2",
    "/referee?top=9h&hand=9h&owing=1",
    "/score",
    "/score?rules=family%2Bjack-doubles&name=Anna&name=Ben&name=Clara&r=0.8c..7hKd.9c",
)


def _live(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-live]")


def _tile(page: Page, name: str, value: str, nth: int = 0) -> None:
    """Tap a card of a board where a finger would."""
    place = page.locator(f".tile:has(input[name='{name}'][value='{value}'])").nth(nth)
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


# ---- the editor ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 720), (1280, 860)])
def test_the_sheet_changes_as_rules_are_switched(page: Page, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    _live(page, f"{server.address}/rules/edit")
    press(page, "#rule-nine-reverse label")
    expect(page.locator(".differences li")).to_have_count(1)
    expect(page.locator("input[name=book][type=hidden]")).to_have_value("family+nine-reverse")
    assert page.url.endswith("/rules/edit?code=family+nine-reverse")
    press(page, "#rule-mau-N > label")
    expect(page.locator("[name='n.mau-N']")).to_have_value("1")
    page.locator("[name='n.mau-N']").fill("3")
    expect(page.locator(".preview")).to_have_attribute("data-code", "family+nine-reverse+mau-3")
    expect(page.locator("[data-share-link]")).to_have_value(f"{server.address}/rules/family+nine-reverse+mau-3")
    press(page, ".play-form .strong")
    page.wait_for_url("**/t/*")
    assert "/rules/family+nine-reverse+mau-3" in str(page.locator(".rules-line").get_attribute("href"))


def test_a_contradiction_shows_at_once_with_its_way_out(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 720})
    _live(page, f"{server.address}/rules/edit")
    press(page, "#rule-two-draw label")
    expect(page.locator(".trouble")).to_contain_text("52 cards")
    expect(page.locator(".play-form .strong")).to_be_disabled()
    expect(page.locator("#rule-two-draw")).to_have_class("rule row clash")
    expect(page.locator("#bar-said")).to_contain_text("52 cards")
    expect(page.locator("#bar-way")).to_have_text(page.locator("[data-way]").first.inner_text())
    press(page, "#bar-way")
    page.wait_for_selector("html[data-live]")
    expect(page.locator("#rule-52-cards input")).to_be_checked()
    expect(page.locator(".trouble")).to_have_count(0)
    expect(page.locator(".play-form .strong")).to_be_enabled()


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("lang", ["de", "en"])
def test_two_rules_that_clash_are_both_named_and_a_press_mends_them(
    browser: Browser, server: Server, lang: str, scripts: bool
) -> None:
    context = browser.new_context(
        java_script_enabled=scripts, locale=lang, viewport={"width": 360, "height": 640}, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{server.address}/rules/edit")
    for code in ("no-stacking", "stack-cap-1"):
        press(page, f"#rule-{code} label")
    if not scripts:
        press(page, ".form-do button")
        page.wait_for_url("**#preview")
        expect(page.locator(".trouble")).to_be_in_viewport()
    for code in ("no-stacking", "stack-cap-1"):
        expect(page.locator(".trouble-line")).to_contain_text(house_rule_name(lang, code))
        expect(page.locator(f"#rule-{code}")).to_have_class("rule row clash")
    page.locator("[data-way]", has_text=house_rule_name(lang, "no-stacking")).click()
    page.wait_for_url("**#rule-no-stacking")
    expect(page.locator("#rule-no-stacking")).to_be_in_viewport()
    expect(page.locator(".trouble")).to_have_count(0)
    expect(page.locator("#rule-no-stacking input")).not_to_be_checked()
    expect(page.locator("#rule-stack-cap-1 input")).to_be_checked()
    page.locator(".fits a").click()
    page.wait_for_url("**/rules/family+stack-cap-1")
    expect(page.locator(".differences li")).to_have_count(1)
    context.close()


class Held:
    """Requests whose answers are late: as many as the page has sent, until each is let go."""

    def __init__(self, page: Page, address: str) -> None:
        self._page = page
        self._routes: list[Route] = []
        page.route(address, self._hold)

    def _hold(self, route: Route) -> None:
        self._routes.append(route)

    @property
    def waiting(self) -> int:
        """How many are held."""
        return len(self._routes)

    def take(self) -> Route:
        """The oldest, once there is one."""
        for _ in range(12_000):
            if self._routes:
                return self._routes.pop(0)
            self._page.wait_for_timeout(10)
        raise AssertionError("the page has asked for nothing more")


def test_whoever_plays_before_the_sheet_has_changed_plays_by_what_was_switched(page: Page, server: Server) -> None:
    _live(page, f"{server.address}/rules/edit")
    held = Held(page, "**/rules/edit?*part=preview*")
    press(page, "#rule-nine-reverse label")
    first = held.take()
    press(page, ".play-form .strong")
    held.take().continue_()
    page.wait_for_url("**/t/*")
    assert "/rules/family+nine-reverse" in str(page.locator(".rules-line").get_attribute("href"))
    first.abort()


def test_search_single_values_and_powers(page: Page, server: Server) -> None:
    _live(page, f"{server.address}/rules/edit")
    page.locator("#search").fill("direction")
    expect(page.locator("#rule-nine-reverse")).to_be_visible()
    expect(page.locator("#rule-six-cards")).to_be_hidden()
    page.locator("#search").fill("")
    expect(page.locator("#rule-six-cards")).to_be_visible()
    press(page, "#group-drawing .more > summary")
    press(page, "[id='key-draw.when'] summary")
    press(page, "[id='key-draw.when'] label:has([value=stuck])")
    expect(page.locator(".preview")).to_have_attribute("data-code", "family+draw.when=stuck")
    press(page, "#group-special .more > summary")
    page.locator("#add").select_option("Kh")
    press(page, ".add-card .do")
    page.wait_for_url("**add=Kh**")
    page.wait_for_selector("html[data-live]")
    press(page, "[id='key-power.Kh.draw'] summary")
    press(page, "[id='key-power.Kh.draw'] label:has([value='5'])")
    expect(page.locator(".preview")).to_have_attribute("data-code", "family+draw.when=stuck+power.Kh.draw=5")


def test_the_editor_by_keys_alone(page: Page, server: Server) -> None:
    _live(page, f"{server.address}/rules/edit")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.value") == "seven-cards":
            break
    page.keyboard.press("Space")
    expect(page.locator(".preview")).to_have_attribute("data-code", "family+seven-cards")
    assert page.evaluate("document.activeElement.value") == "seven-cards"
    page.locator(".play-form .strong").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#hand")
    assert page.locator("#hand > li").count() == 7


@pytest.mark.parametrize("scripts", [True, False])
def test_invite_leads_from_the_editor_to_the_waiting_room(browser: Browser, server: Server, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB", viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(f"{server.address}/rules/edit?code=tschau-sepp+seven-cards")
    page.locator("[data-invites]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    expect(page.locator(".qr").first).to_be_attached()
    expect(page.locator('a[href^="/rules/tschau-sepp+seven-cards"]').first).to_be_attached()
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_own_rules_are_named_kept_and_found_again(browser: Browser, server: Server, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB", viewport={"width": 360, "height": 720})
    page = context.new_page()
    page.goto(f"{server.address}/rules/edit?code=family+nine-reverse")
    page.locator("#keep-name").fill("Oma Erna")
    press(page, "#keep .do")
    expect(page.locator("#keep [role=status]")).to_contain_text("Oma Erna")
    page.goto(f"{server.address}/referee")
    page.locator("#rules").select_option(label="Oma Erna")
    if scripts:
        page.wait_for_url("**rules=family%2Bnine-reverse**")
    page.goto(server.address)
    press(page, ".book:has-text('Oma Erna')")
    press(page, ".play-big")
    page.wait_for_url("**/t/*")
    assert "/rules/family+nine-reverse" in str(page.locator(".rules-line").get_attribute("href"))
    page.goto(server.address)
    own = page.locator("#own-rules .own-name")
    expect(own).to_have_text("Oma Erna")
    own.click()
    expect(page.locator(".code-line code")).to_have_text("family+nine-reverse")
    page.goto(server.address)
    press(page, "#own-rules button")
    expect(page.locator("#own-rules")).to_have_count(0)
    assert page.url == f"{server.address}/"
    context.close()


def test_the_editor_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB", viewport={"width": 360, "height": 720})
    page = context.new_page()
    page.goto(f"{server.address}/rules/edit")
    press(page, "#rule-nine-reverse label")
    press(page, "#rule-two-draw label")
    press(page, ".form-do button")
    expect(page.locator(".trouble")).to_contain_text("52 cards")
    expect(page.locator("#rule-nine-reverse input")).to_be_checked()
    press(page, "[data-way]")
    expect(page.locator(".fits")).to_contain_text("go together")
    page.locator("#search").fill("direction")
    press(page, ".search button")
    press(page, ".found a[href$='#rule-nine-reverse']")
    page.wait_for_url("**#rule-nine-reverse")
    press(page, ".play-form .strong")
    page.wait_for_url("**/t/*")
    assert "nine-reverse" in str(page.locator(".rules-line").get_attribute("href"))
    context.close()


# ---- the sheet -------------------------------------------------------------------------------------------------------


def test_what_do_we_play_opens_beside_the_table(page: Page, server: Server) -> None:
    _live(page, f"{server.address}/rules/edit?code=family+nine-reverse")
    press(page, ".play-form .strong")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-live]")
    here = page.url
    press(page, ".rules-line")
    box = page.locator("#rules-dialog")
    expect(box).to_be_visible()
    expect(box).to_contain_text("Nine")
    page.keyboard.press("d")  # no key of the table while the sheet is open
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    assert page.url == here
    assert page.evaluate("document.activeElement.className") == "rules-line"
    press(page, ".rules-line")
    expect(box).to_be_visible()
    press(page, "#rules-dialog [data-close]")
    expect(box).to_be_hidden()


def test_whoever_asks_twice_on_a_slow_line_gets_one_sheet(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/?rules=family%2Bnine-reverse")
    press(page, ".play-big")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-live]")
    held = Held(page, "**part=sheet*")
    press(page, ".rules-line")
    first = held.take()
    press(page, ".rules-line")
    first.continue_()
    expect(page.locator("#rules-dialog")).to_be_visible()
    assert held.waiting == 0
    assert page.locator("#rules-dialog").count() == 1


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_a_sheet_prints_on_one_page(browser: Browser, server: Server, locale: str) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{server.address}/rules")
    codes = [str(link.get_attribute("href")) for link in page.locator(".rule-card").all()]
    longer = "/rules/family+nine-reverse+mau-2+jack-on-jack+seven-cards+ace-skip-all+target-200"
    longest = f"{longer}+plain-starter+draw-3+play-drawn+final-seven-draws+jack-doubles+no-stacking"
    for path in [*codes, longer, longest]:
        page.goto(server.address + path)
        printed = page.pdf(prefer_css_page_size=True)
        assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1, path
    context.close()


# ---- who is right ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(360, 720), (1280, 860)])
def test_the_referee_by_tapping(page: Page, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    _live(page, f"{server.address}/referee")
    _tile(page, "top", "7h")
    for card in ("7s", "Jc", "Kh"):
        _tile(page, "hand", card)
    expect(page.locator("[data-card=Kh]")).to_have_class("may")
    page.locator("[name=penalty]").fill("2")
    expect(page.locator("[data-card=Kh]")).to_have_class("may-not")
    expect(page.locator("[data-card='7s']")).to_have_class("may")
    _tile(page, "hand", "Kh")
    expect(page.locator("[data-card=Kh]")).to_have_count(0)
    link = page.locator("[data-share-link]").input_value()
    assert page.url == link
    page.goto(link)
    expect(page.locator("[data-card='7s']")).to_have_class("may")
    _tile(page, "hand", "7h")
    expect(page.locator("#impossible")).to_be_visible()


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_rows_of_cards_to_tap_are_even_on_a_phone(browser: Browser, server: Server, locale: str) -> None:
    context = browser.new_context(locale=locale, viewport={"width": 360, "height": 640})
    page = context.new_page()
    for rules, even in (("family", [4, 4]), ("family%2Btwo-packs", [4, 4, 4, 4]), ("international", [5, 5, 3])):
        page.goto(f"{server.address}/referee?rules={rules}")
        row = page.locator(".board-row:has([name=hand])").first
        tops = row.evaluate("row => [...row.children].map((tile) => Math.round(tile.getBoundingClientRect().top))")
        assert [tops.count(top) for top in sorted(set(tops))] == even, rules
    context.close()


def test_whose_turn_it_is_changes_what_may_be_done(page: Page, server: Server) -> None:
    _live(page, f"{server.address}/referee?rules=family%2Btwo-packs%2Bplay.throw_in=yes&top=9h&hand=9h+9c")
    expect(page.locator("[data-card='9c']")).to_have_class("may")
    page.locator("[name=turn]").select_option("2")
    expect(page.locator("[data-card='9c']")).to_have_class("may-not")
    expect(page.locator("[data-card='9h'] .says-so")).to_contain_text("may be thrown in")
    expect(page.locator("#said")).to_have_text("You may throw in a card.")
    assert page.locator(".verdicts > li").count() == 2


def test_the_referee_without_scripts(browser: Browser, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{server.address}/referee")
    _tile(page, "top", "Jh")
    _tile(page, "hand", "9c")
    _tile(page, "hand", "9d")
    press(page, ".segment:has([name=wish][value=d])")
    press(page, ".form-do button")
    expect(page.locator("[data-card='9d']")).to_have_class("may")
    expect(page.locator("[data-card='9c']")).to_have_class("may-not")
    expect(page.locator("input[name=hand][value='9c']")).to_be_checked()
    context.close()


# ---- the score pad ---------------------------------------------------------------------------------------------------


def _begin_pad(page: Page, server: Server, names: tuple[str, ...]) -> None:
    page.goto(f"{server.address}/score")
    for place, name in enumerate(names):
        page.locator(f"#name{place}").fill(name)
    press(page, "#setup .big")
    page.wait_for_selector("#round")


def _totals(page: Page, anna: int, ben: int) -> None:
    """Wait for these totals."""
    expect(page.locator("#totals tfoot td")).to_have_text([str(anna), str(ben)])


@pytest.mark.parametrize("scripts", [True, False])
def test_a_whole_match_on_the_pad(browser: Browser, server: Server, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB", viewport={"width": 360, "height": 720})
    page = context.new_page()
    _begin_pad(page, server, ("Anna", "Ben"))
    for turn in range(12):
        if page.locator(".champion").count():
            break
        press(page, ".segment:has([name=out][value='0'])")
        if page.locator("details[data-seat='1']").get_attribute("open") is None:
            press(page, "details[data-seat='1'] summary")
        for card in ("As", "Ah"):
            _tile(page, "left1", card)
        if scripts:
            expect(page.locator("details[data-seat='1'] [data-sum]")).to_have_text("22 points")
        press(page, "#round .big")
        expect(page.locator("#totals tbody tr")).to_have_count(turn + 1)
        _totals(page, 0, 22 * (turn + 1))
    expect(page.locator(".champion")).to_have_text("Anna wins the match!")
    _totals(page, 0, 110)
    press(page, "#undo")
    _totals(page, 0, 88)
    expect(page.locator(".champion")).to_have_count(0)
    if scripts:
        pad = page.url
        page.goto(f"{server.address}/score")
        page.wait_for_selector("#resume a")
        press(page, "#resume a")
        page.wait_for_url(pad)
    context.close()


def test_points_that_come_late_do_not_stand_for_what_was_tapped_since(page: Page, server: Server) -> None:
    _begin_pad(page, server, ("Anna", "Ben"))
    page.wait_for_selector("html[data-live]")
    press(page, ".segment:has([name=out][value='0'])")
    held = Held(page, "**/api/score")
    late = []
    for card in ("As", "Ah"):
        _tile(page, "left1", card)
        late.append(held.take())
    shown = page.locator("details[data-seat='1'] [data-sum]")
    late[1].continue_()
    expect(shown).to_have_text("22 points")
    with page.expect_response("**/api/score"):
        late[0].continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done))")  # what follows the answer has been done
    assert shown.inner_text() == "22 points"


def test_a_card_lies_in_one_hand_only(page: Page, server: Server) -> None:
    _begin_pad(page, server, ("Anna", "Ben", "Clara"))
    page.wait_for_selector("html[data-live]")
    press(page, ".segment:has([name=out][value='0'])")
    _tile(page, "left1", "7h")
    press(page, "details[data-seat='2'] summary")
    expect(page.locator("[data-seat='2'] .tile:has([value='7h'])")).to_have_class("tile gone")
    _tile(page, "left2", "7h")
    press(page, "#round .big")
    expect(page.locator(".problem")).to_contain_text("seven of hearts")
    expect(page.locator("[name=left1][value='7h']")).to_be_checked()


# ---- for everybody ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_axe_and_no_sideways_scrolling(browser: Browser, server: Server, locale: str) -> None:
    context = browser.new_context(locale=locale, viewport={"width": 1280, "height": 860})
    page = context.new_page()
    for path in PAGES:
        page.set_viewport_size({"width": 1280, "height": 860})
        page.goto(server.address + path)
        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true;")
        assert serious(page) == [], path
        for width in (320, 360):
            page.set_viewport_size({"width": width, "height": 720})
            wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 0, (path, width)
    context.close()


@pytest.mark.parametrize("locale", ["de-DE", "en-GB"])
def test_axe_on_the_sheet_beside_the_table(browser: Browser, server: Server, locale: str) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(f"{server.address}/?rules=family%2Bnine-reverse")
    press(page, ".play-big")
    page.wait_for_url("**/t/*")
    page.wait_for_selector("html[data-live]")
    press(page, ".rules-line")
    page.wait_for_selector("#rules-dialog[open]")
    assert serious(page) == []
    context.close()


def test_fingers_find_every_target(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 720})
    for path in PAGES:
        page.goto(server.address + path)
        small = page.evaluate(
            """() => [...document.querySelectorAll("main button, main .do, main .tile, main select, main summary, main .chip")]
              .map((el) => [el.className || el.tagName, el.getBoundingClientRect()])
              .filter(([, r]) => r.width > 0 && (r.height < 40 || r.width < 34)).map(([what, r]) => `${what} ${r.width}x${r.height}`)"""
        )
        assert small == [], path


@pytest.mark.parametrize(
    ("words", "shown"), [("klopfen", "#key-call\\.word"), ("Herz König", "#other-Kh"), ("Dame wünscht", "#other-Q")]
)
def test_a_search_opens_the_folds_that_hold_its_hits(page: Page, server: Server, words: str, shown: str) -> None:
    page.set_extra_http_headers({"accept-language": "de"})
    _live(page, f"{server.address}/rules/edit")
    page.locator("#search").fill(words)
    expect(page.locator(shown)).to_be_visible()
    page.locator("#search").fill("")
    expect(page.locator(shown)).to_be_hidden()


def test_cards_to_tap_and_a_rules_name_are_wide_enough_on_a_small_phone(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 360, "height": 640})
    for path in ("/referee", "/score?rules=family&players=3&new=1"):
        page.goto(f"{server.address}{path}")
        for tile in page.locator(".tile").all()[:12]:
            box = tile.bounding_box()
            assert box is None or box["width"] >= 44, path
        assert page.evaluate("document.documentElement.scrollWidth") == 360, path
    page.goto(f"{server.address}/rules/edit")
    box = page.locator("#keep-name").bounding_box()
    assert box is not None
    assert box["width"] > 250
