"""Common basis of rotational and translational drive lines."""
