"""The simulated people who use Discord, controlled by tests or by the browser page."""
