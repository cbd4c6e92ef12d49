"""Environments of Gymnasium: many simulations of a model, for learning controllers.

Install the extra for it: ``pip install motorik[learning]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import MotorikError, SimulationError, checked_constructor

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise MotorikError(
        "motorik.learning",
        "the package gymnasium is not installed.",
        "Install it: pip install motorik[learning].",
    ) from error

if TYPE_CHECKING:
    from motorik.model import Model

Reward = Callable[[np.ndarray, np.ndarray], np.ndarray]
IsOver = Callable[[np.ndarray], np.ndarray]
Start = Callable[[np.random.Generator, int], Mapping[str, np.ndarray]]

__all__ = ["Environment"]


@checked_constructor({})
class Environment(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Simulations of a model as a vector environment: actions in, observations and rewards out.

    `actions` are live parameters with their least and largest value, in SI units; `observations`
    any variables. An action is held for `dt` [s], which are steps of `step` [s], by default one.
    `reward(observations, actions)` gives a number for each row, `is_over(observations)` the
    truth where an episode ends; after `limit` actions it is truncated. `start(random, count)` gives
    start values by name, an array of `count` numbers each; by default those of the model. An
    episode that is over, or whose simulation cannot go on, begins again at once: `step` returns
    the first observation of the next one, and the last in ``infos["final_obs"]`` (Gymnasium's
    ``AutoresetMode.SAME_STEP``).
    """

    def __init__(
        self,
        model: Model,
        count: int,
        *,
        actions: Mapping[str, tuple[float, float]],
        observations: Sequence[str],
        reward: Reward,
        dt: float,
        is_over: IsOver | None = None,
        start: Start | None = None,
        limit: int = 1000,
        step: float | None = None,
        method: str = "rk4",
        parameters: Mapping[str, float] | None = None,
        threads: int = 1,
    ) -> None:
        options: dict[str, Any] = {"method": method, "threads": threads}
        options |= {"step": dt if step is None else step, "parameters": parameters}
        self.simulators = model.simulators(count, **options)
        self._inputs = self.simulators.inputs(*actions)
        self._outputs = self.simulators.outputs(*observations)
        self._reward, self._is_over, self._start = reward, is_over, start
        self._dt, self._limit = dt, limit
        low, high = np.array([_bounds(*own) for own in actions.items()]).T
        self.num_envs = count
        self.single_action_space = spaces.Box(low, high, dtype=np.float64)
        size = self._outputs.read().shape[1]
        self.single_observation_space = spaces.Box(
            -np.inf, np.inf, (size,), dtype=np.float64
        )
        self.action_space = batch_space(self.single_action_space, count)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self._steps = np.zeros(count, dtype=np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin all episodes again; return the observations."""
        if seed is not None:
            self._np_random, self._np_random_seed = np.random.default_rng(seed), seed
        self._begin(np.ones(self.num_envs, dtype=bool))
        return self._outputs.read(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Return observations, rewards, where episodes are over and where truncated, and more."""
        given = np.asarray(actions, dtype=float).reshape(self.num_envs, -1)
        space = self.single_action_space
        assert isinstance(space, spaces.Box)
        given = np.clip(given, space.low, space.high)
        self._inputs.write(given)
        failed = np.zeros(self.num_envs, dtype=bool)
        try:
            self.simulators.step(self._dt)
        except SimulationError as error:
            failed[list(error.value)] = True  # type: ignore[call-overload]
        self._steps += 1
        seen = self._outputs.read()
        rewards = np.asarray(self._reward(seen, given), dtype=float).reshape(self.num_envs)
        over = failed | self._over(seen)
        late = ~over & (self._steps >= self._limit)
        ended = over | late
        if not ended.any():
            return seen, rewards, over, late, {}
        infos = {"final_obs": np.where(ended[:, None], seen, 0.0), "_final_obs": ended}
        self._begin(ended)
        return self._outputs.read(), rewards, over, late, infos

    def _over(self, seen: np.ndarray) -> np.ndarray:
        """Return where episodes are over."""
        if self._is_over is None:
            return np.zeros(self.num_envs, dtype=bool)
        return np.asarray(self._is_over(seen), dtype=bool).reshape(self.num_envs).copy()

    def _begin(self, which: np.ndarray) -> None:
        """Begin the episodes where `which` is true."""
        initial = self._start(self.np_random, int(which.sum())) if self._start else {}
        self.simulators.reset(which, initial)
        self._steps[which] = 0


def _bounds(name: str, bounds: object) -> tuple[float, float]:
    """Return the least and the largest value of an action, or refuse them."""
    low, high = bounds if isinstance(bounds, Sequence) and len(bounds) == 2 else (0.0, 0.0)
    if not low < high:
        raise SimulationError(
            name,
            f"has the bounds {bounds!r}.",
            "Give the least and the largest value, as in (-10.0, 10.0).",
            parameter="actions",
            value=bounds,
        )
    return float(low), float(high)
