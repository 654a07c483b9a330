"""A real `maumau serve` behind a proxy that ends TLS: everything speaks of HTTPS and of the public host, and nobody can
only say so.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.tls_kit import FRONTS, HERE, HOST, PATIENCE, Front, Site, certificate, front_of
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.exceptions import ConnectionClosed

from maumau.web.serve import THIS_MACHINE
from run_server import Server

OTHER = "127.0.0.2"
"""Somebody else, who is on this machine as well but not where a proxy is believed."""
MOST = 4
"""So many tables an address may make at the server of these tests."""
FORGED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Host": "evil.example",
    "Forwarded": "for=203.0.113.9;proto=https;host=evil.example",
}
pytestmark = pytest.mark.slow
elsewhere = pytest.mark.skipif(sys.platform == "darwin", reason="a Macintosh has one address of its own: 127.0.0.1")


@dataclass(frozen=True)
class Hosted:
    """A server, and the site that it is from outside."""

    kind: str
    server: Server
    site: Site


@pytest.fixture(scope="module", params=FRONTS)
def hosted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    folder = tmp_path_factory.mktemp("hosted")
    pem, key = certificate(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("FORWARDED_ALLOW_IPS", raising=False)
        server = Server(folder)
    front = front_of(request.param, server.port, pem, key)
    yield Hosted(request.param, server, Site(front.port, pem))
    front.stop()
    assert server.stop() == 0


@pytest.fixture
def outside(hosted: Hosted) -> Iterator[httpx.Client]:
    with hosted.site.client() as client:
        yield client


def waiting(client: httpx.Client, players: int = 3) -> str:
    """The address of a new table with free seats."""
    made = client.post("/friends", data={"players": str(players), "name": "Anna", "pace": "instant"})
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


def cookie_of(client: httpx.Client) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)}


def test_the_cookie_is_bound_to_the_host_and_to_https(hosted: Hosted, outside: httpx.Client) -> None:
    given = outside.post("/language", data={"lang": "de"}).headers["set-cookie"]
    assert given.startswith("__Host-maumau=")
    parts = {part.strip().lower() for part in given.split(";")[1:]}
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= parts
    assert not any(part.startswith("domain") for part in parts)
    assert 'lang="de"' in outside.get("/").text
    with httpx.Client(base_url=hosted.server.address, trust_env=False) as plain:
        given = plain.post("/language", data={"lang": "de"}).headers["set-cookie"]
    assert given.startswith("maumau=")
    assert "secure" not in given.lower(), "over plain HTTP a browser would drop it"


def test_rules_that_a_browser_keeps_are_bound_to_https_too(outside: httpx.Client) -> None:
    kept = outside.post("/rules/own", data={"name": "Ours", "code": "family+jack-20"})
    given = [value for value in kept.headers.get_list("set-cookie") if "maumau_rules=" in value]
    assert len(given) == 1, kept.text
    assert given[0].startswith("__Host-maumau_rules=")
    assert "secure" in given[0].lower()
    assert "Ours" in outside.get("/").text


def test_a_cookie_is_dropped_in_words_that_a_browser_takes(outside: httpx.Client) -> None:
    """A browser ignores whatever names a `__Host-` cookie without `Secure`: the seats would stay with it."""
    waiting(outside)
    gone = outside.post("/me/delete").headers["set-cookie"]
    assert gone.startswith("__Host-maumau=")
    assert "secure" in gone.lower()
    assert "max-age=0" in gone.lower()


def test_links_to_pass_on_name_the_public_host(outside: httpx.Client) -> None:
    table = waiting(outside)
    assert table.startswith("/t/"), "a redirect names no host at all"
    page = outside.get(table).text
    invite = re.search(rf'value="(https://{HOST}/j/[\w-]+)"', page)
    assert invite is not None, page
    assert 'class="qr"' in page
    assert f"https://{HOST}/s#" in outside.get(f"{table}/device").text
    assert f"https://{HOST}{table.replace('/t/', '/w/')}/" in outside.get(f"{table}/watchers").text
    assert f"https://{HOST}/rules/family" in outside.get("/rules/family").text
    for where in (table, f"{table}/device", "/", "/rules/family"):
        assert not re.search(r'(?:href|src|action|value)="(?:http|ws)://', outside.get(where).text), where


def test_a_guest_comes_by_the_link_and_both_play_by_forms(hosted: Hosted, outside: httpx.Client) -> None:
    table = waiting(outside, players=2)
    invite = re.search(rf'value="https://{HOST}(/j/[\w-]+)"', outside.get(table).text)
    assert invite is not None
    with hosted.site.client() as guest:
        came = guest.post(invite[1], data={"name": "Ben"}, headers={"Origin": f"https://{HOST}"})
        assert (came.status_code, came.headers["location"]) == (303, table)
        outside.post(f"{table}/start", headers={"Origin": f"https://{HOST}"})
        assert 'data-state="playing"' in guest.get(table).text
        assert 'data-state="playing"' in outside.get(table).text


def test_answers_keep_to_themselves_what_only_https_may_say(hosted: Hosted, outside: httpx.Client) -> None:
    headers = outside.get("/").headers
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "default-src 'none'" in headers["content-security-policy"]
    told = headers.get("strict-transport-security")
    assert told == (None if hosted.kind == "own" else "max-age=31536000"), (
        "it binds all ports of a name: the proxy's to say"
    )
    with httpx.Client(base_url=hosted.server.address, trust_env=False) as plain:
        assert "cross-origin-opener-policy" not in plain.get("/").headers


def test_a_program_plays_by_the_api(outside: httpx.Client) -> None:
    made = outside.post("/api/tables", json={"seats": [{"name": "Anna"}, {"open": True}], "pace": "instant"})
    assert made.status_code == 201, made.text
    place, shown = f"/api/tables/{made.json()['table']}", {"Authorization": f"Bearer {made.json()['token']}"}
    assert outside.get(place, headers=shown).json()["state"] == "waiting"
    assert outside.post(f"{place}/start", json={}, headers=shown).json()["state"] in ("playing", "round-over")
    events = outside.get(f"{place}/events", headers=shown)
    assert events.status_code == 200
    assert "set-cookie" not in events.headers
    assert outside.get(place).status_code == 401


def test_a_page_hears_by_a_secure_socket(hosted: Hosted, outside: httpx.Client) -> None:
    table = waiting(outside)
    with hosted.site.socket(f"{table}/live?version=0", cookie_of(outside), origin=f"https://{HOST}") as live:
        told = json.loads(live.recv(PATIENCE))
        assert f"https://{HOST}/j/" in told["html"], "the link stays right when the page is drawn anew"
        outside.post(f"{table}/clock", data={"seconds": "60"})
        assert json.loads(live.recv(PATIENCE))["version"] > told["version"]


@pytest.mark.parametrize("origin", ["https://evil.example", f"http://{HOST}", f"https://{HOST}:8443", "null"])
def test_nobody_else_is_heard(hosted: Hosted, outside: httpx.Client, origin: str) -> None:
    """Neither another site, nor the same name without TLS, where anybody between could speak for it."""
    table = waiting(outside)
    refused = outside.post(f"{table}/start", headers={"Origin": origin})
    assert refused.status_code == 403
    with (
        hosted.site.socket(f"{table}/live?version=0", cookie_of(outside), origin=origin) as live,
        pytest.raises(ConnectionClosed) as closed,
    ):
        live.recv(PATIENCE)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4403


@pytest.mark.parametrize("name", list(FORGED))
def test_what_a_client_says_about_proxies_does_not_get_through_one(outside: httpx.Client, name: str) -> None:
    said = {name: FORGED[name].replace("https", "http")}
    given = outside.post("/friends", data={"players": "2", "name": "Anna"}, headers=said)
    assert given.headers["set-cookie"].startswith("__Host-maumau=")
    page = outside.get(given.headers["location"], headers=said).text
    assert f"https://{HOST}/j/" in page
    assert "evil" not in page


@elsewhere
def test_whoever_comes_directly_gains_nothing_by_speaking_like_a_proxy(hosted: Hosted) -> None:
    here = httpx.HTTPTransport(local_address=OTHER)
    with httpx.Client(base_url=hosted.server.address, transport=here, headers=FORGED, trust_env=False) as liar:
        given = liar.post("/friends", data={"players": "2", "name": "Anna"})
        assert given.headers["set-cookie"].startswith("maumau=")
        assert "secure" not in given.headers["set-cookie"].lower()
        page = liar.get(given.headers["location"]).text
        assert f"http://{HERE}:{hosted.server.port}/j/" in page
        assert "evil" not in page
        assert "cross-origin-opener-policy" not in liar.get("/").headers


@elsewhere
@pytest.mark.parametrize("kind", FRONTS)
def test_addresses_are_counted_as_the_proxy_tells_them(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each guest has a number of new tables; forging an address brings no more, through the proxy or past it."""
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    server = Server(tmp_path, options=("--tables-per-hour", str(MOST)))
    pem, key = certificate(tmp_path)
    front = front_of(kind, server.port, pem, key)
    site = Site(front.port, pem)

    def tried(client: httpx.Client, times: int) -> list[int]:
        made = [client.post("/play", data={"players": "2"}, headers=_forged(n)) for n in range(times)]
        return [answer.status_code for answer in made]

    try:
        with site.client() as one, site.client(OTHER) as other:
            assert tried(one, MOST + 2) == [303] * MOST + [429] * 2
            assert tried(other, 1) == [303], "another guest has not made any"
        direct = httpx.HTTPTransport(local_address=OTHER)
        with httpx.Client(base_url=server.address, transport=direct, trust_env=False) as past:
            assert tried(past, MOST) == [303] * (MOST - 1) + [429], "past the proxy it is the same guest"
    finally:
        front.stop()
        assert server.stop() == 0


