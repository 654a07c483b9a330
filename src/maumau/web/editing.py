"""The rules editor as data: what is switched on, what each switch says, and the way out where switches contradict.

Which switches there are comes from the house rules and the keys; which rules go together is known to the rule room alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Final

from ..cards import CARDS, RANK_LETTERS
from ..ruleset import ALL_BOOKS, BOOKS, HOUSE_RULES, HouseRule, RuleError, Ruleset, Value
from ..ruleset import words as rule_words
from ..ruleset.keys import CLOSING, FINE, JOKER_NAME, PLAIN_KEYS, POINTS, POWERS, Key, format_value, key_for
from ..ruleset.parts import pattern_of
from ..ruleset.ruleset import ways_out_of
from ..ruleset.ways import Step
from ..ruleset.words.names import quoted
from .texts import Texts

GROUPS: Final = ("cards", "start", "drawing", "special", "mau", "end", "points")
"""The groups in the order in which a player thinks."""

_GROUP_OF: Final = {
    "players": "cards",
    "pack": "cards",
    "deal": "cards",
    "start": "start",
    "draw": "drawing",
    "call": "mau",
    "end": "end",
    "score": "points",
    "match": "points",
}
_EACH: Final = (("points", POINTS), ("closing", CLOSING), ("fine", FINE))
_LONGEST: Final = 2000
_LISTED: Final = 12
_WAYS: Final = 5

Fields = Mapping[str, Sequence[str]]


# ---- what is switched on ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is switched on: a book, house rules (by pattern, with their number), single values, and what nobody knows."""

    book: str
    house: Mapping[str, str]
    values: Mapping[str, str]
    strange: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the code after the book, always in the same order."""
        house = [pattern.replace("-N", f"-{self.house[pattern]}") for pattern in HOUSE_RULES if pattern in self.house]
        return (*house, *(f"{key}={value}" for key, value in sorted(self.values.items())), *self.strange)

    @property
    def code(self) -> str:
        """The rule code, which may be one that contradicts itself."""
        return "+".join((self.book, *self.parts))


def chosen_in_code(code: str) -> Chosen:
    """What a rule code switches on, read as far as it can be read."""
    book, *parts = code[:_LONGEST].strip().replace(" ", "+").split("+")
    house: dict[str, str] = {}
    values: dict[str, str] = {}
    strange: list[str] = []
    for part in filter(None, parts):
        name, equals, value = part.partition("=")
        pattern, number = pattern_of(part)
        if equals and name not in values and key_for(name) is not None:
            values[name] = value
        elif pattern is not None and pattern not in house:
            house[pattern] = number
        else:
            strange.append(part)
    return Chosen(book, house, values, tuple(strange))


def chosen_in_form(fields: Fields) -> Chosen:
    """What the editor's form has switched on."""
    house = {}
    for pattern in fields.get("h", ()):
        if pattern in HOUSE_RULES:
            number = (fields.get(f"n.{pattern}") or [""])[-1].strip()
            house[pattern] = (number or str(HOUSE_RULES[pattern].least)) if HOUSE_RULES[pattern].takes_number else ""
    values = {}
    for field, given in fields.items():
        name, value = field[2:], given[-1].strip()
        if field.startswith("v.") and value and key_for(name) is not None:
            values[name] = value.replace("+", "").replace(" ", "")
        elif field.startswith("r.") and key_for(name) is not None:
            values[name] = "".join(letter for letter in RANK_LETTERS if letter in given)
    book = (fields.get("book") or [BOOKS[0]])[-1]
    return Chosen(book, house, values, tuple(part[:60] for part in fields.get("x", ())[:8] if part))


def chosen(fields: Fields) -> Chosen:
    """What an address of the editor has switched on: its code, or else its form's fields."""
    code = (fields.get("code") or [""])[-1]
    return chosen_in_code(code) if code else chosen_in_form(fields)


