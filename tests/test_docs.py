"""What the documents show is true: the example bot plays a match, the folders named are there."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from maumau.game.referee import settle
from maumau.ruleset import HOUSE_RULES
from run_server import running

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.slow
def test_the_bot_over_http_plays_a_whole_match(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        command = [sys.executable, str(ROOT / "docs" / "bot_over_http.py"), server]
        answer = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240, check=False)
    assert answer.returncode == 0, answer.stderr
    assert "Robot" in answer.stdout


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_places_that_a_document_names_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    named = re.findall(r"`((?:src|tests|docs|scripts|benchmarks)/[\w./-]*)`", text)
    missing = [link for link in links if not (document.parent / link).exists()]
    missing += [place for place in named if not (ROOT / place).exists()]
    assert missing == []


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_examples_in_a_document_run(document: Path) -> None:
    assert doctest.testfile(str(document), module_relative=False, encoding="utf-8").failed == 0


def test_examples_in_docstrings_run() -> None:
    home = ROOT / "src"
    shown = [path for path in home.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8")]
    names = [".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__") for path in shown]
    results = {name: doctest.testmod(importlib.import_module(name)) for name in names}
    assert "maumau" in results
    assert {name: result.failed for name, result in results.items() if result.failed} == {}


def test_the_architecture_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [path for path in (ROOT / "src" / "maumau").iterdir() if not path.name.startswith(("_", "."))]
    named = [path.name for path in rooms if f"`{path.name}{'/' if path.is_dir() else ''}`" in text]
    assert sorted(named) == sorted(path.name for path in rooms if path.name != "py.typed")


def test_the_house_rule_of_the_document_works_as_written() -> None:
    text = (ROOT / "docs" / "house-rules.md").read_text(encoding="utf-8")
    rule = tomllib.loads(text.split("```toml\n")[1].split("```")[0])["ten-reverse"]
    assert rule["group"] in {known.group for known in HOUSE_RULES.values()}
    code = "+".join(["family", *(f"{key}={'yes' if value is True else value}" for key, value in rule["sets"].items())])
    case = json.loads(text.split("```json\n")[1].split("```")[0])
    assert case["house_rule"] in case["rules"].split("+")
    for rules, expected in ((code, case["expect_with"]), (case["without"], case["expect_without"])):
        answer = settle({"rules": rules, "position": case["position"], "do": case["do"]})
        assert {key: answer[key] for key in expected} == expected
    assert case["expect_with"] != case["expect_without"]
