"""The rule sheet of a table: every value that matters in plain sentences, in the order in which a player asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from maumau.cards import RANK_LETTERS
from maumau.ruleset.data import RELATIVES, Source, book_sources, book_values
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import ANY_POWER, ANY_RANK, JOKER_NAME, RESHUFFLES, key_for
from maumau.ruleset.parts import read_part
from maumau.ruleset.ruleset import Ruleset
from maumau.ruleset.words.catalogue import WORDS, language, say
from maumau.ruleset.words.chips import chips
from maumau.ruleset.words.kinds import RulesLike
from maumau.ruleset.words.names import say_call, thing_slots
from maumau.ruleset.words.powers import ACTING, OWN_SENTENCE, powers_sentence, special_things, things_with
from maumau.ruleset.words.readings import Reading, readings_on
from maumau.ruleset.words.rules import idle_beside, match_sentence, players_sentence, points_table, rule_sentence

_STARTING: Final = tuple(power for power in ACTING if power != "again")
"""Powers with which a starter acts."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet.

    ``keys`` are the values it states (``always.…`` for what holds at every table); ``readings`` what it takes in the one of
    two possible ways; ``differs`` whether the rule book says otherwise, and ``book`` what it says there, if anything.
    """

    id: str
    text: str
    keys: tuple[str, ...]
    readings: tuple[Reading, ...] = ()
    differs: bool = False
    book: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    id: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The rules of a table in words.

    ``more`` says how many of the differences no chip tells; it is empty where the chips tell them all.
    """

    lang: str
    code: str
    title: str
    intro: tuple[str, ...]
    sections: tuple[Section, ...]
    differences: tuple[str, ...]
    chips: tuple[str, ...]
    sources: tuple[Source, ...] = ()
    more: str = ""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of all sections."""
        return tuple(line for section in self.sections for line in section.lines)

    def as_json(self) -> dict[str, Any]:
        """The sheet as plain data."""
        return {
            "code": self.code,
            "lang": self.lang,
            "title": self.title,
            "intro": list(self.intro),
            "chips": list(self.chips),
            **({"more": self.more} if self.more else {}),
            "sections": [
                {
                    "id": section.id,
                    "title": section.title,
                    "lines": [_line_json(self.lang, line) for line in section.lines],
                }
                for section in self.sections
            ],
            "differences": list(self.differences),
            "sources": [{"title": source.title, "url": source.url} for source in self.sources],
        }


def _line_json(lang: str, line: Line) -> dict[str, Any]:
    data: dict[str, Any] = {"id": line.id, "text": line.text, "keys": list(line.keys), "differs": line.differs}
    if line.book:
        data["book"] = line.book
    if line.readings:
        data["readings"] = [
            {"id": reading.id, "this": reading.this(lang), "other": reading.other(lang), "switch": reading.switch}
            for reading in line.readings
        ]
    return data


def sheet(lang: str, rules: Ruleset) -> Sheet:
    """The rules of a table in words; settled for its seats where ``rules.at(seats)`` has been."""
    lang = language(lang)
    base = book_rules(rules)
    there = {line.id: line for _, lines in _sections(lang, base, base) for line in lines}
    sections = [
        (name, [_compared(line, rules, base, there) for line in lines]) for name, lines in _sections(lang, rules, base)
    ]
    idle = list(_idle_lines(lang, rules, base, {key for _, lines in sections for line in lines for key in line.keys}))
    shown = tuple(
        Section(name, say_call(lang, str(rules["call.word"]), f"section.{name}"), tuple(lines))
        for name, lines in [*sections, ("idle", idle)]
        if lines
    )
    unlike = [line for section in shown for line in section.lines if line.differs]
    differing = tuple(_difference(lang, line) for line in unlike)
    untold = _untold(lang, rules, base, unlike)
    return Sheet(
        lang=lang,
        code=rules.code,
        title=say(
            lang,
            "sheet.title_relative" if rules.book in RELATIVES else "sheet.title",
            book=book_title(lang, rules.book),
        ),
        intro=tuple(_intro(lang, rules, len(differing))),
        sections=shown,
        differences=differing,
        chips=chips(lang, rules),
        sources=book_sources(rules.book),
        more=say(lang, "sheet.more_chips", n=untold) if untold else "",
    )


def _untold(lang: str, rules: Ruleset, base: Ruleset, unlike: Sequence[Line]) -> int:
    """How many of the lines that differ state a value that no chip tells."""
    here = chips(lang, rules)

    def told(key: str) -> bool:
        if idle_beside(rules, key):
            return True
        values = {name: value for name, value in rules.values.items() if name != key}
        if key in base.values:
            values[key] = base.values[key]
        return chips(lang, replace(rules, pairs=tuple(values.items()))) != here

    return sum(not all(told(key) for key in line.keys if _changed(rules, base, key)) for line in unlike)


def differences(lang: str, rules: Ruleset) -> tuple[str, ...]:
    """What this table plays differently from its rule book, one sentence each."""
    return sheet(lang, rules).differences


def book_rules(rules: Ruleset) -> Ruleset:
    """The rule book as it stands, for the same seats where it allows them."""
    base = Ruleset.parse(rules.book)
    if rules.seats is None:
        return base
    try:
        return base.at(rules.seats)
    except RuleError:
        return base


def book_title(lang: str, book: str) -> str:
    """What a rule book is called."""
    return say(lang, f"book.{book}")


def book_line(lang: str, book: str) -> str:
    """A rule book in one line."""
    return say(lang, f"book_line.{book}")


def book_unlike(lang: str, book: str) -> str:
    """How a relative's rule book differs from Mau-Mau, in one line; empty for the books of Mau-Mau."""
    return say(lang, "sheet.unlike", text=say(lang, f"book_unlike.{book}")) if book in RELATIVES else ""


