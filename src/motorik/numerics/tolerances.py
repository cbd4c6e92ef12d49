"""The table of tolerances: what counts as zero, as converged, as dependent, and against what.

Each entry says what it is relative to and why it has this size. An entry without a unit is a
ratio. Tolerances that a user gives (`rtol`, `atol`) are not here, nor are those of integrators
that follow from them, see `simulation/model_integration.py`.
"""

import sys

# --- rounding -----------------------------------------------------------------------------

EPSILON = sys.float_info.epsilon
"""The unit roundoff ε = 2⁻⁵²: the distance from 1 to the next double-precision number."""

ROUNDING = 64.0 * EPSILON
"""Of the sum of the sizes of its terms: the rounding error of a computed value. Errors of
some thousand operations of random sign stay below 64 ε.
"""

STEP_ROUNDING = 8.0 * EPSILON
"""Of the scale of the unknowns: a Newton step no longer than this changes nothing."""

TIME_ROUNDING = 8.0 * EPSILON
"""Of a time: the distance at which laws are evaluated beside a time event, the least that
sums of times resolve safely.
"""

EVENT_ROUNDING = 16.0 * EPSILON
"""Of a time or a state: what these are known to at an event, after the additions of the
steps before.
"""

RATE_NOISE = 64.0
"""Times the measured rounding of a rate: smaller error estimates carry no information."""

CORRECTION_NOISE = 16.0
"""Times the measured rounding of a rate: a smaller correction of simplified Newton's
method is rounding.
"""

FINEST_RTOL = 1e-15
"""The least relative tolerance of a run: a few ε."""

SAME_NUMBER = 1e-12
"""Of its terms: two ways of computing one number agree to this, a few thousand ε for laws
of some length.
"""

SAME_FORCE = 1e-9
"""Of a force: laws that differ by less agree, as users write their numbers with fewer
digits.
"""

SAME_POSITION = 1e-8
"""Of the scale of a coordinate: positions that differ by less are one, though they come
of different iterations.
"""

SAME_RUN = 1e-3
"""Two runs of a model came to the same end: the difference by the range of each coordinate."""

SAME_UNIT = 1e-6
"""Of the size of a unit: two that differ by less are one, since tables give fewer digits."""

SAME_SAMPLE = 1e-9
"""Of the scale of a coordinate: samples of a pose that differ by less are the same pose."""

CHECKED_ZERO = 1e-9
"""Of entries of size 1: residuals of a joint that is checked vanish below this."""

CHECKED_RANK = 1e-6
"""Of entries of size 1: singular values of a joint that is checked are zero below this."""

TRIAL_ZERO = 1e-6
"""Of the largest number of a trial of an element: smaller ones count as zero."""

SAME_CODE = 1e-5
"""Of a rate: machine code and traced equations differ by less, even near singular poses,
where rounding is magnified.
"""

SAME_TRACED = 1e-7
"""Of a value: machine code and Python differ by less at random states."""

SUBSTITUTED = 1e-15
"""Absolute: a coefficient of ±1 or 0 after multiplications of exact ones."""

BELOW_ZERO = 1e-30
"""Absolute: subtracted from a condition that cannot hold, so that it is below zero wherever its
other terms vanish.
"""

TINY_SQUARE = 1e-200
"""Absolute: added to a sum of squares so that its root, or a quotient by it, exists where
all terms vanish.
"""

SMALLEST_SIZE = 1e-300
"""Absolute: a divisor at least this large, where all numbers of a row or column vanish."""

SMALLEST_SPEED = 1e-300
"""Absolute: a speed below this is exactly zero."""

# --- directions and lengths ---------------------------------------------------------------

PARALLEL = 1e-9
"""Radians, or parts of a length: axes and planes that differ by less are parallel.
Dimensions have at most nine digits.
"""

TURNING_TOGETHER = 1e-6
"""1 − |cosine| of axes that turn together: 1.4 mrad, as far as assembled axes may be
apart.
"""

ANGLES_AGREE = 1e-7
"""Radians: sums of angles that are compared at samples agree to this."""

