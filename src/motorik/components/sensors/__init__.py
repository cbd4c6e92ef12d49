"""What measures the motion of frames and the forces in them."""
