"""A door lock: a magnet in the door draws the bolt out of the frame, a solenoid draws it back.

The magnetic circuit in the door, with a permanent magnet, moves with the door and closes over two
air gaps through the iron at the tip of the bolt, as in the first figure of the AMESim paper on
planar mechanics. The bolt slides between two stops against a spring; when the door closes, the
magnet wins and the bolt snaps out. To unlock, a coil around an iron core pulls the bolt back.
Prints when the bolt moves. Writes door_lock.png (plot) and door_lock_pose.png (picture).
"""

from itertools import pairwise

import numpy as np

from motorik import Model, blocks, connect, electrical, magnetic, translational

STROKE = 0.010  # m, of the bolt
OPEN, CLOSED = 0.060, 0.014  # m, from the bolt at rest to the magnet in the door


class DoorLock(Model):
    """Door, bolt and solenoid; positions are along the bolt, from its rest in the frame on."""

    def build(self) -> None:
        """Build the moving parts, the circuit of the magnet and the solenoid."""
        self.build_bolt()
        self.build_door()
        self.build_solenoid()

    def build_bolt(self) -> None:
        """Build the bolt between its stops, with the spring that holds it in the frame."""
        self.bolt = translational.MassWithStopAndFriction(
            m=0.08, smin=0.0, smax=STROKE, s=0.0, v=0.0, F_prop=1.0, F_Coulomb=0.3,
            F_Stribeck=0.1, restitution=0.2,
        )  # fmt: skip
        self.spring = translational.Spring(c=400.0, s_rel0=-0.006)
        self.frame = translational.Fixed()
        connect(self.frame.flange, self.spring.flange_a)
        connect(self.spring.flange_b, self.bolt.flange_a)

    def build_door(self) -> None:
        """Build the door, which closes and opens, and the circuit of its magnet."""
        plan = (
            (0.0, OPEN),
            (0.2, OPEN),
            (0.6, CLOSED),
            (1.4, CLOSED),
            (1.8, OPEN),
            (2.5, OPEN),
        )
        self.plan = blocks.TimeTable(table=plan)
        self.door = translational.Position(exact=False, f_crit=20.0)
        self.plan.y >> self.door.s_ref
        self.magnet = magnetic.GenericLinearPermanentMagnet(l=0.008, area=1e-4, B_r=1.2)
        iron = {"area": 1e-4, "nonLinearPermeability": False, "mu_rConst": 800.0}
        self.upper = magnetic.GenericFluxTube(l=0.03, **iron)
        self.tip = magnetic.GenericFluxTube(l=0.02, **iron)
        self.lower = magnetic.GenericFluxTube(l=0.03, **iron)
        self.gap1, self.gap2 = (
            magnetic.CuboidParallelFlux(a=0.01, b=0.01, dlBydx=-1.0, useSupport=True)
            for _ in range(2)
        )
        self.zero = magnetic.Ground()
        ring = [self.magnet, self.upper, self.gap1, self.tip, self.gap2, self.lower]
        connect(ring[0].port_p, ring[1].port_p)
        for one, other in pairwise(ring[1:]):
            connect(one.port_n, other.port_p)
        connect(ring[-1].port_n, ring[0].port_n, self.zero.port)
        for gap in (self.gap1, self.gap2):
            connect(gap.support, self.door.flange)
            connect(gap.flange, self.bolt.flange_b)

    def build_solenoid(self) -> None:
        """Build the coil, its core and the gap behind the bolt; it is on from 1.2 s to 1.7 s."""
        self.supply = electrical.TrapezoidVoltage(
            V=12.0, rising=0.001, width=0.5, falling=0.001, period=10.0, startTime=1.2
        )
        self.winding, self.earth = electrical.Resistor(R=3.0), electrical.Ground()
        self.coil = magnetic.ElectroMagneticConverter(N=1000.0, i=0.0)
        self.core = magnetic.GenericFluxTube(l=0.1, area=3e-4)
        self.gap = magnetic.HollowCylinderAxialFlux(r_o=0.01, l_0=0.0005)
        self.base = magnetic.Ground()
        connect(self.supply.p, self.winding.p)
        connect(self.winding.n, self.coil.p)
        connect(self.coil.n, self.supply.n, self.earth.p)
        connect(self.coil.port_p, self.core.port_p)
        connect(self.core.port_n, self.gap.port_p)
        connect(self.gap.port_n, self.coil.port_n, self.base.port)
        connect(self.gap.flange, self.bolt.flange_a)


def main() -> None:
    """Close the door, unlock it and open it again."""
    result = DoorLock().simulate(2.5, interval=0.001)
    time, s = np.asarray(result.time), np.asarray(result["bolt.s"])
    out = s > 0.9 * STROKE
    changes = np.flatnonzero(out[1:] != out[:-1])
    for k in changes:
        print(f"{time[k + 1]:.3f} s: the bolt is {'out' if out[k + 1] else 'drawn back'}")
    pull = np.abs(np.asarray(result["gap1.F_m"]) + np.asarray(result["gap2.F_m"]))
    print(f"the magnet pulls with up to {pull.max():.1f} N, ", end="")
    print(f"the solenoid with up to {np.abs(result['gap.F_m']).max():.1f} N")
    result.plot(
        "door.flange.s", "bolt.s", "bolt.v", "gap1.F_m", "gap.F_m", "coil.i", "core.B",
        file="door_lock.png",
    )  # fmt: skip
    result.draw(1.0, file="door_lock_pose.png")


if __name__ == "__main__":
    main()
