"""A load test: many servers and matches, and people who play at a rate, on either database and in several processes."""
