"""Own rules in process: named, kept in the browser, offered wherever rules are picked, and forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from tests.rule_pages_kit import rule_pages, text_of
from tests.web_client import TestClient


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with rule_pages(tmp_path_factory) as opened:
        yield opened


@pytest.fixture
def newcomer(client: TestClient) -> Iterator[TestClient]:
    """A browser that has never been here, and leaves nothing to the next."""
    client.cookies.clear()
    yield client
    client.cookies.clear()


def test_own_rules_are_offered_wherever_rules_are_picked(newcomer: TestClient) -> None:
    name, code = "Oma „Erna“ & <Co>", "family+nine-reverse+mau-2"
    kept = newcomer.post("/rules/own", data={"name": f"  {name} ", "code": code})
    assert kept.status_code == 303
    assert f"Kept as “{name}”" in text_of(newcomer, kept.headers["location"].partition("#")[0])
    for path in ("/referee", "/score"):
        page = text_of(newcomer, path)
        assert re.search(rf'<option value="{re.escape(code)}">{re.escape(name)}</option>', page), path
        picked = text_of(newcomer, f"{path}?rules={code.replace('+', '%2B')}")
        assert re.search(rf'<option value="{re.escape(code)}" selected>{re.escape(name)}</option>', picked), path
        assert len(re.findall(r"<option[^>]* selected>", picked.partition("</select>")[0])) == 1, path
    home = text_of(newcomer, "/")
    assert f'name="book" value="{code}"' in home
    assert name in home
    for path in ("/rules", "/rules/edit"):
        assert f'<a class="own-name" href="/rules/{code}"' in unquote(text_of(newcomer, path)), path
    newcomer.cookies.clear()
    assert name not in text_of(newcomer, "/referee"), "a browser offers its own rules alone"


@pytest.mark.parametrize("code", ["family+nine-reverse", "family+nine-reverse+mau-2"])
def test_own_rules_are_played_from_the_home_page(newcomer: TestClient, code: str) -> None:
    newcomer.post("/rules/own", data={"name": "Erna", "code": code})
    form = {"book": code, "house": ["nine-reverse", "seven-cards"], "players": "3"}
    table = newcomer.post("/play", data=form).headers["location"]
    assert f"/rules/{code}+seven-cards" in unquote(text_of(newcomer, table))
    newcomer.post("/play", data={"book": code, "players": "3"})
    home = text_of(newcomer, "/")
    assert f'name="book" value="{code}" checked' in home
    assert len(re.findall(r'name="book"[^>]* checked', home)) == 1
    assert not re.search(r'name="house"[^>]* checked', home), "what the own rules switch on is not switched on twice"


def test_own_rules_are_replaced_by_name_and_forgotten(newcomer: TestClient) -> None:
    for code in ("family+nine-reverse", "classic"):
        newcomer.post("/rules/own", data={"name": "Erna", "code": code})
    newcomer.post("/rules/own", data={"name": "Wir", "code": "study"})
    page = text_of(newcomer, "/rules")
    assert page.count('class="own-name"') == 2
    assert 'class="own-name" href="/rules/classic"' in page
    gone = newcomer.post("/rules/own/forget", data={"name": "Erna", "back": "/rules"})
    assert gone.headers["location"] == "/rules"
    assert text_of(newcomer, "/rules").count('class="own-name"') == 1
    assert newcomer.post("/rules/own/forget", data={"name": "Wir", "back": "//evil"}).headers["location"] == "/"
    assert 'id="own-rules"' not in text_of(newcomer, "/rules")


def test_rules_that_cannot_be_played_or_have_no_name_are_not_kept(newcomer: TestClient) -> None:
    for name, code in (("Erna", "family+two-draw"), ("  ", "family"), ("Erna", "")):
        assert "kept=" not in newcomer.post("/rules/own", data={"name": name, "code": code}).headers["location"]
    assert 'id="own-rules"' not in text_of(newcomer, "/rules")


def test_a_full_cookie_says_so_and_keeps_what_it_had(newcomer: TestClient) -> None:
    code = "family+nine-reverse+jack-on-jack+ace-skip-all+seven-cards+mau-2+target-200+no-stacking"
    for number in range(60):
        answer = newcomer.post("/rules/own", data={"name": f"Nr. {number}", "code": code})
        if "full=1" in answer.headers["location"]:
            break
    assert 5 < number < 59
    assert "no more room" in text_of(newcomer, answer.headers["location"].partition("#")[0])
    assert text_of(newcomer, "/rules").count('class="own-name"') == number


@pytest.mark.parametrize(
    "cookie", ["", "x", "W10=", "bnVsbA==", "W1sxLDJdLFsiYSJdLDVd", "IlxcdWQ4MDAi", "W1siYSIsIm5vcGUiXV0="]
)
def test_a_broken_cookie_of_own_rules_is_no_accident(newcomer: TestClient, cookie: str) -> None:
    newcomer.cookies.set("maumau_rules", cookie)
    for path in ("/", "/rules", "/rules/edit", "/referee", "/score"):
        assert "<optgroup" not in text_of(newcomer, path), path