DEPENDENT_SCREWS = 1e-7
"""Of the largest singular value of the unit screws of a joint: smaller ones mean
dependent freedoms, √ε in size.
"""

HALF_TURN_TIE = 1e-9
"""Of a turn: angles this near to half a turn count as + half a turn, whatever rounding
made of them.
"""

# --- rank ---------------------------------------------------------------------------------

WELL_CONDITIONED = 1e-4
"""Of the largest entry: elimination in an order chosen at another sample has no smaller pivot, and
solving returns a vector of ones to this part; else the matrix is decomposed for itself.
"""

RANK = 1e-9
"""Of the largest singular value: smaller ones are zero. The matrices have entries of size
1; their rounding is below 1e-13, and no mechanism is built as near to a singular one.
"""

LINEAR_RANK = 1e-12
"""Of the largest singular value, or 1 if that is larger: smaller ones make a small dense
system singular.
"""

CONSTRAINT_RANK = 1e-8
"""Of the largest pivot or singular value of the constraint Jacobian: smaller ones are
zero. Elimination by pivots loses a digit against singular values.
"""

POSE_RANK = 1e-6
"""Of the largest singular value of scaled constraint equations at sampled poses, which
are closed to `CLOSED` only.
"""

NULL_SPACE_RANK = 1e-7
"""Of the largest singular value of the Jacobian at a closed pose: smaller ones leave a
free direction.
"""

FRICTION_RANK = 1e-10
"""Of the largest singular value of the directions of friction forces: smaller ones mean
that these are not unique.
"""

BOUNDED_RANK = 1e-10
"""Of the largest singular value in bounded least squares: smaller ones are none."""

BOUND_SLOPE = 1e-12
"""Of the residuals: an unknown at its bound that would lessen them by less stays there."""

SPEED_RANK = 1e-6
"""Of the largest singular value: weaker directions of velocity are impossible; required
speeds shall not become huge near a dead centre.
"""

RESPONSE_RANK = 1e-10
"""Of the longest row of the Jacobian of multipliers: what is left of a dependent one
after elimination.
"""

DEPENDENT_ROW = 1e-13
"""Of the longest row of a matrix: what is left of one that depends on others after
Gram–Schmidt orthogonalisation.
"""

PROJECTED_ENTRY = 1e-12
"""Of the largest entry of a matrix: what a projection leaves of an entry is rounding
below this.
"""

ORTHOGONAL = 1e-15
"""Cosine between columns that Jacobi rotations leave as perpendicular: a few ε."""

NORMAL_PIVOT = 1e-12
"""Of the largest diagonal entry of JJᵀ, added to all of them: leaves directions weaker
than 1e-6 alone (Tikhonov).
"""

NORMAL_RANK = 1e-5
"""Of the strongest direction: weaker ones are lost in the rounding of sparse normal
equations, whose condition is squared.
"""

DEFINITE_PIVOT = 1e-13
"""Of a diagonal entry of a mass matrix: what is left of it by elimination if the matrix
is not positive definite.
"""

DRIVE_RANK = 1e-7
"""Of the motion of a drive without loops: less is none."""

DEAD_CENTRE_MOTION = 1e-5
"""Of the usual motion of a hand: less means a dead centre."""

MOBILE_MOTION = 1e-6
"""Of the strongest motion of a hand: less is none."""

# --- inertia and elimination --------------------------------------------------------------

MASSLESS = 1e-12
"""Of the largest inertia that acts on a joint: less is none. Bodies of one machine differ
by less than twelve orders.
"""

MASSLESS_MOTION = 1e-14
"""Of the usual inertia of a motion: what combined motions leave of it by cancellation."""

INERTIA_ROOT = 1e-12
"""Of the root of the largest inertia: less is none, 1e-24 of the inertia itself."""

UNRESISTED_MOTION = 1e-13
"""Eigenvalue of the mass matrix scaled to a unit diagonal: motions with less have no
inertia.
"""

UNRESISTED_SPEED = 1e-9
"""Of the largest force: a speed that changes forces by less is not resisted."""

ASYMMETRY = 1e-6
"""Of the mass matrix: a larger asymmetry means that a force is not the transpose of its
motion.
"""

