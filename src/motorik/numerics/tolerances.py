"""The table of tolerances: what counts as zero, as converged, as dependent, and against what.

Each entry says what it is relative to and why it has this size. Tolerances that the user
gives (`rtol`, `atol`) are not here: those of integrators follow from them, see
`simulation/tolerances.py`.
"""

import sys

# --- rounding -------------------------------------------------------------------------------

EPSILON = sys.float_info.epsilon
"""The unit roundoff u = 2⁻⁵²: the distance from 1 to the next double-precision number."""
