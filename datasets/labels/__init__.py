"""Labels in and out: formats of other tools, class order, checks, splits."""
