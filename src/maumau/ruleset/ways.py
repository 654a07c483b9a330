"""Steps that mend a rule code which cannot be played: each is read back before anybody is told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from maumau.ruleset.data import ALL_BOOKS
from maumau.ruleset.errors import RuleError
from maumau.ruleset.parts import pattern_of

Why = Callable[[str], RuleError | None]
"""Why a code cannot be read; None where it can."""

_ALSO: Final = {
    "closing.J=2": ("closing.8=2", "closing.A=2"),
    "call.mode=spoken": ("spoken-calls",),
    "pack.cards=52": ("52-cards",),
    "pack.packs=2": ("two-packs",),
}
"""What else supplies what is missing, for where the first does not go with the rest."""


class Step(NamedTuple):
    """One change to a code: ``with`` a part, ``without`` one, ``rather`` another name; ``other`` is what it replaces."""

    kind: str
    part: str
    other: str = ""


class Way(NamedTuple):
    """A code that can be read, and the one or two steps that lead to it."""

    steps: tuple[Step, ...]
    code: str


def checked_instead(parts: Sequence[str], error: RuleError, why: Why) -> str | tuple[str, ...] | None:
    """What, put to a code (book and parts), makes it right: one part, or two together; None where nothing does.

    A single value takes the place of another of its key; a part that does nothing beside another takes its place.
    """
    first = _key(str(error.params.get("first", "")))
    for more in _offers(error):
        once = _put(parts, more, _replaced(error))
        again = why("+".join(once))
        if again is None:
            return more
        for further in _offers(again):
            if _key(further) not in (first, _key(more)) and why("+".join(_put(once, further, ""))) is None:
                return more, further
    return None


def checked_swap(parts: Sequence[str], error: RuleError, why: Why) -> tuple[str, str] | None:
    """What, put to a code, makes it right once another part than the wrong one is left out; None where nothing does."""
    first = str(error.params.get("first", ""))
    for more in _offers(error):
        once = _put(parts, more, "")
        again = why("+".join(once))
        for step, changed in _steps(once, again) if again is not None else ():
            if step.kind == "without" and step.part not in (first, more) and why("+".join(changed)) is None:
                return more, step.part
    return None


def ways_out(code: str, error: RuleError, why: Why) -> Iterator[Way]:
    """Every way out of an error: those of one step first, then those of two."""
    parts = code.strip().replace(" ", "+").split("+")
    seen = {"+".join(parts)}
    mending: set[Step] = set()
    later: list[tuple[Step, list[str], RuleError]] = []
    for step, changed in _steps(parts, error):
        again = why("+".join(changed))
        if again is not None:
            later.append((step, changed, again))
        elif _is_news(step, mending) and _is_new(changed, seen):
            mending.add(step)
            yield Way((step,), "+".join(changed))
    for step, changed, again in later:
        added = {step}
        for further, twice in _steps(changed, again):
            # A step that mends alone needs no other before it, and what was left out is not put in again.
            if further in mending or (step.kind == "without" and further.part == step.part):
                continue
            fits = _is_news(further, added) and why("+".join(twice)) is None
            if fits and _is_new(sorted(twice), seen):
                added.add(further)
                yield Way((step, further), "+".join(twice))


def _is_news(step: Step, known: set[Step]) -> bool:
    """Whether a step is no mere other choice of what is added."""
    return step.kind != "with" or not any(other.kind == "with" and _kin(other.part, step.part) for other in known)


def _kin(one: str, other: str) -> bool:
    """Whether two parts supply the same: ``closing.8=2`` and ``closing.J=2``."""
    return any({one, other} <= {first, *others} for first, others in _ALSO.items())


def _is_new(parts: list[str], seen: set[str]) -> bool:
    code = "+".join(parts)
    if code in seen:
        return False
    seen.add(code)
    return True


def _steps(parts: list[str], error: RuleError) -> Iterator[tuple[Step, list[str]]]:
    """Nearest names for what nobody knows, what is missing added, and each wrong part left out."""
    params = error.params
    name, key = str(params.get("name", "")), str(params.get("key", ""))
    about = [str(params[place]) for place in ("first", "second") if place in params]
    if error.code == "empty-part":
        yield Step("rather", "+".join(filter(None, parts))), list(filter(None, parts))
    for near in _texts(params.get("near")):
        yield Step("rather", near), [_renamed(part, name, near) for part in parts]
    for more in _offers(error):
        yield Step("with", more), _put(parts, more, "")
        replaced = _replaced(error)
        if replaced in parts and _key(replaced) != _key(more):
            yield Step("instead", more, replaced), _put(parts, more, replaced)
    if error.code == "two-books":
        book = str(params["second"])
        yield Step("rather", book), [book, *(part for part in parts[1:] if part not in ALL_BOOKS)]
        yield Step("without", book), [parts[0], *(part for part in parts[1:] if part not in ALL_BOOKS)]
        return
    for part in parts[1:]:
        if part in (name, *about) or any(_is_about(part, sought) for sought in (name, key)):
            yield Step("without", part), [parts[0], *(other for other in parts[1:] if other != part)]


def _offers(error: RuleError) -> list[str]:
    """The parts that would supply what an error says is missing."""
    params = error.params
    offers = _texts(params.get("instead"))
    if error.code == "needs":
        offers.append(f"{params['needs']}={_written(params.get('value'))}")
    offers += [more for offer in offers for more in _ALSO.get(offer, ())]
    return list(dict.fromkeys(offers))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _replaced(error: RuleError) -> str:
    """The part beside which another does nothing: what does something takes its place."""
    return str(error.params["second"]) if error.code == "no-effect" and not error.params.get("book") else ""


def _put(parts: Sequence[str], more: str, replaced: str) -> list[str]:
    rest = [part for part in parts[1:] if _key(part) != _key(more) and part != replaced]
    return [parts[0], *rest, more]


def _key(part: str) -> str:
    return part.partition("=")[0]


def _texts(given: object) -> list[str]:
    if isinstance(given, str):
        return [given]
    return [str(text) for text in given] if isinstance(given, (list, tuple)) else []


def _renamed(part: str, name: str, near: str) -> str:
    """A part with the right name instead of a wrong one, its value kept."""
    if part == name:
        return near
    return part.replace(name, near, 1) if part.startswith(f"{name}=") else part


def _is_about(part: str, key: str) -> bool:
    """Whether a part sets the key, or is the house rule of that pattern."""
    return bool(key) and (_key(part) == key or pattern_of(part)[0] == key)
