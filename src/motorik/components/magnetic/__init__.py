"""Magnetic circuits of flux tubes: reluctances, coils, magnets and forces of air gaps."""