def _forged(n: int) -> dict[str, str]:
    """Another address each time, as whoever wants to make tables without number would send it."""
    return {"X-Forwarded-For": f"203.0.113.{n}", "Forwarded": f"for=203.0.113.{n}", "X-Real-IP": f"203.0.113.{n}"}


@pytest.mark.parametrize(
    ("address", "scheme"), [*((a, "https") for a in (HERE, "::1", f"::ffff:{HERE}")), (OTHER, "http")]
)
def test_a_proxy_on_this_machine_is_believed_however_its_address_is_written(address: str, scheme: str) -> None:
    told: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        told.append(scope["scheme"])

    scope = {"type": "http", "scheme": "http", "client": (address, 1), "headers": [(b"x-forwarded-proto", b"https")]}
    asyncio.run(ProxyHeadersMiddleware(app, THIS_MACHINE)(scope, None, None))  # type: ignore[arg-type]  # a scope has more
    assert told == [scheme]


def test_a_proxy_elsewhere_is_believed_only_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.7,198.51.100.0/24")
    server = Server(tmp_path)
    pem, key = certificate(tmp_path)
    front = Front(server.port, pem, key)
    try:
        with Site(front.port, pem).client() as client:
            given = client.post("/language", data={"lang": "de"}).headers["set-cookie"]
        assert given.startswith("maumau="), "this machine is not named any more"
    finally:
        front.stop()
        assert server.stop() == 0
