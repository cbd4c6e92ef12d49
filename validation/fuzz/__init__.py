"""Random mechanisms, and laws that hold for every one of them."""
