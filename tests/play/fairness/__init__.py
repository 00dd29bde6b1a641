"""Words of players, and the check of what was promised."""
