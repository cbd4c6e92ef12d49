"""Nonsmooth mechanics: friction, contact, stops, sliding modes and events.

laws             set-valued force laws, their response and algebraic loops, conditions of laws
                 on state and time, all as traced equations
complementarity  kernels: box LCP, friction cones, limit load, redundant sticking
detection        kernels: event functions, their sampling and roots, tolerances
application      modes after an event, impacts, triggers, time stepping, sliding modes, the log;
                 `run_events` has the tables of a run, `driver_kernels` what the driver calls
memory           slots of the memory that all kernels share
"""
