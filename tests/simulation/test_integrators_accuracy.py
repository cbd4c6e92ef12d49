"""Integrators against known solutions: accuracy, order of convergence, dense output."""

import numpy as np
import pytest

from motorik.compiler.kernel import native
from motorik.simulation.integrate import make_integration
from motorik.simulation.outcome import Outcome
from tests.simulation.ode_problems import DETEST, FORCED, Problem, oscillators

HUGE = 1e30  # a tolerance that every step meets, so that `max_step` is the step size

# largest error on a grid in units of the tolerance, for tolerances of 1e-6 to 1e-10
MEASURED = {}


def solve(problem: Problem, method: str, grid=None, **options):
    """Return the errors at the end and over the grid."""
    integration = make_integration(method, native(problem.rhs), problem.start, **options)
    outcome = integration.advance(problem.end, grid=grid)
    assert outcome is Outcome.REACHED and integration.time == problem.end
    end = np.abs(integration.state - problem.solution(np.array(problem.end))).max()
    rows = 0.0 if grid is None else np.abs(integration.rows - problem.solution(grid)).max()
    return end, rows
if __name__=='__main__':
    for pr in DETEST:
        out=[]
        for m in ("dopri5", "dop853", "adams", "bdf"):
            g=np.linspace(0,pr.end,101)
            out.append(max(solve(pr,m,g,rtol=t,atol=t)[1]/t for t in (1e-6,1e-8,1e-10)))
        print(pr,['%.3g'%o for o in out])
