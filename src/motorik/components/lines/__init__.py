"""What drive lines of both kinds, turning and sliding, share."""
