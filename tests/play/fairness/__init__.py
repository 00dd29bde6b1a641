"""Tests of the words that players give and of verifying deals."""
