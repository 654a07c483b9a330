"""A record in a terminal, one step at a time."""

from __future__ import annotations

from collections.abc import Callable

from maumau.game.told import Step


def step_through(
    told: list[Step], names: list[str], ask: Callable[[str], str] = input, say: Callable[[str], None] = print
) -> None:
    """One step on the screen at a time, with everybody's hand."""
    at = 0
    while at < len(told):
        step = told[at]
        say("\n".join(step_lines(step, at + 1, len(told))))
        for name, hand in zip(names, step.hands, strict=True):
            say(f"    {name}: {hand}")
        try:
            at = next_step(ask("> ").strip(), at, len(told))
        except EOFError:
            return


def next_step(answer: str, at: int, last: int) -> int:
    """Where an answer leads: to another step, or behind the last one to stop."""
    if answer == "q":
        return last
    if answer == "b":
        return max(0, at - 1)
    if answer.isdecimal():
        return min(max(int(answer), 1), last) - 1
    return at + 1 if answer == "" else at


def step_lines(step: Step, number: int, last: int) -> list[str]:
    """A step as it is printed: its place, its top card, its sentences."""
    head = f"{number}/{last}  {step.top}"
    return [head, *(f"    {sentence}" for sentence in step.sentences)]
