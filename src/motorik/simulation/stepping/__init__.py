"""What one step of any method is made of: workspace, arguments, norm, projection."""
