"""Junk for every way into the application: odd methods, parameters, bodies, headers, cookies and frames."""

from __future__ import annotations

import base64
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.asgi_kit import Answer, Client, Way

from maumau.web.guard import MAX_BODY

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW", "get", "")
WORDS = (
    "", " ", "0", "-1", "1.5", "99999999999", "1" * 400, "true", "null", "NaN", "[]", "{}", "x" * 5_000, "../../etc/passwd", "..",
    "%", "%zz", "\0", "\n\r\nX: y", "<script>alert(1)</script>", "{{7*7}}", "{0.__class__}", "' OR 1=1 --", "ü😀", "\u202e", "\u200b",
    "\u0301" * 300, "9h", "Js=c!", "+", "-", "!!", "*", "١٢", "²", "½", "\ud800", "family", "family+target-60", "family+" * 200,
    "deal.cards=6", "classic+players-9", "power.7.draw=99999999999999999999", "de", "en", "xx",
)  # fmt: skip
FIELDS = (
    "table", "invite", "watch", "seat", "name", "key", "action", "id", "version", "mau", "round", "match", "contribution", "reaction",
    "pace", "public", "players", "level", "book", "house", "rules", "lang", "back", "token", "record", "after", "wish", "seats", "bot",
    "open", "turn_seconds", "code", "hands", "totals", "rounds", "names", "what", "top",
)  # fmt: skip
DEEP = b"[" * 3_000
BODIES = (
    b"", b"null", b"[]", b"{}", b"]", b"5", b'"x"', b"NaN", b'{"a":NaN}', b"\xff\xfe\x00", b"\xed\xa0\x80", DEEP, b'{"a":' * 600, b"\0" * 100,
    b'{"seats":' + b"9" * 3_000 + b"}", b'{"name":"\\ud800"}', b'{"id":"00000000-0000-4000-8000-000000000000","action":"\\ud800\\udfff"}',
    b"a=1&a=2&a&=&&%zz=%zz", b"%" * 400, b"&" * 3_000, b"a=%ff%fe", b"x" * MAX_BODY, b"x" * (MAX_BODY + 1), b"x" * 200_000,
    b'{"version":1e999}', b'{"version":-0.0}', b'{"seats":[{"name":""},{"bot":null},{"open":1}]}', b"--x\r\nContent-Disposition: form-data\r\n",
)  # fmt: skip
HEADERS: dict[str, tuple[str, ...]] = {
    "accept": ("application/json", "text/html", "*/*;q=NaN", "", "x" * 2_000, "image/png"),
    "accept-language": ("de;q=abc", "*", "," * 3_000, "zh-Hant-TW", "de-AT,de;q=0.9", ";;;q=", "\xe4", "x" * 4_000, "de;q=1e999"),
    "accept-encoding": ("gzip;q=0", "br", "*", "gzip, gzip", "\xff"),
    "authorization": ("Bearer", "Bearer ", "bearer x", "Bearer \xff\xfe", "Basic eA==", "Bearer " + "x" * 4_000, "\t", "Bearer a b c"),
    "content-type": (
        "application/json; charset=utf-7", "multipart/form-data", "multipart/form-data; boundary=", "text/plain", "", "application/x-yaml",
        "application/json; charset=klingon", "application/x-www-form-urlencoded; charset=utf-16", "/",
    ),
    "content-length": ("-1", "abc", "99999999999"),
    "cookie": ("maumau=", "maumau=%%%", "maumau=" + "A" * 4_000, "=;=;", "maumau", "\xff=\xfe", "maumau=e30; maumau=W10"),
    "host": ("", "evil.test", "[::1", "a:b:c", "x" * 300, "\xfcmlaut", "table.test:99999", "table.test:-1", "localhost", "//x", "[v7.x]", "?"),
    "origin": ("http://table.test", "http://evil.test", "null", "", "://", "\xff", "http://table.test:80"),
    "sec-fetch-site": ("same-origin", "none", "cross-site", "", "x"),
    "x-forwarded-for": ("1.2.3.4", "unknown, ::1", "\xff"),
    "x-forwarded-proto": ("https", "gopher"),
    "x-forwarded-host": ("evil.test",),
    "forwarded": ("for=1.2.3.4;proto=https;host=evil.test",),
    "range": ("bytes=0-0", "bytes=" + "0-1," * 500, "bytes=-1"),
    "if-none-match": ("*", '"x"'),
    "referer": ("\xff", "http://evil.test/" + "x" * 3_000),
    "upgrade": ("websocket", "h2c"),
    "expect": ("100-continue", "200-maybe"),
    "user-agent": ("", "\xff"),
}  # fmt: skip
COOKIES: tuple[Any, ...] = (
    None, [], 5, "x", {"s": 5}, {"s": [1]}, {"s": {"t": 5}}, {"s": {"t": "x"}}, {"l": 5}, {"l": ["de"]}, {"l": "xx"}, {"n": 10**300}, {"n": "x"},
    {"n": -5}, {"n": True}, {"r": 5}, {"r": "family+" * 40}, {"b": "genius"}, {"p": "warp"}, {"u": "\ud800"}, {"u": "<b>" * 90}, {"u": ["x"]},
    {"r": "family+target-99999999999999999999"}, {"r": "deal.cards=6"}, {"s": {str(n): "x" * 22 for n in range(80)}},
    {"l": "de", "s": {"\ud800": "\ud800"}, "u": "\0"},
)  # fmt: skip
FRAMES = (
    "null", "]", "[]", "5", '"x"', '{"type":null}', "NaN", "[" * 10_000, "x" * 4_000, "x" * 1_000_000, "\0", "", '{"action":"+"}', "\ud7ff",
)  # fmt: skip


