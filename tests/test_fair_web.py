"""Over whole matches, no byte that anybody is sent holds a secret or a seed before its round is over."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.test_fair import SHARE, spellings
from tests.web_client import TestClient

from maumau.tables import Store
from maumau.web.app import create_app

ROUNDS = 3
STEPS = 400


class Listener:
    """Two people and a spectator at one table, and every text they are sent, in order."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.texts: list[str] = []
        self.over: list[int] = []
        """How many texts had been sent when each round was found to be over."""

    def ask(self, method: str, path: str, token: str | None = None, body: object = None) -> dict[str, object]:
        head = {} if token is None else {"authorization": f"Bearer {token}"}
        answer = self.client.request(method, path, json=body, headers=head)
        self.texts.append(f"{answer.headers} {answer.text}")
        data: dict[str, object] = answer.json() if "json" in answer.headers["content-type"] else {}
        return data

    def look_around(self, where: str, tokens: list[str]) -> None:
        for token in (*tokens, None):
            self.ask("GET", where, token)
            self.ask("GET", f"{where}/events", token)
            self.ask("GET", f"{where}/record", token)
        table = where.rpartition("/")[2]
        for page in (f"/t/{table}", f"/t/{table}/sheet", f"/t/{table}/record", "/metrics"):
            self.ask("GET", page)
        wrong = {"id": str(uuid4()), "version": 1, "action": "Js=c!"}
        self.ask("POST", f"{where}/actions", tokens[0], wrong)


def play(listener: Listener, where: str, tokens: list[str]) -> None:
    """Two people take turns until a few rounds are over; what they see is looked at now and then."""
    for step in range(STEPS):
        view = listener.ask("GET", where, tokens[step % 2])
        if view["state"] != "playing":
            listener.over.append(len(listener.texts) - 2)  # the answer before this one may have ended it
            if len(listener.over) == ROUNDS or view["state"] == "match-over":
                return
            listener.ask("POST", f"{where}/next", tokens[0], {"contribution": SHARE})
            continue
        if step % 15 == 0:
            listener.look_around(where, tokens)
        if view["turn"] != view["you"]:
            continue
        legal = view["legal"]
        assert isinstance(legal, list)
        body = {"id": str(uuid4()), "version": view["version"], "action": legal[0]}
        listener.ask("POST", f"{where}/actions", tokens[step % 2], body)


def stored(store: Store, question: str) -> dict[int, bytes]:
    rows: list[Any] = store.read().execute(question).fetchall()
    return dict(rows)


def test_no_byte_holds_a_secret_or_a_seed_too_early(tmp_path: Path) -> None:
    store = Store(tmp_path / "t.sqlite")
    with TestClient(create_app(store=store, metrics=True)) as client:
        listener = Listener(client)
        seats = [{"name": "Anna"}, {"open": True}]
        made = listener.ask(
            "POST", "/api/tables", body={"rules": "classic+players-2", "seats": seats, "contribution": SHARE}
        )
        where = f"/api/tables/{made['table']}"
        joined = listener.ask("POST", f"{where}/join", body={"invite": made["invite"], "name": "Ben"})
        tokens = [str(made["token"]), str(joined["token"])]
        listener.ask("POST", f"{where}/contribute", tokens[1], {"contribution": SHARE[::-1]})
        listener.ask("POST", f"{where}/start", tokens[0])
        play(listener, where, tokens)
        listener.look_around(where, tokens)
        secrets = stored(store, "SELECT deal, secret FROM deal_secrets")
        seeds = stored(store, "SELECT round, seed FROM round_secrets")
    over = listener.over
    assert over
    assert set(secrets) == set(range(1, len(over) + 2))
    for deal, secret in secrets.items():
        told = [number for number in (secret, seeds.get(deal)) if number is not None]
        until = over[deal - 1] if deal <= len(over) else len(listener.texts)
        early, late = "\n".join(listener.texts[:until]), "\n".join(listener.texts[until:])
        for number in told:
            assert not [text for text in spellings(number) if text in early]
            assert (number.hex() in late) is (deal <= len(over))
