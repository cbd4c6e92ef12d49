"""Functions of NumPy with their transposed derivative, as functions of JAX and PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from motorik.errors import MotorikError

Foreign: TypeAlias = Any  # an array or a module of JAX or PyTorch
Value: TypeAlias = Callable[[np.ndarray], np.ndarray]
Back: TypeAlias = Callable[[np.ndarray, np.ndarray], np.ndarray]
Pulled: TypeAlias = Callable[[np.ndarray], tuple[np.ndarray, Value]]


def torch_function(pulled: Pulled) -> Callable[..., Any]:
    """Return a function of one tensor for PyTorch; `pulled` gives y, and w to wᵀ ∂y/∂values."""
    torch = require("torch")
    once_differentiable = require("torch.autograd.function").once_differentiable

    class Run(torch.autograd.Function):
        @staticmethod
        def forward(context: Foreign, values: Foreign) -> Foreign:
            y, context.back = pulled(values.detach().cpu().double().numpy())
            return torch.from_numpy(y).to(values)

        @staticmethod
        @once_differentiable
        def backward(context: Foreign, *changes: Foreign) -> Foreign:
            found = context.back(changes[0].detach().cpu().double().numpy())
            return torch.from_numpy(found).to(changes[0])

    def run(values: Foreign) -> Foreign:
        values = torch.as_tensor(values)
        return Run.apply(values if values.is_floating_point() else values.double())

    return run


def jax_function(value: Value, back: Back, size: tuple[int, int]) -> Callable[..., Any]:
    """Return a function of one array for JAX; `back` gives wᵀ ∂y/∂values, `size` is that of y."""
    jax, jnp = require_jax()

    def call(function: Foreign, shape: tuple[int, ...], *given: Foreign) -> Foreign:
        return jax.pure_callback(
            lambda *own: function(*map(np.asarray, own)),
            jax.ShapeDtypeStruct(shape, jnp.float64),
            *given,
            vmap_method="sequential",
        )

    @jax.custom_vjp
    def run(values: Foreign) -> Foreign:
        values = jnp.asarray(values, dtype=jnp.float64)
        return call(value, (*values.shape[:-1], *size), values)

    def forward(values: Foreign) -> Foreign:
        return run(values), values

    def backward(values: Foreign, w: Foreign) -> tuple[Foreign]:
        found = call(back, jnp.shape(values), jnp.asarray(values, dtype=jnp.float64), w)
        return (found.astype(jnp.asarray(values).dtype),)

    run.defvjp(forward, backward)
    return run


def require_jax() -> tuple[Foreign, Foreign]:
    """Return jax and jax.numpy with 64-bit floats, or say what is missing."""
    jax, jnp = require("jax"), require("jax.numpy")
    if not jax.config.jax_enable_x64:
        raise MotorikError(
            "to_jax",
            "JAX computes with 32-bit floats.",
            'Call jax.config.update("jax_enable_x64", True) first.',
        )
    return jax, jnp


def require(name: str) -> Foreign:
    """Return a package of an extra, or say that it is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise MotorikError(
            f"to_{package}",
            f"the package {package} is not installed.",
            f"Install it, pip install motorik[{package}].",
        ) from error
