"""Checks over whole stores, and the formats in which other programs read what they found."""
