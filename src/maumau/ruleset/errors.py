"""The error for rules that cannot be played as stated."""

from __future__ import annotations


class RuleError(ValueError):
    """Rules that contradict each other, cannot be read, or cannot be played by so many people.

    ``code`` is one of unknown-book, not-played, unknown-house-rule, unknown-key, bad-value, contradiction, no-effect,
    needs, does-not-fit, seats-not-allowed, two-books and empty-part; ``params`` holds what the sentence names, ``instead``
    what put to the code makes it right: one part, two together in a tuple, or None; ``swap``, where that is None, may name
    what does so once another part is left out, and that part. ``str()`` is the sentence in English.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        # The sentences live one room up and need this module: bound late, so that neither waits for the other.
        from maumau.ruleset.words import rule_error_sentence

        return rule_error_sentence("en", self)
