"""The live table: a fold of events, and the one thread that adds to them."""
