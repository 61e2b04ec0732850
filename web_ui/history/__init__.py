"""Games that were played: told again from their events, with pictures and figures."""
