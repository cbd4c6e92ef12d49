"""Variables: angles and lengths in one list, distinguished by their kind (guide, §3.4.1)."""

from math import radians

from motorik.mobile import AngularVariable, LinearVariable, VariableList


def make_list() -> VariableList:
    """Return an angle of 90° and a length of 1 m, with equal rates and forces."""
    beta, s = AngularVariable("beta"), LinearVariable("s")
    variables = VariableList() << beta << s
    for variable in variables:
        variable.qd, variable.qdd, variable.Q = 1.0, 2.0, 3.0
    beta.q = radians(90.0)
    s.q = 1.0
    return variables


def main() -> None:
    """Print the positions, with the unit that the kind of variable has."""
    for variable in make_list():
        unit = "rad" if isinstance(variable, AngularVariable) else "m"
        print(f"{variable.name} = {variable.q:g} {unit}")


if __name__ == "__main__":
    main()
