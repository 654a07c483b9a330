"""The list of single values: complete, in both languages, and every example in it is a rule code."""

from __future__ import annotations

import json

import pytest

from maumau.ruleset.keys import PLAIN_KEYS, POWERS
from maumau.ruleset.words import rules_keys


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_key_is_listed_with_what_it_may_be_and_says(lang: str) -> None:
    listed = {entry["name"]: entry for entry in json.loads(rules_keys(lang, "json"))["keys"]}
    families = {f"power.X.{power}" for power in POWERS} | {"points.X", "closing.X", "fine.X"}
    assert set(listed) == set(PLAIN_KEYS) | families
    assert all(entry["allowed"] and entry["text"].endswith(".") for entry in listed.values())


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_the_list_is_written_in_every_format(form: str) -> None:
    text = rules_keys("en", form)
    assert all(name in text for name in PLAIN_KEYS)
    assert "{" not in text
