"""Implicit equations: found, ordered and solved before anything runs.

Parts written as equations, blocks in algebraic loops and force laws on massless shafts give
residuals of unknowns and their time derivatives. They pass these steps:

- `language`: the words in which equations are written: `equal`, `balance`, `der`.
- `EquationTemplate`: an equation traced once for each class of part, with its gradients and time
  derivatives; every instance is then a few integers and numbers.
- `ImplicitSystem`: all equations of a model. Unknowns that are equal up to sign and to a shift of
  level (v = ẋ) become one.
- `structure`: maximum matching, Pantelides' algorithm, strongly connected components.
- `reduce_index`: differentiated equations, states and dummy derivatives; rank is judged on
  numbers at samples, since structure alone cannot see a matrix of low rank.
- `OrderedSystem`: blocks in order of solution. Linear blocks are eliminated in an order that is
  chosen at samples, nonlinear ones are solved by Newton's method in straight-line code.

Everything is straight-line code on demand: a block is computed when one of its unknowns is read.
Newton's method there has a fixed number of steps; where a guess is too far off for it, at the start
and where something jumps, a search damped by natural monotonicity finds another one.

Three things have methods of their own, each for a reason that was measured or proved:

- Massless points (`motorik.loops.static_equilibrium`). Equilibrium g(r) = 0 of forces whose
  directions change with the pose is curved. Differentiated, it is linear in the speeds and is
  projected after each step; as a block here it is solved by Newton's method in each evaluation. Of
  ten cubic springs in series that takes 48,000 operations instead of 258, of five spring-dampers
  90 instead of 66; only linear springs gain (10 instead of 111 for thirty). The stability of the
  equilibrium, and a start with relaxed springs, are known there as well.
- Forces by accelerations and cut forces (`motorik.motion.feedback`). All accelerations follow from
  all forces, through the recursion over links: a matrix of all of them would couple what the
  recursion keeps apart. The sensor values are tearing variables, and the networks of this
  package use the same ones for the accelerations that they read.
- Friction whose bounds depend on forces (`motorik.nonsmooth`). It has inequalities: which of them
  hold is found by complementarity, and only the response within a mode is a system of equations.
"""
