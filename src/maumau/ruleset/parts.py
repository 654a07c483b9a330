"""The parts of a rule code after the book: house rules by name, single values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from maumau.ruleset.data import HouseRule, house_rules
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import Value, all_keys, format_value, key_for

NUMBERED: Final = re.compile(r"([a-z-]+)-([0-9]+)")
_LONGEST_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a code after the book: a house rule, or (without one) a single value."""

    text: str
    sets: Mapping[str, Value]
    rule: HouseRule | None


def read_part(text: str) -> Part:
    """Read one part; raises RuleError unknown-key, unknown-house-rule or bad-value."""
    name, equals, written = text.partition("=")
    if equals:
        key = key_for(name)
        if key is None:
            raise RuleError("unknown-key", name=name, near=_near_keys(name))
        value = key.parse(name, written)
        return Part(f"{name}={format_value(value)}", {name: value}, None)
    rules = house_rules()
    if text in rules and not rules[text].takes_number:
        return Part(text, rules[text].values(None), rules[text])
    return _numbered_part(text)


def _numbered_part(text: str) -> Part:
    match = NUMBERED.fullmatch(text)
    rule = house_rules().get(f"{match[1]}-N") if match else None
    if match is None or rule is None:
        raise RuleError("unknown-house-rule", name=text, near=_near_rules(text))
    number = int(match[2])
    if not rule.least <= number <= rule.most:
        written = match[2] if len(match[2]) <= _LONGEST_SHOWN else match[2][:_LONGEST_SHOWN] + "…"
        raise RuleError("bad-value", key=rule.code, value=written, allowed=f"{rule.least} to {rule.most}")
    return Part(f"{match[1]}-{number}", rule.values(number), rule)


def pattern_of(text: str) -> tuple[str | None, str]:
    """The house rule that a part names, by its pattern, and its number where it has one; (None, "") for anything else."""
    rules = house_rules()
    if text in rules:
        return text, ""
    match = NUMBERED.fullmatch(text)
    pattern = f"{match[1]}-N" if match else ""
    return (pattern, match[2]) if match and pattern in rules else (None, "")


def _near_rules(text: str) -> list[str]:
    return get_close_matches(text, house_rules(), n=3, cutoff=0.45)


def _near_keys(name: str) -> list[str]:
    return get_close_matches(name, [known for known, _ in all_keys()], n=3, cutoff=0.5)
