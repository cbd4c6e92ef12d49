"""Bodies, fixed frames, rotors and the world."""
