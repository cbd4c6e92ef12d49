"""Hydraulics: volumes, resistances, valves, pumps, cylinders and sensors.

Pressures are above that of the atmosphere. The through quantity is the volume flow of a liquid
whose density is constant but for the compliance of volumes, with the bulk modulus β = −V dp/dV.
"""
