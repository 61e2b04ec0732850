"""The link to the optional button box."""
