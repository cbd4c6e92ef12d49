"""A mechanism in motion: any quantity at given time, coordinates, speeds and accelerations.

`MotionView` computes poses, velocities, accelerations, forces and signals on demand, each once,
on numbers, arrays or symbols. Velocities, accelerations and forces of a frame are motors about
its own origin, resolved in its own axes. The same code writes constraint equations, traces the
equations of motion (`traced.py`) and evaluates results.

- `steps.py`: functions of one link each; recorded on a tape, equal steps share code.
- `drive_lines.py`: motion of flanges and equilibrium of the forces at them. Clamps and couplings
  take the remainder of the force laws; redundant couplings share it by least squares.
- `loads.py`: force motors of laws, of closures (Fₑ = Σ λᵢ ∂aᵢ/∂Vₑ), of masses and joints.
- `feedback.py`: forces that depend on accelerations or cut forces through signals are an algebraic
  loop; its tearing variables y = r(y) are solved by formulas where linear, else by Newton's method.
- `signal_rates.py`: exact rates of signals, by automatic differentiation.
- `catalogue.py`: every variable of every part by its name, with unit and meaning.
- `nonfinite_laws.py`: names the part whose law gives NaN or infinity.
"""
