"""Numbers in LLVM's language; what is known of them is reckoned at once instead of being written down."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from llvmlite import ir

I64: Final = ir.IntType(64)


def constant_of(number: Any) -> int | None:
    """The number that a value is known to be, None where it is not."""
    return int(number.constant) if isinstance(number, ir.Constant) else None


def number(value: int) -> Any:
    """A number that is known."""
    return ir.Constant(I64, value)


_ARITHMETIC: Final[Mapping[type, tuple[str, Callable[[int, int], int]]]] = {
    ast.Add: ("add", lambda a, b: a + b),
    ast.Sub: ("sub", lambda a, b: a - b),
    ast.Mult: ("mul", lambda a, b: a * b),
    ast.BitAnd: ("and_", lambda a, b: a & b),
    ast.BitOr: ("or_", lambda a, b: a | b),
    ast.BitXor: ("xor", lambda a, b: a ^ b),
    ast.LShift: ("shl", lambda a, b: a << b),
    ast.RShift: ("ashr", lambda a, b: a >> b),
}
_COMPARED: Final[Mapping[type, tuple[str, Callable[[int, int], bool]]]] = {
    ast.Eq: ("==", lambda a, b: a == b),
    ast.NotEq: ("!=", lambda a, b: a != b),
    ast.Lt: ("<", lambda a, b: a < b),
    ast.LtE: ("<=", lambda a, b: a <= b),
    ast.Gt: (">", lambda a, b: a > b),
    ast.GtE: (">=", lambda a, b: a >= b),
}


def arithmetic(build: Any, op: ast.operator, one: Any, other: Any) -> Any:
    """A sum, product and the like; KeyError for what the processor has no single instruction for."""
    known = (constant_of(one), constant_of(other))
    if isinstance(op, ast.FloorDiv | ast.Mod):
        return divided(build, op, one, other)
    name, fold = _ARITHMETIC[type(op)]
    if known[0] is not None and known[1] is not None:
        return number(fold(known[0], known[1]))
    if isinstance(op, ast.BitAnd) and 0 in known:
        return number(0)
    return getattr(build, name)(one, other)


def divided(build: Any, op: ast.operator, one: Any, other: Any) -> Any:
    """Quotient or remainder, rounded down as Python does."""
    quotient, rest = build.sdiv(one, other), build.srem(one, other)
    signs = build.icmp_signed("<", build.xor(rest, other), number(0))
    short = build.and_(build.icmp_signed("!=", rest, number(0)), signs)
    if isinstance(op, ast.FloorDiv):
        return build.sub(quotient, build.zext(short, I64))
    return build.add(rest, build.select(short, other, number(0)))


def compare(build: Any, op: ast.cmpop, one: Any, other: Any) -> Any:
    """Whether a comparison holds, as 1 or 0."""
    sign, fold = _COMPARED[type(op)]
    known = (constant_of(one), constant_of(other))
    if known[0] is not None and known[1] is not None:
        return number(int(fold(known[0], known[1])))
    return build.zext(build.icmp_signed(sign, one, other), I64)


def comparison(build: Any, ops: Sequence[ast.cmpop], numbers: Sequence[Any]) -> Any:
    """Whether comparisons in a row all hold, as 1 or 0."""
    holds = [compare(build, op, one, other) for op, one, other in zip(ops, numbers, numbers[1:], strict=False)]
    result = holds[0]
    for one in holds[1:]:
        result = build.and_(result, one)
    return result


def extreme(build: Any, sign: str, numbers: Sequence[Any]) -> Any:
    """The least (``<``) or the greatest (``>``) of numbers."""
    best = numbers[0]
    for other in numbers[1:]:
        best = build.select(build.icmp_signed(sign, other, best), other, best)
    return best
