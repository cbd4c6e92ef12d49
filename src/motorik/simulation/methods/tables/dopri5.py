"""Dormand–Prince 5(4): six stages; the rate at the end is the first stage of the next step.

Dormand, Prince 1980; interpolation of order 4: Hairer, Nørsett, Wanner 1993, §II.6.
"""

from motorik.simulation.methods.tableau import Tableau

TABLE = Tableau(
    "dopri5",
    "Dormand–Prince 5(4)",
    order=5,
    nodes=(1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0),
    stages=(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    weights=(35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
    errors={
        4: (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
    },
    dense=(
        (
            -12715105075 / 11282082432,
            0.0,
            87487479700 / 32700410799,
            -10690763975 / 1880347072,
            701980252875 / 199316789632,
            -1453857185 / 822651844,
            69997945 / 29380423,
        ),
    ),
    dense_order=4,
    stable_within=3.25,
)
