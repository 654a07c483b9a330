"""Ways out of rules that cannot be played: every one that is named or linked can be read."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from maumau.ruleset import ALL_BOOKS, HOUSE_RULES, RuleError, Ruleset
from maumau.ruleset.keys import Key, all_keys
from maumau.ruleset.ways import Step, ways_out
from maumau.web.editing import read, trouble
from maumau.web.texts import texts

HOUSE = [code.replace("-N", f"-{rule.least}") for code, rule in HOUSE_RULES.items()]


def values(key: Key) -> list[str]:
    """Values of a key that are worth trying."""
    if key.kind == "bool":
        return ["yes", "no"]
    numbers = {key.least, key.least + 1, key.most} if key.kind in ("int", "either") else set()
    return [*key.words, *("J7" if key.kind == "ranks" else ()), *map(str, sorted(numbers))]


SINGLES = [f"{name}={value}" for name, key in all_keys() for value in values(key)]


def refused(code: str) -> RuleError | None:
    return read(code)[1]


def put(code: str, error: RuleError) -> str:
    """A code with what its error names put to it, as people would: in the place of another value of the same key."""
    instead: str | tuple[str, ...] = error.params["instead"]  # type: ignore[assignment]  # an error holds any objects
    parts = code.split("+")
    if error.code == "no-effect" and not error.params.get("book"):
        parts.remove(str(error.params["second"]))
    for more in (instead,) if isinstance(instead, str) else instead:
        parts = [*(part for part in parts if part.partition("=")[0] != more.partition("=")[0]), more]
    return "+".join(parts)


def check(code: str) -> bool:
    """Whether a code is refused; then everything it offers can be read, and something is offered."""
    error = refused(code)
    if error is None:
        return False
    if error.params.get("instead"):
        assert refused(put(code, error)) is None, (code, str(error))
    swap: tuple[str, str] | None = error.params.get("swap")  # type: ignore[assignment]  # an error holds any objects
    if swap is not None:
        more, apart = swap
        swapped = [
            part for part in code.split("+") if part != apart and part.partition("=")[0] != more.partition("=")[0]
        ]
        assert refused("+".join([*swapped, more])) is None, (code, str(error))
    ways = trouble(texts("en"), code, error).ways
    assert ways, (code, str(error))
    for way in ways:
        assert refused(way.code) is None, (code, way)
    return True


def pairs_of_house_rules(book: str) -> Iterator[str]:
    return (f"{book}+{first}+{second}" for first in HOUSE for second in HOUSE if first != second)


def pairs_with_values(chance: random.Random, number: int) -> Iterator[str]:
    for _ in range(number):
        parts = chance.sample([chance.choice(HOUSE), *chance.sample(SINGLES, 2)], 2)
        yield "+".join([chance.choice(ALL_BOOKS), *parts])


def test_every_way_out_of_two_house_rules_can_be_read() -> None:
    assert sum(map(check, pairs_of_house_rules("family"))) > 100


def test_every_way_out_of_sampled_values_can_be_read() -> None:
    assert sum(map(check, pairs_with_values(random.Random(5), 600))) > 100


@pytest.mark.prove
def test_every_way_out_of_any_two_parts_can_be_read() -> None:
    for book in ALL_BOOKS:
        assert sum(map(check, pairs_of_house_rules(book))) > 50
    assert sum(map(check, pairs_with_values(random.Random(6), 20_000))) > 3000


@pytest.mark.parametrize(
    ("code", "swap"),
    [
        ("family+players-5+reverse.two=none", ("power.9.reverse=yes", "players-5")),
        ("family+reverse.two=none", None),
        ("classic+players-2+reverse.two=none", None),
    ],
)
def test_the_sentence_names_what_works_once_another_part_is_left_out(code: str, swap: tuple[str, str] | None) -> None:
    error = refused(code)
    assert error is not None
    assert error.params.get("swap") == swap
    if swap is not None:
        more, apart = swap
        assert refused("+".join([*(part for part in code.split("+") if part != apart), more])) is None
        assert all(part in str(error) for part in swap)
        assert not any(part in trouble(texts("de"), code, error).text for part in swap), (
            "the page says names, not codes"
        )


@pytest.mark.parametrize(
    ("code", "instead"),
    [
        ("family+match.elimination=yes+win-points-5", None),
        ("family+score.closing_each=yes+casual", None),
        ("family+score.closing_each=yes+score.count=none", ("score.count=cards", "closing.J=2")),
        ("family+casual+score.count=none", None),
        ("pesten+match.elimination=yes", ("match.target=100", "score.count=cards")),
        ("family+no-jack-finish+score.closing_each=yes", "closing.8=2"),
        ("study+call.needed=yes", "call.maumau=2"),
        ("international+call.maumau=0", None),
        ("classic+reverse.two=none", ("power.9.reverse=yes", "players.min=2")),
        ("family+players-5+reverse.two=none", None),
    ],
)
def test_only_what_works_is_named_alone_or_together(code: str, instead: object) -> None:
    error = refused(code)
    assert error is not None
    assert error.params["instead"] == instead
    assert check(code)
    if not instead and not error.params.get("swap"):
        assert str(error).endswith(("choose one of them.", "leave out one of them.", "leave it out."))


def test_what_a_way_out_leaves_out_it_does_not_put_in_again() -> None:
    code = "family+nine-reverse+reverse.two=none+players-5+players.min=2"
    error = refused(code)
    assert error is not None
    ways = list(ways_out(code, error, refused))
    assert next(way.steps for way in ways) == (Step("without", "players-5"),)
    assert not [way for way in ways if len({step.part for step in way.steps}) < len(way.steps)]


def test_a_second_rule_book_is_called_a_rule_book() -> None:
    error = refused("classic+family")
    assert str(error) == (
        "“family” is a rule book like “classic”, and only one can stand in front of a code; leave out one of them."
    )
    assert check("classic+family")
    assert "once only" in str(refused("family+family"))
    assert check("family+nine-reverse+family")


@pytest.mark.parametrize("code", ["family++nine-reverse", "family+nine-reverse+", "+family+nine-reverse"])
def test_a_plus_too_many_is_told_with_what_would_be_right(code: str) -> None:
    assert str(refused(code)) == f"“{code}” has one “+” too many; “family+nine-reverse” would be right."
    assert check(code)


def test_what_is_put_to_a_code_for_a_number_of_players_works_too() -> None:
    code = "family+pack.full_from=0+pack.double_from=0+deal.cards=10"
    with pytest.raises(RuleError) as refusal:
        Ruleset.parse(code).at(8)
    assert refusal.value.params["instead"] == ("two-packs", "52-cards")
    assert len(Ruleset.parse("family+deal.cards=10+two-packs+52-cards").at(8).pack) == 104
    with pytest.raises(RuleError) as refusal:
        Ruleset.parse("family+32-cards+two-packs+deal.cards=10").at(8)
    assert refusal.value.params["instead"] is None
