"""The command `maumau` as a process, for tests."""

from __future__ import annotations

import os
import subprocess
import sys


def maumau(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "maumau.cli", *arguments],
        input=stdin,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
