"""The compiler of the kernel: Python's own results, nothing it does not know, and a plain build that proves itself."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import kernel_manner
from tests.lab_kit import random_rules, traced_compiled

from maumau import RuleError, Ruleset
from maumau.kernel import jit
from maumau.kernel.jit import Library
from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS, State, Tables, record_type
from maumau.kernel.plain import PLAIN, PLAIN_STATE, PLAIN_TABLES, is_plain
from maumau.kernel.program import CompileError
from maumau.lab.machine import Bench, loops
from maumau.ruleset.data import BOOKS, RELATIVES, house_rules
from maumau.ruleset.tables import pack_tables

MANNER = (("tests", "kernel_manner"),)
EDGES = (-(1 << 62), -1000, -8, -7, -1, 0, 1, 2, 3, 7, 13, 1000, (1 << 54) - 1)


@pytest.fixture(scope="module")
def manner() -> Any:
    return Library(MANNER)


def test_division_rounds_down(manner: Any) -> None:
    pairs = [(a, b) for a in EDGES if abs(a) < 1 << 50 for b in (-7, -2, -1, 1, 3, 54)]
    assert [manner.divided(a, b) for a, b in pairs] == [kernel_manner.divided(a, b) for a, b in pairs]


def test_shifts_and_signs(manner: Any) -> None:
    pairs = [(a, b) for a in EDGES if abs(a) < 1 << 50 for b in range(9)]
    assert [manner.shifted(a, b) for a, b in pairs] == [kernel_manner.shifted(a, b) for a, b in pairs]


def test_and_or_and_comparisons_in_a_row(manner: Any) -> None:
    for a in range(-1, 3):
        for b in range(-1, 3):
            for c in range(-1, 3):
                assert manner.decided(a, b, c) == kernel_manner.decided(a, b, c), (a, b, c)


def test_loops(manner: Any) -> None:
    for n in (1, 2, 5, 30):
        plain, array = [3, 1, 4, 1, 5], np.array([3, 1, 4, 1, 5])
        assert manner.counted(n, array) == kernel_manner.counted(n, plain)
        assert array.tolist() == plain == [3, 4, 8, 9, 14]


def test_bits(manner: Any) -> None:
    for mask in (3, 0b1011000, (1 << 53) | 4, (1 << 54) - 1):
        assert manner.bits(mask) == kernel_manner.bits(mask)


def test_records_and_rows(manner: Any) -> None:
    states = np.zeros(2, dtype=record_type(STATE_FIELDS))
    assert manner.among_rows(np.array([[1, 2, 3], [40, 5, 6]]), states, 1) == 4042
    assert states["turn"].tolist() == [0, 42]
    assert states["hand_n"][1].tolist() == [0, 0, 40, 0, 0, 0, 0, 0]
    assert kernel_manner.among_rows([[1], [40]], [State(), State()], 1) == 4042


def test_what_cannot_run_is_not_compiled(manner: Any) -> None:
    """``at_once`` names a function that would lead back to it, behind a condition that is known to be false."""
    assert manner.at_once(5) == 8


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("unknown_power", r"no such function: int\(a \*\* 2\)"),
        ("with_a_list", r"does not know this: \[a, 2\]"),
        ("without_end", "calls itself"),
    ],
)
def test_what_the_manner_does_not_know_is_refused(manner: Any, name: str, says: str) -> None:
    with pytest.raises(CompileError, match=says):
        getattr(manner, name)


def test_arrays_of_other_numbers_are_refused(manner: Any) -> None:
    with pytest.raises(ValueError, match="64-bit"):
        manner.counted(2, np.array([1, 2, 3], dtype=np.int32))
    with pytest.raises(ValueError, match="64-bit"):
        manner.counted(2, np.arange(10)[::2])


def test_an_index_outside_stops_a_checked_build(tmp_path: Path) -> None:
    work = (
        "import numpy as np; from maumau.kernel.jit import Library;"
        "print(Library([('tests', 'kernel_manner')]).outside(np.arange(3), {}))"
    )
    environment = os.environ | {jit.CHECK: "1", "MAUMAU_CACHE": str(tmp_path)}
    root = Path(__file__).parent.parent
    done = [
        subprocess.run(
            [sys.executable, "-c", work.format(i)], cwd=root, env=environment, capture_output=True, check=False
        )
        for i in (2, 3, -1)
    ]
    assert [one.returncode == 0 for one in done] == [True, False, False]
    assert done[0].stdout.strip() == b"2"


@pytest.mark.parametrize("place", ["a file stands there", "no home"])
def test_where_nothing_can_be_kept_the_kernel_is_compiled_all_the_same(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    (tmp_path / "file").touch()
    if place == "no home":
        monkeypatch.delenv("MAUMAU_CACHE", raising=False)
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(Path, "home", homeless)
    else:
        monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path / "file" / "below"))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    assert Library(MANNER).divided(7, 2) == 3001
    assert list(scratch.iterdir()) == []


# --- the plain build ---------------------------------------------------------------------------------------------------


def test_a_field_that_is_held_may_not_change() -> None:
    with pytest.raises(CompileError, match=r"held_is_kept: a field held at 0 would change: s\.skips"):
        Library(MANNER, held=PLAIN).held_is_kept  # noqa: B018 - it is compiled when it is asked for


@pytest.mark.parametrize("name", sorted(PLAIN_STATE))
def test_each_field_of_the_state_is_held_by_the_tables_alone(name: str) -> None:
    """Without the tables' values the same build is refused, so the proof does look at every store."""
    full = loops()
    held = {"State": {name: PLAIN_STATE[name]}}
    with pytest.raises(CompileError, match="would change"):
        Library(full._modules, full._further, held).play_bots  # noqa: B018 - looking it up compiles it