DEFINITE_INERTIA = 1e-6
"""Of the largest inertia that holds a pivot: so much is left of it at least."""

ELIMINATION_RESIDUAL = 1e-9
"""Of the terms of an equation: a larger residual of a straight-line elimination is a
fault.
"""

REFINED_RESIDUAL = 1e-5
"""The same where iterative refinement follows, which squares it."""

EARLY_PIVOT = 1e-7
"""Of its usual size: the pivot of a constraint equation that is eliminated early; smaller
ones cost all digits.
"""

COMPLIANCE = 1e-8
"""Of the compliance of the masses: added to constraint equations that are eliminated
early; refinement removes its effect.
"""

SHARED_COMPLIANCE = 6e-7
"""The same for redundant constraints: rounding errors divided by its root act on them."""

FRICTION_COMPLIANCE = 1e-6
"""Of the compliance of sticking constraints: redundant ones share their load by it."""

SOFTNESS = 1e-9
"""Of the pivots of least-squares reactions: added to them, so that reactions stay finite at
singular poses.
"""

ABSOLUTE_SOFTNESS = 1e-12
"""The same with absolute coordinates, where pivots of one system differ widely in size."""

EQUILIBRIUM_PIVOT = 1e-6
"""Pivots of what holds a massless body in equilibrium, from which on its event function
falls.
"""

# --- constraints on position and velocity -------------------------------------------------

CLOSED = 1e-10
"""Of the length of a loop: smaller constraint violations are none. Newton's method
reaches 1e-15; dimensions have fewer digits.
"""

CLOSED_SAMPLE = 1e-9
"""Of the gradient of a constraint equation: violations at sampled poses, which serve to
judge ranks only.
"""

CLOSED_HAND = 1e-12
"""Of its scale: constraint violation after each step of a hand that is moved."""

RESIDUAL_FLOOR = 1e-15
"""Of the scale of an equation: a residual below this cannot be made smaller."""

FIXED_VALUE = 1e-9
"""Of the scale of a coordinate: smaller deviations from fixed values are rounding."""

NEARER_BRANCH = 1e-6
"""Of the distance to the guesses: a branch is nearer if it is so by more."""

BRANCH_FITS = 1e-6
"""Of the scale of a coordinate: how far a closed form may be from an assembled pose."""

CLOSED_FORM_FITS = 1e-5
"""Radians or metres: how far a closed form may be from assembled coordinates."""

BLURRED_MARGIN = 1e-6
"""sin² of the transmission angle: below it rounding may move a closed form by more than
`CLOSED_FORM_FITS`.
"""

DEAD_CENTRE_MARGIN = 1e-9
"""sin² of the transmission angle: below it the assembled pose is a dead centre."""

BRANCH_MET = 1e-10
"""Radians or metres: the branch of a closed form this near is the one …"""

BRANCHES_APART = 1e-6
"""… where the margin shows that the other branch is farther than this."""

REDUNDANT_VIOLATION = 1e-7
"""Of its scale: the violation of a redundant constraint at which it is no longer
redundant.
"""

FLAT_VIOLATION = 1e-6
"""Of its scale: the violation of a constraint with vanishing gradient that the others do
not hold.
"""

NOT_UNIQUE = 1e-6
"""Of all its slopes: a reaction changes by more under a redundant force if it is not
unique.
"""

SAME_SHARE = 1e-7
"""Absolute: entries of a null-space basis that differ by less are the same."""

UNDONE_FORCE = 1e-6
"""Of the forces needed: what drives may leave undone."""

PENETRATION = 1e-9
"""Of the largest coordinate: so far beyond a stop counts as on it."""

TOUCHED_GAP = 1e-9
"""Of its scale: a gap not yet exceeded by a hand."""

# --- convergence of iterations ------------------------------------------------------------

QUADRATIC_STEP = 1e-8
"""Of the unknowns: after a Newton step this short the error is its square, below
rounding.
"""

DEAD_CENTRE_RESIDUAL = 1e-13
"""Of the unit of an equation: residuals that no step reduces are zero below this, as at
dead centres.
"""

