"""What the hosting page and the container file promise, as far as a machine without containers can see it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from fnmatch import fnmatch
from http.cookiejar import CookieJar

import pytest
from tests.cli_kit import maumau

import setup
from run_server import ROOT, Server

WITHOUT_THE_LABORATORY = """
import sys
sys.modules["numpy"] = sys.modules["llvmlite"] = None
"""
ADDRESS = "http://cards.test:8080"


def container() -> list[tuple[str, str]]:
    """The instructions of the container file and what they say."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def command_of(instruction: str) -> list[str]:
    """The command that an instruction holds as a list."""
    (said,) = [rest[rest.index("[") :] for word, rest in container() if word == instruction]
    return [str(part) for part in json.loads(said)]


def page() -> str:
    return (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as in the container: without what the laboratory alone needs, and told its address."""
    options = ("--address", ADDRESS)
    running = Server(tmp_path_factory.mktemp("data"), before=WITHOUT_THE_LABORATORY, options=options)
    yield running
    running.stop()


def test_the_container_file_takes_what_is_there_and_not_ignored() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"]
    taken = [
        name for word, rest in container() if word == "COPY" and "--from" not in rest for name in rest.split()[:-1]
    ]
    assert "src" in taken
    for name in taken:
        assert (ROOT / name).exists()
        assert any(fnmatch(name, pattern) for pattern in allowed)


def test_the_container_is_built_with_the_uv_that_make_setup_takes() -> None:
    pinned = [pin for _, rest in container() for pin in re.findall(r"uv==[\d.]+", rest)]
    assert pinned == [setup.UV]
    assert re.findall(r"uv==[\d.]+", page()) == [setup.UV]


@pytest.mark.slow
def test_a_server_plays_without_what_the_laboratory_needs(server: Server) -> None:
    command = [sys.executable, str(ROOT / "docs" / "bot_over_http.py"), server.address]
    answer = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert answer.returncode == 0, answer.stderr
    assert "Robot" in answer.stdout


def test_the_laboratory_says_in_a_sentence_what_it_lacks() -> None:
    code = f"{WITHOUT_THE_LABORATORY}\nfrom maumau.cli import main\nmain()"
    command = [sys.executable, "-c", code, "simulate", "--rounds", "1"]
    answer = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr == "The package numpy is not here; install all of maumau's for this.\n"


@pytest.mark.slow
def test_invites_made_on_the_server_itself_name_the_address_it_was_told(server: Server) -> None:
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(f"{server.address}/friends", data=b"name=Anna") as answer:
        assert f'value="{ADDRESS}/j/' in answer.read().decode()
    assert f"For others: {ADDRESS}/" in server.log.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_health_check_tells_a_server_from_none(server: Server) -> None:
    python, *check = command_of("HEALTHCHECK")
    assert python == "python"
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # nobody else can listen there, and this does not
        for port, healthy in ((server.port, True), (silent.getsockname()[1], False)):
            command = [sys.executable, *(part.replace(":8000/", f":{port}/") for part in check)]
            assert (subprocess.run(command, capture_output=True, check=False).returncode == 0) is healthy


def test_commands_of_the_page_and_of_the_container_name_options_there_are() -> None:
    shown = [line.split("maumau/bin/")[-1] for line in page().splitlines() if "maumau/bin/maumau " in line]
    shown += re.findall(r"^docker exec maumau (maumau .*)$", page(), re.MULTILINE)
    shown.append(" ".join(command_of("CMD")))
    named = {command: set(re.findall(rf"maumau {command} .*", "\n".join(shown))) for command in ("serve", "backup")}
    for command, lines in named.items():
        known = maumau(command, "--help").stdout
        options = {option for line in lines for option in re.findall(r" (--[a-z-]+)", line)}
        assert "--data" in options
        assert all(f"  {option} " in known for option in options)