@pytest.mark.parametrize("book", BOOKS)
def test_books_with_every_house_rule_they_name_are_plain(book: str) -> None:
    """Whatever the four books' texts name; what relatives alone play needs what only the full build has."""
    full = set()
    for rule in house_rules().values():
        number = max(rule.least, 2)
        code = f"{book}+{rule.code.removesuffix('-N')}-{number}" if rule.takes_number else f"{book}+{rule.code}"
        try:
            rules = Ruleset.parse(code)
            if not is_plain(pack_tables(rules.at(rules.least_seats))):
                full.add(rule.code)
        except RuleError:
            continue
    assert full == {"draw-N", "draw-until-fits", "play-drawn"} | ({"plain-starter"} if book != "study" else set())


def test_relatives_on_the_plain_build() -> None:
    codes = [Ruleset.parse(book) for book in (*BOOKS, *RELATIVES)]
    plain = {rules.code for rules in codes if is_plain(pack_tables(rules.at(rules.least_seats)))}
    assert plain >= set(BOOKS)
    assert plain != {rules.code for rules in codes}


@pytest.mark.parametrize("name", sorted(PLAIN_TABLES))
def test_tables_with_any_rare_switch_are_not_plain(name: str) -> None:
    t = Tables()
    for field, value in PLAIN_TABLES.items():
        setattr(t, field, [value] * TABLE_FIELDS[field] if TABLE_FIELDS[field] > 1 else value)
    assert is_plain(t)
    if TABLE_FIELDS[name] > 1:
        getattr(t, name)[17] += 1
    else:
        setattr(t, name, PLAIN_TABLES[name] + 1)
    assert not is_plain(t)


@pytest.mark.parametrize("book", BOOKS)
def test_both_builds_are_one_game(book: str) -> None:
    rules = Ruleset.parse(book).at(4)
    for bots in (["random"] * 4, ["normal", "easy", "random", "normal"]):
        assert traced_compiled(rules, bots, 9, 200, plain=True) == traced_compiled(rules, bots, 9, 200)


def builds_agree(cases: int, seed: int) -> int:
    """Random rulesets on the build chosen for them and on the full one; returns how many ran on the plain one."""
    dice = random.Random(seed)
    plain = 0
    for case in range(cases):
        rules, seats = random_rules(dice)
        if dice.random() < 0.4:
            seats = 4
            rules = Ruleset.parse(dice.choice(BOOKS) + dice.choice(("", "+nine-reverse", "+six-cards"))).at(seats)
        bots = [dice.choice(("random", "normal")) for _ in range(seats)]
        chosen, full = (Bench(rules, bots, plain=plain_too) for plain_too in (True, False))
        one, other = (bench.play(case, 0, 5, 500) for bench in (chosen, full))
        assert [list(part) for part in one] == [list(part) for part in other], (rules.code, seats, bots)
        plain += is_plain(pack_tables(rules))
    return plain


def test_the_chosen_build_plays_as_the_full_one() -> None:
    assert builds_agree(100, 4) > 30


@pytest.mark.prove
def test_the_chosen_build_plays_as_the_full_one_under_many_rules() -> None:
    assert builds_agree(20_000, 5) > 5_000