def house_rule_line(lang: str, code: str) -> str:
    """A house rule in one sentence: ``nine-reverse``, ``target-200``, or ``target-N`` with its number left open."""
    return _house_rule(lang, "house", code)


def house_rule_name(lang: str, code: str) -> str:
    """A house rule in two or three words."""
    return _house_rule(lang, "house_name", code)


def part_names(lang: str, rules: Ruleset) -> dict[str, str]:
    """The parts of a code in two or three words each: a house rule by name, a single value by what it changes in the chips.

    Single values that no chip tells are counted together, by the last of them.
    """
    names: dict[str, str] = {}
    untold: list[str] = []
    whole = _chips_of(lang, rules.book, rules.parts)
    for part in rules.parts:
        if "=" not in part:
            names[part] = house_rule_name(lang, part)
            continue
        rest = _chips_of(lang, rules.book, [other for other in rules.parts if other != part])
        told = [chip for chip in whole if chip not in rest and chip not in names.values()]
        if told:
            names[part] = ", ".join(told)
        else:
            untold.append(part)
    return names | ({untold[-1]: say(lang, "sheet.more_values", n=len(untold))} if untold else {})


def changed_title(lang: str, book: str) -> str:
    """What a rule book is called where single values of it are changed."""
    return say(lang, "sheet.with_changes", book=book_title(lang, book))


def _chips_of(lang: str, book: str, parts: Sequence[str]) -> tuple[str, ...]:
    """The chips of a book and parts, whether or not such a table could be played."""
    values = dict(book_values(book))
    for part in parts:
        values |= read_part(part).sets
    return chips(lang, Ruleset(book, (), tuple(values.items())))


def _house_rule(lang: str, kind: str, code: str) -> str:
    if WORDS.has(f"{kind}.{code}"):
        return say(lang, f"{kind}.{code}")
    stem, _, number = code.rpartition("-")
    return say(lang, f"{kind}.{stem}", n=int(number) if number.isdigit() else number)


# --- what stands on the sheet ----------------------------------------------------------------------------------------


def _compared(line: Line, rules: Ruleset, base: Ruleset, there: dict[str, Line]) -> Line:
    differs = any(_changed(rules, base, key) for key in line.keys)
    book = there[line.id].text if differs and line.id in there else ""
    return replace(line, readings=readings_on(rules, line.keys), differs=differs, book=book)


def _changed(rules: Ruleset, base: Ruleset, key: str) -> bool:
    """Whether a value is not the book's; a card that says it lacks its rank's power changes one too."""
    return rules.values.get(key) != base.values.get(key)


def _difference(lang: str, line: Line) -> str:
    return say(lang, "sheet.difference", here=line.text, there=line.book) if line.book else line.text


def _intro(lang: str, rules: Ruleset, changes: int) -> Iterator[str]:
    book = book_title(lang, rules.book)
    yield say(lang, "sheet.changed", book=book, n=changes) if changes else say(lang, "sheet.plain", book=book)
    unlike = book_unlike(lang, rules.book)
    if unlike:
        yield unlike
    if rules.seats is not None:
        yield say(lang, "sheet.seats", people=say(lang, "count.people", n=rules.seats))


def _sections(lang: str, rules: Ruleset, base: Ruleset) -> list[tuple[str, list[Line]]]:
    return [(name, list(make(lang, rules, base))) for name, make in _SECTIONS]


def _value(lang: str, rules: Ruleset, key: str) -> Line:
    return Line(key, rule_sentence(lang, rules, key), (key,))


