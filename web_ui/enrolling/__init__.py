"""Learning a set of dice at the table: shown, named, learned, tried on rolls."""