SHORTEST_PATH_STEP = 1e-7
"""Of a path of inputs: continuation by shorter steps means a dead centre."""

TRACED_STEP = 1e-7
"""Of all steps before: the last step of a fixed number, if they have converged …"""

TRACED_ROUNDING = 1e-12
"""… or of all terms: so short it is rounding of a value at rest."""

POSE_STEP = 1e-9
"""Of the scale of a coordinate: Newton steps of a pose below this are rounding."""

UNIQUE_STEP = 1e-12
"""Of the scale of a coordinate: what rounding may change along the iterates of a native
initialisation.
"""

CLEAR_DIFFERENCE = 1e-6
"""Of the scale of a coordinate: larger differences are no rounding."""

BLOCK_STEP = 1e-12
"""Of block states: a change of an iteration at which they have converged."""

STALLED_STEP = 1e-9
"""Of the unknowns: whole Newton steps below this that do not halve are rounding."""

BLOCK_DIFFERENCE = 1e-6
"""Of a block state: the perturbation of a difference quotient, about ε to the power 2/5."""

DISTANCE_GAIN = 1e-9
"""Of the distance to the guesses: smaller gains of a step are none."""

GUESS_TIE = 1e-6
"""Radians or metres: added to a guess, so that of two solutions equally near the larger is
taken.
"""

TARGET_REACHED = 1e-10
"""Of its scale: deviations from a target of inverse kinematics that are none."""

TARGET_STEP = 1e-12
"""Of the scale of a coordinate: a step of inverse kinematics that moves nothing."""

TARGET_QUADRATIC = 1e-7
"""Of the scale of a coordinate: after a full step this short the rest is its square,
below `TARGET_STEP`.
"""

TARGET_SHORTEST = 1e-9
"""Of the scale of a coordinate: a step that must be shorter leads nowhere."""

TARGET_GAIN = 1e-6
"""Of a deviation: a step that reduces it by less does not matter."""

TARGET_DIFFERENCE = 1e-6
"""Of the scale of a coordinate: the perturbation of difference quotients."""

TARGET_FLAT = 1e-6
"""Slope against curvature below which rounding would choose the direction to leave a
stationary point.
"""

DRIVEN_SHORTEST = 1e-6
"""Of a path of given coordinates: continuation by shorter steps means a dead centre."""

STATIONARY_RATE = 1e-6
"""Of the rates of a change by 1 + |y|: smaller rates pass for an equilibrium."""

DEPENDENCE = 1e-12
"""Of the largest entry of linear equations: smaller ones are rounding."""

FIXED_FITS = 1e-10
"""Of the scale of a coordinate: at a start, a fixed one comes out of closed forms as near."""

ROUNDED_TURN = 1e-4
"""Of the entries of a given rotation matrix: what they may be off for having few digits."""

SAME_VALUE = 1e-12
"""Of the values of an integrand on both sides of an instant: by less it does not jump."""

LINEARISED = 1e-13
"""Of the norm of linear equations: their error, by the mass matrix, closed loops, the state."""

UNDAMPED = 1e-9
"""Of |λ|: a mode whose |Re λ| is smaller neither grows nor decays; a damping ratio that no
measurement shows.
"""

CHART = 0.1
"""Of the most independent state: one that is named earlier is preferred down to this."""

TANGENT_RANK = 1e-7
"""Of the largest singular value of a projection onto constraints, in scales: smaller ones
are zero, others near one.
"""

MODE_SHARE = 1e-9
"""Of the largest state of a mode: a coordinate that moves less takes no part in it."""

SHAPE_FLOOR = 1e-6
"""Of the largest component of an estimated eigenvector: added to all of them."""

EQUILIBRIUM_RESIDUAL = 1e-12
"""Of |J| (1 + |x|): the rounding of a force balance."""

EQUILIBRIUM_LEFT = 1e-6
"""Of a force balance: what a Newton step may leave of it where its linear equations have
a solution.
"""

LEAST_DAMPING = 1e-12
"""Of the residual: the least damping μ of Levenberg and Marquardt's step, with equations and
unknowns in scales.
"""

