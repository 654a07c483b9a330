"""What the laboratory says to people, German and English."""

from __future__ import annotations

from typing import Final

from maumau.ruleset.words.catalogue import Catalogue

TEXTS: Final = Catalogue("maumau.lab.texts")
"""Two catalogues with the same keys."""
