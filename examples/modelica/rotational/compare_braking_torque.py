"""CompareBrakingTorque: four laws of a braking torque.

Equal inertias are braked from 100 rad/s by torques that are constant, linear, quadratic and
inverse in the speed; all have 100 N·m at the start. Data of
Modelica.Mechanics.Rotational.Examples.CompareBrakingTorque. Writes compare_braking_torque.png.
"""

from motorik import Model, rotational


class CompareBrakingTorque(Model):
    """Four inertias, each with a brake of another law."""

    def build(self) -> None:
        """Connect each brake with its inertia."""
        self.inertia1 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.signTorque = rotational.SignTorque(reg="Linear", tau_nominal=-100.0, w0=1.0)
        self.inertia2 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.linearSpeedDependentTorque = rotational.LinearSpeedDependentTorque(
            tau_nominal=-100.0, w_nominal=100.0, TorqueDirection=False
        )
        self.inertia3 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.quadraticSpeedDependentTorque = rotational.QuadraticSpeedDependentTorque(
            tau_nominal=-100.0, w_nominal=100.0, TorqueDirection=False
        )
        self.inertia4 = rotational.Inertia(J=1.0, phi=0.0, w=100.0)
        self.inverseSpeedDependentTorque = rotational.InverseSpeedDependentTorque(
            tau_nominal=-100.0, w_nominal=100.0, TorqueDirection=False, w0=1.0
        )
        self.signTorque.flange >> self.inertia1.flange_a
        self.linearSpeedDependentTorque.flange >> self.inertia2.flange_a
        self.quadraticSpeedDependentTorque.flange >> self.inertia3.flange_a
        self.inverseSpeedDependentTorque.flange >> self.inertia4.flange_a


def main() -> None:
    """Tell how far each inertia turns until it is slow."""
    result = CompareBrakingTorque().simulate(5.0, output=1000)
    laws = ("constant", "linear", "quadratic", "inverse")
    for k, law in enumerate(laws, start=1):
        turned = result[f"inertia{k}.phi"][-1]
        print(f"{law:>9}: {turned:6.1f} rad until {result[f'inertia{k}.w'][-1]:8.4f} rad/s")
    result.plot(
        *(f"inertia{k}.w" for k in (1, 2, 3, 4)),
        *(f"inertia{k}.phi" for k in (1, 2, 3, 4)),
        file="compare_braking_torque.png",
    )


if __name__ == "__main__":
    main()
