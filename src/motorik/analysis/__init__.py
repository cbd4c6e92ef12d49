"""Analysis without time: branches, inverse kinematics, inverse dynamics."""