def _told(lang: str, rules: Ruleset, base: Ruleset, *keys: str) -> Iterator[Line]:
    """Values that go without saying while they are what holds where no book says otherwise, and as in the book."""
    for key in keys:
        known = key_for(key)
        if known is None or rules[key] != known.default or rules[key] != base[key]:
            yield _value(lang, rules, key)


def _always(lang: str, name: str, text: str | None = None) -> Line:
    return Line(f"always.{name}", say(lang, f"always.{text or name}"), (f"always.{name}",))


def _also(line: Line, key: str) -> Line:
    """A line that also holds what a key says where it goes without saying."""
    return Line(line.id, line.text, (*line.keys, key))


def _cards(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield Line("players", players_sentence(lang, rules), ("players.min", "players.max"))
    yield _value(lang, rules, "pack.cards")
    for key, quiet in (("pack.full_from", 0), ("pack.packs", 1), ("pack.double_from", 0), ("pack.jokers", 0)):
        if rules[key] != quiet or rules[key] != base[key]:
            yield _value(lang, rules, key)


def _start(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield _always(lang, "lot")
    yield _value(lang, rules, "deal.cards")
    if rules.seats in (None, 2):
        yield from _told(lang, rules, base, "deal.two")
    yield _value(lang, rules, "start.rank")
    if rules["start.rank"] == ANY_RANK:
        yield from _told(lang, rules, base, "start.redraw")
    redrawn = rules["start.redraw"]
    if redrawn != ANY_POWER and _may_start(rules, _STARTING):
        yield _value(lang, rules, "start.acts")
        if rules["start.acts"] and rules["penalty.answer"] != "none" and _may_start(rules, ("draw",)):
            yield from _told(lang, rules, base, "start.answer")
    if redrawn == "none" and _may_start(rules, ("wish",)):
        yield _value(lang, rules, "start.wish")
        if rules["start.wish"] != "dealer":
            yield from _told(lang, rules, base, "start.free_for")
    yield _always(lang, "first")
    yield _value(lang, rules, "deal.next")


def _may_start(rules: Ruleset, powers: Sequence[str]) -> bool:
    """Whether a card with one of these powers can be the starter."""
    rank = str(rules["start.rank"])
    return any(rank in (ANY_RANK, thing[0]) for power in powers for thing in things_with(rules, power))


def _drawing(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield _always(lang, "match")
    yield _value(lang, rules, "draw.when")
    yield from _told(lang, rules, base, "draw.most")
    yield _value(lang, rules, "draw.then")
    if rules["draw.then"] != "none":
        yield from _told(lang, rules, base, "draw.forced")
    yield from _told(lang, rules, base, "play.equal", "play.throw_in")
    yield Line("always.pass", rule_sentence(lang, rules, "draw.pass"), ("always.pass", "draw.pass"))
    if rules["draw.reshuffles"] == RESHUFFLES:
        yield _also(_always(lang, "reshuffle"), "draw.reshuffles")
    elif rules["draw.reshuffles"]:
        yield _always(lang, "reshuffle")
    yield from _told(lang, rules, base, "draw.reshuffles")


def _special(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    things = special_things(rules.values)
    drawing, wishing = things_with(rules, "draw"), things_with(rules, "wish")
    last = [thing for thing in things if thing in wishing and thing not in drawing]
    yield from (_power_line(lang, rules, thing) for thing in things if thing in drawing)
    if drawing:
        yield from _penalty(lang, rules, base)
    yield from (_power_line(lang, rules, thing) for thing in things if thing not in drawing and thing not in last)
    if things_with(rules, "pass_on") and drawing:
        yield _always(lang, "pass_on", "pass_on_any" if rules["penalty.answer"] == "any" else "pass_on")
    if things_with(rules, "skip"):
        yield from _skipping(lang, rules, base)
    if things_with(rules, "reverse"):
        yield _value(lang, rules, "reverse.two")
    if things_with(rules, "again"):
        yield _always(lang, "extra")
    yield from (_power_line(lang, rules, thing) for thing in last)
    if wishing:
        yield from _wishing(lang, rules, base)
    if things:
        yield from _told(lang, rules, base, "play.on_special")
    yield from (_lost_line(lang, base, thing) for thing in special_things(base.values) if thing not in things)
    if rules["pack.jokers"]:
        yield _always(lang, "joker")
    yield _always(lang, "rest")


def _skipping(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    if rules.seats in (None, 2) and rules["skip.answer"] == "none":
        yield _always(lang, "two")
    yield from _told(lang, rules, base, "skip.answer")
    if rules["skip.answer"] != "none":
        yield _value(lang, rules, "skip.adds")


def _wishing(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    if rules["play.on_special"]:
        yield _value(lang, rules, "wish.on_wish")
        yield from _told(lang, rules, base, "wish.suited_on_wish")
    yield from _told(lang, rules, base, "wish.fits")
    if rules["wish.suits"] == "any" and rules["wish.lasts"] == "served":
        yield replace(_always(lang, "wish"), keys=("always.wish", "wish.suits", "wish.lasts"))
    else:
        yield _value(lang, rules, "wish.suits")
        yield _value(lang, rules, "wish.lasts")


def _penalty(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield _value(lang, rules, "penalty.answer")
    if rules["penalty.answer"] != "none":
        yield from _told(lang, rules, base, "penalty.grows")
        yield _value(lang, rules, "penalty.cap")
        yield from _told(lang, rules, base, "penalty.then")
    yield _always(lang, "paid")
    yield _always(lang, "short")


def _power_line(lang: str, rules: Ruleset, thing: str) -> Line:
    return Line(f"power.{thing}", powers_sentence(lang, rules.values, thing), _power_keys(thing))


def _lost_line(lang: str, base: Ruleset, thing: str) -> Line:
    return Line(f"power.{thing}", say(lang, "power.plain", **thing_slots(lang, thing)), _power_keys(thing))


def _power_keys(thing: str) -> tuple[str, ...]:
    return tuple(f"power.{thing}.{power}" for power in (*ACTING, *OWN_SENTENCE))


def _mau(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield Line("call.mode", rule_sentence(lang, rules, "call.mode"), ("call.mode", "call.word"))
    if rules["call.mode"] == "automatic":
        return
    yield Line("always.call_late", say_call(lang, str(rules["call.word"]), "always.call_late"), ("always.call_late",))
    yield _value(lang, rules, "call.mau")
    yield _value(lang, rules, "call.needed")
    if rules["call.needed"]:
        yield _value(lang, rules, "call.maumau")
    if rules["call.needed"] or rules["call.mau"]:
        yield _value(lang, rules, "call.window")
    yield from _told(lang, rules, base, "call.to_finish", "call.false", "call.false_catch")


def _end(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    yield _value(lang, rules, "end.play_on")
    yield _value(lang, rules, "end.forbidden")
    if things_with(rules, "draw"):
        if not rules["end.final_back"]:
            yield _value(lang, rules, "end.final_draw")
        yield from _told(lang, rules, base, "end.final_back")
    yield Line("always.blocked", rule_sentence(lang, rules, "end.blocked"), ("always.blocked", "end.blocked"))


def _points(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    count = rules["score.count"]
    keys = ("score.count", "score.to") if count == "cards" else ("score.count",)
    yield Line("score.count", rule_sentence(lang, rules, "score.count"), keys)
    if count == "none":
        return
    if count == "cards":
        yield from _card_points(lang, rules, base)
    if rules["match.target"]:
        goes_out = ("match.elimination",) if count == "cards" else ()
        yield Line("match", match_sentence(lang, rules), ("match.target", "match.ends", *goes_out))
    else:
        yield Line("match", match_sentence(lang, rules), ("match.target",))
    yield from _told(lang, rules, base, "match.rounds")
    if (rules["match.target"] or rules["match.rounds"]) and not rules["match.elimination"]:
        yield _value(lang, rules, "match.tie")


def _card_points(lang: str, rules: Ruleset, base: Ruleset) -> Iterator[Line]:
    text, keys = points_table(lang, rules)
    yield Line("points", text, keys)
    names = (*RANK_LETTERS, JOKER_NAME)
    yield from _told(lang, rules, base, *(f"closing.{name}" for name in names))
    if any(rules[f"closing.{name}"] != 1 for name in names):
        yield from _told(lang, rules, base, "score.closing_each")
    yield from _told(lang, rules, base, *(f"fine.{name}" for name in names))


def _idle_lines(lang: str, rules: Ruleset, base: Ruleset, stated: set[str]) -> Iterator[Line]:
    """Values that this table changed although nothing hangs on them here."""
    for key in sorted(rules.values.keys() | base.values.keys()):
        if key not in stated and _changed(rules, base, key):
            book = rule_sentence(lang, base, key)
            yield Line(key, rule_sentence(lang, rules, key), (key,), differs=True, book=book)


_SECTIONS: Final[Sequence[tuple[str, Callable[[str, Ruleset, Ruleset], Iterator[Line]]]]] = (
    ("cards", _cards),
    ("start", _start),
    ("drawing", _drawing),
    ("special", _special),
    ("mau", _mau),
    ("end", _end),
    ("points", _points),
)
__all__ = [
    "Line", "RulesLike", "Section", "Sheet", "book_line", "book_rules", "book_title", "book_unlike", "changed_title", "differences", "house_rule_line",
    "house_rule_name", "part_names", "sheet",
]  # fmt: skip
