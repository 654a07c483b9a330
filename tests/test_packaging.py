"""What is built is what runs: wheel and sdist carry their data, declare what they import and assume no encoding."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "maumau"
pytestmark = pytest.mark.slow

LOOK_INSIDE = """
import importlib.metadata, json, pathlib, maumau
from maumau.ruleset import BOOKS, HOUSE_RULES
home = pathlib.Path(maumau.__file__).parent
print(json.dumps({
    "home": str(home),
    "files": sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts),
    "books": {book: maumau.Ruleset.parse(book).code for book in BOOKS},
    "house_rules": sorted(HOUSE_RULES),
    "bots": {entry.name: entry.load().__name__ for entry in importlib.metadata.entry_points(group="maumau.bots")},
}))
"""

IMPORT_ALL = """
import importlib, pkgutil, warnings
warnings.filterwarnings("ignore", category=EncodingWarning)
warnings.filterwarnings("error", category=EncodingWarning, module=r"maumau(\\.|$)")
import maumau
for module in pkgutil.walk_packages(maumau.__path__, "maumau."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from maumau.ruleset import BOOKS
rules = [maumau.Ruleset.parse(book) for book in BOOKS]
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a command that must succeed."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONUTF8")}
    answer = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=clean | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel made from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    return folder


def fresh_venv(folder: Path) -> Path:
    """The Python of a new environment that borrows the installed libraries, but not this package."""
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin" / "python"


@pytest.mark.parametrize("kind", ["*.whl", "*.tar.gz"])
def test_p01_data_files_are_in_the_wheel_and_in_the_sdist(kind: str, built: Path, tmp_path: Path) -> None:
    python = fresh_venv(tmp_path / "venv")
    (package,) = built.glob(kind)
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    # P-05 besides: an install under the plainest locale reads every file all the same.
    run(python, "-m", "pip", "install", *options, package, cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0")
    found = json.loads(run(python, "-c", LOOK_INSIDE, cwd=tmp_path))

    assert Path(found["home"]).is_relative_to(tmp_path), "the test must not see the source tree"
    in_source = {p.relative_to(PACKAGE) for p in PACKAGE.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    assert set(found["files"]) == {str(path) for path in in_source}
    assert found["books"] == {book: book for book in ("family", "classic", "international", "study")}
    assert len(found["house_rules"]) > 10
    assert set(found["bots"]) == {"random", "easy", "normal"}
    assert "Usage: maumau" in run(python.parent / "maumau", "--help", cwd=tmp_path)


def test_p05_no_file_is_read_in_the_encoding_of_the_locale(tmp_path: Path) -> None:
    run(sys.executable, "-X", "warn_default_encoding", "-c", IMPORT_ALL, cwd=tmp_path)


def test_every_import_is_declared() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    declared = {re.split(r"[^\w.-]", line)[0].lower() for line in wanted}
    providers = importlib.metadata.packages_distributions()
    imported = {name for path in PACKAGE.rglob("*.py") for name in imports_of(path)}
    outside = imported - set(sys.stdlib_module_names) - {"maumau", "__future__"}
    undeclared = {name for name in outside if not {d.lower() for d in providers.get(name, [])} & declared}
    assert undeclared == set(), "imported, but not in pyproject.toml"


def test_every_dependency_is_wanted() -> None:
    """Each is imported, or makes uvicorn fast and gives it sockets."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    declared = {re.split(r"[^\w.-]", line)[0].lower() for line in wanted}
    imported = {name for path in PACKAGE.rglob("*.py") for name in imports_of(path)}
    assert declared - imported == {"httptools", "uvloop", "websockets"}


def imports_of(path: Path) -> set[str]:
    """The top-level names that a module imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_the_lock_names_public_addresses_only() -> None:
    hosts = set(re.findall(r"https?://([^/\"]+)", (ROOT / "uv.lock").read_text(encoding="utf-8")))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}
