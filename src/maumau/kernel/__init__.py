"""The rules in play, written once: plain functions over integers, run as they are or compiled (``jit``).

No rank stands here: what a card does is data in the tables that ``maumau.ruleset`` packs.
"""
