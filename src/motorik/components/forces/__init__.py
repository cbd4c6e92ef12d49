"""Forces and torques on frames and along lines."""
