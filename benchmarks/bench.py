"""All tables, one after the other. Speeds are per second of processor time, the best of several turns, and what is
compared takes its turns in between each other, so that a busy machine is unfair to nobody.
"""

from __future__ import annotations

from typing import Any

from benchmarks.against import against_rows
from benchmarks.speed import engine_rows, random_rows, start_rows
from benchmarks.strength import strength_rows

Row = dict[str, Any]


def show(title: str, rows: list[Row]) -> None:
    """Print rows as a table."""
    columns = list(rows[0])
    lines = [[_text(row[column]) for column in columns] for row in rows]
    widths = [max(len(column), *(len(line[i]) for line in lines)) for i, column in enumerate(columns)]
    print(f"\n{title}")
    for line in [columns, ["-" * width for width in widths], *lines]:
        cells = (
            text.ljust(width) if i == 0 else text.rjust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  " + "  ".join(cells))


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}"
    return str(value)


def run_against(commit: str, effort: float, tell: bool) -> dict[str, list[Row]]:
    """This tree's compiled kernel beside a commit's."""
    title = f"Compiled, in million actions a second, beside {commit}"
    rows = against_rows(commit, effort)
    if tell:
        show(title, rows)
    return {title: rows}


def run_all(effort: float, tell: bool) -> dict[str, list[Row]]:
    """Measure everything; ``effort`` scales the number of rounds."""
    tables: dict[str, list[Row]] = {}
    for title, measure in (
        ("What starting costs, in seconds", start_rows),
        (
            "Random rounds, compiled, in million actions a second: the build chosen for the rules, the full one, and C",
            random_rows,
        ),
        ("The engine in Python, in thousands a second", engine_rows),
        (
            "Strength: share of rounds won in paired deals, seats rotated, a blocked round half, with the 95 % interval",
            strength_rows,
        ),
    ):
        tables[title] = measure(effort)
        if tell:
            show(title, tables[title])
    return tables
