"""The parts of a step of any method: workspace, arguments, norm, projection."""
