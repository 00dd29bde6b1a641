"""Discord's HTTP API v10."""
