"""The laboratory: many rounds at once on the compiled kernel."""

from maumau.lab.simulate import Simulation, round_seed, simulate

__all__ = ["Simulation", "round_seed", "simulate"]
