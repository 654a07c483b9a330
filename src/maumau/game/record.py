"""A match written down: every deal, every action, and the rules as they were, so that it replays to the same end.

A record holds the resolved values of the rules, each round's pack as it was dealt and each reshuffle's order, so that it
replays without any generator; the seeds are there for whoever wants to check that the deals came from them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from maumau.cards import format_cards, parse_cards
from maumau.game.match import Match
from maumau.game.round import Round
from maumau.ruleset import Ruleset
from maumau.ruleset.keys import PLAIN_KEYS

FORMAT: Final = "maumau-record"
VERSION: Final = 1
SHAPE: Final[dict[str, type]] = {
    "rules": str,
    "values": dict,
    "seats": int,
    "names": list,
    "seed": int,
    "rounds": list,
    "totals": list,
    "winners": list,
    "ended": bool,
}
"""What a record holds, part by part; besides, where somebody conceded the match, ``conceded``: that seat."""


class RecordError(ValueError):
    """A record that cannot be read or does not replay; the message says where."""


@dataclass(frozen=True, slots=True)
class Record:
    """A match as plain data (``data``); see ``Match.record``, ``save``, ``load`` and ``replay``."""

    data: dict[str, Any]

    @classmethod
    def of(cls, match: Match, names: Sequence[str] | None = None) -> Record:
        """The record of a match as it stands."""
        rounds = [_write_round(round_) for round_ in match.rounds]
        data: dict[str, Any] = {
            "format": FORMAT,
            "version": VERSION,
            "rules": match.rules.code,
            "values": dict(match.rules.values),
            "seats": match.seats,
            "names": list(names) if names else [f"seat {seat}" for seat in range(match.seats)],
            "seed": match.seed,
            "rounds": rounds,
            "totals": list(match.totals),
            "winners": list(match.winners),
            "ended": match.ended,
        }
        if match.conceded is not None:
            data["conceded"] = match.conceded
        return cls(data)

    def to_json(self) -> str:
        """The record as JSON text."""
        return json.dumps(self.data, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read a record; raises RecordError where the text is none."""
        try:
            data = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            raise RecordError("this is not JSON; a record is a JSON object") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise RecordError(f"this is no record; its format must be {FORMAT!r}")
        version = data.get("version")
        if isinstance(version, bool) or version != VERSION:
            raise RecordError(f"record version {repr(version)[:20]} is unknown; this program reads version {VERSION}")
        return cls(data)

    def save(self, path: str | Path) -> None:
        """Write the record to a file."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Read a record from a file."""
        return cls.from_json(Path(path).read_text(encoding="utf-8"))

    def replay(self) -> Match:
        """Play the record again to the same end; raises RecordError where it does not come out the same."""
        try:
            return self._replay()
        except RecordError:
            raise
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise RecordError(f"the record is damaged: {str(error)[:200]}") from None

    def _replay(self) -> Match:
        data = self.data
        check_shape(data)
        rules = rules_of(data)
        match = self._play_rounds(rules)
        if list(match.totals) != data["totals"] or list(match.winners) != data["winners"]:
            raise RecordError(
                f"the record says totals {data['totals']} and winners {data['winners']}, "
                f"but its actions give {list(match.totals)} and {list(match.winners)}"
            )
        return match

    def _play_rounds(self, rules: Ruleset) -> Match:
        data = self.data
        match = Match.from_rounds(
            rules, data["seed"], [_read_round(rules, data["seats"], entry) for entry in data["rounds"]]
        )
        stop(match, data)
        return match


def rules_of(data: dict[str, Any]) -> Ruleset:
    """The rules of a record, resolved for its seats; raises RecordError where they are no longer what they were.

    A value that the record lacks, since nobody could choose it then, is what holds where a rule book does not say.
    """
    rules = Ruleset.parse(data["rules"]).at(data["seats"])
    defaults = {name: key.default for name, key in PLAIN_KEYS.items() if key.default is not None}
    if dict(rules.values) != defaults | data["values"]:
        raise RecordError(f"the rules {data['rules']!r} have changed since this record was written")
    return rules


def check_shape(data: dict[str, Any]) -> None:
    """Raise RecordError where a part of a record is missing or of the wrong kind, so that nothing is guessed."""
    for key, kind in SHAPE.items():
        value = data.get(key)
        if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
            raise RecordError(f"the record is damaged: {key!r} cannot be {repr(value)[:40]}")
    if not data["rounds"] or not all(isinstance(entry, dict) for entry in data["rounds"]):
        raise RecordError("the record is damaged: it holds no rounds")


def stop(match: Match, data: dict[str, Any]) -> None:
    """End or concede a match as its record says; raises ValueError where it cannot have been."""
    if data["ended"]:
        match.end()
    if data.get("conceded") is not None:
        match.concede(data["conceded"])


def _write_round(round_: Round) -> dict[str, Any]:
    deal, *reshuffles = (format_cards(order) for order in round_.orders)
    return {
        "seed": f"{round_.seed:032x}",
        "dealer": round_.dealer,
        "sitting_out": list(round_.sitting_out),
        "deal": deal,
        "reshuffles": reshuffles,
        "actions": [event.text for event in round_.events if event.action is not None and not event.by_itself],
    }


def read_deal(rules: Ruleset, seats: int, entry: dict[str, Any]) -> Round:
    """A recorded round as it was dealt, its reshuffles prescribed, before its first action."""
    orders = [parse_cards(text) for text in (entry["deal"], *entry["reshuffles"])]
    if sorted(orders[0]) != sorted(rules.pack):
        raise RecordError("a round's deal does not hold the pack of its rules")
    return Round(rules, seats, int(entry["seed"], 16), entry["dealer"], entry["sitting_out"], orders)


def _read_round(rules: Ruleset, seats: int, entry: dict[str, Any]) -> Round:
    round_ = read_deal(rules, seats, entry)
    for number, text in enumerate(entry["actions"]):
        try:
            round_.push(text)
        except ValueError as error:
            raise RecordError(f"action {number + 1} cannot be replayed: {error}") from None
    return round_
