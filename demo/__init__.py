"""`make demo`: a team with a month of history, as an example of the product and of its Python client."""
