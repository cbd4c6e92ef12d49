"""Programs for those who work on motorik."""
