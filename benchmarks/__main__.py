"""``python -m benchmarks`` prints the tables; ``--quick`` takes a tenth of the time, ``--json`` prints only JSON."""

from __future__ import annotations

import argparse
import json

from benchmarks.bench import run_all

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed and strength, in one run.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rounds")
    parser.add_argument("--json", action="store_true", help="print only JSON")
    chosen = parser.parse_args()
    tables = run_all(0.1 if chosen.quick else 1.0, tell=not chosen.json)
    if chosen.json:
        print(json.dumps(tables))
