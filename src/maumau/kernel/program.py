"""What is compiled: the functions and numbers of modules, the records they work on, and the kinds of their values."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

NUMBER: Final = "number"
RECORD: Final = "record"
RECORDS: Final = "records"
NUMBERS: Final = "numbers"
ROWS: Final = "rows"
PARTS: Final = {NUMBER: 1, RECORD: 1, RECORDS: 2, NUMBERS: 2, ROWS: 3}
"""How many integers and pointers each kind of value is passed as: an array brings its length, rows their width too."""


@dataclass(frozen=True)
class Layout:
    """The fields of a record: how many integers each holds, which are held at one value, and whether it never changes."""

    fields: Mapping[str, int]
    held: Mapping[str, int] = field(default_factory=dict)
    fixed: bool = False

    def offset(self, name: str) -> int:
        """Where a field begins, counted in integers."""
        place = 0
        for other, length in self.fields.items():
            if other == name:
                return place
            place += length
        raise KeyError(name)

    @property
    def size(self) -> int:
        """How many integers the record holds."""
        return sum(self.fields.values())


class Kind(NamedTuple):
    """What a value is; ``layout`` is that of its records."""

    shape: str
    layout: Layout | None = None


class Value(NamedTuple):
    """A value as it is passed: a number, or a pointer with its lengths. ``fixed`` memory never changes."""

    kind: Kind
    parts: tuple[Any, ...]
    fixed: bool = False


class CompileError(Exception):
    """A line that the kernel's manner does not know, or that changes a field which is held."""


@dataclass
class Program:
    """All functions and numbers that modules give, and the records they work on by the name of their class."""

    layouts: Mapping[str, Layout]
    checked: bool = False
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    in_line: set[str] = field(default_factory=set)

    def add(self, text: str) -> None:
        """Add a module's functions and numbers."""
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self._add_number(node.target.id, node.value)

    def _add_number(self, name: str, value: ast.expr) -> None:
        try:
            found = ast.literal_eval(value)
        except ValueError:
            return
        if name == "IN_LINE":
            self.in_line.update(found)
        elif isinstance(found, int):
            self.numbers[name] = found

    def kinds(self, name: str) -> list[Kind]:
        """The kinds of a function's arguments, by their annotations."""
        return [self._kind(name, argument) for argument in self.functions[name].args.args]

    def _kind(self, function: str, argument: ast.arg) -> Kind:
        text = ast.unparse(argument.annotation) if argument.annotation else ""
        if text in ("int", "bool"):
            return Kind(NUMBER)
        if text in self.layouts:
            return Kind(RECORD, self.layouts[text])
        inner = text.partition("[")[2][:-1]
        if inner in self.layouts:
            return Kind(RECORDS, self.layouts[inner])
        if inner == "int":
            return Kind(NUMBERS)
        if inner in ("list[int]", "Sequence[int]"):
            return Kind(ROWS)
        raise CompileError(f"{function}: the kernel's functions take no {text or 'argument without a type'}")
