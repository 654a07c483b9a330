"""The engine, run both ways, and the slow literal referee say the same after every action of random play.

Legal actions, calls that are due, shouts and the whole state are compared, after legal actions and after refused ones,
in whole matches and from odd positions. A proof of this kind is worth what it has met: 100,000 actions of each book must
meet every edge case of the rules that the book has a hundred times. Random rules draw from every key there is.
"""

from __future__ import annotations

import itertools
import random

import pytest
from tests.literal.chance import random_code, random_seats
from tests.literal.drive import Drive, tie_breaks
from tests.literal.lines import EDGE_CASES, applicable

from maumau.ruleset import BOOKS, Ruleset

PARTS = 4
ACTIONS = 100_000 // PARTS
MET = 100 // PARTS
CODES = 75
CODE_ACTIONS = 80
PROOF = 20  # `make prove` does so many times as much


def drive_book(book: str, seed: str, actions: int, met: int) -> None:
    chance = random.Random(f"{book} {seed}")
    drive = Drive(book, chance)
    drive.run(actions)
    assert drive.compiled.compare() > actions // 2
    for engine, ours in itertools.islice(tie_breaks(chance, book, drive.lines), actions // 20):
        assert engine == ours
    met_in = {name: drive.lines.counts[name] for name in applicable(Ruleset.parse(book).values)}
    assert {name: count for name, count in met_in.items() if count < met} == {}


def drive_codes(seed: str, codes: int) -> None:
    chance = random.Random(seed)
    for _ in range(codes):
        code = random_code(chance)
        drive = Drive(code, chance, random_seats(chance, Ruleset.parse(code)))
        drive.run(CODE_ACTIONS)
        drive.compiled.compare()
        for engine, ours in itertools.islice(tie_breaks(chance, code, drive.lines), 3):
            assert engine == ours, code


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("book", BOOKS)
def test_books(book: str, part: int) -> None:
    drive_book(book, str(part), ACTIONS, MET)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_random_rules(part: int) -> None:
    drive_codes(str(part), CODES)


@pytest.mark.prove
@pytest.mark.parametrize("book", BOOKS)
def test_books_at_length(book: str) -> None:
    drive_book(book, "at length", ACTIONS * PARTS * PROOF, MET * PARTS * PROOF)


@pytest.mark.prove
def test_random_rules_at_length() -> None:
    drive_codes("at length", CODES * 10 * PROOF)


def test_every_edge_case_is_met_by_some_book() -> None:
    assert set().union(*(applicable(Ruleset.parse(book).values) for book in BOOKS)) == set(EDGE_CASES)
