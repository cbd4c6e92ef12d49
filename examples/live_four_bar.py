"""A four-bar that is moved by hand, with a slider and a button, live in the browser.

Without a display it does by itself what a user would do, and says so.
"""

from __future__ import annotations

import motorik as mk
from motorik.view.live.notebook import has_display


class FourBar(mk.Model):
    """A crank that turns round, a coupler and a rocker; the damping of the crank is live."""

    def build(self):
        """Close the ring of bars."""
        self.world = mk.World()
        self.bearing = mk.Revolute(n="z", phi=0.8, useAxisFlange=True)
        self.crank = mk.BodyBox(r=(0.4, 0, 0), width=0.05)
        self.elbow = mk.Revolute(n="z")
        self.coupler = mk.BodyBox(r=(1.1, 0, 0), width=0.05)
        self.wrist = mk.Revolute(n="z")
        self.rocker = mk.BodyBox(r=(0.9, 0, 0), width=0.05)
        self.pivot = mk.Revolute(n="z")
        self.base = mk.FixedTranslation(r=(1.2, 0, 0))
        self.damper = mk.rotational.Damper(d=mk.Parameter(5.0))
        self.world.frame_b >> self.bearing.frame_a
        self.bearing.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.elbow.frame_a
        self.elbow.frame_b >> self.coupler.frame_a
        self.coupler.frame_b >> self.wrist.frame_a
        self.wrist.frame_b >> self.rocker.frame_b
        self.rocker.frame_a >> self.pivot.frame_b
        self.pivot.frame_a >> self.base.frame_b
        self.base.frame_a >> self.world.frame_b
        self.bearing.support >> self.damper.flange_a
        self.damper.flange_b >> self.bearing.axis


def main() -> None:
    """Open the page, or move the four-bar from here."""
    with FourBar().live(open=has_display()) as session:
        panel = session.panel("Crank")
        panel.slider("bearing.phi", -180, 180, label="angle")
        panel.slider("damper.d", 0.0, 50.0, label="damping")
        panel.button("kick", lambda: session.set("bearing.w", 6.0))
        if has_display():
            session.play()
            session.wait()
            return
        outcome = session.turn("pivot.phi", float(session["pivot.phi"]) + 3.0)
        print(f"The rocker was turned as far as it goes: {outcome.text}")
        session.turn("bearing.phi", 2.0)
        torque = session.player.hand.torques()["bearing.phi"]
        print(f"The crank was turned to 2 rad; {torque:.1f} N·m hold it there.")
        session.set("damper.d", 10.0)
        session.set("bearing.w", 6.0)
        session.step(1.0)
        turned = float(session["bearing.phi"])
        print(f"With more damping and a kick it reaches {turned:.2f} rad after 1 s.")


if __name__ == "__main__":
    main()
