"""The people who use the simulated Discord, as tests drive them."""