@dataclass
class Tally:
    """What has been asked and how long the slowest answer took."""

    asked: int = 0
    slowest: float = 0.0
    slowest_at: str = ""
    over_a_second: int = 0
    by_status: dict[int, int] = field(default_factory=dict)

    def note(self, what: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self.asked += 1
        self.by_status[status] = self.by_status.get(status, 0) + 1
        self.over_a_second += seconds > 1
        if seconds > self.slowest:
            self.slowest, self.slowest_at = seconds, what


@dataclass
class Junk:
    """Makes requests of junk, each from one generator, and looks at the answers."""

    chance: random.Random
    known: dict[str, str]
    """Values of parameters that fit: a table, its invite …"""
    tokens: tuple[str, ...]
    cookies: tuple[str, ...]
    """Cookies of devices that sit at the table."""
    tally: Tally = field(default_factory=Tally)

    def word(self, name: str = "") -> str:
        """A value, now and then one that fits."""
        if name in self.known and self.chance.random() < 0.6:
            return self.known[name]
        return self.chance.choice(WORDS)

    def path(self, way: Way) -> str:
        """The address of a way, its parameters filled with something."""
        pieces = {}
        for name in way.fields:
            word = self.word(name)
            raw = word.encode("utf-8", "surrogatepass")
            pieces[name] = quote(raw, safe="/" if self.chance.random() < 0.1 else "") or "%20"
        path = way.path.replace(":path}", "}").format_map(pieces)
        if self.chance.random() < 0.05:
            path += self.chance.choice(("/", "//", "/.", "%2f", "%00", ";x", "%ff", "/" + "x" * 3_000))
        if self.chance.random() < 0.4:
            raw_pairs = [
                f"{self.chance.choice(FIELDS)}={quote(self.word().encode('utf-8', 'surrogatepass'))}"
                for _ in range(self.chance.randrange(1, 5))
            ]
            path += "?" + "&".join(raw_pairs) + self.chance.choice(("", "&", "&=", "&%ff=%ff"))
        return path

    def body(self) -> tuple[bytes, str | None]:
        """A body and its type: plain junk, or fields that fit with values that do not."""
        lot = self.chance.random()
        if lot < 0.3:
            return self.chance.choice(BODIES), None
        said: dict[str, Any] = {name: self.word(name) for name in self.chance.sample(FIELDS, self.chance.randrange(9))}
        if lot < 0.65:
            for name in said:
                if self.chance.random() < 0.4:
                    said[name] = self.chance.choice(
                        (None, True, -1, 0, 3, 2**70, 1.5, [], {}, [said[name]], {"name": "x"})
                    )
            said.setdefault("seats", [{"name": self.word()}, {"bot": self.word()}, {"open": True}])
            said.setdefault("id", f"00000000-0000-4000-8000-00000000000{self.chance.randrange(10)}")
            return json.dumps(said).encode(), "application/json"
        form = "&".join(f"{name}={quote(str(word).encode('utf-8', 'surrogatepass'))}" for name, word in said.items())
        return form.encode(), "application/x-www-form-urlencoded"

    def headers(self) -> list[tuple[str, str]]:
        """Some odd headers, mostly with somebody's own token or cookie."""
        names = self.chance.sample(list(HEADERS), self.chance.choice((0, 0, 1, 1, 2, 4)))
        said = {name: self.chance.choice(HEADERS[name]) for name in names}
        lot = self.chance.random()
        if lot < 0.35:
            said["authorization"] = f"Bearer {self.chance.choice(self.tokens)}"
        elif lot < 0.7:
            said["cookie"] = self.chance.choice(self.cookies)
        elif lot < 0.9:
            told = json.dumps(self.chance.choice(COOKIES)).encode()
            said["cookie"] = "maumau=" + base64.urlsafe_b64encode(told).decode()
        return list(said.items())

    async def ask(self, client: Client, way: Way) -> None:
        """One request, and a look at its answer."""
        method = self.chance.choice(METHODS) if self.chance.random() < 0.12 else way.method
        path, headers = self.path(way), self.headers()
        body, kind = (b"", None) if method in ("GET", "HEAD") and self.chance.random() < 0.9 else self.body()
        if kind is not None and self.chance.random() < 0.9:
            headers = [("content-type", kind), *((name, value) for name, value in headers if name != "content-type")]
        began = time.perf_counter()
        answer = await client.ask(method, path, body=body, headers=headers)
        what = f"{method} {path!r:.300} {headers!r:.500} {body!r:.300}"
        self.tally.note(what, answer.status, time.perf_counter() - began)
        sound(answer, what, api=path.startswith("/api/"), head=method == "HEAD")


def sound(answer: Answer, what: str, *, api: bool, head: bool = False) -> None:
    """Fail where a server broke, or where a refusal has another shape than all others.

    The API refuses in JSON, a page with a page, or in JSON where its script asks for that.
    """
    assert answer.crash is None, f"{what}: {answer.crash!r}"
    assert 200 <= answer.status < 500, f"{what}: {answer.status}"
    text = answer.text
    assert "Traceback" not in text, what
    assert 'File "' not in text, what
    assert "Internal Server Error" not in text, what
    if answer.status < 400 or head:
        return
    if api or "json" in answer.header("content-type"):
        error = answer.json()["error"]
        assert set(error) == {"code", "text", "position"}, what
        assert error["code"], what
        assert error["text"], what
        assert error["text"][-1] in ".!?“”", f"{what}: {error['text']}"
    else:
        assert answer.header("content-type") == "text/html; charset=utf-8", f"{what}: {answer.header('content-type')}"
        assert "<html" in text, what
        assert answer.header("content-security-policy"), what
