"""Code that features share and that knows none of them."""
