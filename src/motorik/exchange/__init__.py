"""Exchange: models and results from and to other formats."""
