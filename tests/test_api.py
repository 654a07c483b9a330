"""The JSON API in process: shapes, refusals in one form, and a whole match played through it."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web_client import TestClient

from maumau.web.app import create_app

SEATS = [{"name": "Anna"}, {"bot": "normal"}]
VIEW = {
    "table", "version", "rules", "state", "you", "turn", "direction", "top", "wish", "penalty", "hand", "legal", "call_due",
    "shouts", "drawn", "stock_n", "discard_n", "seats", "round", "dealer", "host", "deadline", "commitment", "log",
}  # fmt: skip
SEAT = {"name", "kind", "cards_n", "called", "catchable", "away", "score"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    data: Path = tmp_path_factory.mktemp("api")
    with TestClient(create_app(data), base_url="http://table.test", follow_redirects=False) as opened:
        yield opened


class Seat:
    """One seat at a table, by its token."""

    def __init__(self, client: TestClient, **spec: Any) -> None:
        self.client = client
        answer = client.post("/api/tables", json={"seats": SEATS, "pace": "instant", **spec})
        assert answer.status_code == 201, answer.text
        self.made: dict[str, Any] = answer.json()
        self.path = f"/api/tables/{self.made['table']}"
        self.headers = {"Authorization": f"Bearer {self.made['token']}"}

    def view(self) -> dict[str, Any]:
        """The table as this seat sees it."""
        seen: dict[str, Any] = self.client.get(self.path, headers=self.headers).json()
        return seen

    def act(self, action: Any, version: int | None, command: str | None = None) -> Any:
        """Post an action."""
        body = {"id": command or str(uuid.uuid4()), "version": version, "action": action}
        return self.client.post(f"{self.path}/actions", json=body, headers=self.headers)

    def my_turn(self) -> dict[str, Any]:
        """Wait for the own turn, or the end of the round."""
        for _ in range(6_000):
            seen = self.view()
            if seen["state"] != "playing" or seen["legal"]:
                return seen
            time.sleep(0.01)
        raise AssertionError("it is never this seat's turn")


def _error(answer: Any, status: int, code: str | None = None) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    error: dict[str, Any] = answer.json()["error"]
    assert error.keys() == {"code", "text", "position"}
    assert error["text"].strip()
    assert code is None or error["code"] == code
    return error


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("", {"pace": "\ud800"}),
        ("", {"rules": "\ud800"}),
        ("", {"rules": "family+\ud800"}),
        ("", {"seats": [{"name": "\ud800"}, {"bot": "normal"}]}),
        ("", {"seats": [{"name": "Anna"}, {"bot": "\ud800"}]}),
        ("", {"contribution": "\ud800"}),
        ("react", {"reaction": "\ud800"}),
        ("pace", {"pace": "\ud800"}),
        ("name", {"name": "\ud800"}),
        ("actions", {"id": "00000000-0000-4000-8000-000000000001", "version": 1, "action": "\ud800"}),
    ],
)
def test_half_a_surrogate_pair_is_refused_like_any_other_text(
    client: TestClient, path: str, sent: dict[str, Any]
) -> None:
    """JSON can say it, and no UTF-8 has it: a refusal that repeats it was no answer at all."""
    seat = Seat(client)
    where, said = (f"{seat.path}/{path}", sent) if path else ("/api/tables", {"seats": SEATS} | sent)
    headers = seat.headers | {"content-type": "application/json"}
    answer = client.post(where, content=json.dumps(said).encode(), headers=headers)
    assert answer.status_code in (404, 409, 422), answer.text
    assert answer.json()["error"]["text"]


def test_a_table_and_its_view_have_the_agreed_shape(client: TestClient) -> None:
    seat = Seat(client)
    assert seat.made.keys() == {"table", "seat", "token", "invite", "version"}
    seen = seat.view()
    assert seen.keys() >= VIEW
    assert all(one.keys() >= SEAT for one in seen["seats"])
    assert seen["you"] == 0


def test_a_whole_match_over_the_api(client: TestClient) -> None:
    seat = Seat(client, rules="family+win-points-1")
    for _ in range(4_000):
        seen = seat.my_turn()
        if seen["state"] == "round-over":  # nobody could go on, and nobody has won
            client.post(f"{seat.path}/next", headers=seat.headers)
            continue
        if seen["state"] != "playing":
            break
        action = seen["legal"][0]
        answer = seat.act(action + ("!" if action in seen["call_due"] else ""), seen["version"])
        assert answer.status_code in (200, 409), answer.text
    assert seen["state"] == "match-over"
    record = client.get(f"{seat.path}/record", headers=seat.headers).json()
    assert "??" not in str(record)
    events = client.get(f"{seat.path}/events?after=0", headers=seat.headers).json()["events"]
    assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)
    assert {"deal", "play", "round-over", "match-over"} <= {event["kind"] for event in events}
    again = client.post(f"{seat.path}/rematch", headers=seat.headers)
    assert again.status_code == 200
    assert again.json()["state"] == "playing"


def test_the_same_id_gets_the_same_answer(client: TestClient) -> None:
    for _ in range(20):
        seat = Seat(client, pace="instant")
        seen = seat.my_turn()
        if "+" in seen["legal"]:
            break
    command = str(uuid.uuid4())
    first, second = (seat.act("+", seen["version"], command) for _ in range(2))
    assert first.status_code == second.status_code == 200
    drawn = client.get(f"{seat.path}/events?after={seen['version']}", headers=seat.headers).json()["events"]
    assert [event["kind"] for event in drawn if event.get("id") == command].count("draw") == 1
    assert first.json() == second.json()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        (None, 422),
        ([], 422),
        ({"id": "x", "version": 1, "action": "+"}, 422),
        ({"id": str(uuid.uuid4()), "version": "1", "action": "+"}, 422),
        ({"id": str(uuid.uuid4()), "version": 1, "action": 9}, 422),
        ({"id": str(uuid.uuid4()), "version": 1, "action": ["9h"]}, 422),
        ({"id": str(uuid.uuid4()), "version": -1, "action": "+"}, 422),
        ({"id": str(uuid.uuid4()), "version": True, "action": "+"}, 422),
        ({"id": str(uuid.uuid4()), "version": 1, "action": "x" * 100}, 422),
    ],
)
def test_x08_a_body_that_is_none_is_refused_in_the_one_shape(client: TestClient, body: Any, status: int) -> None:
    seat = Seat(client, pace="slow")
    before = seat.view()["version"]
    answer = client.post(f"{seat.path}/actions", json=body, headers=seat.headers)
    _error(answer, status, "invalid-request")
    assert seat.view()["version"] == before


@pytest.mark.parametrize("raw", ["null", "]", "[" * 4000, '{"id": NaN}', "\x00", '"x"', '{"type": null}', "5"])
def test_x11_malformed_bodies_are_refused(client: TestClient, raw: str) -> None:
    seat = Seat(client, pace="slow")
    headers = {**seat.headers, "content-type": "application/json"}
    answer = client.post(f"{seat.path}/actions", content=raw.encode(), headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["text"]


@pytest.mark.parametrize("action", ["1H", "zz", "Jc=X", "Jc=7", "", "!", "+99", "99", "0?0", "=c"])
def test_x08_actions_that_are_none_have_a_reason(client: TestClient, action: str) -> None:
    seat = Seat(client, pace="instant")
    seen = seat.my_turn()
    answer = seat.act(action, seen["version"])
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"]


def test_x06_fields_too_many_change_nothing(client: TestClient) -> None:
    seat = Seat(client, pace="instant")
    seen = seat.my_turn()
    extra = {"seat": 1, "hand": [], "points": 0, "effect": "none", "pending": 0}
    body = {"id": str(uuid.uuid4()), "version": seen["version"], "action": seen["legal"][0], **extra}
    answer = client.post(f"{seat.path}/actions", json=body, headers=seat.headers)
    assert answer.status_code == 200
    assert answer.json()["you"] == 0


def test_refusals_have_one_shape_everywhere(client: TestClient) -> None:
    seat = Seat(client, pace="slow")
    _error(client.get("/api/nothing"), 404, "not-found")
    _error(client.get("/api/tables/none"), 404)
    _error(client.delete(seat.path), 405, "method-not-allowed")
    _error(client.post("/api/tables", content=b"x" * 5000), 413, "too-large")
    _error(client.post("/api/tables", json={"seats": [{"name": "A"}]}), 422)
    _error(client.post("/api/tables", json={"seats": SEATS, "rules": "famly"}), 422)
    _error(
        client.post("/api/tables", json={"seats": SEATS}, headers={"sec-fetch-site": "cross-site"}),
        403,
        "foreign-origin",
    )
    _error(client.post(f"{seat.path}/next", headers=seat.headers), 409)
    _error(client.post(f"{seat.path}/join", json={"invite": "x", "name": "Bert"}), 404)


def test_refusals_speak_the_language_asked_for(client: TestClient) -> None:
    german = client.get("/api/tables/none", headers={"accept-language": "de"}).json()["error"]["text"]
    english = client.get("/api/tables/none", headers={"accept-language": "en"}).json()["error"]["text"]
    assert german != english
    assert client.get("/api/tables/none?lang=de").json()["error"]["text"] in (german, english)


def test_x09_nobody_acts_without_the_token_of_the_seat(client: TestClient) -> None:
    seat, other = Seat(client, pace="slow"), Seat(client)
    version = seat.view()["version"]
    body = {"id": str(uuid.uuid4()), "version": version, "action": "+"}
    for headers in ({}, {"Authorization": "Bearer nonsense"}, other.headers, {"Authorization": seat.made["token"]}):
        for path in ("actions", "next", "end", "leave"):
            answer = client.post(f"{seat.path}/{path}", json=body, headers=headers)
            assert answer.status_code in (401, 403), (path, headers)
    assert seat.view()["version"] == version


def test_open_seats_are_joined_and_started(client: TestClient) -> None:
    host = Seat(client, seats=[{"name": "Anna"}, {"open": True}, {"open": True}])
    assert host.view()["state"] == "waiting"
    joined = client.post(f"{host.path}/join", json={"invite": host.made["invite"], "name": "Bert"})
    assert joined.status_code == 201
    assert joined.json().keys() == {"seat", "token", "version"}
    started = client.post(f"{host.path}/start", headers=host.headers)
    assert started.status_code == 200
    kinds = [seat["kind"] for seat in started.json()["seats"]]
    assert kinds == ["human", "human", "bot"]


def test_a_wish_to_end_the_match_is_taken_back_at_the_same_address(client: TestClient) -> None:
    host = Seat(client, seats=[{"name": "Anna"}, {"open": True}], pace="slow")
    client.post(f"{host.path}/join", json={"invite": host.made["invite"], "name": "Bert"})
    client.post(f"{host.path}/start", headers=host.headers)
    bodies: tuple[dict[str, bool], ...] = ({}, {"take_back": False}, {"take_back": True})
    told = [client.post(f"{host.path}/end", headers=host.headers, json=body).json()["end_proposed"] for body in bodies]
    assert told == [[0], [0], []]
    _error(client.post(f"{host.path}/end", headers=host.headers, json={"take_back": "yes"}), 422, "invalid-request")
    events = client.get(f"{host.path}/events", headers=host.headers).json()["events"]
    assert [(event["kind"], event["seat"]) for event in events[-2:]] == [("end-proposed", 0), ("end-taken-back", 0)]


def test_x01_no_answer_holds_what_others_hold(client: TestClient) -> None:
    """Two people at one table: nothing that one of them gets names a card of the other's hand."""
    host = Seat(client, seats=[{"name": "Anna"}, {"open": True}])
    token = client.post(f"{host.path}/join", json={"invite": host.made["invite"], "name": "Bert"}).json()["token"]
    client.post(f"{host.path}/start", headers=host.headers)
    guest = {"Authorization": f"Bearer {token}"}
    own = client.get(host.path, headers=host.headers).json()["hand"]
    for path in ("", "/events?after=0", "/record"):
        for headers in (guest, {}):
            answer = client.get(f"{host.path}{path}", headers=headers)
            for card in own:
                assert f'"{card}"' not in answer.text


