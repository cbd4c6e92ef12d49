"""Simulation of compiled models: from an initial state to a trajectory.

options                the options of a run
initial_state          consistent initial values with the modes of friction and contact
run                    a run: integration, changes of formulation, output samples
simulator              a simulation that is advanced step by step
simulators             many simulations that step together; `simulator_lanes`: in vector lanes
slots                  its inputs and outputs as arrays, their names looked up once
saved_state            states of it to go back to, the history of its steps
model_integration      native functions, tolerances and error scales of a model
integration            ẋ = f(t, x, p) by a method: workspace, calls, outcomes; knows no model
stiffness              choice between explicit and implicit methods
driver                 the native loop around steps: events, breakpoints, output grid
methods                Runge–Kutta tables, extrapolation, Adams, backward differentiation
stepping               workspace of kernels, error norm, projection, guards, unwrapping
change_of_formulation  when a formulation ends in a run, and the one that follows
failure_causes         why a run has failed: laws that are not finite, friction that jams
"""
