"""Statistics: the cost of an integration."""

from __future__ import annotations

from dataclasses import field

from motorik.immutable import immutable


@immutable
class Statistics:
    """The cost of an integration so far; `switches` lists when it changed its method.

    `astray` counts the checks at which a unwrapped angle did not agree with its speed: its full
    turns are uncertain from there on. `compile_time` [s] was spent in making native code.
    """

    method: str
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    factorisations: int
    switches: tuple[tuple[float, str], ...]
    astray: int = 0
    compile_time: float = field(default=0.0, compare=False)

    def and_then(self, later: Statistics) -> Statistics:
        """Return the cost of both, by the method of the later one."""
        return Statistics(
            later.method,
            self.steps + later.steps,
            self.rejected + later.rejected,
            self.evaluations + later.evaluations,
            self.jacobians + later.jacobians,
            self.factorisations + later.factorisations,
            self.switches + later.switches,
            self.astray + later.astray,
            self.compile_time + later.compile_time,
        )
