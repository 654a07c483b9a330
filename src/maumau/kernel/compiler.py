"""From the kernel's functions to LLVM's language: the few things of Python that the kernel is written in.

A function of the kernel works on integers (64 bits, as NumPy holds them), on records of integers (a state, tables, what a
bot sees) and on arrays of these; it has ``if``, ``while``, ``for … in range(…)``, arithmetic and calls, and nothing else.
Whatever is outside of that is refused by its line, never guessed at.

Fields may be *held*: known to have one value, always. They are read as that value, what can then never run is not written
down at all, and a line that would store another value in one is refused: so a build that leaves something out proves
while it is made that it may.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from llvmlite import ir

from maumau.kernel.arithmetic import I64, arithmetic, compare, comparison, constant_of, extreme, number
from maumau.kernel.program import (
    NUMBER,
    NUMBERS,
    PARTS,
    RECORD,
    RECORDS,
    ROWS,
    CompileError,
    Kind,
    Program,
    Value,
)

I1: Final = ir.IntType(1)
POINTER: Final = I64.as_pointer()

_SILENT: Final = ("note", "shuffled")
"""What only the interpreted kernel does; the arguments are plain values."""
_BITS: Final = {"popcount": "llvm.ctpop", "lowest": "llvm.cttz"}
"""One instruction of the processor each."""


def module_of(program: Program, entry: str) -> str:
    """A function and all that it calls, as a module in LLVM's language."""
    module = ir.Module(entry)
    _Translator(program, module).function(entry).linkage = "external"
    return str(module)


@dataclass
class _Known:
    """What is known of a function once it is written down: whether it changes nothing, and the one number it returns."""

    function: Any
    pure: bool = True
    returns: set[int | None] = field(default_factory=set)

    @property
    def constant(self) -> int | None:
        return next(iter(self.returns)) if self.pure and len(self.returns) == 1 else None


class _Translator:
    """Writes functions down, each once, those they call first."""

    def __init__(self, program: Program, module: Any) -> None:
        self.program = program
        self.module = module
        self.known: dict[str, _Known] = {}
        self.begun: set[str] = set()
        self.never_changes = module.add_metadata([])

    def function(self, name: str) -> Any:
        return self.know(name).function

    def know(self, name: str) -> _Known:
        if name not in self.known:
            if name in self.begun:
                raise CompileError(f"{name} calls itself; the kernel's functions do not")
            self.begun.add(name)
            self.known[name] = _Body(self, name).write()
        return self.known[name]

    def intrinsic(self, name: str, types: Sequence[Any], returns: Any) -> Any:
        return self.module.declare_intrinsic(name, types, ir.FunctionType(returns, returns_of(name)))


def returns_of(name: str) -> list[Any]:
    """The arguments of the processor's instructions for bits, and of the one that stops."""
    return {"llvm.ctpop": [I64], "llvm.cttz": [I64, I1]}.get(name, [])