def test_the_live_socket_streams_events(client: TestClient) -> None:
    seat = Seat(client, pace="instant")
    with client.websocket_connect(f"{seat.path}/live?after=0", headers=seat.headers) as socket:
        seen = [socket.receive_json()["seq"] for _ in range(3)]
        assert seen == sorted(set(seen))


def test_the_description_and_its_page(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/api/tables", "/api/tables/{table}", "/api/tables/{table}/actions", "/api/tables/{table}/events"):
        assert path in paths
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert "http://" not in page.text.replace("http://www.w3.org", "")
    assert "https://" not in page.text
    assert "`" not in page.text
    assert "<code>contribution</code> is this seat&#39;s share" in page.text


def test_alive_and_ready(client: TestClient) -> None:
    assert client.get("/livez").status_code == 200
    assert client.get("/readyz").status_code == 200


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"rules": "family"}, "seats: das fehlt"),
        ({"seats": [{"name": 3}, {"open": True}]}, "seats.0.name: das muss ein Text sein"),
        ({"seats": [{"open": True}]}, "seats: das sind weniger als 2"),
        ({"seats": [{"open": True}] * 3, "turn_seconds": 1}, "turn_seconds: das ist weniger als 5"),
        ({"seats": [{"open": True}] * 3, "public": "maybe"}, "public: das muss true oder false sein"),
        ({"seats": "all"}, "seats: das muss eine Liste sein"),
    ],
)
def test_a_german_refusal_is_german_to_its_end(client: TestClient, body: dict[str, object], said: str) -> None:
    answer = client.post("/api/tables", json=body, headers={"accept-language": "de"})
    assert answer.status_code == 422
    assert answer.json()["error"]["text"] == f"Die Anfrage ist nicht lesbar: {said}."