DIFFERENCE_ERROR = 1e-10
"""Of a Jacobian by extrapolated difference quotients of smooth functions: its error."""

TANGENT_STEP = 1e-8
"""Of all terms of a force bound: tangents that change by less have converged."""

TANGENT_FORCE = 1e-10
"""Of all terms of a constraint equation: a change of its force by less is none."""

TANGENT_BOUND = 1e-5
"""Of the force bounds: below it `TANGENT_FORCE` parts of a force are rounding."""

KRYLOV_INVARIANT = 1e-10
"""Of the projected matrix: a remainder of Arnoldi's iteration that means an invariant
subspace.
"""

# --- complementarity ----------------------------------------------------------------------

EQUATION_ZERO = 1e-11
"""Of the sum of the sizes of the terms of a constraint equation: what counts as zero,
some hundred times its rounding.
"""

EQUATION_EXACT = 1e-13
"""Of the same sum: as near to a solution as numbers allow."""

DEPENDENT_CONSTRAINT = 1e-11
"""Of a constraint equation: what is left of it by pivoted Cholesky if it depends on
others …
"""

DEPENDENT_TIGHT = 1e-14
"""… or this, where the equations would contradict one another otherwise."""

IDLE_FORCE = 1e-12
"""Of the largest of forces that cancel one another: a smaller one is none."""

PRESCRIBED_MOTION = 1e-13
"""Of the largest diagonal entry of the Delassus matrix: less means a motion that forces
do not change.
"""

SHARED_LOAD = 1e-9
"""Of the forces: shares of a load may exceed the least ones by this."""

LEAST_RESPONSE = 1e-6
"""Of the acceleration of a constraint: what its own force changes of it at least, in the
scaled problem.
"""

CONE_BORDER = 1e-10
"""Of the radius of a friction disk: this near to its border a force may be inside or at
it.
"""

DISK_BORDER = 1e-9
"""Of the radius of a friction disk: in a limit-load analysis a force this near is at its
border.
"""

HELD_RATE = 1e-12
"""Of the sizes of the terms of an acceleration: less is none."""

REDUNDANT_STICKING = 1e-9
"""Of a sticking constraint: what may be left of it where it depends on others."""

UNEQUAL_RESPONSE = 1e-6
"""Of entries of the Delassus matrix: larger differences are no rounding."""

# --- events -------------------------------------------------------------------------------

EVENT_ZERO = 1e-13
"""Of the largest value seen of an event function: it has crossed zero beyond this."""

CLOSED_GAP = 1e-11
"""Of the largest gap seen: a gap this small is closed."""

PASSED_GAP = 1e-9
"""Of the largest gap seen: a stop passed by more was hit on the way."""

AT_REST = 1e-11
"""Of the largest speed seen: slower is at rest."""

AT_REST_IN_PLANE = 1e-9
"""The same where sliding in a plane may turn, and its direction is lost first."""

AT_REST_IN_MOTION = 1e-9
"""Of the largest speed of a friction constraint in a given motion: slower is at rest."""

AT_REST_IN_STEP = 1e-9
"""Of the change of velocity by a step of time stepping: slower is at rest."""

NO_DIRECTION = 1e-9
"""Of the speed before an impact: a mean velocity this slow has no direction."""

REBOUND = 1e-8
"""Of the largest speed seen: a slower rebound is none."""

IMPACT_WORK = 1e-12
"""Of the work of the impulses: a gain of energy that is rounding."""

IMPULSE_ZERO = 1e-14
"""Of the largest impulse of the same unit: less is rounding and is not logged."""

BACKWARD_SLIP = 1e-12
"""Of the largest speed seen: so fast a constraint that begins to slide may move backward.
"""

FAINT_OSCILLATION = 1e-6
"""Of the largest value so far of an event function: smaller oscillations are ignored."""

EARLIEST_TIME = 1e-6
"""Of the duration of a run: times before this are known as exactly as this one, in a lookahead."""

LONGEST_LOOKAHEAD = 1e-6
"""Of the duration of a run: undecided contacts are solved at most so much later."""

