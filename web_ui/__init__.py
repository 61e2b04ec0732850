"""The table, the dashboard and the tableside command."""
