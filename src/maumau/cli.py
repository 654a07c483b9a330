"""The command `maumau`: puts the parts together.

Each command imports its room when it runs, so that `maumau --help` answers at once. Exit codes: 0 done, 1 failed,
2 wrong usage. What goes wrong is said in one sentence on stderr; MAUMAU_TRACEBACK=1 shows where.
"""

from __future__ import annotations

import io
import json
import os
import socket
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from maumau.web.limits import COMMANDS_PER_SECOND, TABLES_PER_HOUR

if TYPE_CHECKING:
    from maumau.game import Record

PORT = 8000

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


class Format(StrEnum):
    """How a rule sheet is written down."""

    TEXT = "text"
    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"


class WrongUsageError(TyperException):
    """What was asked for cannot be: exit code 2."""

    exit_code = 2


def language_named(text: str) -> Language:
    """The language of a code such as de or de-AT; raises WrongUsageError that names those there are."""
    for language in Language:
        if text.lower().replace("_", "-").partition("-")[0] == language.value:
            return language
    raise WrongUsageError(f"There is no language “{text}”; there are de (German) and en (English).")


def address_named(text: str) -> str:
    """The address of a server as `http://host:port/`; raises WrongUsageError where there is no such server."""
    from urllib.parse import urlsplit

    with suppress(ValueError):
        parts = urlsplit(text)
        if parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and parts.port != 0:
            return f"{parts.scheme}://{parts.netloc}/"
    raise WrongUsageError(f"“{text}” is no address of a server; one looks like http://192.168.1.20:8000.")


def default_language() -> Language:
    """German where the environment says so, else English."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return Language.GERMAN if spoken.lower().startswith("de") else Language.ENGLISH


def default_data_dir() -> Path:
    """Where this system keeps what belongs to a user: tables live here from one start to the next."""
    try:
        return user_data_dir()
    except RuntimeError as error:
        raise WrongUsageError("This user has no home to keep tables in; name a folder with --data.") from error


def user_data_dir() -> Path:
    """The same; RuntimeError for a user without a home."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "maumau"
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "maumau"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "maumau"


@contextmanager
def wrong_usage(lang: Language) -> Iterator[None]:
    """Turns rules, cards and positions that cannot be into one sentence and exit code 2."""
    from maumau.game.errors import PositionError
    from maumau.game.referee import sentence_of
    from maumau.ruleset import RuleError

    try:
        yield
    except (RuleError, PositionError) as error:
        raise WrongUsageError(sentence_of(error, lang)) from error
    except ValueError as error:
        raise WrongUsageError(str(error)) from error


Lang = Annotated[
    Language | None,
    typer.Option(
        "--lang", parser=language_named, metavar="[de|en]", help="The language (default: that of the environment)."
    ),
]


@app.callback()
def root() -> None:
    """Keeps `maumau` a group of commands, however few there are."""


@app.command(epilog="Example: maumau serve --port 8000 --open")
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 127.0.0.1 keeps other devices out.")] = "0.0.0.0",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="The port; 0 takes a free one (default: 8000, or a free one if that is taken)."
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the store (default: the user's data folder).", file_okay=False)
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            parser=address_named,
            envvar="MAUMAU_ADDRESS",
            metavar="URL",
            help="Where others reach this server, for invites made on this very machine (default: found out).",
        ),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the table in the browser.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Show figures for Prometheus at /metrics.")] = False,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=1, max=65535, help="Show them on this port of 127.0.0.1 instead, apart from the tables (default: off)."
        ),
    ] = None,
    tables_per_hour: Annotated[
        int, typer.Option(min=0, help="So many new tables by one address in an hour; 0: any number.")
    ] = TABLES_PER_HOUR,
    commands_per_second: Annotated[
        int, typer.Option(min=0, help="So many commands by one seat in a second; 0: any number.")
    ] = COMMANDS_PER_SECOND,
) -> None:
    """Serve tables: pages, JSON API and live updates, on an embedded store."""
    from maumau.web.serve import run

    with suppress(KeyboardInterrupt):  # which is how a server is meant to end
        run(
            host=host,
            port=usual_port(host) if port is None else port,
            data_dir=data or default_data_dir(),
            address=address,
            open_browser=open_browser,
            metrics=metrics,
            metrics_port=metrics_port,
            tables_per_hour=tables_per_hour,
            commands_per_second=commands_per_second,
        )


