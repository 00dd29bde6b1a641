"""Tests of players' words for the shuffle, and of verifying deals."""
