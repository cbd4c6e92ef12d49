"""The memory of native starts: integers and addresses of arrays, as kernels read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.kernels import Integers, integer

if TYPE_CHECKING:
    from motorik.compiler.addresses import Addressed


class Answer:
    """Answers of the kernels of a start."""

    UNCERTAIN = 0  # the search decides
    FOUND = 1
    ELSEWHERE = 2  # guesses lead to no start: it is sought from another pose
    NEEDS_NEWTON = -1  # code has to be made: Newton's method for dependent coordinates, …
    NEEDS_POSE = -2  # … blocks of equations for positions, …
    NEEDS_SPEEDS = -3  # … and for speeds


class PartTable(Integers):
    """A block of equations: sizes, its function, and addresses of its arrays."""

    m = integer(0)  # equations …
    n = integer(1)  # … and unknowns
    conditions = integer(2)  # how many equations are initial conditions
    function = integer(3)
    dimensions = integer(4)  # as `NonlinearEquations.sizes`
    rows = integer(5)  # equations and unknowns by their numbers
    columns = integer(6)
    entry_rows = integer(7)  # of each entry of the Jacobian
    entry_columns = integer(8)
    x = integer(9)
    per = integer(10)
    unit = integer(11)
    weight = integer(12)
    ease = integer(13)
    work = integer(14)
    report = integer(15)
    steep = integer(16)  # the largest entry of each row
    spreads = integer(17)  # displacements at which gradients of conditions are sampled
    SIZE = 18


class MovesTable(Integers):
    """Which unknowns of a block move: all that are free, or only those that are hidden."""

    has_free = integer(0)  # whether any is free
    count = integer(1)
    sizes = integer(2)
    places = integer(3)  # as `NonlinearEquations.at`
    inner_count = integer(4)  # of hidden ones, 0 if there are none, or no others
    inner_sizes = integer(5)
    inner_places = integer(6)
    seen = integer(7)  # of each unknown, whether it is free and not hidden
    SIZE = 8


class PartsTable(Integers):
    """Blocks of equations for some unknowns, and the scales of initial conditions."""

    count = integer(0)
    n = integer(1)  # unknowns
    conditions = integer(2)
    spreads = integer(3)  # displacements at which gradients of conditions are sampled
    parts = integer(4)
    unit = integer(5)  # of each unknown
    rest = integer(6)  # scales of the other equations
    owner = integer(7)  # of each condition the number of its part
    steep = integer(8)  # of each condition, …
    of_owner = integer(9)  # … and of each part
    sample = integer(10)
    SIZE = 11


class StartTable(Integers):
    """Sizes of a system, and addresses of its functions and of the arrays of a start."""

    n_q = integer(0)
    n_u = integer(1)
    n_z = integer(2)
    n_live = integer(3)
    n_x = integer(4)
    n_motion = integer(5)
    n_p = integer(6)
    n_state_q = integer(7)
    n_state_u = integer(8)
    n_steps = integer(9)  # of closed forms with branches
    n_equations = integer(10)  # on positions
    n_velocity = integer(11)
    n_margins = integer(12)
    # what kind of start it is
    guesses = integer(13)  # whether closed forms are tried at guesses first
    contracts = integer(14)  # whether dependent coordinates are found by square equations
    conditions = integer(15)  # whether there are conditions on positions
    moves = integer(16)  # whether speeds must be solved for in any case, …
    guessed = integer(17)  # … or bodies have guessed speeds
    guided = integer(18)  # whether another formulation tells where else to begin
    # functions, 0 where there is none
    positions = integer(20)
    residuals = integer(21)
    newton = integer(22)
    speeds = integer(23)
    angles = integer(24)
    full_state = integer(25)
    project = integer(26)
    margins = integer(27)
    # arrays
    given = integer(30)  # q, t, z and live parameters, one behind the other
    p = integer(31)
    states = integer(32)
    u = integer(33)
    x = integer(34)
    X = integer(35)
    values = integer(36)
    r = integer(37)
    a = integer(38)
    left = integer(39)
    margin = integer(40)
    projected = integer(41)
    guess = integer(42)  # the assembled pose
    starts = integer(43)
    state_q = integer(44)
    state_u = integer(45)
    coordinates = integer(46)  # scales of coordinates …
    unit_u = integer(47)  # … and of speeds
    last_signs = integer(48)  # of the last pose that was searched for
    formed = integer(49)  # coordinates that closed forms give, …
    turns = integer(50)  # … and whether they are angles
    n_formed = integer(51)
    # unwrapped angles
    n_unwrapped = integer(52)
    n_cut = integer(53)
    turning = integer(54)
    cut = integer(55)
    cut_starts = integer(56)
    counts = integer(57)
    others = integer(58)
    signs = integer(59)
    references = integer(60)  # their place in p
    branches = integer(61)  # the place of signs of branches in p
    # wanted values of closed forms: of guesses and of poses
    guess_wanted = integer(62)  # addresses, and how many values coordinates give
    pose_wanted = integer(63)
    # blocks of equations
    pose_parts = integer(64)  # `PartsTable`, 0 if they are too large
    speed_parts = integer(65)
    # square equations for dependent coordinates
    n_unknowns = integer(66)
    unknowns = integer(67)
    unknown_scale = integer(68)
    solved = integer(69)
    n_entries = integer(70)
    places = integer(71)
    J = integer(72)
    newton_work = integer(73)
    # states of blocks
    blocks = integer(74)  # `BlocksTable`, 0 if there are none that are found
    SIZE = 75


class WantedTable(Integers):
    """Values that closed forms are compared with: addresses, see `Wanted`."""

    signs = integer(0)
    counts = integer(1)
    place = integer(2)
    values = integer(3)
    unit = integer(4)
    n = integer(5)  # values that coordinates give: how many, …
    followed = integer(6)  # … which, …
    coordinate = integer(7)  # … and by which
    SIZE = 8


class BlocksTable(Integers):
    """States of signal blocks: functions of their start, and arrays."""

    explicit = integer(0)  # functions
    residual = integer(1)
    slopes = integer(2)
    full_state_rates = integer(3)
    n_residual = integer(4)
    needs_rates = integer(5)  # whether residuals depend on accelerations
    rates = integer(6)  # arrays
    forces = integer(7)
    left = integer(8)
    by_states = integer(9)
    by_response = integer(10)
    response = integer(11)
    J = integer(12)
    work = integer(13)
    SIZE = 14


class PatternTable(Integers):
    """Which values are fixed, and the consequences, see `Pattern`."""

    fixes_states = integer(0)
    fixes_dependent = integer(1)
    leaves_speeds = integer(2)
    fixes_dependent_speeds = integer(3)
    q = integer(4)  # of each coordinate, whether it is fixed
    n_free_turns = integer(5)
    free_turns = integer(6)
    pose_moves = integer(7)  # `MovesTable` of each block
    speed_moves = integer(8)
    n_blocks = integer(9)  # block states that are found: how many, …
    block_states = integer(10)  # … which, …
    block_rows = integer(11)  # … and by which equations
    all_blocks = integer(12)  # whether all of them are
    SIZE = 13


class Table:
    """Integers of a record, and the arrays whose addresses they are, which stay in memory."""

    def __init__(self, record: type[Integers], size: int) -> None:
        self.numbers = np.zeros(size, dtype=np.int64)
        self._record, self._kept = record, list[object]()

    def set(self, **values: int | np.ndarray | Addressed | None) -> None:
        """Set elements by name: numbers, functions, arrays, other tables."""
        for name, value in values.items():
            if not isinstance(value, int):
                self._kept.append(value)
                value = _address_of(value)
            self.numbers[getattr(self._record, name)] = value

    @property
    def address(self) -> int:
        """Where it lies."""
        return self.numbers.ctypes.data


def _address_of(value: np.ndarray | Addressed | None) -> int:
    """Return where an array, a function or a table lies, 0 for none."""
    if value is None:
        return 0
    return value.ctypes.data if isinstance(value, np.ndarray) else value.address
