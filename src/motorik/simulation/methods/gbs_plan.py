"""Which lane of a vector computes which column of an extrapolation, and when.

A column of 2j substeps goes from one end of the step over a part of it. Besides the rate at
that end, which all columns share, it costs 2j − 1 evaluations. A plan shares columns out to
four lanes that keep pace: of seven columns over the whole step, the lanes take (7), (1, 6),
(2, 5) and (3, 4), and all are done with the longest. Up to seven, a column more costs two
evaluations more; with the eighth, the shorter ones do not fit beside it any longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from motorik.compiler.straight.lanes import LANES
from motorik.immutable import immutable

COLUMNS = 7  # at most, of one extrapolation
NONE = -1


@immutable
class Task:
    """A column in a lane; it is complete `done` evaluations after the start of the plan."""

    column: int
    part: float  # of the step; negative: backwards from its end
    slot: int  # where its result goes in the tableau
    lane: int = NONE
    done: int = 0

    @property
    def cost(self) -> int:
        """Evaluations besides the one that all columns share."""
        return 2 * self.column - 1


def share_out(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks in the order in which they are done, each with its lane.

    Beginning with the longest, each task goes to the lane with the least to do; within a
    lane the shortest comes first.
    """
    shares: list[list[Task]] = [[] for _ in range(LANES)]
    for task in sorted(tasks, key=lambda task: -task.cost):
        min(shares, key=lambda share: sum(t.cost for t in share)).append(task)
    plan = []
    for lane, share in enumerate(shares):
        done = 0
        for task in reversed(share):
            done += task.cost
            plan.append(replace(task, lane=lane, done=done))
    return sorted(plan, key=lambda task: task.done)


def plan_step(k: int) -> list[Task]:
    """Return the plan of columns 1 to k over the whole step."""
    return share_out([Task(j, 1.0, j - 1) for j in range(1, k + 1)])


def find_weights(columns: Sequence[int]) -> list[float]:
    """Return the weights of all columns in the extrapolation of some of them to h = 0.

    wⱼ = Π j² / (j² − i²) over the others i, so that Σ wⱼ Tⱼ of k columns has an error of h²ᵏ.
    """
    weights = [0.0] * COLUMNS
    for j in columns:
        weights[j - 1] = prod(j * j / (j * j - i * i) for i in columns if i != j)
    return weights


def plan_nodes(nodes: Sequence[tuple[float, int]], forward: bool) -> list[Task]:
    """Return the plan of the interior nodes of an interpolation, each with its columns.

    A node is reached by a shorter step, backwards from the end where it is near that and not all
    go `forward`. The results of its columns lie side by side, those of one node behind those of the
    other.
    """
    tasks: list[Task] = []
    for node, k in nodes:
        part = node if node < 0.5 or forward else node - 1.0
        tasks += [Task(j, part, len(tasks) + j - 1) for j in range(1, k + 1)]
    return share_out(tasks)


# from COLUMNS · k on: weights of k columns
WEIGHT = tuple(
    weight for k in range(COLUMNS + 1) for weight in find_weights(range(1, k + 1))
)

# from COLUMNS · k on: what the extrapolation of k columns has beyond that of k − 1
DIFFERENCE = (0.0,) * COLUMNS + tuple(
    WEIGHT[i] - WEIGHT[i - COLUMNS] for i in range(COLUMNS, len(WEIGHT))
)

# Lobatto's nodes in (0, 0.5] and the columns that reach each of them, for steps of at most
# 5, 6 and 7 columns
HALVES = (
    ((0.27639320225002106, 3),),
    ((0.17267316464601143, 3), (0.5, 4)),
    ((0.11747233803526769, 3), (0.3573842417596774, 4)),
)
BOTH_WAYS = [
    [*half, *((1.0 - node, k) for node, k in reversed(half) if node < 0.5)]
    for half in HALVES
]
# the same nodes, all reached from the beginning: a decay cannot be followed backwards
LATER = ((5,), (6,), (6, 7))
FORWARD = [
    [*half, *((1.0 - node, k) for (node, _), k in zip(reversed(near), late, strict=True))]
    for half, late in zip(HALVES, LATER, strict=True)
    for near in [[own for own in half if own[0] < 0.5]]
]
INTERIORS = [*BOTH_WAYS, *FORWARD]
CHOICES = len(HALVES)
MOST_NODES = max(len(nodes) for nodes in INTERIORS)
SLOTS = max(sum(k for _, k in nodes) for nodes in INTERIORS)
FIRST_NODE_PLAN = COLUMNS + 1
PLANS = [
    *(plan_step(k) for k in range(COLUMNS + 1)),
    *(plan_nodes(nodes, False) for nodes in BOTH_WAYS),
    *(plan_nodes(nodes, True) for nodes in FORWARD),
]
TASKS = [task for plan in PLANS for task in plan]

# the plans as tables: tasks of plan i are those from BEGIN[i] to BEGIN[i + 1]
BEGIN = tuple(sum(len(plan) for plan in PLANS[:i]) for i in range(len(PLANS) + 1))
DONE = tuple(task.done for task in TASKS)
LANE = tuple(task.lane for task in TASKS)
COLUMN = tuple(task.column for task in TASKS)
PART = tuple(task.part for task in TASKS)
SLOT = tuple(task.slot for task in TASKS)


def find_next(tasks: Sequence[Task], start: int, stop: int, lane: int) -> int:
    """Return the number of the next task of a lane, or NONE."""
    return next((i for i in range(start, stop) if tasks[i].lane == lane), NONE)


FOLLOWING = tuple(
    find_next(TASKS, i + 1, BEGIN[plan + 1], TASKS[i].lane)
    for plan in range(len(PLANS))
    for i in range(BEGIN[plan], BEGIN[plan + 1])
)
# from LANES · i on: the first task of each lane of plan i
FIRST = tuple(
    find_next(TASKS, BEGIN[plan], BEGIN[plan + 1], lane)
    for plan in range(len(PLANS))
    for lane in range(LANES)
)
EVALUATIONS_OF = tuple(max((task.done for task in plan), default=0) for plan in PLANS)

# The rates at the ends of the columns: those of the longest three are computed beside that of
# the new state, as many as there are lanes besides the one of the longest column with its last
# evaluation; of seven columns, that of the first is left out.
LATE = LANES - 1
FIRST_END = tuple(max(k - 2 * LATE, 0) for k in range(COLUMNS + 1)) + (0,) * len(INTERIORS)
EARLY = tuple(
    max(k - LATE - FIRST_END[k], 0) if k <= COLUMNS else 0 for k in range(len(PLANS))
)
# from COLUMNS · k on: weights of the columns whose ends are known, and those times h / H
END_WEIGHT = tuple(
    weight
    for k in range(COLUMNS + 1)
    for weight in find_weights(range(1 + FIRST_END[k], k + 1))
)
END_PITCH = tuple(weight / (2.0 * (i % COLUMNS + 1)) for i, weight in enumerate(END_WEIGHT))