class _Body:
    """Writes one function down."""

    def __init__(self, translator: _Translator, name: str) -> None:
        self.translator = translator
        self.program = translator.program
        self.name = name
        self.node = self.program.functions[name]
        kinds = self.program.kinds(name)
        types = [part for kind in kinds for part in _types(kind)]
        self.known = _Known(ir.Function(translator.module, ir.FunctionType(I64, types), name))
        self.variables: dict[str, tuple[Kind, list[Any], bool]] = {}
        self.constants: dict[str, int] = {}
        self.loops: list[tuple[Any, Any]] = []
        self.once = _assigned_once(self.node)
        function = self.known.function
        function.linkage = "internal"
        function.attributes.add("nounwind")
        if name in self.program.in_line:
            function.attributes.add("alwaysinline")
        self.start = function.append_basic_block("start")
        self.builder = ir.IRBuilder(function.append_basic_block("body"))
        self._take_arguments(kinds)

    def _take_arguments(self, kinds: list[Kind]) -> None:
        given = list(self.known.function.args)
        for part in given:
            if part.type == POINTER:
                part.add_attribute("noalias")
        for kind, argument in zip(kinds, self.node.args.args, strict=True):
            parts = tuple(given.pop(0) for _ in range(PARTS[kind.shape]))
            fixed = kind.layout is not None and kind.layout.fixed
            self.bind(argument.arg, Value(kind, parts, fixed))

    def write(self) -> _Known:
        self.block(self.node.body)
        if not self.builder.block.is_terminated:
            self.give(number(0))
        with self.builder.goto_block(self.start):
            self.builder.branch(self.known.function.blocks[1])
        return self.known

    def refuse(self, node: ast.AST, why: str) -> CompileError:
        return CompileError(f"{self.name}: {why}: {ast.unparse(node)}")

    # --- statements --------------------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            if self.builder.block.is_terminated:
                return
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=ast.Call() as call):
                self.value(call)
            case ast.Assign(targets=[target], value=value):
                self.assign(target, self.value(value))
            case ast.AugAssign(target=target, op=op, value=value):
                before = self.number(_read(target))
                self.assign(target, _number_value(self.arithmetic(node, op, before, self.number(value))))
            case ast.Return(value=None):
                self.give(number(0))
            case ast.Return(value=ast.expr() as value):
                self.give(self.number(value))
            case ast.If():
                self.choice(node)
            case ast.While(test=test, body=body, orelse=[]):
                self.loop(lambda: self.truth(test), body, lambda: None)
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range")) as call, orelse=[]):
                self.counted(name, call, node.body)
            case ast.Break():
                self.builder.branch(self.loops[-1][1])
            case ast.Continue():
                self.builder.branch(self.loops[-1][0])
            case _:
                raise self.refuse(node, "the kernel's manner does not know this")

    def give(self, returned: Any) -> None:
        self.known.returns.add(constant_of(returned))
        self.builder.ret(returned)

    def assign(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, value)
            return
        held = self.held(target)
        if held is not None:
            if constant_of(value.parts[0]) != held:
                raise self.refuse(target, f"a field held at {held} would change")
            return
        self.known.pure = False
        self.builder.store(value.parts[0], self.place(target)[0])

    def bind(self, name: str, value: Value) -> None:
        """Give a variable a value. One that is assigned once, a number that is known, stands for it."""
        if name in self.once and value.kind.shape == NUMBER:
            known = constant_of(value.parts[0])
            if known is not None:
                self.constants[name] = known
                return
        if name not in self.variables:
            with self.builder.goto_block(self.start):
                slots = [self.builder.alloca(part, name=name) for part in _types(value.kind)]
            self.variables[name] = (value.kind, slots, value.fixed)
        for slot, part in zip(self.variables[name][1], value.parts, strict=True):
            self.builder.store(part, slot)

    def choice(self, node: ast.If) -> None:
        test = self.truth(node.test)
        known = constant_of(test)
        if known is not None:
            self.block(node.body if known else node.orelse)
            return
        yes, no, after = (self.known.function.append_basic_block(name) for name in ("yes", "no", "after"))
        self.builder.cbranch(test, yes, no)
        ended = [self.branch(yes, node.body, after), self.branch(no, node.orelse, after)]
        self.builder.position_at_end(after)
        if all(ended):
            self.builder.unreachable()

    def branch(self, begin: Any, body: Sequence[ast.stmt], after: Any) -> bool:
        """Write a branch down; returns whether nothing comes after it."""
        self.builder.position_at_end(begin)
        self.block(body)
        ended = bool(self.builder.block.is_terminated)
        if not ended:
            self.builder.branch(after)
        return ended

    def loop(self, test: Callable[[], Any], body: Sequence[ast.stmt], step: Callable[[], None]) -> None:
        again = self.known.function.append_basic_block("again")
        self.builder.branch(again)
        self.builder.position_at_end(again)
        goes_on = test()
        if constant_of(goes_on) == 0:
            return
        inside, onward, after = (self.known.function.append_basic_block(name) for name in ("inside", "onward", "after"))
        self.builder.cbranch(goes_on, inside, after)
        self.loops.append((onward, after))
        self.branch(inside, body, onward)
        self.loops.pop()
        self.builder.position_at_end(onward)
        step()
        self.builder.branch(again)
        self.builder.position_at_end(after)

    def counted(self, name: str, call: ast.Call, body: Sequence[ast.stmt]) -> None:
        """A loop over a range; the counter is a variable of its own, as in Python."""
        bounds = [self.number(argument) for argument in call.args]
        first, end = (number(0), bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = constant_of(bounds[2]) if len(bounds) == 3 else 1
        if not step:
            raise self.refuse(call, "a step must be a number that is known")
        with self.builder.goto_block(self.start):
            counter = self.builder.alloca(I64)
        self.builder.store(first, counter)

        def more() -> Any:
            at = self.builder.load(counter)
            self.bind(name, _number_value(at))
            return self.builder.icmp_signed("<" if step > 0 else ">", at, end)

        def onward() -> None:
            self.builder.store(self.builder.add(self.builder.load(counter), number(step)), counter)

        self.loop(more, body, onward)

    # --- places ------------------------------------------------------------------------------------------------------

    def held(self, node: ast.expr) -> int | None:
        """The value at which a field (or each of an array field) is held."""
        attribute = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(attribute, ast.Attribute):
            layout = self.value(attribute.value).kind.layout
            if layout is not None:
                return layout.held.get(attribute.attr)
        return None

    def place(self, node: ast.expr) -> tuple[Any, bool]:
        """Where a number lies, and whether it never changes there."""
        if isinstance(node, ast.Attribute):
            owner = self.value(node.value)
            layout = owner.kind.layout
            if owner.kind.shape != RECORD or layout is None or node.attr not in layout.fields:
                raise self.refuse(node, "no such field")
            return self.builder.gep(owner.parts[0], [number(layout.offset(node.attr))]), owner.fixed
        if isinstance(node, ast.Subscript):
            owner = self.value(node.value)
            if owner.kind.shape == NUMBERS:
                at = self.within(self.number(node.slice), owner.parts[1])
                return self.builder.gep(owner.parts[0], [at]), owner.fixed
        raise self.refuse(node, "no number lies there")

    def within(self, index: Any, length: Any) -> Any:
        """An index, proved to lie inside where the build is a checked one."""
        if self.program.checked:
            with self.builder.if_then(self.builder.icmp_unsigned(">=", index, length), likely=False):
                self.builder.call(self.translator.intrinsic("llvm.trap", [], ir.VoidType()), [])
        return index

    # --- values ------------------------------------------------------------------------------------------------------

    def number(self, node: ast.expr) -> Any:
        """The value of something that is a number."""
        value = self.value(node)
        if value.kind.shape != NUMBER:
            raise self.refuse(node, "this is no number")
        return value.parts[0]

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Name(id=name):
                return self.named(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.item(node)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.called(node, name, arguments)
            case _:
                return _number_value(self.reckoned(node))

    def named(self, node: ast.expr, name: str) -> Value:
        if name in self.constants:
            return _number_value(number(self.constants[name]))
        if name in self.variables:
            kind, slots, fixed = self.variables[name]
            return Value(kind, tuple(self.builder.load(slot) for slot in slots), fixed)
        if name in self.program.numbers:
            return _number_value(number(self.program.numbers[name]))
        raise self.refuse(node, "no such name")

    def attribute(self, node: ast.Attribute) -> Value:
        owner = self.value(node.value)
        layout = owner.kind.layout
        if owner.kind.shape != RECORD or layout is None or node.attr not in layout.fields:
            raise self.refuse(node, "no such field")
        length = layout.fields[node.attr]
        if length > 1:
            begin = self.builder.gep(owner.parts[0], [number(layout.offset(node.attr))])
            return Value(Kind(NUMBERS), (begin, number(length)), owner.fixed)
        held = layout.held.get(node.attr)
        return _number_value(number(held) if held is not None else self.load(*self.place(node)))

    def item(self, node: ast.Subscript) -> Value:
        held = self.held(node)
        if held is not None:
            return _number_value(number(held))
        owner = self.value(node.value)
        if owner.kind.shape == NUMBERS:
            return _number_value(self.load(*self.place(node)))
        at = self.within(self.number(node.slice), owner.parts[1])
        if owner.kind.shape == RECORDS and owner.kind.layout is not None:
            begin = self.builder.gep(owner.parts[0], [self.builder.mul(at, number(owner.kind.layout.size))])
            return Value(Kind(RECORD, owner.kind.layout), (begin,), owner.fixed)
        if owner.kind.shape == ROWS:
            begin = self.builder.gep(owner.parts[0], [self.builder.mul(at, owner.parts[2])])
            return Value(Kind(NUMBERS), (begin, owner.parts[2]), owner.fixed)
        raise self.refuse(node, "this has no parts")

    def load(self, place: Any, fixed: bool) -> Any:
        loaded = self.builder.load(place)
        if fixed:
            loaded.set_metadata("invariant.load", self.translator.never_changes)
        return loaded

    def called(self, node: ast.Call, name: str, arguments: Sequence[ast.expr]) -> Value:
        if name in _SILENT:
            return _number_value(number(0))
        if name == "len":
            return _number_value(self.value(arguments[0]).parts[1])
        if name in ("min", "max"):
            return _number_value(
                extreme(self.builder, "<" if name == "min" else ">", [self.number(a) for a in arguments])
            )
        if name in _BITS:
            given = [self.number(arguments[0]), *([ir.Constant(I1, 1)] if name == "lowest" else [])]
            return _number_value(self.builder.call(self.translator.intrinsic(_BITS[name], [I64], I64), given))
        if name not in self.program.functions:
            raise self.refuse(node, "no such function")
        given = [part for argument in arguments for part in self.value(argument).parts]
        known = self.translator.know(name)
        if known.constant is not None:
            return _number_value(number(known.constant))
        self.known.pure = self.known.pure and known.pure
        return _number_value(self.builder.call(known.function, given))

    def reckoned(self, node: ast.expr) -> Any:
        """Arithmetic, comparisons and choices: numbers from numbers."""
        match node:
            case ast.Constant(value=value) if isinstance(value, int):
                return number(int(value))
            case ast.BinOp(left=left, op=op, right=right):
                return self.arithmetic(node, op, self.number(left), self.number(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.arithmetic(node, ast.Sub(), number(0), self.number(operand))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.arithmetic(node, ast.BitXor(), self.number(operand), number(-1))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return compare(self.builder, ast.Eq(), self.number(operand), number(0))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return comparison(self.builder, ops, [self.number(one) for one in (left, *others)])
            case ast.BoolOp(op=op, values=values):
                return self.both_or_either(isinstance(op, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.chosen(test, body, orelse)
            case _:
                raise self.refuse(node, "the kernel's manner does not know this")

    def arithmetic(self, node: ast.AST, op: ast.operator, one: Any, other: Any) -> Any:
        try:
            return arithmetic(self.builder, op, one, other)
        except KeyError:
            raise self.refuse(node, "the kernel's manner does not know this") from None

    def truth(self, node: ast.expr) -> Any:
        """Whether something is not zero, as one bit."""
        value = self.number(node)
        known = constant_of(value)
        if known is not None:
            return ir.Constant(I1, int(known != 0))
        return self.builder.icmp_signed("!=", value, number(0))

    def both_or_either(self, both: bool, values: Sequence[ast.expr]) -> Any:
        """``and`` and ``or``: the value of the first that decides, else of the last."""
        value = self.number(values[0])
        if len(values) == 1:
            return value
        known = constant_of(value)
        if known is not None:
            return self.both_or_either(both, values[1:]) if bool(known) == both else value
        more, after = (self.known.function.append_basic_block(name) for name in ("more", "after"))
        truth = self.builder.icmp_signed("!=", value, number(0))
        decided = self.builder.block
        self.builder.cbranch(truth, *((more, after) if both else (after, more)))
        self.builder.position_at_end(more)
        rest = self.both_or_either(both, values[1:])
        return self.joined(after, [(value, decided), (rest, None)], both)

    def chosen(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Any:
        truth = self.truth(test)
        known = constant_of(truth)
        if known is not None:
            return self.number(body if known else orelse)
        yes, no, after = (self.known.function.append_basic_block(name) for name in ("yes", "no", "after"))
        self.builder.cbranch(truth, yes, no)
        self.builder.position_at_end(yes)
        one = self.number(body)
        from_yes = self.builder.block
        self.builder.branch(after)
        self.builder.position_at_end(no)
        other = self.number(orelse)
        return self.joined(after, [(one, from_yes), (other, None)])

    def joined(self, after: Any, ways: Sequence[tuple[Any, Any]], both: bool | None = None) -> Any:
        """The value where two ways meet, the second of which ends here."""
        here = self.builder.block
        self.builder.branch(after)
        self.builder.position_at_end(after)
        known = {constant_of(value) for value, _ in ways}
        if None not in known and len(known) == 1:
            return ways[0][0]
        if both and constant_of(ways[1][0]) == 0:
            return number(0)
        phi = self.builder.phi(I64)
        for value, block in ways:
            phi.add_incoming(value, block or here)
        return phi


def _types(kind: Kind) -> list[Any]:
    """The types of the parts of a value."""
    if kind.shape == NUMBER:
        return [I64]
    return [POINTER, *[I64] * (PARTS[kind.shape] - 1)]


def _number_value(value: Any) -> Value:
    return Value(Kind(NUMBER), (value,))


def _read(target: ast.expr) -> ast.expr:
    """What an assignment changes, to be read."""
    return ast.parse(ast.unparse(target), mode="eval").body


def _assigned_once(node: ast.FunctionDef) -> set[str]:
    """Variables that are given a value in one place only, and not by a loop."""
    times: dict[str, int] = {argument.arg: 2 for argument in node.args.args}
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            times[inner.id] = times.get(inner.id, 0) + 1
    return {name for name, n in times.items() if n == 1}
