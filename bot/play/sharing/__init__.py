"""Sharing the work among processes by leases and locks."""
