"""What a table can agree on: rule books, house rules, single values, and every sentence about a rule."""

from maumau.ruleset.data import ALL_BOOKS, BOOKS, DEFAULT_BOOK, RELATIVES, HouseRule, Source, book_sources, house_rules
from maumau.ruleset.errors import RuleError
from maumau.ruleset.keys import Value
from maumau.ruleset.ruleset import Ruleset

HOUSE_RULES = house_rules()
"""Every house rule by its code pattern (``mau-N``: the table puts in a number)."""

__all__ = [
    "ALL_BOOKS", "BOOKS", "DEFAULT_BOOK", "HOUSE_RULES", "RELATIVES", "HouseRule", "RuleError", "Ruleset", "Source", "Value",
    "book_sources",
]  # fmt: skip
