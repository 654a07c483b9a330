"""Records in words: what checking one has found, and what happened in it, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from maumau.game.event import Event
from maumau.game.record import Record, RecordError, check_shape, read_deal, rules_of
from maumau.game.round import Round
from maumau.game.verify import Finding
from maumau.ruleset import Ruleset, words

_MARKS: Final = {True: "✓", False: "✗", None: "·"}


def good(findings: Sequence[Finding]) -> bool:
    """Whether nothing is wrong; what cannot be said is not wrong."""
    return all(finding.holds is not False for finding in findings)


def finding_sentence(lang: str, finding: Finding) -> str:
    """One finding as a sentence."""
    slots = dict(finding.params)
    if "who" in slots:
        slots["who"] = words.join(lang, [words.isolate(name) for name in slots["who"]])
    if "totals" in slots:
        slots["totals"] = ", ".join(map(str, slots["totals"]))
    text = words.say(lang, f"verify.{finding.code}", **slots)
    return text if finding.round is None else words.say(lang, "verify.round", round=finding.round, text=text)


def findings_told(lang: str, findings: Sequence[Finding]) -> list[str]:
    """All findings, a mark before each, and what they come to."""
    lines = [f"{_MARKS[finding.holds]} {finding_sentence(lang, finding)}" for finding in findings]
    lines.append(words.say(lang, "verify.good" if good(findings) else "verify.bad"))
    if any(finding.code == "commitment-kept" for finding in findings):
        lines.append(words.say(lang, "verify.compare"))
    return lines


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a match and what came of it; the first step of a round is its deal."""

    round: int
    action: str
    events: tuple[Event, ...]
    sentences: tuple[str, ...]
    hands: tuple[str, ...]
    """By seat, in the letters of the language; empty for a seat that sits out."""
    top: str

    def as_json(self) -> dict[str, Any]:
        """The step as plain data."""
        return {"round": self.round, "action": self.action, "events": [event.as_json() for event in self.events]}


def steps(record: Record, lang: str) -> list[Step]:
    """A match step by step, as far as its rounds are open; raises RecordError where it does not replay."""
    data = record.data
    check_shape(data)
    try:
        tell = _Teller(lang, rules_of(data), tuple(data["names"]))
        last = len(data["rounds"])
        found = [
            step
            for number, entry in enumerate(data["rounds"], 1)
            if not entry.get("running")
            for step in _round_steps(tell, number, entry, data.get("conceded") if number == last else None)
        ]
    except RecordError:
        raise
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise RecordError(f"the record is damaged: {error}") from None
    return found


def _round_steps(tell: _Teller, number: int, entry: dict[str, Any], conceded: int | None) -> Iterator[Step]:
    round_ = read_deal(tell.rules, tell.rules.seats or 0, entry)
    yield tell.step(number, "", round_, round_.events)
    for text in entry["actions"]:
        try:
            events = round_.push(text)
        except ValueError as error:
            raise RecordError(f"{text} in round {number} cannot be replayed: {error}") from None
        yield tell.step(number, str(text), round_, events)
    if conceded is not None and not round_.over:
        yield tell.step(number, "", round_, round_.concede(conceded))


@dataclass(frozen=True, slots=True)
class _Teller:
    """Puts the steps of one match into words."""

    lang: str
    rules: Ruleset
    names: tuple[str, ...]

    def step(self, number: int, action: str, round_: Round, events: tuple[Event, ...]) -> Step:
        sentences = tuple(self.sentence(event, round_) for event in events if event.kind != "deal")
        hands = tuple(" ".join(words.card_label(self.lang, card) for card in hand) for hand in round_.hands)
        return Step(number, action, events, sentences, hands, words.card_label(self.lang, round_.top))

    def sentence(self, event: Event, round_: Round) -> str:
        left = round_.counts[event.seat] if event.kind in ("play", "call") and event.seat is not None else None
        return words.event_sentence(self.lang, event, self.names, self.rules, left=left)
