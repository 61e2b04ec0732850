"""Learning one set of dice: what its faces look like and which share a die."""
