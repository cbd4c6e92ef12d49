"""The workspace that every method shares: which slot of `w` and `m` holds what.

`w` holds doubles: a head of single numbers, then vectors of n numbers each, then whatever a
method keeps for itself. `m` holds integers. Python allocates both and reads them between
calls; native code keeps everything it must remember in them, so a run can be interrupted
after any step and resumed.
"""

# w: the head
T = 0  # time reached
T_OLD = 1  # time at which the last step began
T_STOP = 2  # time to stop at, exactly
H = 3  # size of the next step; 0 before the start: to be found
RTOL = 4  # relative tolerance
MAX_STEP = 5  # of the next step
MIN_STEP = 6
LOG_ERROR_OLD = 7  # logarithm of the last error in units of the tolerance
T_CALL = 8  # time handed to a native function
T_BASE = 9  # time from which steps of fixed size are counted
T_START = 10  # time at which the integration began
MAX_GIVEN = 11  # longest step that the user allows
WOUND_WITHIN = 12  # angle that no followed angle may turn in one step, about
T_FROM = 13  # laws are asked for no earlier time …
T_UPTO = 14  # … and for no later one: they see one side of what happens at a time
T_TO = 15  # time to which the last step counts: T, or that of an event within it
OWN = 16  # from here: numbers of the method
T_WANTED = 66  # the next time within steps at which a state is asked for
H_ANEW = 67  # step size after what makes a method begin anew; 0: to be found
RANGE = 68  # five numbers: the largest range of the states of each kind, see `norm`
ROUNDING = 73  # five numbers: the largest rounding of the states of each kind
STATE_ERROR = 78  # the last error in units of the tolerance: of the states …
STRETCH_ERROR = 79  # … and of the stretches
FAR = 80  # how far the last projection moved the state, in tolerances
FAULT = 81  # how far the last rate misses the equations it is solved from: 1 is too far
HEAD = 82

# w: vectors, at HEAD + n * number
X = 0  # state at T
F = 1  # its rate
X_OLD = 2  # state at T_OLD
ATOL = 3  # absolute tolerance of each state
STAGE = 4  # state handed to the right-hand side
KEPT = 5  # the new state as the method left it
LOW = 6  # the least value of each state so far …
HIGH = 7  # … and the largest
WEIGHT = 8  # 1 / tolerance of each state, see `norm`
LOCAL_ERROR = 9  # error of the step that is tried
NOISE = 10  # rounding of each state …
RATE_NOISE = 11  # … and of its rate, as measured
K = 12  # from here: vectors of the method

# m
STARTED = 0
STEPS = 1  # accepted
REJECTED = 2
EVALUATIONS = 3
JACOBIANS = 4
FACTORISATIONS = 5
MAX_STEPS = 6
BUDGET = 7  # steps to take before returning to Python
GRID_NEXT = 8  # next row of the output grid to be written
GRID_COUNT = 9
RECORD_NEXT = 10  # next row of the record of all steps
RECORD_COUNT = 11  # rows that fit; 0: steps are not recorded
DENSE_READY = 12  # whether the last step can be interpolated
STIFF_CHECK = 13  # whether to watch for stiffness
STIFF_HITS = 14  # steps at the border of stability …
STIFF_MISSES = 15  # … and steps inside it since
FIXED_COUNT = 16  # steps of fixed size since T_BASE
JUMP_PENDING = 17  # whether the new state is to jump before the next step
GUARDED = 18  # how many values are guarded against becoming zero
WOUND = 19  # how many angles are followed through their full turns
WOUND_AT = 20  # where their references lie among the parameters
FOLLOW = 21  # what has happened since they were looked at, see `winding`
LOOKS = 22  # times they are looked at over the whole run, at least
ASTRAY = 23  # times an angle did not go on as its speed says
CUT = 24  # whether an event waits at T_TO
KINKS = 25  # whether rates may change at once within a step
BY_RANGE = 26  # whether tolerances follow from how far the states have moved
STRETCHES = 27  # how many stretches enter the norm
NOISE_NEXT = 28  # step at which the rounding is measured again
MAY_JUMP = 29  # whether the projection may move a state far, see below
TORN = 30  # 1: the last projection was too far to be an error of the step, 2: it failed
AUDIT = 31  # what an audit writes: 1: rate and fault, 2: the fault alone
OWN_COUNTS = 32  # from here: integers of the method
COUNTS = 56
KIND = COUNTS  # behind them: the kind of each state, see `norm`

# MAY_JUMP
NEVER = 0
WITH_CHART = 1  # where a joint changes over to its other chart
ALWAYS = 2

# what a step, and then the whole call, comes to
GOING = 0
REACHED = 1
PAUSED = 2
RECORD_FULL = 3
NOT_FINITE = 4
STEP_TOO_SMALL = 5
TOO_MANY_STEPS = 6
STIFF = 7
NO_CONVERGENCE = 8
GUARD_TRIPPED = 9
LOG_FULL = 10  # no room for more events
NO_MODES = 11  # no modes that fit
CHATTERS = 12  # events without end
ENDED = 13  # an event ends the run
TICKED = 14  # functions of the user are due
BEYOND = 15  # a reset leads beyond a stop
STANDS_STILL = 16  # steps do not advance the time
TEARS = 17  # however short the step, the projection moves the state far
UNSOLVED = 18  # the equations of loops are not solved at the end of the step
EXPLODES = 20  # states have left the scale of the mechanism
SLIDES = 21  # the motion may slide along the border of a case

STIFF_AFTER = 15  # steps at the border of stability that make a system stiff
EPSILON = 2.220446049250313e-16
