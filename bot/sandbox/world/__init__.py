"""The simulated Discord: users, guilds, channels, permissions, messages and the clock."""
