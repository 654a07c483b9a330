"""The page that checks a record: its script and the engine say the same, and the server's form says all of it."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import hmac
import json
import random
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright._impl._driver import compute_driver_executable
from tests.random_rules import random_rules
from tests.test_verify import DATA, FRAUDS, finish, swap_reshuffle
from tests.web_client import TestClient

from maumau.game import Match, Record
from maumau.game.verify import verify
from maumau.ruleset import Ruleset
from maumau.web.app import create_app
from maumau.web.routes.verify import LONGEST

SCRIPT = resources.files("maumau.web") / "static" / "verify.js"
SAME = {"seed-shared": "seed-kept", "seed-alone": "seed-kept"}
"""What the script says in fewer words."""
NEED_RULES = {"action-wrong", "dealer-wrong"}


def in_node(tmp_path: Path, program: str, value: object) -> Any:
    """What the page's script makes of a value."""
    node, _ = compute_driver_executable()  # the one that Playwright brings along
    shutil.copyfile(str(SCRIPT), tmp_path / "verify.mjs")
    text = f'import * as v from "./verify.mjs"; const given = {json.dumps(value)};\nconsole.log(JSON.stringify({program}));'
    (tmp_path / "main.mjs").write_text(text, encoding="utf-8")
    answer = subprocess.run([node, "main.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def test_the_script_has_sha_256_and_hmac_right(tmp_path: Path) -> None:
    data = [bytes(range(256)) * 2][0]
    sizes = [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 300, 512]
    texts = [data[:size].hex() for size in sizes]
    came = in_node(
        tmp_path, "given.map((x) => [v.hex(v.sha256(v.unhex(x))), v.hex(v.hmac(v.unhex(x), v.unhex(x)))])", texts
    )
    for text, (plain, keyed) in zip(texts, came, strict=True):
        raw = bytes.fromhex(text)
        assert plain == hashlib.sha256(raw).hexdigest()
        assert keyed == hmac.new(raw, raw, "sha256").hexdigest()


def said_by_engine(data: dict[str, Any]) -> list[tuple[int, str, bool | None]]:
    return [(one.round, SAME.get(one.code, one.code), one.holds) for one in verify(Record(data)) if one.round]


def test_the_script_and_the_engine_agree_on_every_record(tmp_path: Path) -> None:
    records = [DATA]
    for seats, code, dealer in ((4, "classic", None), (2, "family+pack.jokers=2", 1), (7, "international", None)):
        match = Match(code, seats=seats, seed=seats, dealer=dealer)
        finish(match)
        records.append(match.record().data)
    for name, (commit, _) in FRAUDS.items():
        forged = copy.deepcopy(DATA)
        commit(next(entry for entry in forged["rounds"][1:] if entry["reshuffles"]))
        records.append(forged | {"title": name})
    for data, came in zip(records, in_node(tmp_path, "given.map(v.check)", records), strict=True):
        here = [(one["round"], one["code"], one["holds"]) for one in came]
        engine = said_by_engine(data)
        if any(code in NEED_RULES for _, code, _ in engine):
            told = ("deal-kept", "deal-kept-alone", "reshuffle-wrong", *NEED_RULES)
            here, engine = ([one for one in found if one[1] not in told] for found in (here, engine))
        assert here == engine, data.get("title", data["rules"])


STARTERS = ("study", "crazy-eights", "pesten", "vandatta", "family+start.rank=9", "olsen", "neunerln")
"""Tables where a certain card starts, or where some may not."""


def matches(codes: Iterable[str], rounds: int) -> Iterator[Match]:
    """Matches of so many rounds in which the stock runs out again and again."""
    for seed, code in enumerate(codes):
        rules = Ruleset.parse(code)
        match = Match(code, seats=max(3, rules.least_seats) if rules.most_seats >= 3 else 2, seed=seed)
        for _ in range(rounds):
            finish(match)
            if match.over:
                break
            match.next_round()
        yield match


def random_matches(n: int) -> Iterator[Match]:
    """One round each under random rules."""
    chance = random.Random(20261130)
    for seed in range(n):
        rules = random_rules(chance)
        match = Match(rules, seats=rules.seats or rules.least_seats, seed=seed)
        with contextlib.suppress(AssertionError):  # one that has no end is checked as far as it goes
            finish(match)
        if match.round.over:
            yield match


def test_the_script_checks_starters_and_reshuffles_as_the_engine_does(tmp_path: Path) -> None:
    played = [match.record().data for match in (*matches(STARTERS, 4), *random_matches(40))]
    assert sum(bool(entry["reshuffles"]) for data in played for entry in data["rounds"]) > 20
    assert sum(data["values"]["start.rank"] != "any" for data in played) > 3
    assert sum(data["values"]["start.redraw"] != "none" for data in played) > 3
    for data, came in zip(played, in_node(tmp_path, "given.map(v.check)", played), strict=True):
        assert [(one["round"], one["code"], one["holds"]) for one in came] == said_by_engine(data), data["rules"]


def test_the_script_finds_every_forged_reshuffle(tmp_path: Path) -> None:
    forged = []
    for data in (match.record().data for match in (*matches(STARTERS, 3), *random_matches(25))):
        for number, entry in enumerate(data["rounds"]):
            if any(len(set(order.split())) > 1 for order in entry["reshuffles"]):
                other = copy.deepcopy(data)
                swap_reshuffle(other["rounds"][number])
                forged.append((number + 1, other))
    assert len(forged) > 15
    for (number, data), came in zip(
        forged, in_node(tmp_path, "given.map(([, data]) => v.check(data))", forged), strict=True
    ):
        assert (number, "reshuffle-wrong") in {(one["round"], one["code"]) for one in came}, data["rules"]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(tmp_path), headers={"accept-language": "en"}) as client:
        yield client


def ask(client: TestClient, record: str) -> tuple[int, str]:
    answer = client.post(
        "/verify", content=urlencode({"record": record}), headers={"content-type": "application/x-www-form-urlencoded"}
    )
    return answer.status_code, answer.text


def test_the_form_works_without_a_script(client: TestClient) -> None:
    assert "<textarea" in client.get("/verify").text
    status, page = ask(client, json.dumps(DATA))
    assert status == 200
    assert "Everything that can be checked is right." in page
    status, page = ask(client, json.dumps(DATA | {"totals": [1, 2, 3]}))
    assert "✗" in page


def test_the_record_of_a_running_match_is_saved_and_checked(client: TestClient) -> None:
    page = client.post("/play", data={"book": "family", "players": "3"}, follow_redirects=False).headers["location"]
    sheet = client.get(f"{page}/sheet").text
    record = client.get(f"{page}/record")
    assert record.headers["content-disposition"].startswith("attachment")
    running = record.json()["rounds"][-1]
    assert running["fair"]["commitment"][:32] in sheet
    assert "seed" not in running
    assert "still running" in ask(client, record.text)[1]


@pytest.mark.parametrize(
    ("text", "status"),
    [("", 422), ("{}", 422), ("[" * 50_000, 422), ("<script>alert(1)</script>", 422), ("1" * (LONGEST + 1), 413)],
)
def test_what_is_no_record_is_told_so(client: TestClient, text: str, status: int) -> None:
    came, page = ask(client, text)
    assert came == status
    assert "<script>alert" not in page


def test_no_other_path_takes_more(client: TestClient) -> None:
    assert client.post("/play", content="x" * 5_000).status_code == 413
    assert client.post("/verify", content="x" * 500_000).status_code == 413