# ---- whether it goes together, and the way out -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WayOut:
    """One step that mends rules, or two together: in words, the code after it, and the row of the editor that it changes."""

    text: str
    code: str
    row: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why rules cannot be played: the sentence, the parts it is about, and the ways out."""

    code: str
    text: str
    about: tuple[str, ...]
    ways: tuple[WayOut, ...]


def read(code: str) -> tuple[Ruleset | None, RuleError | None]:
    """The rules of a code, or why there are none."""
    try:
        return Ruleset.parse(code), None
    except RuleError as error:
        return None, error


def trouble(t: Texts, code: str, error: RuleError) -> Trouble:
    """What is wrong with a code in words, with the steps that mend it."""
    about = tuple(str(error.params[name]) for name in ("first", "second") if name in error.params)
    ways = [
        WayOut(_way_text(t, way.steps), way.code, _row_of(way.steps[-1].part))
        for way in islice(ways_out_of(code, error), _WAYS)
    ]
    return Trouble(error.code, rule_words.rule_error_sentence(t.lang, _by_names(t, error)), about, tuple(ways))


def _row_of(part: str) -> str:
    """The id of the row where a part is switched; a book's is the editor itself."""
    pattern, _ = pattern_of(part)
    name = part.partition("=")[0]
    return f"rule-{pattern}" if pattern else f"key-{name}" if key_for(name) else "editor"


def _by_names(t: Texts, error: RuleError) -> RuleError:
    """The same error with rules called by their names where people have switched them, not typed them."""
    if error.code not in ("contradiction", "no-effect", "needs"):
        return error
    named = {name: plain_name(t, str(error.params[name])) for name in ("first", "second") if name in error.params}
    instead = error.params.get("instead")
    more = {"instead": [plain_name(t, text) for text in _texts(instead)]} if instead else {}
    swap = error.params.get("swap")
    more |= {"swap": [plain_name(t, text) for text in _texts(swap)]} if swap else {}
    return RuleError(error.code, **error.params | named | more)


def _way_text(t: Texts, steps: Sequence[Step]) -> str:
    """One step in words, or two: “Without …, with …”."""
    said = [
        t(f"editor.{step.kind}", name=part_name(t, step.part), other=part_name(t, step.other) if step.other else "")
        for step in steps
    ]
    return t("editor.then", first=said[0], second=said[1][:1].lower() + said[1][1:]) if said[1:] else said[0]


def _texts(given: object) -> list[str]:
    if isinstance(given, str):
        return [given]
    return [str(text) for text in given] if isinstance(given, (list, tuple)) else []


def part_name(t: Texts, part: str) -> str:
    """A part of a code within a sentence, in quotes."""
    return quoted(t.lang, plain_name(t, part))


def plain_name(t: Texts, part: str) -> str:
    """A part of a code as people call it: its name for a house rule or a book, its sentence for a single value."""
    if part in ALL_BOOKS:
        return rule_words.book_title(t.lang, part)
    name, equals, value = part.partition("=")
    key = key_for(name)
    if equals and key is not None:
        return said(t.lang, Ruleset.parse(BOOKS[0]), name, _typed(key, value, value)).rstrip(".")
    return rule_words.house_rule_name(t.lang, part) if pattern_of(part)[0] else part


@lru_cache(maxsize=8192)
def said(lang: str, rules: Ruleset, name: str, value: Value) -> str:
    """What a value would say beside all others as they are."""
    pairs = dict(rules.pairs) | {name: value}
    try:
        return rule_words.rule_sentence(lang, replace(rules, pairs=tuple(sorted(pairs.items()))), name)
    except KeyError:
        return f"{name} = {format_value(value)}"


# ---- the switches ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule to switch: its name, its sentence, a tiny example; with a number where it takes one."""

    code: str
    name: str
    text: str
    example: str
    on: bool
    takes_number: bool
    number: str
    least: int
    most: int
    clash: bool


@dataclass(frozen=True, slots=True)
class Option:
    """One value that a single key may have, in a sentence."""

    value: str
    text: str
    on: bool


@dataclass(frozen=True, slots=True)
class Single:
    """A single value to choose: by its sentences (`options`), by a number, or by rank letters."""

    key: str
    kind: str
    now: str
    given: str
    options: tuple[Option, ...]
    least: int
    most: int
    inherited: str
    ranks: tuple[tuple[str, str, bool], ...] = ()
    also: str = ""

    @property
    def changed(self) -> bool:
        """Whether it was chosen here."""
        return bool(self.given)


