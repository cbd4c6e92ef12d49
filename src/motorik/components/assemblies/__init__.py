"""Joint assemblies: chains of joints that close loops in closed form."""
