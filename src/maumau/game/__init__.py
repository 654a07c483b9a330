"""The game as others use it: rounds, matches, actions, observations, records, and the referee."""
