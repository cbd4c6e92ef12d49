"""Random models at default options, each judged by a second route."""
