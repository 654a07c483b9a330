"""The sheets of the four rule books, word for word.

A golden file proves *unchanged*, never *right*; CHECKED says how each book's sheet was read against the table of rules.
After a wanted change: ``python -m tests.test_words_golden`` writes the files anew; read the difference before keeping it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from maumau.ruleset import BOOKS
from maumau.ruleset.words import rules_list, rules_text
from maumau.ruleset.words.catalogue import LANGUAGES

DATA = Path(__file__).parent / "data" / "words"

CHECKED = {
    "family": "Read row by row against column 004 of rules.md §1: 32 cards, 52 from five and two packs from six; five cards; starter 7 and 8 act, "
    "starter Jack free but no Jack; may always draw, then only the drawn card; 7 adds up without a cap; no Jack on a Jack; Mau costs 1 until "
    "the own next turn; Mau-Mau costs nothing; A 11, K 4, Q 3, J 2 and face values; reaches 100, lowest wins, a tie is played by all; left deals. "
    "All ten daggers of the column stand as readings.",
    "classic": "Read against column 000: exactly four, 32 cards; starter acts, starter Jack free for any card; may always buy, then any card or pass; "
    "7 adds up; Jack on Jack; calls automatic; J 20, A 11, K Q 10, 10-7 face; a last Jack doubles; a total passes 100; the winner deals, after a "
    "blocked round one seat left. Daggers: the starter Jack's freedom, passing.",
    "international": "Read against column 002: 2-8 with two packs from seven, 52 cards; starter without effect, the dealer names the suit of a starter "
    "Jack; draw only when stuck, the drawn card or keep it; 7 adds up; Jack on Jack; Mau costs 2, Mau-Mau is needed and costs 2, caught until the "
    "next turn ends; court cards and Ace 10; reaches 100; a tie is played by the tied. Five daggers.",
    "study": "Read against column 003: 2-4, 32 cards; a nine starts; draw only when stuck, the drawn card or keep it; nothing answers a 7; Jack on "
    "Jack; Mau costs 2 until the next turn begins, Mau-Mau nothing; a final 7 still draws; rounds won are counted, open. Four daggers.",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS)
def test_sheets_of_the_books_word_for_word(book: str, lang: str) -> None:
    assert CHECKED[book]
    assert rules_text(book, lang, "text") == (DATA / f"{book}.{lang}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_list_of_books_and_house_rules_word_for_word(lang: str) -> None:
    assert rules_list(lang, "text") == (DATA / f"list.{lang}.txt").read_text(encoding="utf-8")


def write() -> None:
    """Write all golden files anew."""
    for lang in LANGUAGES:
        (DATA / f"list.{lang}.txt").write_text(rules_list(lang, "text"), encoding="utf-8")
        for book in BOOKS:
            (DATA / f"{book}.{lang}.txt").write_text(rules_text(book, lang, "text"), encoding="utf-8")


if __name__ == "__main__":
    write()
