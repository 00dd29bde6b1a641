"""A load test with many servers and matches, a fixed rate of clicks, either database, and several processes."""
