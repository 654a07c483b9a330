"""The command `maumau`: puts the parts together.

Each command imports its room when it runs, so that `maumau --help` answers at once. Exit codes: 0 done, 1 failed,
2 wrong usage. What goes wrong is said in one sentence on stderr; MAUMAU_TRACEBACK=1 shows where.
"""

from __future__ import annotations

import os
import sys
import traceback
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

app = typer.Typer(
    name="maumau",
    help="Mau-Mau: a table in the browser, four rule books, a referee and a laboratory.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


class Language(StrEnum):
    """The languages that have a catalogue."""

    GERMAN = "de"
    ENGLISH = "en"


def default_language() -> Language:
    """German where the environment says so, else English."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return Language.GERMAN if spoken.lower().startswith("de") else Language.ENGLISH


def default_data_dir() -> Path:
    """Where this system keeps what belongs to a user: tables live here from one start to the next."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "maumau"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "maumau"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "maumau"


Lang = Annotated[Language, typer.Option("--lang", help="The language.", default_factory=default_language)]


@app.callback()
def root() -> None:
    """Keeps `maumau` a group of commands, however few there are."""


@app.command(epilog="Example: maumau serve --port 8000 --open")
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 127.0.0.1 keeps other devices out.")] = "0.0.0.0",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the store (default: the user's data folder).", file_okay=False)
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the table in the browser.")] = False,
) -> None:
    """Serve tables: pages, JSON API and live updates, on an embedded store."""
    from maumau.web.serve import run

    run(host=host, port=port, data_dir=data or default_data_dir(), open_browser=open_browser)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with its exit code."""
    sys.exit(run_command(sys.argv[1:] if arguments is None else arguments))


def run_command(arguments: list[str]) -> int:
    """The exit code of `maumau` with these arguments; every failure is one sentence on stderr."""
    try:
        code = app(arguments or ["--help"], prog_name="maumau", standalone_mode=False)
    except TyperException as error:
        return refuse(error.format_message(), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return refuse("Stopped.", 1)
    except BrokenPipeError:
        sys.stdout = None  # whoever read the output has left; there is nobody to tell
        return 1
    except Exception as error:
        if os.environ.get("MAUMAU_TRACEBACK"):
            traceback.print_exc()
        return refuse(str(error) or type(error).__name__, 1)
    return code if isinstance(code, int) else 0


def refuse(sentence: str, code: int) -> int:
    """Says on stderr what went wrong, as one line, and hands the exit code on."""
    print(" ".join(sentence.split()), file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
