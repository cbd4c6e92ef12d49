"""Sensors of the motion of frames and of the loads between them."""
