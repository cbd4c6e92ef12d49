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
"""
