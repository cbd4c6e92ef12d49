"""The start of a run: positions, speeds and accelerations that meet all conditions."""
