"""The browser that drives the tests and takes the picture: an installed Chrome or Chromium, else one that is fetched.

Run as a script it finds or fetches one and says which; where none can be had it fails in CI and warns elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MACINTOSH = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoBrowserError(Exception):
    """No browser is installed and none could be fetched."""


def arguments() -> list[str]:
    """Command-line switches for a browser that talks to the tested server alone; root needs no-sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, *(["--no-sandbox", "--disable-dev-shm-usage"] if root else [])]


def in_ci() -> bool:
    """Whether this is continuous integration, where a missing browser is a failure."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def find() -> str | None:
    """The path of an installed browser; MAUMAU_BROWSER names one outright."""
    named = os.environ.get("MAUMAU_BROWSER")
    if named:
        return shutil.which(named)
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    return found or next((path for path in MACINTOSH if Path(path).exists()), None) or _of_playwright()


def _of_playwright() -> str | None:
    """The browser that Playwright downloaded earlier, if it did."""
    code = "from playwright.sync_api import sync_playwright as p\nwith p() as q: print(q.chromium.executable_path)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    path = answer.stdout.strip()
    return path if path and Path(path).exists() else None


@cache
def find_or_fetch() -> str:
    """The path of a browser, fetched if need be."""
    found = find()
    if found:
        return found
    for fetch in _ways_to_fetch():
        print(f"No Chrome or Chromium is installed; trying: {' '.join(fetch[-3:])}", file=sys.stderr)
        if subprocess.call(fetch, stdout=subprocess.DEVNULL) == 0 and (found := find()):
            return found
    raise NoBrowserError("No Chrome or Chromium is installed and none could be fetched; install the package chromium.")


def _ways_to_fetch() -> list[list[str]]:
    """The system's package manager where that is allowed, then Playwright's own download."""
    ways = []
    if shutil.which("apt-get") and os.geteuid() == 0:
        ways.append(["sh", "-c", "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium"])
    ways.append([sys.executable, "-m", "playwright", "install", "chromium"])
    return ways


def main() -> int:
    """Finds or fetches a browser: 0, or 1 in CI where there is none."""
    try:
        find_or_fetch()
    except NoBrowserError as error:
        print(error if in_ci() else f"{error} The browser tests will be skipped.", file=sys.stderr)
        return 1 if in_ci() else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