@dataclass(frozen=True, slots=True)
class Power:
    """A card with all it can do."""

    thing: str
    title: str
    singles: tuple[Single, ...]
    asked: bool

    @property
    def open(self) -> bool:
        """Whether it was asked for, or anything about it was chosen here."""
        return self.asked or any(single.changed for single in self.singles)


@dataclass(frozen=True, slots=True)
class Group:
    """What belongs together for a player: house rules, then every single value behind them."""

    id: str
    switches: tuple[Switch, ...]
    singles: tuple[Single, ...]
    powers: tuple[Power, ...]
    each: tuple[tuple[str, tuple[Single, ...]], ...]

    @property
    def open(self) -> bool:
        """Whether a single value of the group was chosen here, or a card of it asked for."""
        values = [*self.singles, *(single for _, row in self.each for single in row)]
        return any(single.changed for single in values) or any(power.open for power in self.powers)


class Board:
    """All switches of the editor for what is chosen, in one language."""

    def __init__(self, t: Texts, now: Chosen, clash: tuple[str, ...] = (), add: str = "") -> None:
        self.t = t
        self.chosen = now
        self.clash = frozenset(clash)
        self.base = self._inherited()
        self.add = add

    def _inherited(self) -> Ruleset:
        """The rules without the single values: what holds where none is chosen."""
        house = replace(self.chosen, values={}, strange=())
        rules, _ = read(house.code)
        if rules is None:
            rules, _ = read(self.chosen.book)
        return rules if rules is not None else Ruleset.parse(BOOKS[0])

    def groups(self) -> tuple[Group, ...]:
        """Every group with its switches."""
        return tuple(self._group(name) for name in GROUPS)

    def _group(self, name: str) -> Group:
        keys = [key for key in PLAIN_KEYS if _GROUP_OF.get(key.partition(".")[0], "special") == name]
        return Group(
            name,
            tuple(self._switch(rule) for rule in HOUSE_RULES.values() if _group_of(rule) == name),
            tuple(self._single(key, PLAIN_KEYS[key]) for key in keys),
            tuple(self._powers()) if name == "special" else (),
            tuple((family, self._row(family, key)) for family, key in _EACH) if name == "points" else (),
        )

    def _switch(self, rule: HouseRule) -> Switch:
        number = self.chosen.house.get(rule.code, "")
        part = rule.code.replace("-N", f"-{number}") if number else rule.code
        return Switch(
            code=rule.code,
            name=rule_words.house_rule_name(self.t.lang, part),
            text=rule_words.house_rule_line(self.t.lang, part),
            example=self.t.words.get(f"example.{rule.code}", ""),
            on=rule.code in self.chosen.house,
            takes_number=rule.takes_number,
            number=number,
            least=rule.least,
            most=rule.most,
            clash=part in self.clash,
        )

    def _single(self, name: str, key: Key) -> Single:
        given = self.chosen.values.get(name, "")
        inherited = self.base[name]
        letters = given if key.kind == "ranks" and given not in key.words else ""
        return Single(
            key=name,
            kind="number" if key.kind == "int" and key.most - key.least > _LISTED else key.kind,
            now=self._sentence(name, _typed(key, given, inherited)),
            given=given,
            options=tuple(self._option(name, value, given) for value in _values(key)),
            least=key.least,
            most=key.most,
            inherited=self._sentence(name, inherited),
            also=self.t.words.get(f"search.{name.rpartition('.')[2]}", ""),
            ranks=tuple(
                (letter, rule_words.rank_name(self.t.lang, letter), letter in letters) for letter in RANK_LETTERS
            )
            if key.kind == "ranks"
            else (),
        )

    def _option(self, name: str, value: Value, given: str) -> Option:
        return Option(format_value(value), self._sentence(name, value), given == format_value(value))

    def _sentence(self, name: str, value: Value) -> str:
        return said(self.t.lang, self.base, name, value)

    def _powers(self) -> Iterator[Power]:
        """The cards that do something, those chosen here, and the one asked for."""
        held = [name.split(".")[1] for name in [*self.base.values, *self.chosen.values] if name.startswith("power.")]
        asked = [self.add] if any(self.add == thing for thing, _ in self.things()) else []
        order = {thing: place for place, (thing, _) in enumerate(self.things())}
        for thing in sorted({*held, *asked}, key=lambda thing: order.get(thing, len(order))):
            names = ((f"power.{thing}.{power}", key) for power, key in POWERS.items())
            singles = tuple(self._single(name, key) for name, key in names)
            yield Power(thing, self._thing_name(thing), singles, thing == self.add)

    def _thing_name(self, thing: str) -> str:
        single = len(thing) == 2
        return rule_words.card_name(self.t.lang, thing, "plain") if single else rule_words.rank_name(self.t.lang, thing)

    def things(self) -> list[tuple[str, str]]:
        """Everything that can have powers: ranks, the joker, single cards."""
        cards = [str(card) for card in CARDS if not card.is_joker]
        return [(thing, self._thing_name(thing)) for thing in (*reversed(RANK_LETTERS), JOKER_NAME, *cards)]

    def others(self) -> list[tuple[str, str, str]]:
        """The cards that do nothing yet: each with its name and, for ranks and the joker, the words of what it could do."""
        shown = {power.thing for power in self._powers()}
        rest = ((thing, name) for thing, name in self.things() if thing not in shown)
        return [(thing, name, f"{name} {self._could(thing)}" if len(thing) != 2 else name) for thing, name in rest]

    def _could(self, thing: str) -> str:
        said = (self._sentence(f"power.{thing}.{power}", _most(key)) for power, key in POWERS.items())
        return " ".join([*said, *(self.t.words.get(f"search.{power}", "") for power in POWERS)])

    def _row(self, family: str, key: Key) -> tuple[Single, ...]:
        row = []
        for letter in (*RANK_LETTERS, JOKER_NAME):
            name = f"{family}.{letter}"
            given = self.chosen.values.get(name, "")
            title = self._thing_name(letter)
            row.append(Single(name, "number", title, given, (), key.least, key.most, str(self.base[name])))
        return tuple(row)


