"""Systems that are not mechanical: motor, cylinder, controller, and plain equations."""

from __future__ import annotations

from motorik.mobile import Drive, DynamicSystem
from motorik.mobile.states.variable import StateVariable


class Decay(DynamicSystem):
    """Numbers that vanish or grow by themselves: ẏ_i = λ_i y_i."""

    def __init__(self, *rates: float) -> None:
        self.lambdas = rates
        self.y = [1.0] * len(rates)

    @property
    def conditions(self):
        return self.y

    def set_conditions(self, y):
        self.y = list(y)

    def rates(self, t):
        return [a * y for a, y in zip(self.lambdas, self.y, strict=True)]


class Motor(DynamicSystem):
    """The armature of a motor on a shaft: L i̇ = U − R i − k q̇, torque k i."""

    R, L, k = 2.0, 0.05, 0.4

    def __init__(self, shaft: StateVariable, drive: Drive, voltage=0.0) -> None:
        self.shaft, self.drive, self.voltage = shaft, drive, voltage
        self.current = 0.0

    @property
    def conditions(self):
        return [self.current]

    def set_conditions(self, y):
        (self.current,) = y

    def act(self, t):
        self.drive.Q = self.k * self.current

    def rates(self, t):
        return [(self.voltage - self.R * self.current - self.k * self.shaft.qd) / self.L]

    @property
    def names(self):
        return ("motor.i",)


class Controller(DynamicSystem):
    """Brings a shaft to an angle through the voltage of its motor, without remaining error.

    ė = target − q,   U = K_p (target − q) + K_i e − K_d q̇
    """

    K_p, K_i, K_d = 30.0, 20.0, 1.0

    def __init__(self, shaft: StateVariable, motor: Motor, target: float) -> None:
        self.shaft, self.motor, self.target = shaft, motor, target
        self.integral = 0.0

    @property
    def conditions(self):
        return [self.integral]

    def set_conditions(self, y):
        (self.integral,) = y

    def act(self, t):
        error = self.target - self.shaft.q
        self.motor.voltage = (
            self.K_p * error + self.K_i * self.integral - self.K_d * self.shaft.qd
        )

    def rates(self, t):
        return [self.target - self.shaft.q]


class Cylinder(DynamicSystem):
    """Two chambers of oil on a piston: ṗ_a = β (Q_a − A q̇) / V_a(q), force A (p_a − p_b)."""

    beta, A, V0, inflow, leak = 1.2e9, 1e-3, 5e-4, 2e-5, 4e-12

    def __init__(self, piston: StateVariable, drive: Drive) -> None:
        self.piston, self.drive = piston, drive
        self.p_a = self.p_b = 2e6

    @property
    def conditions(self):
        return [self.p_a, self.p_b]

    def set_conditions(self, y):
        self.p_a, self.p_b = y

    def act(self, t):
        self.drive.Q = self.A * (self.p_a - self.p_b)

    def rates(self, t):
        q, qd = self.piston.q, self.piston.qd
        through = self.leak * (self.p_a - self.p_b)
        V_a, V_b = self.V0 + self.A * q, self.V0 - self.A * q
        return [
            self.beta * (self.inflow - through - self.A * qd) / V_a,
            self.beta * (through + self.A * qd) / V_b,
        ]
