"""Makes the environment in `.venv` as the lock says, or finds that it is there already.

`python3 scripts/setup.py play` installs what the game needs, `dev` also what tests and checks need. The Makefile sees
to it that this Python is new enough.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "installed.txt"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
UV = "uv==0.13.9"


def main(scope: str) -> None:
    """Brings `.venv` up to the lock for `scope`, "play" or "dev"."""
    wanted = fingerprint()
    if installed() in (f"{wanted} dev", f"{wanted} {scope}"):
        return
    began = time.monotonic()
    say("Setting up .venv; later starts skip this.")
    make_venv()
    install(scope)
    STAMP.write_text(f"{wanted} {scope}\n", encoding="utf-8")
    say(f"Set up in {time.monotonic() - began:.0f} s.")


def fingerprint() -> str:
    """What an environment depends on: the lock, the project's own metadata, the folder and the Python."""
    digest = hashlib.sha256(f"{ROOT} {sys.version}".encode())
    for name in ("uv.lock", "pyproject.toml"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def installed() -> str:
    """What the stamp says; nothing where no environment was finished."""
    if not PYTHON.exists() or not STAMP.exists():
        return ""
    return STAMP.read_text(encoding="utf-8").strip()


def make_venv() -> None:
    """An environment of this very Python; one of another version, or a half-made one, is made anew."""
    try:
        import ensurepip  # noqa: F401 - Debian packs it apart
        import venv  # noqa: F401 - only whether it is there
    except ImportError:
        fail("This python3 cannot make environments: install the package python3-venv and run the same command again.")
    if STAMP.exists():
        STAMP.unlink()
    if not usable():
        shutil.rmtree(str(VENV), ignore_errors=True)
        run([sys.executable, "-m", "venv", str(VENV)], "The environment in .venv could not be made.")


def usable() -> bool:
    """Whether `.venv` runs, has pip, and is of the Python that runs this."""
    probe = [str(PYTHON), "-c", "import pip, sys; print(sys.version)"]
    try:
        answer = subprocess.run(probe, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer.stdout.decode("utf-8").strip() == sys.version.strip()


def install(scope: str) -> None:
    """The locked packages by uv; where uv cannot reach its index but pip has a mirror, the same ones by pip."""
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--quiet"]
    run([*pip, "install", UV], "uv, which reads the lock, could not be installed: is there a network?")
    uv = [str(PYTHON), "-m", "uv", "--no-config", "--no-python-downloads", "--quiet"]
    groups = [] if scope == "dev" else ["--no-dev"]
    environment = dict(os.environ, UV_PROJECT_ENVIRONMENT=str(VENV), VIRTUAL_ENV=str(VENV))
    sync = [*uv, "sync", "--frozen", "--inexact", "--python", str(PYTHON), *groups]
    if subprocess.call(sync, cwd=str(ROOT), env=environment) == 0:
        return
    say("uv could not fetch the packages; trying pip with the same lock.")
    listed = str(VENV / "locked.txt")
    run([*uv, "export", "--frozen", "--no-emit-project", "-o", listed, *groups], "The lock could not be read.")
    run([*pip, "install", "--require-hashes", "-r", listed], "The locked packages could not be installed.")
    run([*pip, "install", "--no-deps", "--editable", str(ROOT)], "The package itself could not be installed.")


def run(command: list[str], otherwise: str) -> None:
    """Runs a command; says the sentence and ends where it fails."""
    if subprocess.call(command, cwd=str(ROOT), stdout=subprocess.DEVNULL) != 0:
        fail(otherwise)


def say(sentence: str) -> None:
    """Tells the person at the terminal."""
    print(sentence, file=sys.stderr, flush=True)


def fail(sentence: str) -> None:
    """Ends with one sentence."""
    say(sentence)
    sys.exit(1)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "dev")
    except KeyboardInterrupt:
        fail("Stopped; run the same command again to go on.")
