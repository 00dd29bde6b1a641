"""Sharing the work among processes: whose it is, and how it changes hands."""
