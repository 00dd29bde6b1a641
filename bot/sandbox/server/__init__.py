"""The simulated Discord server: HTTP API, gateway, interactions, limits and deliberate faults."""
