"""Lanes: many runs of one system at once, each in a lane of vectors.

Every lane has a workspace of its own, the same that a single run has, and goes its own way
through time: the kernels between two steps are those of the driver. Together are only the
equations, evaluated for all lanes by one call, and the sums over stages. A lane whose run is
over takes the next one from a queue. Events are found and handled in each lane by the kernels of
a single run, with memory of its own. A lane that needs Python, at a guard or in a stiff system,
waits until it is answered as a single run is: it takes its place again, or ends with a status.
"""

from motorik.simulation.lanes.runs import Chunk, LaneRuns, RunTable, suits_lanes

__all__ = ["Chunk", "LaneRuns", "RunTable", "suits_lanes"]
