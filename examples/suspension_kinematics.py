"""A suspension as its designer looks at it: camber and toe over the travel, and eigenfrequencies.

The wheel is moved through its travel with the loops of the suspension closed; then it stands in
equilibrium on its spring and tyre, and its small motions have frequencies and damping ratios.
Writes suspension_kinematics.png.
"""

import matplotlib.pyplot as plt
import numpy as np

from motorik.gallery import MacPherson

suspension = MacPherson(steering=0.0, bounce=0.0)

travel = np.linspace(-0.25, 0.25, 101)  # rad, of the lower arm
sweep = suspension.sweep_kinematics("inner_joint.phi", travel)
data = sweep.to_xarray(["hub.frame_b.r_0", "hub.frame_b.R.T", "strut.s"])
axle = data["hub.frame_b.R.T"].values[:, 1, :]  # of the wheel, in the world
axle = axle * np.sign(axle[:, [int(np.argmax(np.abs(axle[0])))]])
height = data["hub.frame_b.r_0"].values[:, 2]
up = axle @ np.array([0.0, 0.0, 1.0])
camber = np.degrees(np.arcsin(up))
toe = np.degrees(np.unwrap(np.arctan2(axle[:, 0], axle[:, 1])))

rest = suspension.equilibrium()
modes = suspension.modes(at=rest)
print(rest)
print(modes)

middle = travel.size // 2
figure, (left, right) = plt.subplots(1, 2, sharey=True, figsize=(7.0, 4.0))
left.plot(camber - camber[middle], 1e3 * (height - height[middle]))
left.set(xlabel="change of camber [°]", ylabel="travel of the wheel [mm]")
right.plot(toe - toe[middle], 1e3 * (height - height[middle]))
right.set(xlabel="change of toe [°]")
figure.suptitle(", ".join(f"{m.frequency:.2f} Hz, damping {m.damping:.2f}" for m in modes))
figure.tight_layout()
figure.savefig("suspension_kinematics.png")
