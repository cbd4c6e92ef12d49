"""Chains: MOBILE's chains of transmission elements, shown, dragged and run step by step.

`Scene` (`scene.py`) is the user's object: it shows a chain and its animation objects. A
`ChainProgram` (`program.py`) stores and restores the state of all that moves; `ChainHand`
(`hand.py`) drags a point by the inputs of the chain while its solvers close the loops, with the
same continuation method as `analysis.manipulator`; a pose on another branch is rejected.
Kinematics that can be traced are compiled and used where they agree with the chain itself.
`names.py` gives access to variables, frames and parameters by name.
"""
