"""The kinds of integrators: Adams, BDF, Runge–Kutta and explicit Euler."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypedDict

from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.dynamics.integrator import Integrator, MethodOptions, check_positive

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TimeOptions(TypedDict, total=False):
    """When a system begins, `start_time` [s], 0 by default, and whether it is `compiled`."""

    start_time: float
    compiled: bool | None


class ToleranceOptions(TimeOptions, total=False):
    """The local error allowed as well: `relative_tolerance`, 1e-6 by default."""

    relative_tolerance: float


class ToleranceIntegrator(Integrator):
    """An integrator that keeps the local error within a relative tolerance.

    The same number is the absolute tolerance of states that are small.
    """

    _method: ClassVar[str]

    def __init__(
        self,
        system: DynamicSystem,
        time_interval: float | None = None,
        *,
        relative_tolerance: float = 1e-6,
        **options: Unpack[TimeOptions],
    ) -> None:
        super().__init__(system, time_interval, **options)
        self.set_relative_tolerance(relative_tolerance)

    def set_relative_tolerance(self, tolerance: float) -> None:
        """Set the local error allowed, relative to the size of each state."""
        self._tolerance = check_positive("relative tolerance", tolerance)
        self.reset()

    @property
    def method(self) -> str:
        """The name of the method in `motorik.simulation`."""
        return self._method

    @property
    def options(self) -> MethodOptions:
        """The tolerances."""
        return {"rtol": self._tolerance, "atol": self._tolerance}


class AdamsIntegrator(ToleranceIntegrator):
    """Variable-order Adams–Bashforth–Moulton: few evaluations for smooth systems.

    >>> from motorik.mobile.dynamics.dynamic_system import DynamicSystem
    >>> class Tank(DynamicSystem):  # empties itself: ḣ = −h / 2 s
    ...     level = 1.0
    ...     conditions = property(lambda self: [self.level])
    ...     def set_conditions(self, y): (self.level,) = y
    ...     def rates(self, t): return [-self.level / 2.0]
    >>> tank = Tank()
    >>> AdamsIntegrator(tank, time_interval=2.0).motion()
    >>> round(tank.level, 5)
    0.36788
    """

    _method = "adams"


class BDFIntegrator(ToleranceIntegrator):
    """Backward differentiation of orders 1 to 5 (Gear's method): for stiff systems."""

    _method = "bdf"


class RungeKuttaIntegrator(ToleranceIntegrator):
    """Runge–Kutta of Dormand and Prince, order 5 with an error estimate of order 4.

    With `step_size` [s] it is the classical method of order 4 with fixed steps.
    `start_time` [s] and `relative_tolerance` are those of every integrator.
    """

    _method = "dopri5"

    def __init__(
        self,
        system: DynamicSystem,
        time_interval: float | None = None,
        *,
        step_size: float | None = None,
        **options: Unpack[ToleranceOptions],
    ) -> None:
        self._step = None if step_size is None else check_positive("step size", step_size)
        super().__init__(system, time_interval, **options)

    @property
    def method(self) -> str:
        """The name of the method in `motorik.simulation`."""
        return self._method if self._step is None else "rk4"

    @property
    def options(self) -> MethodOptions:
        """The tolerances, or the size of the steps."""
        return super().options if self._step is None else {"step": self._step}


class ExplicitEulerIntegrator(Integrator):
    """The forward Euler method with steps of `step_size` [s]: simple, and of order 1 only."""

    def __init__(
        self,
        system: DynamicSystem,
        time_interval: float | None = None,
        *,
        step_size: float = 1e-3,
        **options: Unpack[TimeOptions],
    ) -> None:
        super().__init__(system, time_interval, **options)
        self._step = check_positive("step size", step_size)

    @property
    def step_size(self) -> float:
        """The size [s] of the steps, not of the interval after which `motion` returns."""
        return self._step

    @step_size.setter
    def step_size(self, h: float) -> None:
        self._step = check_positive("step size", h)
        self.reset()

    @property
    def method(self) -> str:
        """The name of the method in `motorik.simulation`."""
        return "euler"

    @property
    def options(self) -> MethodOptions:
        """The size of the steps."""
        return {"step": self._step}
