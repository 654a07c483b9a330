"""A bot that takes a seat with nothing but HTTP: python docs/bot_over_http.py http://127.0.0.1:8000 [TABLE INVITE]."""

import json
import random
import sys
import time
import uuid
from urllib.error import HTTPError
from urllib.request import Request, urlopen

server, *invited = sys.argv[1:]
token = ""


def call(path: str, body: object = None) -> dict:
    request = Request(f"{server}/api/tables{path}", None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urlopen(request) as answer:
        return json.load(answer)


if invited:
    table = invited[0]
    seat = call(f"/{table}/join", {"invite": invited[1], "name": "Robot"})
else:
    seat = call("", {"rules": "family", "pace": "instant", "seats": [{"name": "Robot"}, {"bot": "normal"}]})
    table = seat["table"]
token = seat["token"]

while (view := call(f"/{table}"))["state"] != "match-over":
    actions = view["shouts"] or (view["legal"] if view["turn"] == view["you"] else [])
    try:
        if view["state"] == "round-over" and view["host"] == view["you"]:
            call(f"/{table}/next", {})
        elif view["state"] == "playing" and actions:
            action = random.choice(actions)
            said = "!" if action in view["call_due"] else ""
            call(f"/{table}/actions", {"id": str(uuid.uuid4()), "version": view["version"], "action": action + said})
        else:
            time.sleep(0.1)
    except HTTPError as error:  # somebody was faster: look again
        print(json.load(error)["error"]["text"], file=sys.stderr)
print({seat["name"]: seat["score"] for seat in view["seats"]})
