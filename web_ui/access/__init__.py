"""Who may look, run the table and rule: roles, logins, tokens."""
