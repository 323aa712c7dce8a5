"""Checks that end processes at the worst moment."""
