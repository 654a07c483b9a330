"""Every sentence about a rule, in German and English: one source for pages, terminal, errors and spoken narration."""

from maumau.ruleset.words.catalogue import LANGUAGES, Catalogue, language, say
from maumau.ruleset.words.chips import chips
from maumau.ruleset.words.command import rules_keys, rules_list, rules_text
from maumau.ruleset.words.complaints import rule_error_sentence
from maumau.ruleset.words.names import card_label, card_name, isolate, join, rank_name, suit_name
from maumau.ruleset.words.pairs import PairRow, special_pairs
from maumau.ruleset.words.readings import Reading, readings
from maumau.ruleset.words.rules import rule_sentence
from maumau.ruleset.words.sheet import (
    Line,
    Section,
    Sheet,
    book_line,
    book_title,
    changed_title,
    differences,
    house_rule_line,
    house_rule_name,
    part_names,
    sheet,
)
from maumau.ruleset.words.speech import event_sentence, match_over_sentence, position_error_sentence, reason_sentence

__all__ = [
    "LANGUAGES",
    "Catalogue",
    "Line",
    "PairRow",
    "Reading",
    "Section",
    "Sheet",
    "book_line",
    "book_title",
    "card_label",
    "card_name",
    "changed_title",
    "chips",
    "differences",
    "event_sentence",
    "house_rule_line",
    "house_rule_name",
    "isolate",
    "join",
    "language",
    "match_over_sentence",
    "part_names",
    "position_error_sentence",
    "rank_name",
    "readings",
    "reason_sentence",
    "rule_error_sentence",
    "rule_sentence",
    "rules_keys",
    "rules_list",
    "rules_text",
    "say",
    "sheet",
    "special_pairs",
    "suit_name",
]
