"""Running a compiled system: integrators, their outcome, their results."""
