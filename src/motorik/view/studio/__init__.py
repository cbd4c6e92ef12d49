"""The studio: building, running and exporting a model in the browser."""
