"""Sensitivities of runs: exact derivatives of trajectories, and parameters fitted to data.

directions     live parameters and start values by which runs are differentiated
code           native rates and projections together with their derivatives in directions
forward        derivatives of a run in several directions, integrated with it
jumps          derivatives at events: when they occur, and what impacts and resets change
trajectory     derivatives at the output times, by the names of states and parameters
variables      any variable as function of the state, and derivatives from those of the states
adjoint        the way back along a run: an objective differentiated by many parameters at once
adjoint_code   native rates and transposed projections of the adjoint
kept_motion    the motion on the way back: polynomials of its steps
pulled_back    variables at samples and their transposed derivatives
gradient       objectives and their gradients, runs as differentiable functions
exported       the equations as functions of CasADi, JAX and PyTorch
bridges        functions with a transposed derivative as functions of JAX and PyTorch
fitting        parameters from measured data: Levenberg and Marquardt's method, confidence intervals

A derivative is that of the run as it is integrated, not a difference of two runs: its equations
are traced and compiled with those of the motion, and have the same steps. At an event it jumps by
the saltation matrix (Aizerman and Gantmakher 1958), the adjoint by its transpose.
"""
