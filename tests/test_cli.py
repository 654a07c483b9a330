"""The command `maumau`: answers at once, one sentence for what is wrong, and its exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from maumau import cli

COMMANDS = sorted(str(command.name or command.callback.__name__) for command in cli.app.registered_commands)  # type: ignore[union-attr]


def maumau(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "maumau.cli", *arguments],
        input=stdin,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def test_help_lists_every_command() -> None:
    answer = maumau("--help")
    assert answer.returncode == 0
    assert maumau().stdout == answer.stdout
    for command in COMMANDS:
        assert f"  {command} " in answer.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_has_an_example(command: str) -> None:
    answer = maumau(command, "--help")
    assert answer.returncode == 0
    assert f"Example: maumau {command}" in answer.stdout


@pytest.mark.parametrize(
    "arguments", [["nothing-like-it"], ["--nothing"], ["serve", "--port", "x"], ["serve", "--port", "70000"]]
)
def test_wrong_usage_is_two_and_one_sentence(arguments: list[str]) -> None:
    answer = maumau(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) == 1


def test_an_unforeseen_failure_is_one_and_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise OSError("the disk\nis full")

    monkeypatch.setattr(cli, "app", fails)
    assert cli.run_command([]) == 1
    assert capsys.readouterr().err == "the disk is full\n"


def test_ctrl_c_is_polite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    assert cli.run_command([]) == 1
    assert capsys.readouterr().err == "Stopped.\n"


def test_the_command_line_loads_neither_compiler_nor_web() -> None:
    code = "import sys, maumau.cli; print(sorted({'numba', 'numpy', 'fastapi', 'rich', 'apsw'} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize(("spoken", "language"), [("de_AT.UTF-8", "de"), ("en_GB.UTF-8", "en"), ("C", "en")])
def test_the_language_is_that_of_the_environment(spoken: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", spoken)
    assert cli.default_language() == language