def usual_port(host: str) -> int:
    """8000 where nobody listens there, else 0, which takes a free one."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, PORT))
        except OSError:
            return 0
    return PORT


@app.command(epilog="Example: maumau play --rules family+nine-reverse --players 3")
def play(
    code: Annotated[str, typer.Option("--rules", metavar="CODE", help="A rule code.")] = "family",
    players: Annotated[int | None, typer.Option(min=2, max=8, help="How many play, you among them.")] = None,
    level: Annotated[str, typer.Option(help="How well the others play: easy, normal or random.")] = "normal",
    lang: Lang = None,
) -> None:
    """Play a match against bots in this terminal."""
    from maumau.tables import TableError
    from maumau.tui.table import play as play_here

    lang = lang or default_language()
    with wrong_usage(lang):
        try:
            play_here(code, players, level, lang)
        except TableError as error:
            raise WrongUsageError(error.text) from None


@app.command(epilog="Example: maumau rules family+nine-reverse --lang de")
def rules(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="A rule code, such as family+nine-reverse.")
    ] = None,
    lang: Lang = None,
    form: Annotated[Format, typer.Option("--format", help="How to write it down.")] = Format.TEXT,
    players: Annotated[int | None, typer.Option(help="The rules as they are with so many players.")] = None,
    keys: Annotated[bool, typer.Option("--keys", help="List every single value a table can agree on.")] = False,
) -> None:
    """Print the rules of a table in words; without a code the rule books and house rules."""
    from maumau.ruleset.words import rules_keys, rules_list, rules_text

    lang = lang or default_language()
    if code is None and players is not None:
        raise WrongUsageError("--players needs a rule code: maumau rules family --players 5.")
    if keys:
        if code is not None:
            raise WrongUsageError("--keys lists every key and takes no rule code: maumau rules --keys.")
        print(rules_keys(lang, form), end="")
        return
    with wrong_usage(lang):
        print(rules_list(lang, form) if code is None else rules_text(code, lang, form, players), end="")


@app.command(epilog='Example: maumau referee --rules classic --top 7h --penalty 2 --hand "7s Jc Kh"')
def referee(
    code: Annotated[str, typer.Option("--rules", metavar="CODE", help="A rule code.")] = "family",
    top: Annotated[str | None, typer.Option(help="The top card, such as 7h.")] = None,
    starter: Annotated[
        str | None, typer.Option(help="The card turned at the start of a round, instead of --top.")
    ] = None,
    hand: Annotated[
        str,
        typer.Option(
            help='The cards of whoever asks, such as "7s Jc Kh"; who is on turn, unless --turn says otherwise.'
        ),
    ] = "",
    penalty: Annotated[int, typer.Option(min=0, help="Cards pending.")] = 0,
    wish: Annotated[str | None, typer.Option(help="The suit wished: c, d, h or s.")] = None,
    drawn: Annotated[str | None, typer.Option(help="The card of the hand that has just been drawn.")] = None,
    players: Annotated[
        int | None, typer.Option(help="How many play (default: as near to four as the rules allow).")
    ] = None,
    turn: Annotated[
        int, typer.Option(min=0, help="Who is on turn: 0 the seat with --hand, 1 the one after it, and so on.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Decides the cards that are not named.")] = 0,
    lang: Lang = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Answer in JSON; without a card, cases are read line by line.")
    ] = False,
) -> None:
    """Say what is legal in a position, what is not, and by which rule."""
    lang = lang or default_language()
    if as_json and top is None and starter is None:
        settle_lines(lang, seed)
        return
    if (top is None) == (starter is None):
        raise WrongUsageError(
            "A position needs one of --top and --starter; --json alone reads cases from standard input."
        )
    if not hand.strip(" ,"):
        raise WrongUsageError('--hand is missing; it names the cards of the seat on turn, such as --hand "7s Jc Kh".')
    from maumau.game.referee import asked, settle

    with wrong_usage(lang):
        position: dict[str, Any] = {"top": top} if starter is None else {"starter": starter}
        position["hands"] = [hand.replace(",", " ").split(), *other_hands(code, players)]
        given = {"penalty": penalty, "wish": wish, "drawn": drawn, "turn": turn}
        position |= {name: value for name, value in given.items() if value}
        position = asked(code, position, seed)
        if as_json:
            print_json(settle({"rules": code, "position": position}, lang, seed))
        else:
            print_ruling(code, position, lang, seed)


def other_hands(code: str, players: int | None) -> list[int]:
    """How many cards the seats hold that the question does not name: as many as were dealt."""
    from maumau.ruleset import Ruleset

    rules = Ruleset.parse(code)
    least, most = int(rules["players.min"]), int(rules["players.max"])
    seats = min(max(4, least), most) if players is None else players
    return [int(rules.at(seats)["deal.cards"])] * (seats - 1)


def settle_lines(lang: Language, seed: int) -> None:
    """One case a line in, one answer a line out."""
    from maumau.game.referee import settle_line

    for line in filter(str.strip, sys.stdin):
        print_json(settle_line(line, lang, seed))


def print_json(answer: dict[str, Any]) -> None:
    """Prints one line that whoever waits at the other end can read at once."""
    print(json.dumps(answer, ensure_ascii=False), flush=True)


def print_ruling(code: str, position: dict[str, Any], lang: Language, seed: int) -> None:
    """Prints for people what may be played (or thrown in) and done, what may not, and why."""
    from maumau.game.referee import rule
    from maumau.ruleset.words import card_label, say

    ruling = rule(code, position, lang, seed, seat=0 if "turn" in position else None)
    for sentence in ruling.start:
        print(sentence)
    lines = [(card_label(lang, card), legal, why) for card, legal, why in ruling.cards] + list(ruling.others)
    for wanted, heading in ((True, "sheet.allowed"), (False, "sheet.not_allowed")):
        print(f"{say(lang, heading)}:")
        for text, legal, why in lines:
            if legal is wanted:
                print(f"  {text:<4} {why}")


@app.command(epilog="Example: maumau simulate --rules classic --players 4 --rounds 100000 --bots normal,random")
def simulate(
    code: Annotated[str, typer.Option("--rules", metavar="CODE", help="A rule code.")] = "family",
    players: Annotated[int, typer.Option(help="How many play.")] = 4,
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 10_000,
    bots: Annotated[
        str, typer.Option(help="Who plays, seat by seat and over again: random, easy or normal.")
    ] = "normal",
    seed: Annotated[int, typer.Option(min=0, help="One seed, one result.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes share the work.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print only JSON.")] = False,
    lang: Lang = None,
) -> None:
    """Play many rounds on the compiled kernel: who wins, how long it takes, how often it is blocked."""
    try:
        from maumau.lab.command import simulate as play_rounds
    except ModuleNotFoundError as error:  # as in the container, which is made for serving
        raise WrongUsageError(f"The package {error.name} is not here; install all of maumau's for this.") from error

    lang = lang or default_language()
    with wrong_usage(lang):
        play_rounds(code, players, rounds, bots, seed, jobs, as_json, lang=lang)


RecordFile = Annotated[
    Path, typer.Argument(help="A record, as a table or `Match.record()` writes it.", metavar="RECORD")
]


@app.command(epilog="Example: maumau verify match.json")
def verify(
    record: RecordFile,
    lang: Lang = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only JSON.")] = False,
) -> None:
    """Prove that a match's shuffles were fixed beforehand, or say what is wrong (then the exit code is 1)."""
    from maumau.game.told import finding_sentence, findings_told, good
    from maumau.game.verify import verify as check

    lang = lang or default_language()
    findings = check(read_record(record))
    if as_json:
        told = [
            {"code": one.code, "holds": one.holds, "round": one.round, "text": finding_sentence(lang, one)}
            for one in findings
        ]
        print_json({"good": good(findings), "findings": told})
    else:
        print("\n".join(findings_told(lang, findings)))
    if not good(findings):
        raise typer.Exit(1)


