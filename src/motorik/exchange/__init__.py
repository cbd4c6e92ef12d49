"""Exchange: models and results that come from, or go to, the world outside."""
