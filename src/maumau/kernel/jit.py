"""The kernel compiled by Numba: the same source lines, over NumPy records.

The modules are put end to end into one file in the user's cache, named by the hash of all that goes into it, so that a
compiled kernel never outlives the source it was made from. Counting bits becomes one processor instruction, and notes,
which only the interpreted kernel takes, become nothing.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, Final

_IN_LINE: Final = "@njit(error_model='numpy', forceinline=True)"
"""What a module names in its ``IN_LINE`` is put in line where it is called: the small functions that every action needs."""
_CALLED: Final = "@njit(error_model='numpy')"
"""Everything else is called; in line, actions that lead to each other would swell the code without end."""
_ENTRY: Final = "@njit(error_model='numpy', cache=True)"

MODULES: Final = ("layout", "chance", "supply", "legal", "calls", "step", "deal", "score")
"""Modules in the order in which they need each other; notes and bits are replaced."""

_HEAD: Final = """
import numba
from numba import njit
from numba.core import types
from numba.extending import intrinsic
from llvmlite import ir


@intrinsic
def popcount(context, mask):
    def build(cgctx, builder, signature, args):
        return builder.ctpop(args[0])
    return types.int64(types.int64), build


@intrinsic
def lowest(context, mask):
    def build(cgctx, builder, signature, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))
    return types.int64(types.int64), build


@njit
def nth(mask, n):
    while n > 0:
        mask &= mask - 1
        n -= 1
    return lowest(mask)


@njit
def note(s, kind, seat, value):
    pass


@njit
def shuffled(s):
    pass

"""


def _module_text(package: str, name: str) -> str:
    return files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")


def _notes_numbers() -> str:
    tree = ast.parse(_module_text("maumau.kernel", "notes"))
    return "\n".join(ast.unparse(node) for node in tree.body if isinstance(node, ast.AnnAssign)) + "\n"


def _stripped(text: str) -> str:
    """A module without its imports, classes and annotations, its functions compiled."""
    kept: list[str] = []
    body = ast.parse(text).body
    in_line = _in_line(body)
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            if isinstance(node.value, ast.Constant | ast.UnaryOp | ast.Tuple):
                kept.append(f"{node.target.id} = {ast.unparse(node.value)}")
        elif isinstance(node, ast.FunctionDef) and not _is_host(node):
            kept.append(_compiled_function(node, _IN_LINE if node.name in in_line else _CALLED))
    return "\n\n".join(kept) + "\n"


def _in_line(body: list[ast.stmt]) -> tuple[str, ...]:
    """The functions that a module wants in line."""
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "IN_LINE":
            return tuple(ast.literal_eval(node.value)) if node.value is not None else ()
    return ()


def _is_host(node: ast.FunctionDef) -> bool:
    """Helpers of the interpreted side return Any; the kernel's own functions return integers or nothing."""
    return isinstance(node.returns, ast.Name) and node.returns.id == "Any"


def _compiled_function(node: ast.FunctionDef, decorator: str) -> str:
    node.returns = None
    for argument in node.args.args:
        argument.annotation = None
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:]
    return f"{decorator}\n{ast.unparse(node)}"


def _assembled(extra: Iterable[tuple[str, str]]) -> str:
    parts = [_HEAD, "from typing import Final\n", _notes_numbers()]
    parts += [_stripped(_module_text("maumau.kernel", name)) for name in MODULES]
    parts += [_stripped(_module_text(package, name)) for package, name in extra]
    return "\n\n".join(parts)


def _cache_folder() -> Path:
    base = os.environ.get("MAUMAU_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "maumau"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="maumau-kernel-"))


@cache
def compiled(extra: tuple[tuple[str, str], ...] = (), cached: tuple[str, ...] = ()) -> ModuleType:
    """The compiled kernel as a module, with further modules ``(package, name)`` written in the same manner.

    Functions named in ``cached`` keep their machine code on disk; they are the ones to call from Python.
    """
    import numba

    text = _assembled(extra)
    for name in cached:
        for decorator in (_IN_LINE, _CALLED):
            text = text.replace(f"{decorator}\ndef {name}(", f"{_ENTRY}\ndef {name}(")
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {text}".encode()).hexdigest()[:20]
    path = _cache_folder() / f"kernel_{digest}.py"
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}.tmp")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    return _imported(path)


def _imported(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"maumau_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot load the compiled kernel from {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def to_record(source: Any, fields: dict[str, int]) -> Any:
    """Tables or a state as a NumPy record (one element of a one-element array)."""
    import numpy as np

    from maumau.kernel.layout import record_type

    array = np.zeros(1, dtype=record_type(fields))
    for name in fields:
        array[name][0] = getattr(source, name)
    return array
