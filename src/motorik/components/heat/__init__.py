"""Heat transfer with lumped elements: capacitors, conductors, sources and sensors."""
