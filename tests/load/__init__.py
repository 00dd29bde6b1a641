"""A load test with many servers and matches, clicks at a fixed rate, SQLite or PostgreSQL, and several processes."""
