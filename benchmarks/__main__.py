"""``python -m benchmarks`` prints the tables; ``--quick`` takes a tenth of the time, ``--json`` prints only JSON.

``--against COMMIT`` prints one table instead: the compiled kernel beside the one of that commit.

``python -m benchmarks load`` measures a server instead, with small numbers; ``--full`` takes the large ones, and one or
more of its parts can be named: acting, idle, appends, herd, soak.
"""

from __future__ import annotations

import argparse
import json

from benchmarks.bench import run_against, run_all, show


def _load(parts: list[str], full: bool, tell: bool) -> dict[str, list[dict[str, object]]]:
    from benchmarks.load import PARTS

    measured = {}
    for name in parts or PARTS:
        title, measure = PARTS[name]
        measured[title] = measure(full)
        if tell:
            show(title, measured[title])
    return measured


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed and strength, in one run.")
    parser.add_argument("what", nargs="*", help="load, and the parts of it to measure; nothing: speed and strength")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--full", action="store_true", help="load: large numbers, for a quiet machine")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    parser.add_argument("--against", metavar="COMMIT", help="the compiled kernel beside the one of a commit")
    chosen = parser.parse_args()
    if chosen.what and chosen.what[0] != "load":
        parser.error(f"there is no {chosen.what[0]} to measure; load can be, or nothing for speed and strength")
    effort = 0.1 if chosen.quick else 1.0
    if chosen.what:
        tables = _load(chosen.what[1:], chosen.full, tell=not chosen.json)
    elif chosen.against:
        tables = run_against(chosen.against, effort, tell=not chosen.json)
    else:
        tables = run_all(effort, tell=not chosen.json)
    if chosen.json:
        print(json.dumps(tables))
