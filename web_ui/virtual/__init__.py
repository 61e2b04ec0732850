"""A table that is not there: dice thrown by the program, under a drawn camera."""