@app.command(epilog="Example: maumau replay match.json --lang de")
def replay(
    record: RecordFile,
    lang: Lang = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events as JSON.")] = False,
) -> None:
    """Step through a match: Enter goes on, b back, a number to that step, q stops."""
    from maumau.game.told import steps
    from maumau.tui.replay import step_lines, step_through

    lang = lang or default_language()
    found = read_record(record)
    told = steps(found, lang)
    if as_json:
        print_json({"names": found.data["names"], "steps": [step.as_json() for step in told]})
    elif sys.stdin.isatty() and sys.stdout.isatty():
        step_through(told, found.data["names"])
    else:
        for number, step in enumerate(told, 1):
            print("\n".join(step_lines(step, number, len(told))))


def read_record(path: Path) -> Record:
    """The record in a file; a file that is none is wrong usage."""
    from maumau.game import Record, RecordError

    try:
        return Record.load(path)
    except OSError as error:
        raise WrongUsageError(f"{path} cannot be read: {error.strerror}; name the file of a record.") from error
    except (RecordError, UnicodeDecodeError) as error:
        raise WrongUsageError(f"{path} cannot be read: {error}.") from error


@app.command(epilog="Example: maumau backup /srv/backup/tables.sqlite")
def backup(
    file: Annotated[Path, typer.Argument(help="The copy; there must be no such file yet.", metavar="FILE")],
    data: Annotated[
        Path | None, typer.Option(help="The folder of the store (default: the user's data folder).", file_okay=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only JSON.")] = False,
) -> None:
    """Copy the store while it runs, and check the copy by playing every table in it again."""
    from maumau.tables.backup import back_up
    from maumau.web.app import STORE_FILE

    done = back_up((data or default_data_dir()) / STORE_FILE, file)
    if as_json:
        print_json(done.as_json())
    else:
        print(f"{file}: {done.size} bytes; tables: {done.tables}, events: {done.events}; every table replays.")


def main(arguments: list[str] | None = None) -> None:
    """Run a command and leave with its exit code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
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
