"""The compiled system of a model: its equations, machine code and the layout of its states."""
