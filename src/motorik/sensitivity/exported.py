"""A model as functions of CasADi, JAX and PyTorch: its equations with names and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from motorik.errors import (
    SimulationError,
    UnknownNameError,
    checked_methods,
    refuse_pickle,
    suggest,
)
from motorik.sensitivity.bridges import require, require_jax
from motorik.sensitivity.variables import entries_of, variables_of_state

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel

Foreign: TypeAlias = Any  # an array or a module of JAX or PyTorch


@checked_methods
class ExportedModel:
    """The equations of a model: ẋ = f(t, x, u), y = g(t, x, u), with names and units.

    `states` x, `inputs` u and `outputs` y are names in the order of the vectors, with their
    `state_units`, `input_units` and `output_units`; `start` and `input_values` are present values
    of x and u. The other live parameters keep their present values, friction and contacts their
    modes at the start. `derivative` is the `casadi.Function` f, `output` g.

    >>> # own = model.to_casadi(inputs=["motor.tau_constant"], outputs=["tool.frame_b.r_0"])
    >>> # own.derivative(t=0, x=own.start, u=[1.0])["dx"]
    """

    def __init__(
        self,
        system: CompiledModel,
        x: np.ndarray,
        p: np.ndarray,
        inputs: Sequence[str],
        outputs: Sequence[str],
    ) -> None:
        layout = system.layout
        known = {**layout.live_names, **layout.kept_signals}
        for name in inputs:
            if name not in known:
                raise UnknownNameError(
                    "inputs",
                    f"{name!r} is neither a live parameter nor a Discrete signal.",
                    f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
                    parameter="inputs",
                    value=name,
                )
        if system.facts.has_delays or system.facts.responds:
            raise SimulationError(
                system.facts.name,
                "has delays, or contacts whose forces are found by iteration: its equations are no "
                "functions of the state alone.",
                "Export a model without them.",
            )
        self._system, self._p = system, p
        self._places = [known[name] for name in inputs]
        self.states, self.inputs = tuple(system.state_names), tuple(inputs)
        self.outputs, self.output_units = entries_of(system, outputs)
        self._wanted = list(outputs)
        self.state_units = tuple(layout.motion[k].unit for k in layout.integrated)
        self.input_units = tuple(layout.live[k].parameter.unit for k in self._places)
        self.start, self.input_values = x.copy(), p[self._places]

    def _symbols(self) -> tuple[casadi.SX, casadi.SX, casadi.SX, casadi.SX]:
        """Return symbols t, x, u, and p with u in it."""
        import casadi

        t, x = casadi.SX.sym("t"), casadi.SX.sym("x", len(self.states))
        u, p = casadi.SX.sym("u", len(self.inputs)), casadi.SX(casadi.DM(self._p))
        for k, place in enumerate(self._places):
            p[place] = u[k]
        return t, x, u, p

    @cached_property
    def derivative(self) -> casadi.Function:
        """The function (t, x, u) to the rates dx of the states."""
        import casadi

        t, x, u, p = self._symbols()
        dx = self._system.function("derivative")(t, x, p)
        return casadi.Function("derivative", [t, x, u], [dx], ["t", "x", "u"], ["dx"])

    @cached_property
    def output(self) -> casadi.Function:
        """The function (t, x, u) to the outputs y."""
        import casadi

        t, x, u, p = self._symbols()
        y = variables_of_state(self._system, self._wanted)(t, x, p)
        return casadi.Function("output", [t, x, u], [y], ["t", "x", "u"], ["y"])

    # --- other packages -------------------------------------------------------------------------

    @cached_property
    def _pulled_back(self) -> casadi.Function:
        """The function (t, x, u, w) to the change of wᵀ f with t, x and u."""
        import casadi

        f = self.derivative
        given = [casadi.SX.sym(f.name_in(k), f.size_in(k)[0]) for k in range(3)]
        w = casadi.SX.sym("w", f.size_out(0)[0])
        product = casadi.dot(w, f(*given))
        found = [casadi.densify(casadi.gradient(product, own)) for own in given]
        return casadi.Function("pulled_back", [*given, w], found)

    def _native(self) -> tuple[Any, Any]:
        """Return f and its transposed derivative as machine code, to be mapped over rows."""
        from motorik.compiler import compile_function

        return compile_function(self.derivative), compile_function(self._pulled_back)

    def to_jax(self) -> Callable[..., Any]:
        """Return f(t, x, u) for JAX: differentiable in reverse mode, mapped over leading axes.

        Machine code computes it, called back from JAX (package jax needed, with 64-bit floats).
        """
        jax, jnp = require_jax()
        f, back = self._native()
        n, m = len(self.states), len(self.inputs)

        def rows(function: Foreign, *given: Foreign) -> Foreign:
            leading = np.shape(given[0])[:-1]
            flat = [np.reshape(own, (-1, np.shape(own)[-1])) for own in given]
            found = function.map(*flat)
            many = found if isinstance(found, tuple) else (found,)
            return tuple(np.reshape(one, (*leading, -1)) for one in many)

        def call(function: Foreign, sizes: Sequence[int], *given: Foreign) -> Foreign:
            leading = jnp.shape(given[0])[:-1]
            return jax.pure_callback(
                lambda *own: rows(function, *own),
                tuple(jax.ShapeDtypeStruct((*leading, k), jnp.float64) for k in sizes),
                *given,
                vmap_method="broadcast_all",
            )

        @jax.custom_vjp
        def of_rows(t: Foreign, x: Foreign, u: Foreign) -> Foreign:
            return call(f, [n], t, x, u)[0]

        def forward(t: Foreign, x: Foreign, u: Foreign) -> Foreign:
            return of_rows(t, x, u), (t, x, u)

        def backward(kept: Foreign, w: Foreign) -> Foreign:
            return call(back, [1, n, m], *kept, w)

        of_rows.defvjp(forward, backward)

        def derivative(t: Foreign, x: Foreign, u: Foreign) -> Foreign:
            given = [jnp.asarray(own, jnp.float64) for own in (t, x, u)]
            given[0] = given[0][..., None]
            leading = jnp.broadcast_shapes(*(own.shape[:-1] for own in given))
            return of_rows(
                *(jnp.broadcast_to(own, (*leading, own.shape[-1])) for own in given)
            )

        return derivative

    def to_torch(self) -> Callable[..., Any]:
        """Return f(t, x, u) for PyTorch: rows of float64, differentiable in reverse mode.

        Machine code computes it (package torch needed).
        """
        torch = require("torch")
        once_differentiable = require("torch.autograd.function").once_differentiable
        f, back = self._native()

        def columns(t: Foreign, x: Foreign, u: Foreign) -> list[np.ndarray]:
            count = x.shape[0]
            t = torch.as_tensor(t, dtype=torch.float64).reshape(-1, 1).expand(count, 1)
            return [own.detach().cpu().double().numpy() for own in (t, x, u)]

        class Derivative(torch.autograd.Function):
            @staticmethod
            def forward(context: Foreign, t: Foreign, x: Foreign, u: Foreign) -> Foreign:
                context.save_for_backward(t, x, u)
                return torch.from_numpy(f.map(*columns(t, x, u)))

            @staticmethod
            @once_differentiable
            def backward(context: Foreign, *changes: Foreign) -> Foreign:
                t, x, u = context.saved_tensors
                found = back.map(*columns(t, x, u), changes[0].detach().cpu().numpy())
                by_t, by_x, by_u = (torch.from_numpy(np.asarray(own)) for own in found)
                by_t = (
                    by_t.reshape(t.shape)
                    if t.numel() == len(by_t)
                    else by_t.sum().reshape(t.shape)
                )
                return by_t, by_x, by_u

        def derivative(t: Foreign, x: Foreign, u: Foreign) -> Foreign:
            t = torch.as_tensor(t, dtype=torch.float64)
            is_one = x.dim() == 1
            if is_one:
                return Derivative.apply(t, x[None], u[None])[0]
            return Derivative.apply(t, x, u)

        return derivative

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "exported model", "Pickle the model, and export it again where it is read."
        )

    def __repr__(self) -> str:
        lines = [f"Equations of {self._system.facts.name}"]
        for title, names, units in (
            ("states", self.states, self.state_units),
            ("inputs", self.inputs, self.input_units),
            ("outputs", self.outputs, self.output_units),
        ):
            shown = [f"{n} [{u}]" if u else n for n, u in zip(names, units, strict=True)]
            lines.append(f"  {title}: {', '.join(shown) or 'none'}")
        return "\n".join(lines)
