"""What happened at the tables, kept for good: events, pictures, bundles."""