CROWDED_EVENTS = 1e-9
"""Of the duration of a run: within it, events are counted that make no progress."""

FINEST_SAMPLE = 1e-8
"""Of a step: event functions are sampled no closer."""

SAME_CROSSING = 1e-9
"""Of a step: two conditions that vanish no further apart are one event."""

BORDER_REACHED = 1e-9
"""Of the duration of a run: a border of a sliding mode that is reached sooner is reached.
"""

BESIDE_EVENT = 1e-7
"""Of the duration of a run: the distance from a time event at which references are
evaluated.
"""

VISIBLE_JUMP = 1e-9
"""Of the size of a reference: a larger change is no rounding."""

DELAY_LOCATED = 1e-11
"""Of a time or a delay: discontinuities of a signal with a variable delay are found to this."""

NO_DELAY = 1e-6
"""Of the longest delay: a variable delay this near to zero or to the longest has come to it."""

SAME_PAST = 1e-10
"""Of a delayed signal: its difference from the signal at the start, where both must agree."""

PAST_INSET = 1e-7
"""Of a step: the past of a signal is sampled so far within it, on one side of discontinuities."""

SHORTEST_PAST = 1e-10
"""Of a step: a shorter piece of the past of a signal that does not fit is a jump."""

NO_ADVANCE = 1e-10
"""Of the duration of a run: a step this short is no advance, it would need 10¹⁰ of them."""

LAST_STEP = 1e-9
"""Of a step of fixed size: the last one may be longer by this."""

DENSE_EVENTS = 1e-7
"""Of the duration of a run: thousands of events no further apart than this have no end."""

HIDDEN_CHANGE = 1e-6
"""Of the range of a function of time: smaller changes need no steps of their own."""

# --- laws of parts ------------------------------------------------------------------------

ROUNDED_CORNER = 1e-8
"""Of the flux density at the largest permeability: |B| is rounded off at zero within this, so that
its slope exists.
"""

HYSTERESIS = 1e-9
"""Voltage above its knee from which on a diode that is off becomes on [V]. Where a capacitor holds
the voltage, current and voltage become zero together with their rates: the sign of such a voltage
is rounding.
"""

REVERSE_CURRENT = 1e-12
"""Current backwards from which on a diode that is on becomes off [A]. Of diodes in series one
blocks first; the current of the other is then rounding.
"""

VACUUM = 1e-12
"""Of the pressure of the atmosphere, squared: lines without gas may be below it."""

# --- pictures -----------------------------------------------------------------------------

NO_TORQUE = 1e-9
"""Of the largest torque shown: less is none."""

# --- implicit equations ---------------------------------------------------------------------

NETWORK_RANK = 1e-10
"""Of the largest entries of rows and columns: a smaller pivot of equations is rounding."""

NETWORK_PIVOT = 1e-2
"""Of the largest entry in its row at each sample: a larger pivot may be taken early."""

EVER_SMALL_PIVOT = 1e-8
"""Of its usual size at samples: a pivot that is smaller at one of them is no pivot."""

CANCELLED_ENTRY = 1e-14
"""Of the sizes of both terms: an entry that elimination leaves is rounding below this."""

NULL_ENTRY = 1e-9
"""Of the largest entry of a null vector of equations: equations with less take no part."""

CONSTANT_MATRIX = 1e-9
"""Of the largest entry: a Jacobian that differs by less between samples is constant."""

FREE_UNKNOWN = 1e-6
"""Of a unit null vector: unknowns with more are those that equations do not determine."""

SAMPLE_STEP = 1e-5
"""Of the unknowns: Newton's method at a sample has converged if its last step is no longer …"""

SAMPLE_STEP_FLOOR = 1e-12
"""… or than this, in the units of the unknown."""

NETWORK_RESIDUAL = 1e-7
"""Of the size of scaled equations: where pivots change in a run, a larger residual means that
they have become too small, or that there is no solution.
"""

START_CONDITION = 1e-6
"""Of the change of a condition of blocks by states of their sizes: one that is missed by more at
the start is refused. Derivatives by differences are as exact.
"""
