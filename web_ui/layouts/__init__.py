"""Which faces share a die, told from all games of a table and proposed to people."""
