"""The simulated Discord: users, guilds, channels, permissions, messages and time."""