def _group_of(rule: HouseRule) -> str:
    return rule.group if rule.group in GROUPS else "special"


def _values(key: Key) -> tuple[Value, ...]:
    """The values worth listing one by one."""
    if key.kind == "bool":
        return (True, False)
    numbers = range(key.least, key.most + 1) if key.kind in ("int", "either") else ()
    return (*key.words, *(numbers if len(numbers) <= _LISTED + 1 else ()))


def _most(key: Key) -> Value:
    """A value of a power that says something."""
    return True if key.kind == "bool" else key.words[-1] if key.kind == "word" else 1


def _typed(key: Key, given: str, otherwise: Value) -> Value:
    """A value as written in the form, or what holds without it."""
    if not given:
        return otherwise
    try:
        return key.parse("", given)
    except RuleError:
        return otherwise


def found(groups: Iterable[Group], text: str, others: Iterable[tuple[str, str, str]] = ()) -> list[tuple[str, str]]:
    """Where all searched words stand, in any order: the id of a row and the row's words, every value's sentence searched."""
    wanted = [stem(word) for word in folded(text).split()]
    rows = [(f"other-{thing}", name, words) for thing, name, words in others]
    for group in groups:
        rows += [
            (f"rule-{switch.code}", switch.name, f"{switch.name} {switch.text} {switch.example}")
            for switch in group.switches
        ]
        rows += [(f"key-{single.key}", single.now, _words_of(single)) for single in group.singles]
        rows += [
            (f"power-{power.thing}", power.title, " ".join([power.title, *map(_words_of, power.singles)]))
            for power in group.powers
        ]
    return [(row, name) for row, name, words in rows if all(part in folded(words) for part in wanted)]


def folded(text: str) -> str:
    """A text as it is searched: no capitals, no dots on umlauts, hyphens as spaces."""
    plain = unicodedata.normalize("NFD", text.casefold().replace("ß", "ss"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).replace("-", " ")


def stem(word: str) -> str:
    """A folded word without the endings that bend it: “klopfen” finds “geklopft”."""
    bare = re.sub("^(ge|be)(?=.{4})", "", word)
    return re.sub("(?<=.{4})(en|st|et|t|e|ing|s)$", "", bare)


def _words_of(single: Single) -> str:
    return " ".join([single.now, single.inherited, single.also, *(option.text for option in single.options)])
