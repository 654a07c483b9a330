"""The kernel compiled: the same source lines, over NumPy records, as machine code by LLVM.

A function that Python calls is compiled with all that it calls as one piece when it is first wanted, and its machine code
kept in the user's cache under the hash of all that goes into it: the source, this processor, LLVM's version. So a compiled
kernel never outlives the source it was made from.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from maumau.kernel.layout import STATE_FIELDS, TABLE_FIELDS

MODULES: Final = (
    "bits", "layout", "notes", "chance", "supply", "legal", "calls", "turns", "ending", "powers", "last_card", "step",
    "deal", "score",
)  # fmt: skip
"""The modules of the kernel that are compiled."""
COMPILER: Final = ("program", "arithmetic", "compiler", "jit")
"""Those that compile them."""

CHECK: Final = "MAUMAU_CHECK_BOUNDS"
"""A variable of the environment: where it is set, every index is proved while the kernel runs (for tests)."""


class Library:
    """The kernel and further modules written in its manner, compiled; each function is there by its name.

    ``modules`` are (package, name); ``layouts`` gives the fields of further records by the name of their class, ``held``
    the fields of State and Tables that keep one value (``maumau.kernel.compiler``).
    """

    def __init__(
        self,
        modules: Sequence[tuple[str, str]] = (),
        layouts: Mapping[str, Mapping[str, int]] | None = None,
        held: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        self._modules, self._further = tuple(modules), layouts
        names = [*(("maumau.kernel", name) for name in MODULES), *modules]
        self._texts = [_text(package, name) for package, name in names]
        self._layouts = {"State": STATE_FIELDS, "Tables": TABLE_FIELDS, **(layouts or {})}
        self._held = held or {}
        self._checked = bool(os.environ.get(CHECK))

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_") or name not in self._program.functions:
            raise AttributeError(f"the compiled kernel has no function {name!r}")
        function = self._function(name)
        setattr(self, name, function)
        return function

    @cached_property
    def _program(self) -> Any:
        from maumau.kernel.program import Layout, Program

        layouts = {}
        for name, fields in self._layouts.items():
            as_tables = fields is TABLE_FIELDS
            layouts[name] = Layout(fields, self._held.get("Tables" if as_tables else name, {}), fixed=as_tables)
        program = Program(layouts, self._checked)
        for text in self._texts:
            program.add(text)
        return program

    def _function(self, name: str) -> Function:
        shapes = [kind.shape for kind in self._program.kinds(name)]
        return Function(self._engine(name), name, shapes)

    def _written(self, name: str) -> str:
        """A function and all that it calls, in LLVM's language."""
        from maumau.kernel.compiler import module_of

        return module_of(self._program, name)

    def _engine(self, name: str) -> Any:
        """What holds a function's machine code, made now or taken from the cache."""
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = _target()
        file = f"kernel_{self._digest(name)}.o"
        code = _kept(file)
        if not code:
            code = _compiled(self._written(name), machine)
            _keep(file, code)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        return engine

    def _digest(self, name: str) -> str:
        import llvmlite
        import llvmlite.binding as llvm

        about = (
            name, self._texts, [_text("maumau.kernel", module) for module in COMPILER],
            sorted((of, sorted(held.items())) for of, held in self._held.items()), self._layouts,
            self._checked, llvmlite.__version__, llvm.get_process_triple(), *_processor(),
        )  # fmt: skip
        return hashlib.sha256(repr(about).encode()).hexdigest()[:20]


class Function:
    """A compiled function; its machine code lives as long as it does."""

    def __init__(self, engine: Any, name: str, shapes: Sequence[str]) -> None:
        from maumau.kernel.program import PARTS

        takes = [ctypes.c_int64] * sum(PARTS[shape] for shape in shapes)
        self._engine = engine
        self._native = ctypes.CFUNCTYPE(ctypes.c_int64, *takes)(engine.get_function_address(name))
        self._shapes = tuple(shapes)

    def __call__(self, *arguments: Any) -> int:
        """Numbers, and whole NumPy arrays of 64-bit integers or of records of them."""
        given = zip(arguments, self._shapes, strict=True)
        result: int = self._native(*(part for argument, shape in given for part in _parts(argument, shape)))
        return result


@cache
def _text(package: str, name: str) -> str:
    return files(package).joinpath(f"{name}.py").read_text(encoding="utf-8")


@cache
def _processor() -> tuple[str, str]:
    """The name of this processor and what it can do."""
    import llvmlite.binding as llvm

    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def _target() -> Any:
    import llvmlite.binding as llvm

    cpu, features = _processor()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=3, codemodel="jitdefault", jit=True
    )


def _compiled(text: str, machine: Any) -> bytes:
    """A module in LLVM's language as the bytes of an object file."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = llvm.get_process_triple(), str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _cache_folder() -> Path:
    """The folder of the user's cache; RuntimeError for a user without a home."""
    base = os.environ.get("MAUMAU_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "maumau"


def _kept(file: str) -> bytes:
    """The machine code that an earlier run has kept; nothing where there is none."""
    with suppress(OSError, RuntimeError):
        return (_cache_folder() / file).read_bytes()
    return b""


def _keep(file: str, code: bytes) -> None:
    """Keep machine code for the next run; where nothing can be written, that one compiles again."""
    with suppress(OSError, RuntimeError):
        folder = _cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / f"{file}.{os.getpid()}.tmp"
        fresh.write_bytes(code)
        fresh.replace(folder / file)


def _parts(argument: Any, shape: str) -> list[int]:
    """An argument as the numbers that a compiled function takes: arrays as their address and lengths."""
    from maumau.kernel.program import NUMBER, RECORD, ROWS

    if shape == NUMBER:
        return [int(argument)]
    if not argument.flags.c_contiguous or argument.dtype.itemsize % 8:
        raise ValueError("the compiled kernel takes whole arrays of 64-bit integers only")
    address = argument.ctypes.data
    if shape == RECORD:
        return [address]
    return [address, len(argument), *([argument.shape[1]] if shape == ROWS else [])]


def to_record(source: Any, fields: dict[str, int]) -> Any:
    """Tables or a state as a NumPy record (one element of a one-element array)."""
    import numpy as np

    from maumau.kernel.layout import record_type

    array = np.zeros(1, dtype=record_type(fields))
    for name in fields:
        array[name][0] = getattr(source, name)
    return array
